"""Which groups of records can clash: heads of one line, of one subject, declared, or of one cycle.

A *head* stands with what it takes (`Member.takes`), has begun, and is not ended, superseded, expired or lost. One that
is damaged, contested or has a damaged accept is among them, and a grant that no person ended: its side of a conflict
does not vanish because a file arrived.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from cc_git.standing.cycles import components
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
    """Heads with a common ancestor, which may be one that is not here.

    Who shares any ancestor shares one at the very bottom, so only what lies over each bottom is a group. Who lies over
    what is kept as the bits of a number: a thousand heads over a thousand ancestors are a million pairs.
    """
    places: dict[str, list[Member]] = {}
    for head in heads:
        place = lines.place(head.id)
        if place in lines.below or place in lines.above:
            places.setdefault(place, []).append(head)
    for part in _together(places, lines):
        within = sorted(place for place in part if place in places)
        for over in _over_bottoms(part, within, lines):
            sharing = (place for number, place in enumerate(within) if over >> number & 1)
            yield Group("line", tuple(head for place in sharing for head in places[place]))


def _together(places: dict[str, list[Member]], lines: Lines) -> Iterable[list[str]]:
    """The connected parts of the graph that hold several heads; most lines have one and need no more work."""
    seen: set[str] = set()
    for place in places:
        if place in seen:
            continue
        seen.add(place)
        part = [place]
        for here in part:
            for link in (*lines.below.get(here, ()), *lines.above.get(here, ())):
                if link not in seen:
                    seen.add(link)
                    part.append(link)
        if sum(here in places for here in part) > 1:
            yield part


def _over_bottoms(part: list[str], within: list[str], lines: Lines) -> set[int]:
    """For each place that supersedes nothing, or circle of such places, which of `within` reach it; a bit for each."""
    number = components({place: lines.below.get(place, ()) for place in part})
    over: dict[int, int] = {}
    for bit, place in enumerate(within):
        over[number[place]] = over.get(number[place], 0) | 1 << bit
    links: dict[int, set[int]] = {}
    for place in part:
        links.setdefault(number[place], set()).update(number[link] for link in lines.below.get(place, ()))
    bottoms: set[int] = set()
    # what a place supersedes has a lower number
    for here in sorted(links, reverse=True):
        reaching = over.pop(here, 0)
        further = links[here] - {here}
        for there in further:
            over[there] = over.get(there, 0) | reaching
        if not further and reaching & (reaching - 1):
            bottoms.add(reaching)
    return bottoms


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
