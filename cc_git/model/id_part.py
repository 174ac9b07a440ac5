"""A beginning or an end of an id, as people type it or copy it from our output (`dec…k3f9q2`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from cc_git.model.ids import PREFIXES, is_id

_ELLIPSIS = re.compile(r"…|\.{2,3}")
_GRAMMAR = re.compile(r"[0-9a-z_]*")
# Crockford's base 32 reads these as the digits they look like; prefixes are words and keep their letters.
_LOOK_ALIKES = str.maketrans("ilo", "110")


@dataclass(frozen=True, slots=True)
class IdPart:
    """`text` as typed. Raises ValueError when no id could ever match it."""

    text: str

    def __post_init__(self) -> None:
        lowered = self.text.strip().lower()
        head, *tails = _ELLIPSIS.split(lowered)
        if not lowered or len(tails) > 1 or not all(_GRAMMAR.fullmatch(part) for part in (head, *tails)):
            raise ValueError(f"{self.text!r} is neither the beginning nor the end of an id")

    def matches(self, identifier: str) -> bool:
        head, *tails = _ELLIPSIS.split(self.text.strip().lower())
        if tails:
            return identifier.startswith(head) and identifier.endswith(tails[0].translate(_LOOK_ALIKES))
        prefix, bar, ulid = head.partition("_")
        if bar and prefix in PREFIXES:
            return identifier.startswith(f"{prefix}_{ulid.translate(_LOOK_ALIKES)}")
        return identifier.startswith(head) or identifier.endswith(head.translate(_LOOK_ALIKES))

    def among(self, identifiers: Iterable[str]) -> tuple[str, ...]:
        """Every id that this part names, sorted; a whole id names itself alone, and is not compared with each."""
        whole = self.text.strip().lower()
        if is_id(whole) and isinstance(identifiers, Collection):
            return (whole,) if whole in identifiers else ()
        return tuple(sorted(identifier for identifier in identifiers if self.matches(identifier)))
