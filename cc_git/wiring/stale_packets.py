"""Kept packets that show what no longer holds: noticed, named, and compiled anew with one command."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cc_git.compiler.overtaken import overtaken
from cc_git.governance.plan import Plan
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id
from cc_git.model.packet import Packet, Unfit
from cc_git.model.request import Request
from cc_git.store.ledger import KeptPacket, Ledger, PacketLine
from cc_git.wiring.packets import compile_now, kept_packet, selected_ids
from cc_git.wiring.session import Session

_REBUILT = "rebuilt "


@dataclass(frozen=True)
class Rebuilt:
    """`new` is the packet that stands in the place of `old`; None where it does not fit, and `needed` would suffice."""

    old: str
    new: str | None
    task: str
    needed: int = 0


def mark_touched(session: Session, plan: Plan) -> tuple[tuple[str, ...], Sequence[str]]:
    """At once after an act: the packets that show what it concerned, and what the ledger had to put up with."""
    if not plan.receipt.touched:
        return (), ()
    ledger = Ledger(session.place)
    try:
        marks = dict[str, str]()
        for identifier in plan.receipt.touched:
            naming = (ledger.packet(packet) for packet in ledger.concerning([identifier]))
            showing = (kept.id for kept in naming if kept and identifier in selected_ids(kept.body))
            marks |= dict.fromkeys(showing, f"{plan.operation} {identifier}")
        if marks:
            ledger.mark_stale(marks)
        return tuple(sorted(marks)), tuple(ledger.warnings)
    finally:
        ledger.close()


def misleading(session: Session) -> tuple[str, ...]:
    """The packets that show what no longer holds and were not compiled anew, newest first. They are marked so."""
    ledger = Ledger(session.place)
    try:
        lines = ledger.newest()
        marks = dict[str, str]()
        for line in lines:
            kept = None if _misleads(line) or _is_rebuilt(line) else ledger.packet(line.id)
            if kept is not None and (reason := _reason(session, kept)):
                marks[line.id] = reason
        if marks:
            ledger.mark_stale(marks)
        return tuple(line.id for line in lines if line.id in marks or (_misleads(line) and not _is_rebuilt(line)))
    finally:
        ledger.close()


def rebuild(session: Session, parts: Sequence[IdPart]) -> tuple[Rebuilt, ...]:
    """Compile anew what was asked for, of the packets that `parts` name or of all that mislead; each request once."""
    asked = tuple(dict.fromkeys(kept_packet(session, part).id for part in parts)) if parts else misleading(session)
    kept = _kept(session, asked)
    done: dict[str, Rebuilt] = {}
    for one in kept:
        if one.request not in done:
            request = Request.model_validate_json(one.request)
            made = compile_now(session, request)
            new, needed = (None, made.needed) if isinstance(made, Unfit) else (made.packet.id, 0)
            done[one.request] = Rebuilt(one.id, new, request.task, needed)
    found = [Rebuilt(one.id, *_rest(done[one.request])) for one in kept]
    _mark(session, {r.old: f"{_REBUILT}{r.new}" for r in found if r.new is not None and r.new != r.old})
    return tuple(found)


def _rest(one: Rebuilt) -> tuple[str | None, str, int]:
    return one.new, one.task, one.needed


def _reason(session: Session, kept: KeptPacket) -> str | None:
    packet = Packet.model_validate_json(kept.body)
    return next(iter(overtaken(packet, session.standings.of)), None)


def _misleads(line: PacketLine) -> bool:
    """A mark that names an id says what no longer holds; others (the snapshot changed) only that something is new."""
    return any(is_id(word) for reason in line.stale for word in reason.split(" "))


def _is_rebuilt(line: PacketLine) -> bool:
    return any(reason.startswith(_REBUILT) for reason in line.stale)


def _kept(session: Session, ids: Collection[str]) -> list[KeptPacket]:
    ledger = Ledger(session.place)
    try:
        return [kept for identifier in ids if (kept := ledger.packet(identifier)) is not None]
    finally:
        ledger.close()


def _mark(session: Session, marks: dict[str, str]) -> None:
    ledger = Ledger(session.place)
    try:
        ledger.mark_stale(marks)
    finally:
        ledger.close()
