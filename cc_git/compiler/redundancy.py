"""What says the same again: near duplicates, and episodes that a selected record already stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cc_git.compiler.pool import Card
from cc_git.model.record import Record

_LIKE = (9, 10)
"""Two records are alike when at least this share of their words is common to both."""
_CLOSE = 5
"""Only records whose lengths differ by less than a fifth are compared."""
_WORD = re.compile(r"\w+")
_DECISIVE = re.compile(r"\d|\b(?:not|no|never|none|without|except|unless|only|non)\b|n't\b")
"""A number or a negation more or less makes another statement of the same words."""
_ENDED_HARD = frozenset({"revoked", "rejected", "forgotten", "damaged"})


class Seen:
    """What was selected so far, by kind."""

    def __init__(self) -> None:
        self._by_kind: dict[str, list[tuple[Card, Record]]] = {}
        self._said: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {}

    def add(self, card: Card, record: Record) -> None:
        self._by_kind.setdefault(card.kind, []).append((card, record))

    def twin_of(self, card: Card, record: Record) -> str | None:
        """The id of a selected record that already says this, or None."""
        for other, said in self._by_kind.get(card.kind, ()):
            close = abs(other.length - card.length) * _CLOSE <= max(other.length, card.length)
            if close and _alike(self._words(record), self._words(said)):
                return other.id
        return None

    def _words(self, record: Record) -> tuple[frozenset[str], tuple[str, ...]]:
        known = self._said.get(record.id)
        if known is None:
            text = f"{record.title}\n{record.content}".casefold()
            decisive = tuple(sorted(_DECISIVE.findall(text)))
            known = self._said[record.id] = (frozenset(_WORD.findall(text)), decisive)
        return known


def _alike(one: tuple[frozenset[str], tuple[str, ...]], two: tuple[frozenset[str], tuple[str, ...]]) -> bool:
    common = len(one[0] & two[0])
    return common * _LIKE[1] >= len(one[0] | two[0]) * _LIKE[0] and one[1] == two[1]


def ended_behind(citing: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Of the records that rest on an episode, those that do not hold."""
    return tuple((i, standing) for i, standing in citing if standing not in ("current", "conflicted"))


def hidden_by_end(citing: Sequence[tuple[str, str]]) -> bool:
    """Everything that rests on the episode was taken back: shown again it would only be followed again."""
    ended = ended_behind(citing)
    return len(ended) == len(citing) and any(standing in _ENDED_HARD for _, standing in ended)
