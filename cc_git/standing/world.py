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
from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.filed import Filed, Files, Variants
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.standing.carried import Sources
from cc_git.standing.tables import levels_of


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """One content of a ruling. `attested`: a person is bound to these bytes and speaks as `user-explicit`."""

    ruling: Ruling
    attested: bool
    partial: bool


@dataclass(slots=True, eq=False)
class Member:
    """One content of a record, and what the rules find out about it; `state` below the line is filled by them."""

    id: str
    record: Record
    blob: str
    ghost: bool
    seen_only: bool
    """A ghost that is not in this branch: what it grants elsewhere clashes with nothing here."""
    restrains: bool
    authority: Authority
    attested: bool
    level: int
    sensitivity: Sensitivity
    by_person: bool
    """Only an attested person makes it effective."""
    own: bool
    """Effective without an accept."""
    twins: tuple[Member, ...] = ()
    acts: tuple[Act, ...] = ()
    """Rulings in force on it."""
    effective: bool = False
    takes: bool = False
    """What it supersedes is superseded: effective, contested, or a ghost that would be effective."""
    claims: tuple[int, bool] = (0, False)
    """Level and attestation before any accept."""
    weight: int = 0
    """The level with which it takes and resists in its line: damaged and contested accepts count here as well."""
    accepted_by: tuple[str, ...] = ()
    rejected_by: tuple[str, ...] = ()
    contested_by: tuple[str, ...] = ()
    outranked_by: tuple[str, ...] = ()
    """What it would supersede, had it the authority."""
    ended_by: tuple[Act, ...] = ()
    superseded_by: tuple[str, ...] = ()
    twin_of: str | None = None
    lost_to: tuple[str, ...] = ()
    overruled_by: tuple[str, ...] = ()
    clashes_with: tuple[str, ...] = ()
    denied_by: tuple[str, ...] = ()
    limited_by: tuple[str, ...] = ()
    yields_to: tuple[str, ...] = ()

    @property
    def gated(self) -> bool:
        return self.by_person or (self.record.kind in GATED and not self.restrains)

    @property
    def grants(self) -> bool:
        return self.record.kind == "permission" and not self.restrains


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
    later: list[datetime] = field(default_factory=list)
    """When rulings that wait become effective."""

    def everyone(self) -> Iterable[Member]:
        yield from self.whole.values()
        for ghosts in self.ghosts.values():
            yield from ghosts

    def of(self, identifier: str) -> list[Member]:
        whole = self.whole.get(identifier)
        ghosts = self.ghosts.get(identifier, [])
        return ghosts if whole is None else [whole, *ghosts]


@dataclass(frozen=True)
class Ground:
    """What every member is measured against."""

    sources: Sources
    needs: Mapping[str, Authority]
    attestations: Attestations


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
    ground = Ground(Sources(files, world.forgotten, attestations), needs, attestations)
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
            ghost = _member(Filed(negative.filed.rel, negative.filed.blob, value), ground, ghost=True, seen_only=True)
            world.ghosts.setdefault(value.id, []).append(ghost)
    _add_acts(world, rulings, attestations, now)
    return world


def _is_elsewhere(negative: SeenNegative, held: Mapping[str, Variants[Value]]) -> bool:
    return all(negative.filed.blob != known.blob for known in held.get(negative.filed.value.id, ()))


def _add_records(world: World, ground: Ground, files: Files) -> None:
    forgotten, whole = world.forgotten, world.whole
    for identifier, variants in files.records.items():
        if len(variants) == 1 and identifier not in forgotten:
            whole[identifier] = _member(variants[0], ground, ghost=False)
            continue
        if len(variants) > 1:
            world.damaged.add(identifier)
        world.ghosts[identifier] = [_member(variant, ground, ghost=True) for variant in variants]


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


def _member(filed: Filed[Record], ground: Ground, *, ghost: bool, seen_only: bool = False) -> Member:
    record = filed.value
    authority, attested = ground.sources.authority_of(record, filed.blob)
    sensitivity = ground.sources.sensitivity_of(record, attested=attested)
    restrains = record.payload.restrains
    need = ground.needs[record.kind]
    by_person = sensitivity in ("sensitive", "restricted") or (
        record.kind in GATED and need == "user-explicit" and not restrains
    )
    levels = levels_of(record)
    weight = levels[authority] + (attested and authority == "user-explicit")
    if authority == "dream":
        own = False
    elif restrains:
        own = True
    else:
        own = weight >= levels[need] and (attested or not by_person)
    return Member(
        record.id, record, filed.blob, ghost, seen_only, restrains, authority, attested, weight, sensitivity, by_person,
        own, claims=(weight, attested), weight=weight,
    )  # fmt: skip
