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

Voice = tuple[Member, Statement]
NAMED = 16
"""How many others a verdict names at most; all of them are in the clash."""


def compare(groups: Sequence[Group]) -> tuple[Clash, ...]:
    """Fill `overruled_by`, `clashes_with` and `yields_to`; the clashes that stay open."""
    prepared = [(group, list(meetings(group))) for group in groups]
    yields: dict[Member, list[tuple[str, ...]]] = {}
    for _, met in prepared:
        for meeting in met:
            if meeting.layers:
                _yield(meeting, yields)
            else:
                _overrule(meeting)
    _fill_yields(yields)
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
            above = _by_id((text, ms) for level, facing in high.items() if level > own for text, ms in facing.items())
            for text, members in said.items() if above else ():
                others = tuple(other.id for other, _ in _few_but(text, above))
                for member in members:
                    if others and not member.restrains:
                        member.overruled_by = _united(member.overruled_by, others)


def _clash(meeting: Meeting, parts: _Parts) -> None:
    for level, said in meeting.one.items():
        facing = meeting.other.get(level)
        if facing is None or (said is facing and len(said) == 1):
            continue
        for mine, theirs in ((said, facing), (facing, said)) if said is not facing else ((said, said),):
            ordered = [pair for pair in _by_id(theirs.items()) if not pair[0].overruled_by]
            for text, members in mine.items():
                others = _few_but(text, ordered)
                for member in members if others else ():
                    if not member.overruled_by:
                        member.clashes_with = _united(member.clashes_with, tuple(o.id for o, _ in others))
                        for partner in _two_voices(others):
                            parts.join(member.id, partner)


def _by_id(said: Iterable[tuple[Statement, list[Member]]]) -> list[Voice]:
    return sorted(((member, text) for text, members in said for member in members), key=lambda voice: voice[0].id)


def _few_but(text: Statement, ordered: list[Voice]) -> list[Voice]:
    """The first that say something else."""
    return list(islice((voice for voice in ordered if voice[1] != text), NAMED))


def _two_voices(others: list[Voice]) -> Iterator[str]:
    """One who says something else, and one who says a third thing: enough to join everything that hangs together."""
    first = others[0]
    yield first[0].id
    for member, text in others:
        if text != first[1]:
            yield member.id
            return


def _yield(meeting: Meeting, yields: dict[Member, list[tuple[str, ...]]]) -> None:
    """`one` is the wider. Who says what none of the others says gives way to all of them, in one tuple for all such."""
    for level, said in meeting.one.items():
        for facing_level, facing in meeting.other.items():
            giving, taking = (said, facing) if facing_level >= level else (facing, said)
            everyone = tuple(member.id for members in taking.values() for member in members)
            for text, members in giving.items():
                ids, own = everyone, taking.get(text)
                if own is not None:
                    ids = tuple(member.id for alike in taking.values() if alike is not own for member in alike)
                for member in members if ids else ():
                    if not member.restrains:
                        yields.setdefault(member, []).append(ids)


def _fill_yields(yields: dict[Member, list[tuple[str, ...]]]) -> None:
    """A thousand that give way to the same thousand share one tuple."""
    known: dict[tuple[int, ...], tuple[str, ...]] = {}
    for member, to in yields.items():
        key = tuple(map(id, to))
        if key not in known:
            known[key] = tuple(sorted({identifier for ids in to for identifier in ids}))
        member.yields_to = known[key]


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
