"""Taking claims out of quarantine: planned again against what is here now, with ids of their own.

- Without a choice all that is new or a changed text is taken; what conflicts waits to be named; what is out of scope
  waits for a scope that it shall have here.
- Ids are new, because two clones may take the same thing out and merge; a receipt notes which became which.
- Nothing gains authority. What a person at the terminal calls their own word is the exception: it gets an episode of
  theirs, and is bound to them by this act.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cc_git.errors import UsageFault
from cc_git.governance.evidence import Said, episode, type_for
from cc_git.governance.plan import Plan, receipt_for
from cc_git.governance.remember import in_words
from cc_git.importers.claim_import import ids_here, no_less
from cc_git.importers.importing import AcceptRequest, ImportPlan
from cc_git.importers.known import locator_for
from cc_git.importers.outcomes import Outcome, counts_of
from cc_git.importers.over import over_at_source, revokes
from cc_git.importers.quarantine import HeldItem
from cc_git.importers.reconcile import Finding, Reconciler, Thing
from cc_git.importers.settled import ACCEPT, taken_note
from cc_git.importers.suspicion import marked
from cc_git.model.episode import Episode
from cc_git.model.ids import prefix_of
from cc_git.model.record import Record
from cc_git.model.spine import Relation
from cc_git.model.value import Value


def plan_accept(request: AcceptRequest) -> ImportPlan:
    """Raises UsageFault for a choice that does not wait here."""
    return _Accepting(request).plan()


@dataclass(frozen=True)
class _New:
    """A thing that is taken, with its new ids."""

    held: HeldItem
    finding: Finding
    episode: str
    record: str | None
    count: int

    @property
    def becomes(self) -> str:
        return self.record or self.episode


class _Accepting:
    def __init__(self, request: AcceptRequest) -> None:
        self.request, self.held = request, request.held
        self.reconciler = Reconciler(request.here)
        self.outcomes: list[Outcome] = []
        self.place_of = {i: one.item.path for one in self.held.items for i in _waiting_ids(one)}
        unknown = sorted((request.mine | (request.only or frozenset())) - set(self.place_of))
        if unknown:
            raise UsageFault(f"{unknown[0]} does not wait in {self.held.manifest.id}")

    def plan(self) -> ImportPlan:
        new = [taken for one in self.held.items if (taken := self._taken(one)) is not None]
        by_waiting = {i: one for one in new for i in _waiting_ids(one.held)}
        episodes = [self._episode(one) for one in new]
        spoken = {one.record: self._spoken(one) for one in new if one.record and self._is_mine(one.held)}
        records = [self._record(one, by_waiting, spoken) for one in new if one.record]
        here, manifest = self.request.here, self.held.manifest
        blobs = {i: variants[0].blob for i, variants in here.files.records.items()}
        rulings = tuple(
            revokes(self.reconciler.known, here, manifest, blobs, self.request.who.actor, self.request.mint)
        )
        over = over_at_source(self.reconciler.known, here, manifest, self.request.mint.now)
        outcomes = tuple(sorted((*self.outcomes, *over), key=lambda one: one.path))
        knows_more = (manifest.forgotten or manifest.ended) and manifest.id not in here.settled.accepted_imports
        if not new and not rulings and not knows_more:
            return ImportPlan(outcomes)
        values = (*episodes, *(e for e in spoken.values() if e is not None), *records, *rulings)
        return ImportPlan(outcomes, self._plan(values, new, frozenset(spoken), outcomes))

    def _plan(
        self, values: tuple[Value, ...], new: list[_New], mine: frozenset[str], outcomes: tuple[Outcome, ...]
    ) -> Plan:
        made = tuple(value.id for value in values)  # type: ignore[attr-defined]
        records = {value.id: value for value in values if isinstance(value, Record)}
        replaced = dict.fromkeys(i for record in records.values() for i in record.supersedes)
        touched = (*replaced, self.held.manifest.id)
        receipt = receipt_for(ACCEPT, made, touched, self.request.who.actor, self.request.mint, **counts_of(outcomes))
        notes = [line for one in new for line in _notes(one)]
        said = tuple(v.id for v in values if isinstance(v, Episode) and v.source.kind == "user")
        return Plan(
            operation=ACCEPT,
            values=values,
            receipt=receipt.model_copy(update={"notes": tuple(notes)}),
            claims=(*said, *sorted(mine)),
            asks=self._question(new, [records[i] for i in sorted(mine)]),
            apart=True,
        )

    def _question(self, new: list[_New], mine: list[Record]) -> str:
        count, manifest = len(new), self.held.manifest
        signs = sum(1 for one in new if one.held.signs)
        odd = f", {signs} of them instruction-like" if signs else ""
        asked = f"Take {count} thing{'s' if count != 1 else ''} from quarantine ({manifest.actor} imported them{odd})?"
        own = "".join(f"\n  as your own word: {in_words(record)}" for record in mine)
        return f"{asked}{own}\n" if own else asked

    def _taken(self, one: HeldItem) -> _New | None:
        """What one thing becomes; None, with an outcome, where it stays."""
        finding, item = self._decided(one), one.item
        named = self.request.only is not None
        if finding.done not in ("imported", "changed") and not (named and finding.done == "conflicting"):
            is_here = finding.done in ("already here", "forgotten")
            self._tell(one, finding, finding.by if is_here and finding.by else item.waits_as)
            return None
        mint, known = self.request.mint, self.reconciler.known
        record = mint(prefix_of(one.record.id)) if one.record else None
        new = _New(one, finding, mint("ep"), record, known.count(item.path, one.blob) + 1)
        self._tell(one, finding, new.becomes)
        return new

    def _decided(self, one: HeldItem) -> Finding:
        """What it is here, after what was settled about it before and what is asked for now."""
        here, only, waiting = self.request.here, self.request.only, set(_waiting_ids(one))
        if now := here.settled.taken.get(one.item.waits_as):
            gone = here.tombstones.intersection(now)
            return Finding("forgotten" if gone else "already here", "", min(gone or now))
        if gone := here.tombstones & waiting:
            return Finding("forgotten", f"{min(gone)} was forgotten")
        finding = self._look(one)
        if finding.done in ("forgotten", "already here"):
            return finding
        if only is not None and not only & waiting:
            return Finding("left", "was not asked for")
        if only is None and one.item.waits_as in here.settled.discarded:
            return Finding("discarded", "was turned down")
        return finding

    def _look(self, one: HeldItem) -> Finding:
        scoped = one.episode.model_copy(update={"scope": self.request.rescope(one.episode.scope)})
        record = one.record and one.record.model_copy(
            update={"scope": scoped.scope, "supersedes": self._linked("supersedes", one.record.supersedes, {})}
        )
        return self.reconciler.look(Thing(one.item.path, one.blob, scoped, record))

    def _tell(self, one: HeldItem, finding: Finding, record: str) -> None:
        title = one.record.title if one.record else _first_line(one.episode.content)
        waits_in = self.held.manifest.id
        self.outcomes.append(
            Outcome(
                one.item.path, finding.done, finding.reason, title,
                record=record, waits_in=waits_in, signs=one.signs,
            )
        )  # fmt: skip

    def _episode(self, new: _New) -> Episode:
        held = new.held.episode
        locator = locator_for(new.held.item.path, new.count)
        return held.model_copy(
            update={
                "id": new.episode,
                "actor": self.request.who.actor,
                "recorded_at": self.request.mint.now,
                "scope": self.request.rescope(held.scope),
                "source": held.source.model_copy(update={"locator": locator}),
                "tags": marked(held.tags, new.held.signs),
            }
        )

    def _record(self, new: _New, taken: Mapping[str, _New], spoken: Mapping[str, Episode]) -> Record:
        held = new.held.record
        assert held is not None, "only things with a record come here"
        own = spoken.get(new.becomes)
        linked = {name: self._linked(name, getattr(held, name), taken) for name in ("supersedes", "conflicts_with")}
        relations = [Relation(rel=r.rel, to=to) for r in held.relations for to in self._linked(r.rel, (r.to,), taken)]
        further = self._linked("sources", held.sources[1:], taken)
        replaced = tuple(sorted({*linked["supersedes"], *(b.record for b in new.finding.before)}))
        starts = held.valid_from or (held.recorded_at if held.valid_to else None)
        return held.model_copy(
            update={
                "id": new.record,
                "actor": self.request.who.actor,
                "authority": "user-explicit" if own else held.authority,
                "proposal": held.proposal and own is None,
                "recorded_at": self.request.mint.now,
                "valid_from": starts,
                "scope": self.request.rescope(held.scope),
                "sources": ((*((own.id,) if own else ()), new.episode, *further)),
                "sensitivity": no_less(held.sensitivity, (*further, *replaced), self.request.here.files),
                "supersedes": replaced,
                "conflicts_with": linked["conflicts_with"],
                "relations": tuple(relations),
                "tags": marked(held.tags, new.held.signs),
            }
        )

    def _linked(self, field: str, ids: tuple[str, ...], taken: Mapping[str, _New]) -> tuple[str, ...]:
        """Ids as they are here now: of what is taken the new one, of what was taken before what it became."""
        found: dict[str, None] = {}
        for identifier in ids:
            place = self.place_of.get(identifier)
            if identifier in taken:
                one = taken[identifier]
                found[one.episode if field == "sources" else one.becomes] = None
            elif place is not None:
                found |= dict.fromkeys(ids_here(self.reconciler.known.heads(place), self.request.here, field))
            else:
                found[identifier] = None
        return tuple(found)

    def _is_mine(self, one: HeldItem) -> bool:
        return bool(self.request.mine & set(_waiting_ids(one)))

    def _spoken(self, new: _New) -> Episode:
        """The person's own word for it, of this moment."""
        held = new.held.record
        assert held is not None, "only things with a record come here"
        text = f"{held.title}\n\n{held.content}" if held.content else held.title
        said = Said(
            text, type_for(held.kind), "user-explicit", scope=self.request.rescope(held.scope),
            sensitivity=held.sensitivity,
        )  # fmt: skip
        return episode(said, self.request.who, self.request.mint)


def _waiting_ids(one: HeldItem) -> tuple[str, ...]:
    return (one.item.episode, *((one.item.record,) if one.item.record else ()))


def _notes(one: _New) -> tuple[str, ...]:
    episode = taken_note(one.held.item.episode, one.episode)
    return (
        (episode, taken_note(one.held.item.record, one.record)) if one.held.item.record and one.record else (episode,)
    )


def _first_line(text: str) -> str:
    return next((line.strip()[:120] for line in text.splitlines() if line.strip()), "")
