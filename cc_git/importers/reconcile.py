"""Item by item: what is this here? New, a changed text, here already, conflicting, out of scope, or forbidden.

In this order; the first that fits counts.
1. *forgotten*: a tombstone names it, or what it had become, or a bundle that was taken in says that it was forgotten
   at its source.
2. *already here*: the same text of the same thing was taken in and is its latest; or a record that stands says the
   same, no narrower.
3. *over*: a bundle that was taken in says that this grant, or whatever else it is, was revoked there. A revoke is not
   lifted, so an older bundle brings nothing back; whoever wants it says it anew. Restraints are not ended so.
4. *out of scope*: there is no place of this workspace where it would hold.
5. *conflicting*: of its kind and subject something else stands, where both would hold, and it does not take its place;
   or an id of another workspace of ours came with other bytes before.
6. *changed*: an earlier text of the same thing was taken in; this one takes its place. *imported*: else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from cc_git.importers.claim_known import known_claims
from cc_git.importers.importing import Here
from cc_git.importers.known import Earlier, Known
from cc_git.importers.outcomes import Done
from cc_git.importers.quarantine import Item
from cc_git.model.episode import Episode
from cc_git.model.ids import is_id
from cc_git.model.record import Record
from cc_git.standing.statement import Statement, statement

OURS = "cc-git:"
"""How the place of a thing of another workspace of ours begins; its id there follows."""


@dataclass(frozen=True)
class Thing:
    """What is looked at: the values as they would be written, with the natural key of the claim."""

    place: str
    blob: str
    episode: Episode
    record: Record | None


@dataclass(frozen=True)
class Finding:
    """`by` is the id that causes it; `before` what it would take the place of."""

    done: Done
    reason: str = ""
    by: str | None = None
    before: tuple[Earlier, ...] = ()


def source_id(place: str) -> str | None:
    """The id that a thing has in the workspace of ours that it comes from."""
    identifier = place.removeprefix(OURS)
    return identifier if place.startswith(OURS) and is_id(identifier) else None


@dataclass(frozen=True)
class Reconciler:
    here: Here

    @cached_property
    def known(self) -> Known:
        return known_claims(self.here.files)

    @cached_property
    def _says(self) -> Mapping[tuple[str, Statement], tuple[Record, ...]]:
        found: dict[tuple[str, Statement], tuple[Record, ...]] = {}
        for record in self.here.standing:
            key = (record.kind, statement(record))
            found[key] = (*found.get(key, ()), record)
        return found

    @cached_property
    def _about(self) -> Mapping[tuple[str, str], tuple[Record, ...]]:
        found: dict[tuple[str, str], tuple[Record, ...]] = {}
        for record in self.here.standing:
            if record.subject is not None:
                key = (record.kind, record.subject)
                found[key] = (*found.get(key, ()), record)
        return found

    @cached_property
    def _forbidden(self) -> Mapping[str, str]:
        """Place → the forgotten id of what waited here once from there. Whether it is the same text still, nobody can
        tell: nothing is kept of it."""
        tombstones, taken = self.here.tombstones, self.here.settled.taken
        found: dict[str, str] = {}
        for manifest in self.here.manifests.values():
            for item in manifest.items:
                gone = tombstones.intersection(_ids_of(item, taken))
                if gone:
                    found.setdefault(item.path, min(gone))
        return found

    @cached_property
    def _forgotten_there(self) -> frozenset[str]:
        accepted = self.here.settled.accepted_imports
        return frozenset(i for m in self.here.manifests.values() if m.id in accepted for i in m.forgotten)

    @cached_property
    def _revoked_there(self) -> frozenset[str]:
        accepted = self.here.settled.accepted_imports
        told = (one for m in self.here.manifests.values() if m.id in accepted for one in m.ended)
        return frozenset(one.id for one in told if one.standing == "revoked" and one.effective_from is None)

    def look(self, thing: Thing) -> Finding:
        there = source_id(thing.place)
        if there is not None and there in self.here.tombstones:
            return Finding("forgotten", f"{there} was forgotten", there)
        if there is not None and there in self._forgotten_there:
            return Finding("forgotten", f"{there} was forgotten where it comes from", there)
        if behind := self._forbidden.get(thing.place):
            return Finding("forgotten", f"{behind}, which came from here, was forgotten", behind)
        heads = self.known.heads(thing.place)
        if same := next((one for one in heads if one.blob == thing.blob), None):
            return Finding("already here", "", same.record)
        if equal := self._equal(thing, there):
            return Finding("already here", f"{equal} says the same", equal)
        if there in self._revoked_there and not (thing.record and thing.record.restrains):
            return Finding("over", "revoked where it comes from", there)
        return self._new(thing, tuple(one for one in heads if not one.record.startswith("ep_")))

    def _new(self, thing: Thing, before: tuple[Earlier, ...]) -> Finding:
        scope = (thing.record or thing.episode).scope
        if not scope.meets(self.here.scope):
            return Finding("out of scope", f"holds at {scope}, this workspace at {self.here.scope}", before=before)
        if before and source_id(thing.place):
            return Finding(
                "conflicting", f"{before[0].record} came with other bytes under the same id", before[0].record
            )
        if other := self._opponent(thing.record, before):
            return Finding("conflicting", f"{other} stands for {other_subject(thing.record)}", other, before)
        if before and thing.record is None:
            return Finding("changed", f"{before[0].record} stands until somebody rules", before=before)
        return Finding("changed" if before else "imported", "", before=before)

    def _equal(self, thing: Thing, there: str | None) -> str | None:
        """What stands here and says the same; or the thing itself, where it comes from this very workspace."""
        files, record = self.here.files, thing.record
        if there is not None and (there in files.records or (record is None and there in files.episodes)):
            return there
        if record is None:
            return None
        equal = self._says.get((record.kind, statement(record)), ())
        return next((one.id for one in equal if one.scope.covers(record.scope)), None)

    def _opponent(self, record: Record | None, before: Iterable[Earlier]) -> str | None:
        if record is None or record.subject is None:
            return None
        replaced = {*record.supersedes, *(one.record for one in before)}
        for other in self._about.get((record.kind, record.subject), ()):
            clash = other.scope.meets(record.scope) and statement(other) != statement(record)
            if clash and other.id not in replaced:
                return other.id
        return None


def other_subject(record: Record | None) -> str:
    return record.subject or "it" if record else "it"


def _ids_of(item: Item, taken: Mapping[str, tuple[str, ...]]) -> Iterable[str]:
    waits = (item.episode, *((item.record,) if item.record else ()))
    return (*waits, *(now for one in waits for now in taken.get(one, ())))
