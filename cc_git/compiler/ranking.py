"""Pass 2, the order: how useful each eligible record is for the task.

BM25 (Robertson and Zaragoza, 2009) from the eligible set's own statistics: a record that may not be seen changes no
score. Relevance is the root of the share of the best score, so that a single strong match does not flatten the rest;
recency falls with the age in units of the eligible set's own pace. Everything is quantised to integers before it is
compared, and ties go to the shorter record, then kind, then id: no index and no platform decides an order. (The root
and the four operations are exact in IEEE 754; the logarithm is not, and is quantised before anything is built on it.)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isqrt, sqrt
from operator import itemgetter
from typing import Any, NamedTuple

from cc_git.compiler.pool import Card
from cc_git.model.authority import LADDER, Authority

RANKER = "bm25/1"
_UNIT = 1000
_K1, _B = 1.5, 0.75
_PACE = 20
"""Records after which recency has fallen to the root of a half."""

_COMMON = 3
"""A term in more than one of so many records is left out of the count beside terms that say eight times as much."""
_RECENCY = 300
_CHANGED_FILE = 400
_ATTESTED = 20
_AUTHORITY = {authority: 10 * step for step, authority in enumerate(LADDER)}
_KIND = {
    "identity": 90, "decision": 60, "procedure": 60, "failure": 60, "commitment": 60, "permission": 60, "goal": 60,
    "belief": 40, "relationship": 20, "user_model": 20, "hypothesis": 0,
}  # fmt: skip
"""Hypotheses and biography give way to current decisions."""
_DUTY = {"catastrophic": 120, "high": 80}
_FLAG = {"stale": -60, "disputed": -60, "reported": -30, "under-review": -30, "needs-review": -20, "claimed": -20}

_ID, _RECORDED, _LENGTH = (itemgetter(Card._fields.index(name)) for name in ("id", "recorded", "length"))
_TRAITS = itemgetter(*map(Card._fields.index, ("kind", "authority", "attested", "duty", "priority", "flags")))

KIND_ORDER = {kind: place for place, kind in enumerate(_KIND)}


class Ranked(NamedTuple):
    """`relevance` is 0 to 1000, 1000 for the best match of a query; `utility` adds what speaks for a record besides."""

    card: Card
    relevance: int
    utility: int


class Question(NamedTuple):
    """The terms of each query, and the repository paths at hand."""

    queries: tuple[tuple[str, ...], ...]
    changed: frozenset[str]

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(term for query in self.queries for term in query)


class Ranking:
    """The scores of one question over `eligible`. `frequencies` may hold more records: those in `others` count for
    nothing. `now` is in milliseconds; a record from the future counts as new."""

    def __init__(
        self,
        eligible: Sequence[Card],
        others: Collection[str],
        frequencies: Mapping[str, Mapping[str, int]],
        question: Question,
        now: int,
    ) -> None:
        self._eligible = eligible
        self._changed = question.changed
        self._relevance = _relevance(eligible, others, frequencies, question.queries)
        times = list(map(_RECORDED, eligible))
        self._newest = min(max(times, default=now), now)
        span = self._newest - min(times, default=now)
        self._rate = len(times) / (span * _PACE) if span > 0 else 0.0

    def of(self, card: Card) -> Ranked:
        return Ranked(card, self._relevance.get(card.id, 0), self._utilities([card])[0])

    def best(self, number: int, without: Collection[str]) -> list[Ranked]:
        """The most useful first; at most `number`, and none of `without`."""
        values = self._utilities(self._eligible)
        number += len(without)
        least = sorted(values, reverse=True)[number] if len(values) > number else -_UNIT
        scored = [(value, card) for value, card in zip(values, self._eligible, strict=True) if value >= least]
        scored.sort(key=lambda e: (-e[0], e[1].length, KIND_ORDER[e[1].kind], e[1].id))
        relevance = self._relevance.get
        ranked = (Ranked(card, relevance(card.id, 0), value) for value, card in scored[:number])
        return [entry for entry in ranked if entry.card.id not in without]

    def _utilities(self, cards: Sequence[Card]) -> list[int]:
        """One pass a column: over ten thousand cards this is half the time of one call a card."""
        beside, newest, rate, relevance = _Beside(), self._newest, self._rate, self._relevance.get
        columns = zip(map(_ID, cards), map(_TRAITS, cards), map(_RECORDED, cards), strict=True)
        values = [
            relevance(identifier, 0) + beside[key]
            + (int(_RECENCY / sqrt(1.0 + (newest - recorded) * rate)) if recorded < newest else _RECENCY)
            for identifier, key, recorded in columns
        ]  # fmt: skip
        if self._changed:
            for place, card in enumerate(cards):
                if card.anchors and touches(card.anchors, self._changed):
                    values[place] += _CHANGED_FILE
        return values


class _Beside(dict[tuple[Any, ...], int]):
    """Traits → what speaks for a record whatever the question is; few records differ in them."""

    def __missing__(self, traits: tuple[Any, ...]) -> int:
        self[traits] = value = _beside(*traits)
        return value


def _beside(kind: str, authority: Authority, attested: bool, duty: str, priority: int, flags: tuple[str, ...]) -> int:
    value = _AUTHORITY[authority] + _KIND[kind] + _DUTY.get(duty, 0) + sum(_FLAG.get(flag, 0) for flag in flags)
    return value + (_ATTESTED if attested else 0) + (10 * (10 - priority) if priority else 0)


def touches(anchors: Collection[str], changed: Collection[str]) -> bool:
    """An anchor is a changed file, or a folder that holds one."""
    return any(path in changed or any(c.startswith(path.rstrip("/") + "/") for c in changed) for path in anchors)


def _relevance(
    eligible: Sequence[Card],
    others: Collection[str],
    frequencies: Mapping[str, Mapping[str, int]],
    queries: Iterable[Sequence[str]],
) -> dict[str, int]:
    """record → 1..1000: for each query the root of the share of its best score; the best of several queries counts."""
    best: dict[str, int] = {}
    number = len(eligible)
    if not number or not frequencies:
        return best
    lengths = dict(zip(map(_ID, eligible), map(_LENGTH, eligible), strict=True))
    floor, slope = _K1 * (1 - _B), _K1 * _B / max(1.0, sum(lengths.values()) / number)
    outside = frozenset(others)
    for query in queries:
        scores: dict[str, int] = {}
        for postings, rarity in _telling(query, frequencies, outside, number):
            for identifier, count in postings.items():
                if identifier in lengths:
                    value = int(rarity * count / (count + floor + slope * lengths[identifier]) + 0.5)
                    scores[identifier] = scores.get(identifier, 0) + value
        top = max(scores.values(), default=0)
        for identifier, value in scores.items():
            share = isqrt(_UNIT * _UNIT * value // top) if top else 0
            if share > best.get(identifier, 0):
                best[identifier] = share
    return best


def _telling(
    query: Sequence[str], frequencies: Mapping[str, Mapping[str, int]], outside: frozenset[str], number: int
) -> list[tuple[Mapping[str, int], int]]:
    """(postings, weight of the term) of the terms that tell records apart, in the order of the query."""
    found = []
    for term in dict.fromkeys(query):
        postings = frequencies.get(term)
        if not postings:
            continue
        among = len(postings) - (len(postings.keys() & outside) if outside else 0)
        rarity = int(math.log(1 + (number - among + 0.5) / (among + 0.5)) * (_K1 + 1) * _UNIT + 0.5)
        if among:
            found.append((postings, rarity, among))
    most = max((rarity for _, rarity, _ in found), default=0)
    return [(p, rarity) for p, rarity, among in found if among * _COMMON <= number or rarity * 8 > most]
