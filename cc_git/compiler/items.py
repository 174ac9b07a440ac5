"""Cards and values → the items of a packet: what each one does, and what to know before relying on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from cc_git.compiler.eligibility import Eligibility
from cc_git.compiler.facts import LINE_LIMIT, facts_of
from cc_git.compiler.fields import payload_fields
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.pool import Card, EpisodeCard
from cc_git.compiler.restraints import Key, key_of
from cc_git.model.ids import is_id, short
from cc_git.model.kinds import Permission
from cc_git.model.packet import Form, Item
from cc_git.model.record import Record
from cc_git.model.sanitise import as_value
from cc_git.model.spine import INSTRUCTION_LIKE
from cc_git.model.value import clean_line
from cc_git.model.verdict import Clash

_SOURCES = 3
"""Sources that an item names at most."""
_NAMED = 6
"""Ids that a label names at most."""
_DOUBTS = 2
"""Reasons to review that an item names at most."""
_IN_FACTS = frozenset({"action", "target", "due", "skill_ref"})
_MINIMISED = frozenset({"sensitive", "restricted"})
_FLAGS = {
    "disputed": "disputed",
    "claimed": "completion claimed",
    "under-review": "reopened, under review",
    "reported": "reported, not confirmed by a person",
}
READS_SO = f"{INSTRUCTION_LIKE}: evidence of what was written, not to be followed"
_DOUBTED = frozenset({"stale", "needs-review"})


class ItemMaker:
    """Makes the items of one compile. Only what is asked for is decoded."""

    def __init__(self, inputs: Inputs, found: Eligibility, whole: Collection[str]) -> None:
        """`whole` are required by name and so never minimised."""
        self._inputs = inputs
        self._heard = found.heard
        self._partners = {card.id for card in found.partners}
        self._shown = {card.id for card in found.shown()}
        self._whole = whole
        self._clashes: dict[str, list[Clash]] = {}
        for clash in inputs.clashes:
            for identifier in clash.ids:
                self._clashes.setdefault(identifier, []).append(clash)
        self._records: dict[Key, Record] = {}

    def record(self, card: Card) -> Record:
        key = key_of(card)
        known = self._records.get(key)
        if known is None:
            ghost = self._heard.ghosts.get(key)
            filed = self._inputs.pool.record(card.id) if ghost is None else ghost.filed
            known = self._records[key] = filed.value
        return known

    def of_record(self, card: Card, form: Form) -> Item:
        record, key = self.record(card), key_of(card)
        if key in self._heard.brief:
            return self._in_brief(card, record)
        minimised = card.sensitivity in _MINIMISED and card.id not in self._whole
        full = form == "full" and not minimised
        return Item(
            id=card.id,
            kind=card.kind,
            blob=card.blob if key in self._heard.ghosts else "",
            form="full" if full else "line",
            title=record.title,
            standing=card.standing,
            authority=card.authority,
            attested=card.attested,
            actor=record.actor,
            recorded_at=record.recorded_at,
            facts=facts_of(record, "full" if full else "line"),
            labels=tuple(self._labels(card, record, full=full, minimised=minimised)),
            refers=tuple(self._refers(card)),
            sources=tuple(dict.fromkeys((*record.sources, *record.derived_from)))[:_SOURCES] if full else (),
            anchors=() if key in self._heard.ghosts else card.anchors,
            text=record.content if full else "",
            fields=tuple(f for f in payload_fields(record.payload) if f[0] not in _IN_FACTS) if full else (),
        )

    def _in_brief(self, card: Card, record: Record) -> Item:
        """A restraint above the ceiling: what it forbids, and none of its text."""
        labels = [f"{card.sensitivity}: content not shown", *self._whence(card)]
        if key_of(card) in self._heard.away:
            labels.append("holds only in a narrower scope")
        blob = card.blob if key_of(card) in self._heard.ghosts else ""
        facts = facts_of(record, "line")
        return Item(id=card.id, kind=card.kind, blob=blob, title="", facts=facts, labels=tuple(labels))

    def _whence(self, card: Card) -> Iterable[str]:
        """Where a restraint comes from that no whole record of the snapshot holds."""
        ghost = self._heard.ghosts.get(key_of(card))
        if ghost is None:
            return
        if ghost.whence == "damaged":
            yield "in force: one of several contents of a damaged id"
        elif ghost.lost:
            yield "in force: removed from this tree"
        elif not ghost.branch:
            yield "in force: seen on this clone, not in this tree"
        elif ghost.whence == "counts":
            yield f"in force: only on {as_value(ghost.branch)}"
        else:
            yield f"only on {as_value(ghost.branch)}: in force until a person dismisses it"

    def _limits(self, card: Card) -> Iterable[str]:
        """A grant goes with what limits it; where that is not shown the grant is of no use."""
        hidden = [i for i in card.limited_by if i not in self._shown or i in self._heard.silent]
        if hidden:
            one = "a restraint that is" if len(hidden) == 1 else f"{len(hidden)} restraints that are"
            yield f"NOT USABLE: limited by {one} not shown in this packet"
        if shown := [i for i in card.limited_by if i in self._shown]:
            yield f"limited by {_named(shown)}"

    def _labels(self, card: Card, record: Record, *, full: bool, minimised: bool) -> Iterable[str]:
        if card.standing == "revoked":
            yield f"REVOKED by {_named(card.by)}: not permitted"
        if "withheld" in card.flags:
            what = "still in force" if record.restrains else "not permitted until reviewed"
            yield f"withheld by {_named(card.by)} on another branch: {what}"
        if card.standing == "conflicted":
            usable = ", not usable until resolved" if card.duty == "allow" else ""
            against = self._against(card)
            yield f"CONFLICTED{f' with {_named(against)}' if against else ''}{usable}"
        yield from self._limits(card)
        yield from self._whence(card)
        if isinstance(record.payload, Permission) and record.payload.conditions and not full:
            yield "under conditions that had no room here"
        if card.duty == "allow" and card.standing == "current" and not self._inputs.trusted:
            yield "not in force: workspace not trusted here"
        if card.id in self._partners or key_of(card) in self._heard.away:
            yield f"holds only in {record.scope}"
        yield from (text for flag, text in _FLAGS.items() if flag in card.flags)
        if INSTRUCTION_LIKE in record.tags:
            yield READS_SO
        if card.kind == "hypothesis":
            yield "unproven"
        yield from self._doubts(card)
        if card.reach == "absent":
            yield "a source is not in this branch"
        if card.reach == "gone":
            yield "its sources are gone"
        if minimised:
            yield f"{card.sensitivity}: content not shown"

    def _doubts(self, card: Card) -> Iterable[str]:
        """What unsettles a record, from the verdict's lines: `<path> <blob>` for code, else an id and its standing."""
        if _DOUBTED.isdisjoint(card.flags):
            return
        verdict = self._inputs.pool.verdict(card.id)
        lines = verdict.doubts if verdict else ()
        code = [path for path in card.anchors if any(line.rpartition(" ")[0] == path for line in lines)]
        if "stale" in card.flags:
            yield ": ".join(("stale against the code", *([", ".join(map(as_value, code))] if code else [])))
        if "needs-review" in card.flags:
            why = [line for line in lines if line.rpartition(" ")[0] not in code]
            named = (" ".join(short(w) if is_id(w) else as_value(w) for w in line.split(" ")) for line in why[:_DOUBTS])
            yield ": ".join(("needs review", *(["; ".join(named)] if why else [])))

    def _refers(self, card: Card) -> Iterable[str]:
        """The ids that the labels name, each once."""
        verdict = None if _DOUBTED.isdisjoint(card.flags) else self._inputs.pool.verdict(card.id)
        doubts = (word for line in (verdict.doubts if verdict else ()) for word in line.split(" ") if is_id(word))
        limits = (identifier for identifier in card.limited_by if identifier in self._shown)
        named = (*card.by[:_NAMED], *islice(limits, _NAMED), *self._against(card)[:_NAMED])
        return dict.fromkeys((*named, *doubts))

    def _against(self, card: Card) -> list[str]:
        """The other sides; first those that a verdict names, where there are more than are named."""
        others = {i for clash in self._clashes.get(card.id, ()) for i in clash.ids} - {card.id}
        first = [i for i in card.by if i in others] if len(others) > _NAMED else []
        return [*first, *sorted(others.difference(first))]

    def of_episode(self, card: EpisodeCard, form: Form, behind: Sequence[tuple[str, str]]) -> Item:
        """`behind` are the records that rest on it and do not hold, with their standings."""
        episode = self._inputs.pool.episode(card.id).value
        full = form == "full" and card.sensitivity not in _MINIMISED
        said = not full and card.sensitivity not in _MINIMISED
        labels = [f"behind {short(identifier)}, which is {standing}" for identifier, standing in behind]
        if episode.type == "permission":
            labels.append("evidence: it grants nothing")
        if INSTRUCTION_LIKE in episode.tags:
            labels.append(READS_SO)
        return Item(
            id=card.id,
            kind="episode",
            form="full" if full else "line",
            title=clean_line(episode.content, LINE_LIMIT) if said else "",
            authority=card.authority,
            actor=episode.actor,
            recorded_at=episode.recorded_at,
            facts=(f"{episode.type} by {as_value(episode.speaker or episode.actor)}",),
            labels=tuple(labels),
            refers=tuple(identifier for identifier, _ in behind),
            text=episode.content if full else "",
        )


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return (", ".join(map(short, ids[:_NAMED])) or "a ruling") + more


def anchors_of(items: Iterable[Item]) -> tuple[str, ...]:
    return tuple(sorted({path for item in items for path in item.anchors}))
