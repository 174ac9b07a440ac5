"""Conflicted and overruled.

Heads of one group clash where their scopes overlap and they say different things (`statement`). Then
 1. the one with the higher authority overrules the other; a restraint is never overruled;
 2. those of equal authority that nothing overrules are conflicted, until somebody rules: who came last is no reason;
 3. different subjects are a split, not a clash, unless the clash is declared or they supersede each other in a cycle;
 4. allow and deny never clash: where they overlap the deny wins (`permissions`);
 5. in scopes that lie in each other the narrower one does not clash with the wider: at a question inside it the wider
    one yields to it, or it yields to the wider one where it has the lower authority. A restraint never yields;
 6. a conflict of grants is over when a person says so, not when an agent revokes one side of it.

Groups are compared bucket by bucket (`buckets`), and level by level; a verdict names a few of the others, a clash all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from cc_git.model.verdict import Clash
from cc_git.standing.buckets import Meeting, meetings
from cc_git.standing.heads import Group
from cc_git.standing.member import Member
from cc_git.standing.statement import Statement

NAMED = 16
"""How many others a verdict names at most; all of them are in the clash."""


def compare(groups: Sequence[Group]) -> tuple[Clash, ...]:
    """Fill `overruled_by`, `clashes_with` and `yields_to`; the clashes that stay open."""
    prepared = [(group, list(meetings(group))) for group in groups]
    yields: dict[Member, set[str]] = {}
    for _, met in prepared:
        for meeting in met:
            if meeting.layers:
                _yield(meeting, yields)
            else:
                _overrule(meeting)
    for member, to in yields.items():
        member.yields_to = tuple(sorted(to))
    parts: dict[str, _Parts] = {}
    for group, met in prepared:
        for meeting in met:
            if not meeting.layers:
                _clash(meeting, parts.setdefault(group.cause, _Parts()))
    return tuple(_clashes(parts))


def _overrule(meeting: Meeting) -> None:
    one, other = meeting.one, meeting.other
    for low, high in ((one, other), (other, one)) if one is not other else ((one, one),):
        if not low or not high or min(low) >= max(high):
            continue
        for own, said in low.items():
            above = [(text, ms) for level, facing in high.items() if level > own for text, ms in facing.items()]
            for text, members in said.items() if above else ():
                others = _few(member.id for facing, ms in above if facing != text for member in ms)
                for member in members:
                    if others and not member.restrains:
                        member.overruled_by = _united(member.overruled_by, others)


def _clash(meeting: Meeting, parts: _Parts) -> None:
    for level, said in meeting.one.items():
        facing = meeting.other.get(level)
        if facing is None or (said is facing and len(said) == 1):
            continue
        for mine, theirs in ((said, facing), (facing, said)) if said is not facing else ((said, said),):
            ordered = sorted(
                ((member, text) for text, ms in theirs.items() for member in ms if not member.overruled_by),
                key=lambda pair: pair[0].id,
            )
            for text, members in mine.items():
                others = list(islice((pair for pair in ordered if pair[1] != text), NAMED))
                for member in members if others else ():
                    if not member.overruled_by:
                        member.clashes_with = _united(member.clashes_with, tuple(o.id for o, _ in others))
                        for partner in _two_voices(others):
                            parts.join(member.id, partner)


def _two_voices(others: list[tuple[Member, Statement]]) -> Iterator[str]:
    """One who says something else, and one who says a third thing: enough to join everything that hangs together."""
    first = others[0]
    yield first[0].id
    for member, text in others:
        if text != first[1]:
            yield member.id
            return


def _yield(meeting: Meeting, yields: dict[Member, set[str]]) -> None:
    """`one` is the wider."""
    for level, said in meeting.one.items():
        for facing_level, facing in meeting.other.items():
            giving, taking = (said, facing) if facing_level >= level else (facing, said)
            for text, members in giving.items():
                ids = [m.id for other, ms in taking.items() if other != text for m in ms]
                for member in members if ids else ():
                    if not member.restrains:
                        yields.setdefault(member, set()).update(ids)


def _few(identifiers: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(identifiers)[:NAMED])


def _united(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return other if not one or one == other else _few({*one, *other})


class _Parts:
    """What hangs together, by union and find."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def join(self, one: str, other: str) -> None:
        self._parent[self._root(one)] = self._root(other)

    def sets(self) -> list[tuple[str, ...]]:
        together: dict[str, list[str]] = {}
        for identifier in self._parent:
            together.setdefault(self._root(identifier), []).append(identifier)
        return sorted(tuple(sorted(ids)) for ids in together.values())

    def _root(self, identifier: str) -> str:
        parent = self._parent
        parent.setdefault(identifier, identifier)
        while parent[identifier] != identifier:
            parent[identifier] = parent[parent[identifier]]
            identifier = parent[identifier]
        return identifier


def _clashes(parts: dict[str, _Parts]) -> Iterable[Clash]:
    """Connected clashes of one cause are one; a clash that has two causes is named by the first."""
    told: set[tuple[str, ...]] = set()
    for cause in ("line", "subject", "declared"):
        for ids in parts[cause].sets() if cause in parts else ():
            if ids not in told:
                told.add(ids)
                yield Clash(ids, cause)
