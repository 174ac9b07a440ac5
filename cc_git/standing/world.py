"""What is judged, sorted: whole records, ghosts and rulings.

A *ghost* is a record of which only what it takes away counts: every variant of a damaged id, a forgotten record whose
bytes are still there, a negative that only the clone has seen. It denies, it has superseded what it superseded, what it
clashed with still clashes, and it is never eligible. The same holds for a *partial* ruling: of a damaged, forgotten or
merely seen one count revoke, reject and what else takes, never what gives. So nothing that takes away is undone by a
second content that arrives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from cc_git.model.attestation import Attestations, SeenNegative
from cc_git.model.authority import Authority
from cc_git.model.filed import Filed, Files, Variants
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.standing.carried import Sources
from cc_git.standing.member import Act, Member
from cc_git.standing.tables import levels_of

_SENSITIVE = frozenset({"sensitive", "restricted"})


@dataclass(slots=True)
class World:
    """`whole` holds one member for each sound id; `ghosts` any number for an id, which may be in `whole` as well."""

    whole: dict[str, Member] = field(default_factory=dict)
    ghosts: dict[str, list[Member]] = field(default_factory=dict)
    acts: dict[str, list[Act]] = field(default_factory=dict)
    """Target → rulings that name it, whether in force or not."""
    damaged: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
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
    world = World(
        forgotten={*files.tombstones, *(n.filed.value.id for n in negatives if isinstance(n.filed.value, Tombstone))},
        endings={*files.endings, *(n.filed.value.id for n in negatives if isinstance(n.filed.value, Ending))},
    )
    ground = Ground(Sources(files, world.forgotten, attestations), needs)
    world.documents, world.unreadable = ground.sources.documents, ground.sources.damaged
    _add_records(world, ground, files)
    rulings: list[tuple[Filed[Ruling], bool]] = []
    for identifier, variants in files.rulings.items():
        partial = len(variants) > 1 or identifier in world.forgotten
        rulings += ((variant, partial) for variant in variants)
    for negative in negatives:
        value = negative.filed.value
        if isinstance(value, Ruling) and _is_elsewhere(negative, files.rulings):
            rulings.append((Filed(negative.filed.rel, negative.filed.blob, value), True))
        elif isinstance(value, Record) and _is_elsewhere(negative, files.records):
            ghost = _member(value, negative.filed.blob, ground)
            ghost.ghost = ghost.seen_only = True
            world.ghosts.setdefault(value.id, []).append(ghost)
    _add_acts(world, rulings, attestations, now)
    return world


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


def _add_acts(
    world: World, rulings: Iterable[tuple[Filed[Ruling], bool]], attestations: Attestations, now: datetime
) -> None:
    for filed, partial in rulings:
        ruling = filed.value
        if ruling.effective_from is not None and ruling.effective_from > now:
            world.later.append(ruling.effective_from)
            continue
        attested = ruling.authority == "user-explicit" and attestations.holds(filed.blob)
        act = Act(ruling, attested, partial)
        for target in dict.fromkeys(ruling.targets):
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
        member.own = authority != "dream"
    else:
        enough = member.level >= levels[need] and (attested or not member.by_person)
        member.own = enough and authority != "dream"
    return member
