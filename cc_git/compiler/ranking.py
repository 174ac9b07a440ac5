"""Pass 2, the order: how useful each eligible record is for the task.

BM25 (Robertson and Zaragoza, 2009) from the eligible set's own statistics: a record that may not be seen changes no
score. Relevance is the root of the share of the best score, so that a single strong match does not flatten the rest;
recency falls with the age in units of the eligible set's own pace. Everything is quantised to integers before it is
compared, and ties go to the shorter record, then kind, then id: no index and no platform decides an order.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from math import isqrt
from typing import NamedTuple

from cc_git.compiler.pool import Card
from cc_git.model.authority import LADDER

RANKER = "bm25/1"
_UNIT = 1000
_K1, _B = 1.5, 0.75
_PACE = 20
"""Records after which recency has fallen to the root of a half."""

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


def rank(
    eligible: Sequence[Card],
    frequencies: Mapping[str, Mapping[str, int]],
    question: Question,
    now: int,
) -> list[Ranked]:
    """All of `eligible`, most useful first. `now` is in milliseconds; a record from the future counts as new."""
    by_id = {card.id: card for card in eligible}
    relevance = _relevance(by_id, frequencies, question.queries)
    recency = _Recency(eligible, now)
    ranked = []
    for card in eligible:
        matched = relevance.get(card.id, 0)
        ranked.append(Ranked(card, matched, matched + _beside(card, question.changed) + recency.of(card)))
    ranked.sort(key=lambda r: (-r.utility, r.card.length, KIND_ORDER[r.card.kind], r.card.id))
    return ranked


def _beside(card: Card, changed: Collection[str]) -> int:
    value = _AUTHORITY[card.authority] + _KIND[card.kind]  # type: ignore[index]
    if card.attested:
        value += _ATTESTED
    if card.duty:
        value += _DUTY.get(card.duty, 0)
    if card.priority:
        value += 10 * (10 - card.priority)
    for flag in card.flags:
        value += _FLAG.get(flag, 0)
    if card.anchors and changed and touches(card.anchors, changed):
        value += _CHANGED_FILE
    return value


def touches(anchors: Collection[str], changed: Collection[str]) -> bool:
    """An anchor is a changed file, or a folder that holds one."""
    return any(path in changed or any(c.startswith(path.rstrip("/") + "/") for c in changed) for path in anchors)


class _Recency:
    def __init__(self, eligible: Sequence[Card], now: int) -> None:
        self._now = now
        times = [min(card.recorded, now) for card in eligible]
        self._newest = max(times, default=now)
        self._span = (self._newest - min(times, default=now)) * _PACE
        self._number = len(times)

    def of(self, card: Card) -> int:
        if not self._span:
            return _RECENCY
        age = (self._newest - min(card.recorded, self._now)) * self._number
        return isqrt(_RECENCY * _RECENCY * self._span // (self._span + age))


def _relevance(
    by_id: Mapping[str, Card],
    frequencies: Mapping[str, Mapping[str, int]],
    queries: Sequence[Sequence[str]],
) -> dict[str, int]:
    """record → 0..1000: for each query the root of the share of its best score; the best of several queries counts."""
    if not by_id:
        return {}
    number = len(by_id)
    mean = max(1.0, sum(card.length for card in by_id.values()) / number)
    floor, slope = _K1 * (1 - _B), _K1 * _B / mean
    weighted: dict[str, dict[str, int]] = {}
    for term in {term for query in queries for term in query}:
        found = [(i, count) for i, count in frequencies.get(term, {}).items() if i in by_id]
        rarity = math.log(1 + (number - len(found) + 0.5) / (len(found) + 0.5)) * (_K1 + 1) * _UNIT
        weighted[term] = {
            i: int(rarity * count / (count + floor + slope * by_id[i].length) + 0.5) for i, count in found
        }
    best: dict[str, int] = {}
    for query in queries:
        scores: dict[str, int] = {}
        for term in dict.fromkeys(query):
            for i, value in weighted[term].items():
                scores[i] = scores.get(i, 0) + value
        top = max(scores.values(), default=0)
        for i, value in scores.items():
            share = isqrt(_UNIT * _UNIT * value // top) if top else 0
            if share > best.get(i, 0):
                best[i] = share
    return best
