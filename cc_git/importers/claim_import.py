"""A reading → what goes into quarantine, what goes into the workspace, and what was done with each claim.

Only what a person let into the accepted branch counts as reviewed and goes in at once. Nothing reviewed names what is
still in quarantine, and nothing in quarantine ends what is here before somebody takes it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cc_git.errors import UsageFault
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.governance.sensitivity import highest
from cc_git.importers.claim_values import Ids, Setting, kept_from
from cc_git.importers.claims import Claim, Reading
from cc_git.importers.importing import Here, ImportPlan
from cc_git.importers.known import Earlier
from cc_git.importers.outcomes import Done, Outcome, counts_of
from cc_git.importers.over import over_at_source
from cc_git.importers.quarantine import Kept, Manifest, Quarantine, quarantined, waiting_in
from cc_git.importers.reconcile import Finding, Reconciler, Thing
from cc_git.model.authority import Sensitivity
from cc_git.model.filed import Files
from cc_git.model.kinds import PREFIX_OF_KIND
from cc_git.model.value import LOCATOR_LIMIT, Value, forbidden_in_a_line
from cc_git.model.who import Who

_COMES: frozenset[Done] = frozenset({"imported", "changed", "conflicting", "out of scope"})


@dataclass(frozen=True)
class ClaimsRequest:
    reading: Reading
    here: Here
    who: Who
    mint: Mint


def plan_claims(request: ClaimsRequest) -> ImportPlan:
    return _Planning(request).plan()


class _Planning:
    def __init__(self, request: ClaimsRequest) -> None:
        self.request, self.here = request, request.here
        self.setting = Setting(request.mint.now, request.who.actor)
        self.reconciler = Reconciler(request.here)
        self.outcomes: list[Outcome] = list(request.reading.outcomes)
        self.claims = {claim.place: claim for claim in self._placed()}
        self.ids = {place: self._ids(claim) for place, claim in self.claims.items()}

    def plan(self) -> ImportPlan:
        waiting = waiting_in(self.here.manifests, self.here.settled.taken, self.here.quarantine)
        comes: dict[str, Finding] = {}
        for place, claim in self.claims.items():
            kept = self._kept(claim, frozenset(self.claims))
            if kept is None:
                continue
            finding = self.reconciler.look(Thing(place, claim.blob, kept.episode, kept.record))
            waits = waiting.get((place, claim.blob))
            if finding.done not in _COMES:
                self._tell(claim, finding.done, finding.reason, finding.by)
            elif waits and waits.record in self.here.settled.discarded:
                self._tell(claim, "discarded", "was turned down", waits.record, waits.id)
            elif waits and not claim.reviewed:
                self._tell(claim, "already waiting", "", waits.record, waits.id)
            else:
                comes[place] = finding
        return self._planned(comes)

    def _planned(self, comes: Mapping[str, Finding]) -> ImportPlan:
        direct: list[Kept] = []
        held: list[Kept] = []
        for place, finding in comes.items():
            claim = self.claims[place]
            kept = self._kept(claim, frozenset(comes))
            assert kept is not None, "it was built before"
            goes_in = claim.reviewed and finding.done in ("imported", "changed")
            (direct if goes_in else held).append(self._in_place_of(kept, finding.before))
            done: Done = finding.done if goes_in else "quarantined"
            identifier = kept.record.id if kept.record else kept.episode.id
            self._tell(claim, done, finding.reason, identifier, signs=kept.signs)
        over = over_at_source(self.reconciler.known, self.here, self.request.reading, self.setting.now)
        outcomes = tuple(sorted((*self.outcomes, *over), key=lambda one: one.path))
        quarantine = self._quarantine(held)
        if not direct and quarantine is None:
            return ImportPlan(outcomes)
        return ImportPlan(outcomes, self._plan(direct, comes, outcomes, quarantine), quarantine)

    def _quarantine(self, held: list[Kept]) -> Quarantine | None:
        reading, now = self.request.reading, self.setting.now
        known_before = any(m.digest == reading.digest for m in self.here.manifests.values() if m.digest)
        if not held and (known_before or not (reading.forgotten or reading.ended)):
            return None
        manifest = Manifest(
            id=self.request.mint("im"),
            importer=reading.importer,
            actor=self.setting.actor,
            recorded_at=now,
            digest=reading.digest,
            ended=reading.ended,
            forgotten=reading.forgotten,
        )
        return quarantined(manifest, held)

    def _plan(
        self, direct: list[Kept], comes: Mapping[str, Finding], outcomes: tuple[Outcome, ...], held: Quarantine | None
    ) -> Plan:
        values: tuple[Value, ...] = (*(k.episode for k in direct), *(k.record for k in direct if k.record))
        made = tuple(value.id for value in values)  # type: ignore[attr-defined]
        replaced = dict.fromkeys(i for k in direct if k.record for i in k.record.supersedes)
        touched = (*replaced, *((held.id,) if held else ()))
        receipt = receipt_for("import", made, touched, self.setting.actor, self.request.mint, **counts_of(outcomes))
        return Plan(operation="import", values=values, receipt=receipt)

    def _placed(self) -> Iterable[Claim]:
        """Claims whose place can be referred to, each place once, in the order of places."""
        seen: set[str] = set()
        for claim in sorted(self.request.reading.claims, key=lambda c: c.place):
            place = claim.place
            if len(place) >= LOCATOR_LIMIT - 5 or place != place.strip() or not place or forbidden_in_a_line(place):
                shown = place[:200].encode("unicode_escape").decode()
                self.outcomes.append(Outcome(shown, "broken", "its place is too long or holds control characters"))
            elif place in seen:
                self._tell(claim, "skipped", "stands twice under one name; the first counts")
            else:
                seen.add(place)
                yield claim

    def _ids(self, claim: Claim) -> Ids:
        mint, known = self.request.mint, self.reconciler.known
        record = mint(PREFIX_OF_KIND[claim.draft.kind]) if claim.draft else None
        return Ids(mint("ep"), record, known.count(claim.place, claim.blob) + 1)

    def _kept(self, claim: Claim, coming: frozenset[str]) -> Kept | None:
        """The values of a claim; None, with an outcome, where they do not fit together."""

        def find(field: str, place: str) -> tuple[str, ...]:
            other = self.claims.get(place)
            if other is not None and place in coming and (other.reviewed or not claim.reviewed):
                ids = self.ids[place]
                chosen = ids.episode if field == "sources" else ids.record
                return (chosen,) if chosen else ()
            return ids_here(self.reconciler.known.heads(place), self.here, field)

        try:
            return kept_from(claim, self.ids[claim.place], self.setting, find)
        except UsageFault as fault:
            self._tell(claim, "broken", fault.what)
            return None

    def _in_place_of(self, kept: Kept, before: tuple[Earlier, ...]) -> Kept:
        if kept.record is None or not before:
            return kept
        replaced = tuple(sorted({*kept.record.supersedes, *(one.record for one in before)}))
        sensitivity = no_less(kept.record.sensitivity, replaced, self.here.files)
        changes = {"supersedes": replaced, "sensitivity": sensitivity}
        return replace(kept, record=kept.record.model_copy(update=changes))

    def _tell(
        self, claim: Claim, done: Done, reason: str = "", record: str | None = None, waits_in: str | None = None,
        signs: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.outcomes.append(Outcome(claim.place, done, reason, claim.title, None, record, waits_in, (), signs))


def ids_here(heads: tuple[Earlier, ...], here: Here, field: str) -> tuple[str, ...]:
    """What a link to an earlier import means here: its records, or for `sources` the episodes behind them."""
    records = [one.record for one in heads if not one.record.startswith("ep_")]
    if field != "sources":
        return tuple(records)
    alone = [one.record for one in heads if one.record.startswith("ep_")]
    behind = [here.files.records[r][0].value.sources[:1] for r in records if r in here.files.records]
    return (*alone, *(source for sources in behind for source in sources))


def no_less(own: Sensitivity, rests_on: Iterable[str], files: Files) -> Sensitivity:
    """A record is no less sensitive than what it rests on and what it takes the place of."""
    there = (files.records.get(i) or files.episodes.get(i) or () for i in rests_on)
    return highest(own, *(variants[0].value.sensitivity for variants in there if variants))
