"""Export: what stands in a scope, up to a sensitivity, as one bundle for another workspace.

The rules
- In the scope is what has a place in common with it; a field left out of the question covers all.
- Records that stand, wait for a word, or will stand go with their content; of all others only the id and what ended
  them, so that the destination learns that what it may hold stands no longer. Restraints are among what stands. A
  proposal that somebody revoked is over, whatever it counts as: it would not stand with an accept either.
- A ruling that ends one of them later is told with its time. What stands only against something that stays, or
  against a reject, is marked *contested*: alone it would stand there as it never did here.
- Restraints that no whole record holds any more are in force, so they go as well; of a damaged id not, and are counted.
- Episodes go unless all that cites them is left behind. What is above the ceiling stays, and is counted: a restraint
  that stays is counted by itself, for somebody out there is bound by it and cannot know.
- Above `ordinary` the question must name a scope. `sensitive` and `restricted` leave only by a person's yes at a
  terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from cc_git.codec.bundle_file import plain_document
from cc_git.errors import Refused, UsageFault
from cc_git.governance.links import OF
from cc_git.governance.plan import Mint
from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.bundle import CONTESTED, Bundle, BundledRecord, EndedRecord, Origin
from cc_git.model.episode import Episode
from cc_git.model.filed import Files
from cc_git.model.receipt import Receipt
from cc_git.model.record import Record
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.verdict import Restraint, Standing, Standings, Verdict
from cc_git.model.who import Who

_GOES: frozenset[Standing] = frozenset({"current", "conflicted", "proposed", "not-yet-valid"})


@dataclass(frozen=True)
class ExportRequest:
    files: Files
    standings: Standings
    origin: Origin
    program: str
    scope: Scope
    ceiling: Sensitivity
    who: Who
    mint: Mint
    at: Callable[[datetime], Standings]
    """What stands at a later instant, as far as is known now."""


@dataclass(frozen=True)
class ExportPlan:
    """`asks` is what a person has to say yes to first. `ids` are those whose content leaves."""

    bundle: Bundle
    receipt: Receipt
    asks: str | None

    @property
    def ids(self) -> tuple[str, ...]:
        values = (*self.bundle.episodes, *(record.value for record in self.bundle.records))
        return tuple(sorted(str(value["id"]) for value in values))


def plan_export(request: ExportRequest) -> ExportPlan:
    """Raises UsageFault where the question is too wide, Refused where only a person may ask it."""
    _may_leave(request)
    left_out: dict[str, int] = {}
    standings = _standings(request)
    chosen = dict(_records(request, standings, left_out))
    chosen |= _restraining(request, chosen, left_out)
    contested = _contested(request, frozenset(chosen))
    ended = [EndedRecord(id=i, standing=s) for i, s in standings.items() if _ended_in_scope(i, s, request, chosen)]
    ended += _ended_later(request, {i: record for i, (record, _) in chosen.items()})
    episodes = _episodes(request, frozenset(chosen), left_out)
    bundle = Bundle(
        program=request.program,
        exported_at=request.mint.now,
        origin=request.origin,
        scope=request.scope,
        ceiling=request.ceiling,
        episodes=tuple(plain_document(episodes[i]) for i in sorted(episodes)),
        records=tuple(_bundled(*chosen[i], contested=i in contested) for i in sorted(chosen)),
        ended=tuple(sorted(ended, key=lambda one: one.id)),
        forgotten=tuple(sorted(request.files.tombstones - set(chosen))),
        left_out=dict(sorted(left_out.items())),
    )
    counts = {"records": len(chosen), "episodes": len(episodes), "ended": len(ended)}
    receipt = Receipt(
        id=request.mint("rc"),
        operation="export",
        actor=request.who.actor,
        recorded_at=request.mint.now,
        touched=(*sorted(episodes), *sorted(chosen)),
        counts=counts | {"forgotten": len(bundle.forgotten)},
    )
    return ExportPlan(bundle, receipt, _question(request, counts))


def _may_leave(request: ExportRequest) -> None:
    ceiling, who = request.ceiling, request.who
    if ceiling != "ordinary" and request.scope == EVERYWHERE:
        raise UsageFault(f"{ceiling} leaves only within a named scope", hints=("--project NAME, or --user, --thread",))
    if not at_most(ceiling, "limited") and not who.is_person_at_terminal:
        raise Refused(
            f"{ceiling} content leaves only at a person's word",
            why=f"{who.actor} is not a person at a terminal",
            hints=("run the same command yourself in a terminal",),
        )


def _question(request: ExportRequest, counts: dict[str, int]) -> str | None:
    if at_most(request.ceiling, "limited"):
        return None
    what = f"{counts['records']} records and {counts['episodes']} episodes"
    return f"Let {what} up to {request.ceiling} leave this workspace ({request.scope})?"


def _standings(request: ExportRequest) -> dict[str, Standing]:
    rulings = [variants[0].value for variants in request.files.rulings.values()]
    revoked = {target for ruling in rulings if ruling.verb == "revoke" for target in ruling.targets}
    verdicts = request.standings.verdicts
    return {
        i: "revoked" if verdict.standing == "proposed" and i in revoked else verdict.standing
        for i, verdict in verdicts.items()
    }


def _records(
    request: ExportRequest, standings: Mapping[str, Standing], left_out: dict[str, int]
) -> Iterator[tuple[str, tuple[Record, Verdict]]]:
    for identifier, variants in request.files.records.items():
        verdict, record = request.standings.verdicts[identifier], variants[0].value
        if standings[identifier] not in _GOES:
            continue
        if not record.scope.meets(request.scope):
            _count(left_out, "out_of_scope")
        elif not at_most(verdict.sensitivity, request.ceiling):
            _count(left_out, "restraints_above_ceiling" if record.restrains else "above_ceiling")
        else:
            yield identifier, (record, verdict)


def _restraining(
    request: ExportRequest, chosen: Container[str], left_out: dict[str, int]
) -> dict[str, tuple[Record, Verdict]]:
    """What restrains here although no whole record of the snapshot holds it."""
    contents: dict[str, list[Restraint]] = {}
    for one in request.standings.restraining:
        if one.filed.value.scope.meets(request.scope):
            contents.setdefault(one.filed.value.id, []).append(one)
    found: dict[str, tuple[Record, Verdict]] = {}
    for identifier, held in contents.items():
        if any(not at_most(one.verdict.sensitivity, request.ceiling) for one in held):
            _count(left_out, "restraints_above_ceiling")
        elif identifier in chosen or len(held) > 1 or held[0].whence == "damaged":
            _count(left_out, "restraints_of_damaged_ids")
        else:
            found[identifier] = (held[0].filed.value, held[0].verdict)
    return found


def _contested(request: ExportRequest, chosen: frozenset[str]) -> frozenset[str]:
    clashes = [c for c in request.standings.clashes if c.cause == "rulings" or not chosen.issuperset(c.ids)]
    return frozenset(i for clash in clashes for i in clash.ids)


def _ended_later(request: ExportRequest, chosen: Mapping[str, Record]) -> Iterator[EndedRecord]:
    """What a ruling that waits for its time will end, each once, by the first that does. Nothing lifts a restraint."""
    now, left = request.mint.now, {i for i, record in chosen.items() if not record.restrains}
    rulings = [variants[0].value for variants in request.files.rulings.values()]
    waiting = [r for r in rulings if r.effective_from and r.effective_from > now and not left.isdisjoint(r.targets)]
    for when in sorted({ruling.effective_from for ruling in waiting if ruling.effective_from}):
        then = request.at(when).verdicts
        named = {target for ruling in waiting if ruling.effective_from == when for target in ruling.targets}
        for identifier in sorted(left & named):
            ends, standing = chosen[identifier].ends, then[identifier].standing
            if standing not in _GOES and (ends is None or ends > when):
                left.discard(identifier)
                yield EndedRecord(id=identifier, standing=standing, effective_from=when)


def _ended_in_scope(identifier: str, standing: Standing, request: ExportRequest, chosen: Container[str]) -> bool:
    if standing in _GOES or standing == "forgotten" or identifier in chosen:
        return False
    variants = request.files.records.get(identifier, ())
    return any(one.value.scope.meets(request.scope) for one in variants)


def _episodes(request: ExportRequest, chosen: frozenset[str], left_out: dict[str, int]) -> dict[str, Episode]:
    cited_by: dict[str, list[str]] = {}
    for identifier, variants in request.files.records.items():
        for source in variants[0].value.sources:
            cited_by.setdefault(source, []).append(identifier)
    found: dict[str, Episode] = {}
    for identifier, episodes in request.files.episodes.items():
        episode, citing = episodes[0].value, cited_by.get(identifier, ())
        if identifier in request.files.tombstones or len(episodes) > 1:
            continue
        if not episode.scope.meets(request.scope):
            _count(left_out, "out_of_scope")
        elif not at_most(episode.sensitivity, request.ceiling):
            _count(left_out, "above_ceiling")
        elif citing and chosen.isdisjoint(citing):
            _count(left_out, "behind_ended_records")
        elif any(link.rel == OF for link in episode.relations):
            # Its text is the ids of its ends, and means nothing where these have others.
            _count(left_out, "links")
        else:
            found[identifier] = episode
            for _ in episode.attachments:
                _count(left_out, "attachments")
    return found


def _bundled(record: Record, verdict: Verdict, *, contested: bool) -> BundledRecord:
    return BundledRecord(
        standing=verdict.standing,
        authority=verdict.authority,
        attested=verdict.attested,
        sensitivity=verdict.sensitivity,
        flags=tuple(sorted({*verdict.flags, *((CONTESTED,) if contested else ())})),
        value=plain_document(record),
    )


def _count(counts: dict[str, int], reason: str) -> None:
    counts[reason] = counts.get(reason, 0) + 1
