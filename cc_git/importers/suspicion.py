"""Text that looks like an instruction to whoever reads it: named, so that a person looks twice. A flag, never a gate.

What nobody flagged is no safer than what was: an imported text is evidence and grants nothing, flagged or not. The
signs are data, in `templates/instruction-like.toml`; text is folded before it is compared with them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

from cc_git.codec.toml_read import load
from cc_git.model.spine import INSTRUCTION_LIKE
from cc_git.model.value import Value
from cc_git.resources import shipped

LONGEST = 200_000
"""Characters of a text that are looked at."""
HIDDEN = "hidden-characters"
_HIDING = re.compile("[\u200b\u200c\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_SHOWS_NOTHING = {"Cf", "Cc", "Mn", "Me"}
_MARKUP = str.maketrans({"\u2019": "'", "\u2018": "'", "*": "", "`": "", "_": ""})


def signs_in(*texts: str) -> tuple[str, ...]:
    """The names of the signs found in any of the texts, sorted."""
    found: set[str] = set()
    for text in texts:
        looked = text[:LONGEST]
        if _HIDING.search(looked):
            found.add(HIDDEN)
        folded = _folded(looked)
        found.update(name for name, pattern in _signs() if name not in found and pattern.search(folded))
    return tuple(sorted(found))


def marked(tags: Iterable[str], signs: Iterable[str]) -> tuple[str, ...]:
    """The tags of what was looked at, each once: with signs one more."""
    return tuple(dict.fromkeys((*tags, *((INSTRUCTION_LIKE,) if tuple(signs) else ()))))


def texts_in(value: object) -> Iterable[str]:
    """Every text of a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Value):
        for name in type(value).model_fields:
            yield from texts_in(getattr(value, name))
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from texts_in(inner)


@cache
def _signs() -> tuple[tuple[str, re.Pattern[str]], ...]:
    text = (shipped("templates") / "instruction-like.toml").read_text(encoding="utf-8")
    return tuple((sign["name"], re.compile(sign["pattern"])) for sign in load(text)["sign"])


def _folded(text: str) -> str:
    """Compatibility forms and case undone, accents, markup and invisible characters gone, one space between words."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(c for c in plain if c in "\n\t" or unicodedata.category(c) not in _SHOWS_NOTHING)
    return " ".join(kept.translate(_MARKUP).split())
