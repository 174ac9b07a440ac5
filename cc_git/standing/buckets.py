"""Which records of a group meet, found by bucket (scope, subject, kind and effect) instead of pair by pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from cc_git.model.kinds import Permission
from cc_git.standing.heads import Group
from cc_git.standing.member import Fields, Member, covers, meet
from cc_git.standing.statement import Statement, statement

Level = dict[Statement, list[Member]]
"""What is said at one level, and by whom."""
Bucket = dict[int, Level]


class Meeting(NamedTuple):
    """Two buckets (or one with itself) in which records can clash; `layers`: the scope of `one` holds that of `other`,
    so that these do not clash but yield."""

    one: Bucket
    other: Bucket
    layers: bool = False


class _Place(NamedTuple):
    """What tells buckets of one scope apart. `effect` is a permission's; an allow and a deny never meet."""

    subject: str | None
    kind: str
    effect: str | None


def meetings(group: Group) -> Iterator[Meeting]:
    scopes: dict[Fields, dict[_Place, Bucket]] = {}
    for member in group.members:
        record = member.record
        effect = record.payload.effect if isinstance(record.payload, Permission) else None
        place = _Place(record.subject, record.kind, effect)
        bucket = scopes.setdefault(member.scope, {}).setdefault(place, {})
        bucket.setdefault(member.weight, {}).setdefault(statement(record), []).append(member)
    for places in scopes.values():
        for bucket in places.values():
            if any(len(level) > 1 for level in bucket.values()) or len(bucket) > 1:
                yield Meeting(bucket, bucket)
        if len(places) > 1:
            yield from (Meeting(places[a], places[b]) for a, b in _pairs_within(places, group.split))
    if len(scopes) > 1:
        for wide, narrow in _scope_pairs(list(scopes)):
            layers = group.layered and covers(wide, narrow)
            for a, b in _pairs_across(scopes[wide], scopes[narrow], group.split):
                yield Meeting(scopes[wide][a], scopes[narrow][b], layers)


def _scope_pairs(scopes: list[Fields]) -> Iterator[tuple[Fields, Fields]]:
    """Different scopes that overlap, the wider first where one holds the other.

    Looked up by the field that tells most of them apart: a thousand threads under one project do not meet.
    """
    field = max(range(len(scopes[0])), key=lambda i: len({scope[i] for scope in scopes}))
    by_value: dict[str, list[Fields]] = {}
    for scope in scopes:
        by_value.setdefault(scope[field], []).append(scope)
    everywhere = by_value.pop("*", [])
    pairs = [pair for alike in (everywhere, *by_value.values()) for pair in combinations(alike, 2)]
    pairs += [(wide, narrow) for wide in everywhere for alike in by_value.values() for narrow in alike]
    for one, other in pairs:
        if meet(one, other):
            yield (other, one) if covers(other, one) else (one, other)


def _pairs_within(places: Iterable[_Place], split: bool) -> Iterator[tuple[_Place, _Place]]:
    seen: list[_Place] = []
    by_subject: dict[str | None, list[_Place]] = {}
    for place in places:
        candidates = seen if not split or place.subject is None else _same(by_subject, place)
        yield from ((place, other) for other in candidates if _may_meet(place, other))
        seen.append(place)
        by_subject.setdefault(place.subject, []).append(place)


def _pairs_across(ones: Iterable[_Place], others: Iterable[_Place], split: bool) -> Iterator[tuple[_Place, _Place]]:
    every = list(others)
    by_subject: dict[str | None, list[_Place]] = {}
    for place in every:
        by_subject.setdefault(place.subject, []).append(place)
    for place in ones:
        candidates = every if not split or place.subject is None else _same(by_subject, place)
        yield from ((place, other) for other in candidates if _may_meet(place, other))


def _same(by_subject: dict[str | None, list[_Place]], place: _Place) -> list[_Place]:
    """Of one subject, or of none."""
    return [*by_subject.get(place.subject, ()), *by_subject.get(None, ())]


def _may_meet(one: _Place, other: _Place) -> bool:
    return one.effect is None or other.effect is None or one.effect == other.effect
