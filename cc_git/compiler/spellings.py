"""One target in its many spellings: `./staging/x`, `STAGING/x`, `prod/../staging/x`, `staging%2fx`. Pure.

What takes away is read widely: a deny is held against a target as it is spelled and as it resolves. What grants is read
narrowly: a grant must cover both.
"""

from __future__ import annotations

import unicodedata
from itertools import product
from urllib.parse import unquote

from cc_git.standing import patterns

_DECODED = 4
"""How often `%252f` is decoded before what is left is taken as it is."""


def resolved(target: str) -> str:
    """In one case, with `/` alone between parts, percent-decoded, without `.`, `..`, empty parts and a leading `/`.
    A `/` at the end stays."""
    text = _folded(target)
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    end = "/" if parts and text.rpartition("/")[2] in ("", ".", "..") else ""
    return "/".join(parts) + end


def meets(forbidden: str, target: str) -> bool:
    """Whether a deny's target and this one have something in common, in any spelling."""
    return any(patterns.overlaps(one, other) for one, other in product(_ways(forbidden), _ways(target)))


def within(forbidden: str, target: str) -> bool:
    """Whether a deny covers the target whole, in any spelling."""
    return any(patterns.covers(one, other) for one, other in product(_ways(forbidden), _ways(target)))


def grants(granted: str, target: str) -> bool:
    """Whether a grant covers the target as it is spelled, and what it resolves to."""
    return patterns.covers(granted, target) and patterns.covers(resolved(granted), resolved(target))


def _ways(target: str) -> set[str]:
    return {target, _folded(target), resolved(target)}


def _folded(target: str) -> str:
    text = target
    for _ in range(_DECODED):
        text = unquote(text)
    return unicodedata.normalize("NFKC", text).casefold().strip().replace("\\", "/")
