"""What says the same again: near duplicates, and episodes that a selected record already stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cc_git.compiler.pool import Card
from cc_git.compiler.terms import bag_of
from cc_git.model.record import Record

_LIKE = (9, 10)
"""Two records are alike when at least this share of their terms is common to both."""
_CLOSE = 5
"""Only records whose lengths differ by less than a fifth are compared."""
_DECISIVE = re.compile(r"\d|\b(?:not|no|never|none|without|except|unless|only|non)\b|n't\b", re.IGNORECASE)
"""A number or a negation more or less makes another statement of the same words."""
_ENDED_HARD = frozenset({"revoked", "rejected", "forgotten", "damaged"})


class Seen:
    """What was selected so far, by kind."""

    def __init__(self) -> None:
        self._by_kind: dict[str, list[tuple[Card, Record]]] = {}
        self._words: dict[str, frozenset[str]] = {}

    def add(self, card: Card, record: Record) -> None:
        self._by_kind.setdefault(card.kind, []).append((card, record))

    def twin_of(self, card: Card, record: Record) -> str | None:
        """The id of a selected record that already says this, or None."""
        for other, said in self._by_kind.get(card.kind, ()):
            close = abs(other.length - card.length) * _CLOSE <= max(other.length, card.length)
            if close and _decisive(record) == _decisive(said) and _alike(self._of(record), self._of(said)):
                return other.id
        return None

    def _of(self, record: Record) -> frozenset[str]:
        known = self._words.get(record.id)
        if known is None:
            known = self._words[record.id] = frozenset(bag_of(record))
        return known


def _decisive(record: Record) -> tuple[str, ...]:
    return tuple(sorted(found.lower() for found in _DECISIVE.findall(f"{record.title}\n{record.content}")))


def _alike(a: frozenset[str], b: frozenset[str]) -> bool:
    common = len(a & b)
    return common > 0 and common * _LIKE[1] >= len(a | b) * _LIKE[0]


def ended_behind(citing: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Of the records that rest on an episode, those that do not hold."""
    return tuple((i, standing) for i, standing in citing if standing not in ("current", "conflicted"))


def hidden_by_end(citing: Sequence[tuple[str, str]]) -> bool:
    """Everything that rests on the episode was taken back: shown again it would only be followed again."""
    ended = ended_behind(citing)
    return len(ended) == len(citing) and any(standing in _ENDED_HARD for _, standing in ended)
