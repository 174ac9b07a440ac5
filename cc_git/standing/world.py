"""What is judged, sorted: whole records, ghosts and rulings.

A *ghost* is a record of which only what it takes away counts: every variant of a damaged id, a forgotten record whose
bytes are still there, a negative that only the clone has seen. It denies, it has superseded what it superseded, what it
clashed with still clashes, and it is never eligible. The same holds for a *partial* ruling: of a damaged, forgotten,
lapsed or merely seen one count revoke, reject and what else takes, never what gives. So nothing that takes away is
undone by a second content that arrives.

A tombstone has the same bytes whoever writes it, so a person is bound to it as to any file: it stands in the accepted
branch, or it was confirmed on this clone. One that nobody is bound to makes a record ineligible and leaves its ghost;
on a restraint, which only a person lifts, it does nothing. One that a person is bound to takes restraints as well.

A ruling or a record that a person was bound to and is no more (the accepted branch took it back) has *lapsed*: it takes
what it took with the authority that it had, gives nothing and lifts no restraint. So has a ruling with an ending: what
had lifted it was forgotten. Of rulings that only the clone has seen, revoke and reject reach any record, the others
grants, and restraints that only the clone has seen as well; what lifts others reaches every permission and commitment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime

from cc_git.model.attestation import Attestations, SeenNegative
from cc_git.model.authority import Authority
from cc_git.model.filed import Files, Variants
from cc_git.model.kinds import PREFIX_OF_KIND
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.standing.carried import Sources
from cc_git.standing.member import Act, Member
from cc_git.standing.tables import GLOBAL_VERBS, levels_of

_SENSITIVE = frozenset({"sensitive", "restricted"})
_REACHED = tuple(f"{PREFIX_OF_KIND[kind]}_" for kind in ("permission", "commitment"))
"""How the ids begin that any verb reaches from there."""


@dataclass(slots=True)
class World:
    """`whole` holds one member for each sound id; `ghosts` any number for an id, which may be in `whole` as well."""

    whole: dict[str, Member] = field(default_factory=dict)
    ghosts: dict[str, list[Member]] = field(default_factory=dict)
    acts: dict[str, list[Act]] = field(default_factory=dict)
    """Target → rulings that name it, whether in force or not."""
    damaged: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    buried: set[str] = field(default_factory=set)
    """Forgotten, and a person is bound to the tombstone."""
    endings: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)
    """Episodes that came with a document."""
    unreadable: set[str] = field(default_factory=set)
    """Episodes that are damaged."""
    later: list[datetime] = field(default_factory=list)
    """When rulings that wait become effective."""

    def everyone(self) -> list[Member]:
        return [*self.whole.values(), *(ghost for ghosts in self.ghosts.values() for ghost in ghosts)]

    def of(self, identifier: str) -> list[Member]:
        whole = self.whole.get(identifier)
        ghosts = self.ghosts.get(identifier, [])
        return ghosts if whole is None else [whole, *ghosts]


@dataclass(frozen=True)
class Ground:
    """What every member is measured against."""

    sources: Sources
    needs: Mapping[str, Authority]


def see(
    files: Files,
    seen: Iterable[SeenNegative],
    needs: Mapping[str, Authority],
    attestations: Attestations,
    now: datetime,
) -> World:
    """The world of `files` and of the negatives that count."""
    negatives = list(seen)
    marked = {*files.tombstones, *(n.filed.value.id for n in negatives if isinstance(n.filed.value, Tombstone))}
    buried = marked & _buried(files, negatives, attestations)
    world = World(
        forgotten=marked - _restraints(files, negatives, marked - buried),
        buried=buried,
        endings={*files.endings, *(n.filed.value.id for n in negatives if isinstance(n.filed.value, Ending))},
    )
    ground = Ground(Sources(files, world.forgotten, buried, attestations), needs)
    world.documents, world.unreadable = ground.sources.documents, ground.sources.damaged
    _add_records(world, ground, files)
    for identifier, variants in files.rulings.items():
        partial = len(variants) > 1 or identifier in world.forgotten
        for variant in variants:
            _add_act(world, _act(variant.value, variant.blob, world, attestations, partial=partial), now)
    for negative in negatives:
        value, blob = negative.filed.value, negative.filed.blob
        if isinstance(value, Ruling) and _is_elsewhere(negative, files.rulings):
            _add_act(world, _act(value, blob, world, attestations, partial=True, seen_only=True), now)
        elif isinstance(value, Record) and _is_elsewhere(negative, files.records):
            if value.restrains and value.id in buried:
                continue
            ghost = _member(value, blob, ground)
            ghost.ghost = ghost.seen_only = True
            world.ghosts.setdefault(value.id, []).append(ghost)
    return world


def _buried(files: Files, negatives: Iterable[SeenNegative], attestations: Attestations) -> set[str]:
    found = {i for i, blobs in files.graves.items() if any(map(attestations.holds, blobs))}
    for negative in negatives:
        if isinstance(negative.filed.value, Tombstone) and attestations.holds(negative.filed.blob):
            found.add(negative.filed.value.id)
    return found | attestations.buried


def _restraints(files: Files, negatives: Iterable[SeenNegative], among: Set[str]) -> frozenset[str]:
    """The ids under which all that is known restrains, here or where only the clone has seen it."""
    known = {identifier: [variant.value for variant in files.records.get(identifier, ())] for identifier in among}
    for negative in negatives:
        value = negative.filed.value
        if isinstance(value, Record) and value.id in known:
            known[value.id].append(value)
    return frozenset(i for i, records in known.items() if records and all(record.restrains for record in records))


def _is_elsewhere(negative: SeenNegative, held: Mapping[str, Variants[Value]]) -> bool:
    return all(negative.filed.blob != known.blob for known in held.get(negative.filed.value.id, ()))


def _add_records(world: World, ground: Ground, files: Files) -> None:
    forgotten, whole = world.forgotten, world.whole
    for identifier, variants in files.records.items():
        if len(variants) == 1 and identifier not in forgotten:
            whole[identifier] = _member(variants[0].value, variants[0].blob, ground)
            continue
        if len(variants) > 1:
            world.damaged.add(identifier)
        world.ghosts[identifier] = [_member(variant.value, variant.blob, ground) for variant in variants]
        for ghost in world.ghosts[identifier]:
            ghost.ghost = True


def _act(
    ruling: Ruling, blob: str, world: World, attestations: Attestations, *, partial: bool, seen_only: bool = False
) -> Act:
    explicit = ruling.authority == "user-explicit"
    attested = explicit and attestations.holds(blob)
    was = explicit and not attested and blob in attestations.once
    lapsed = was or ruling.id in world.endings
    return Act(ruling, attested or was, partial or lapsed, lapsed, seen_only)


def _add_act(world: World, act: Act, now: datetime) -> None:
    ruling = act.ruling
    if ruling.effective_from is not None and ruling.effective_from > now:
        world.later.append(ruling.effective_from)
        return
    for target in dict.fromkeys(ruling.targets):
        if not act.seen_only or ruling.verb in GLOBAL_VERBS or target.startswith(_REACHED):
            world.acts.setdefault(target, []).append(act)


def _member(record: Record, blob: str, ground: Ground) -> Member:
    member = Member(record, blob)
    kind = record.kind
    authority, attested = member.authority, member.attested = ground.sources.authority_of(record, blob)
    sensitivity = member.sensitivity = ground.sources.sensitivity_of(record, attested=attested)
    need = ground.needs[kind]
    if sensitivity in _SENSITIVE or (kind in GATED and need == "user-explicit" and not member.restrains):
        member.by_person = True
    levels = levels_of(record)
    member.level = member.weight = levels[authority] + attested
    member.claims = (member.level, attested)
    if member.restrains:
        member.own = member.took = authority != "dream"
        return member
    enough = member.level >= levels[need] and (attested or not member.by_person) and not record.proposal
    member.own = member.took = enough and authority != "dream"
    had = None if record.proposal else ground.sources.authority_had(record, blob)
    if had is not None:
        weight = levels[had[0]] + had[1]
        member.weight = max(member.weight, weight)
        member.took = member.own or (weight >= levels[need] and (had[1] or not member.by_person))
    return member
