"""Which groups of records can clash: heads of one line, of one subject, declared, or of one cycle.

A *head* stands with what it takes (`Member.takes`), has begun, and is not ended, superseded, expired or lost. One that
is damaged, contested or has a damaged accept is among them, and a grant that no person ended: its side of a conflict
does not vanish because a file arrived.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from cc_git.standing.lines import Lines
from cc_git.standing.member import Member

Cause = Literal["line", "subject", "declared", "rulings"]


@dataclass(frozen=True, slots=True)
class Group:
    """Members that meet for one cause. `layered`: a narrower scope overrides instead of clashing; `split`: different
    subjects are a split instead of a clash."""

    cause: Cause
    members: tuple[Member, ...]
    layered: bool = True
    split: bool = True


def groups_of(heads: list[Member], lines: Lines) -> list[Group]:
    return [*_by_line(heads, lines), *_by_subject(heads), *_declared(heads), *_of_cycles(heads, lines)]


def _by_line(heads: list[Member], lines: Lines) -> Iterable[Group]:
    """Heads with a common ancestor, which may be one that is not here."""
    places: dict[str, list[Member]] = {}
    for head in heads:
        place = lines.place(head.id)
        if place in lines.below or place in lines.above:
            places.setdefault(place, []).append(head)
    lined = _together(places, lines)
    above: dict[str, list[str]] = {}
    for place in lined:
        for ancestor in _ancestors(place, lines):
            above.setdefault(ancestor, []).append(place)
    for sharing in {tuple(sorted(found)) for found in above.values() if len(found) > 1}:
        yield Group("line", tuple(head for place in sharing for head in places[place]))


def _together(places: dict[str, list[Member]], lines: Lines) -> list[str]:
    """The places whose connected part of the graph holds another head; most lines have one and need no more work."""
    part: dict[str, str] = {}
    counted: dict[str, int] = {}
    for place in places:
        if place in part:
            continue
        part[place] = place
        ways = [place]
        while ways:
            here = ways.pop()
            for link in (*lines.below.get(here, ()), *lines.above.get(here, ())):
                if link not in part:
                    part[link] = place
                    ways.append(link)
    for place in places:
        counted[part[place]] = counted.get(part[place], 0) + 1
    return [place for place in places if counted[part[place]] > 1]


def _ancestors(place: str, lines: Lines) -> set[str]:
    seen = {place}
    ways = [place]
    while ways:
        for link in lines.below.get(ways.pop(), ()):
            if link not in seen:
                seen.add(link)
                ways.append(link)
    return seen


def _by_subject(heads: list[Member]) -> Iterable[Group]:
    found: dict[tuple[str, str], list[Member]] = {}
    for head in heads:
        record = head.record
        if record.subject is not None:
            found.setdefault((record.kind, record.subject), []).append(head)
    for members in found.values():
        if len(members) > 1:
            yield Group("subject", tuple(members))


def _declared(heads: list[Member]) -> Iterable[Group]:
    """Pairs in which one names the other; a record of another kind can be named too."""
    declaring = [head for head in heads if head.record.conflicts_with]
    if not declaring:
        return
    by_id: dict[str, Member] = {}
    for head in heads:
        for identifier in (head.id, *(twin.id for twin in head.twins)):
            by_id[identifier] = head
    for head in declaring:
        for named in head.record.conflicts_with:
            other = by_id.get(named)
            if other is not None and other is not head:
                yield Group("declared", (head, other), layered=False, split=False)


def _of_cycles(heads: list[Member], lines: Lines) -> Iterable[Group]:
    if lines.cycles:
        at: dict[str, list[Member]] = {}
        for head in heads:
            at.setdefault(lines.place(head.id), []).append(head)
        for places in lines.cycles:
            members = tuple(head for place in places for head in at.get(place, ()))
            if len(members) > 1:
                yield Group("line", members, split=False)
