"""Lines of supersession: who supersedes whom.

 1. A record is superseded by a record of the same kind that names it in `supersedes`, is effective, has begun
    (`valid_from`; a permission without one takes at once), covers its scope and has no lower authority. It stays
    superseded when that one ends, expires or is damaged; only a rejected successor gives it back.
 2. The reach goes through what does not itself stand in between: proposals, rejected or damaged records, and effective
    ones that begin later than it. It stops at any other effective record, which has superseded what is below by its
    own right. (Later than it, not than now: else what it took would be back when that one begins.)
 3. What would supersede a record of higher authority, past proposals as well, is itself only proposed. A restraint
    stays a restraint.
 4. A restraint is superseded only by a record that stands by an attested person's word and names it directly: what
    somebody else put in between was not that person's to lift. Where a person rejected that record the restraint is
    back, whether the reject stands here or was only seen.
 5. Of what only the clone has seen, just the supersession of a permission counts. It counts with the authority that it
    had when a person was bound to the record or to its accept, though the branch that said so took it back.
 6. Inside a cycle nothing is superseded. A cycle that closes only through a proposal which names a younger record than
    itself is no cycle: that link is the forged one, for nobody can supersede what does not exist yet.
Limit: who supersedes an id that is not here also supersedes, by 2, whatever the proposal names that arrives under it.
Whoever writes a correction does better to name what it replaces down to what stands.
Twins are one place in a line. Links to another kind are no links.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from cc_git.standing.cycles import components
from cc_git.standing.member import Member, covers
from cc_git.standing.tables import ATTESTED
from cc_git.standing.world import World

Links = Mapping[str, tuple[str, ...]]


class Lines:
    """Places and their links. A place is an id, for twins the lowest of theirs; it need not hold any record."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._place_of = {t.id: m.twins[0].id for m in world.whole.values() for t in m.twins}
        self._linked = [member for member in world.everyone() if member.record.supersedes]
        below: dict[str, dict[str, None]] = {}
        for member in self._linked:
            member.names = self._named(member)
            if member.names:
                below.setdefault(self.place(member.id), {}).update(dict.fromkeys(member.names))
        self.below: Links = {place: tuple(links) for place, links in below.items()}
        above: dict[str, list[str]] = {}
        for place, links in self.below.items():
            for link in links:
                above.setdefault(link, []).append(place)
        self.above: Links = {place: tuple(links) for place, links in above.items()}
        self._at: dict[str, list[Member]] = {}
        self.cycles: list[tuple[str, ...]] = []
        """Places that supersede each other with equal right."""

    def place(self, identifier: str) -> str:
        return self._place_of.get(identifier, identifier)

    def _named(self, member: Member) -> tuple[str, ...]:
        """The places that a member names in `supersedes`."""
        kind = member.id.partition("_")[0] + "_"
        here = self.place(member.id)
        names = {self.place(target) for target in member.record.supersedes if target.startswith(kind)}
        return tuple(sorted(names - {here})) if len(names) > 1 or here in names else tuple(names)

    def at(self, place: str) -> list[Member]:
        """Everything at a place, ghosts included."""
        known = self._at.get(place)
        if known is None:
            world = self._world
            known = world.of(place)
            if place in self._place_of:
                known = [member for twin in known[0].twins for member in world.of(twin.id)]
            self._at[place] = known
        return known

    def supersede(self, now: datetime) -> None:
        """Fill `outranked_by` (and take back what it makes a proposal) and `superseded_by`."""
        self._demote()
        linked = [member for member in self._linked if member.takes]
        reach = _Reach(self, lambda old, new: old.effective and old.takes_from <= new.takes_from)
        edges: dict[str, dict[str, bool]] = {}
        takers: dict[tuple[str, str], list[tuple[Member, Member]]] = {}
        for member in linked:
            if member.takes_from > now or (member.seen_only and member.record.kind != "permission"):
                continue
            here = self.place(member.id)
            for there, direct, forged in reach.of(member):
                for old in self.at(there):
                    if _may_supersede(member, old, direct=direct):
                        known = edges.setdefault(here, {})
                        known[there] = known.get(there, True) and forged
                        takers.setdefault((here, there), []).append((member, old))
        self._break_cycles(edges)
        superseded: dict[Member, set[str]] = {}
        for (here, there), pairs in takers.items():
            if there in edges.get(here, {}):
                for member, old in pairs:
                    superseded.setdefault(old, set()).add(member.id)
        for old, successors in superseded.items():
            old.superseded_by = tuple(sorted(successors))

    def _demote(self) -> None:
        """Older records first, for what supersedes a mere proposal is measured against what is below that."""
        linked = sorted((m for m in self._linked if m.takes and not m.restrains), key=lambda m: (m.id, m.blob))
        changed = True
        while changed:
            changed = False
            # whether something is but a proposal must not hang on the hour, so what waits for its time stops this reach
            reach = _Reach(self, lambda old, _: old.takes)
            for member in linked:
                if member.takes and (by := _outranking(member, self, reach)):
                    member.outranked_by = by
                    member.effective = member.takes = False
                    changed = True

    def _break_cycles(self, edges: dict[str, dict[str, bool]]) -> None:
        # Younger to older cannot close a cycle; ids of one kind sort by time.
        if all(there < here for here, links in edges.items() for there in links):
            return
        for last in (False, True):
            number = components({here: list(links) for here, links in edges.items()})
            inside: dict[int, set[str]] = {}
            for here, links in edges.items():
                for there in list(links):
                    if number[here] == number[there] and (last or links[there]):
                        del links[there]
                        inside.setdefault(number[here], set()).update((here, there))
            if last:
                self.cycles += [tuple(sorted(places)) for places in inside.values()]


class _Reach:
    """Places below a record, no further than one with a member that `stops`; of places that are not named directly only
    those with a member that takes, for a proposal below a proposal is nobody's loss."""

    def __init__(self, lines: Lines, stops: Callable[[Member, Member], bool]) -> None:
        """`stops(old, new)`: at `old` ends the reach of `new`, of which nothing but `takes_from` may count."""
        self._lines = lines
        self._stops = stops
        self._known: dict[tuple[str, datetime], list[tuple[str, bool]]] = {}

    def of(self, member: Member) -> list[tuple[str, bool, bool]]:
        """Place, whether it is named directly, whether it is reached only over a link from an older proposal to a
        younger record."""
        found = [(place, True, False) for place in member.names]
        beyond: dict[str, bool] = {}
        for place in member.names:
            known = self._known.get((place, member.takes_from))
            if known is None:
                known = self._known[place, member.takes_from] = self._beyond(place, member)
            for there, forged in known:
                beyond[there] = beyond.get(there, True) and forged
        if beyond:
            direct = {*member.names, self._lines.place(member.id)}
            found += ((place, False, forged) for place, forged in beyond.items() if place not in direct)
        return found

    def _beyond(self, start: str, new: Member) -> list[tuple[str, bool]]:
        if self._ends_at(start, new) or start not in self._lines.below:
            return []
        seen = {start}
        through = [start]
        found: list[tuple[str, bool]] = []
        forged: list[str] = []
        # ways without a forged link first, so that one of them is found where there is one
        for forging in (False, True):
            if forging:
                through = [place for place in dict.fromkeys(forged) if place not in seen]
                seen.update(through)
                self._note(through, found, forging)
            while through:
                place = through.pop()
                if self._ends_at(place, new):
                    continue
                links = [link for link in self._lines.below.get(place, ()) if link not in seen]
                if not forging:
                    forged += (link for link in links if link > place)
                    links = [link for link in links if link < place]
                seen.update(links)
                through += links
                self._note(links, found, forging)
        return found

    def _ends_at(self, place: str, new: Member) -> bool:
        return any(self._stops(old, new) for old in self._lines.at(place))

    def _note(self, places: list[str], found: list[tuple[str, bool]], forged: bool) -> None:
        found += ((place, forged) for place in places if any(m.takes for m in self._lines.at(place)))


def _outranking(member: Member, lines: Lines, reach: _Reach) -> tuple[str, ...]:
    found = set()
    for there, _, _ in reach.of(member):
        for old in lines.at(there):
            if old.takes and covers(member.scope, old.scope) and _outranks(old, member):
                found.add(old.id)
    return tuple(sorted(found))


def _may_supersede(new: Member, old: Member, *, direct: bool) -> bool:
    if not covers(new.scope, old.scope):
        return False
    if old.restrains and (new.refused or not (new.attested and direct and not new.ghost)):
        return False
    return old.takes and new.weight >= old.weight


def _outranks(old: Member, new: Member) -> bool:
    # a damaged accept of a person still weighs as one: else damaging it would take this one out of a conflict
    return old.weight > new.weight or (old.restrains and new.weight < ATTESTED)
