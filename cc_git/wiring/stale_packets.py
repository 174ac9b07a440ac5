"""Kept packets that show what no longer holds: noticed and named, without the compiler, for every act asks."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cc_git.compiler.overtaken import overtaken
from cc_git.governance.plan import Plan
from cc_git.model.ids import is_id
from cc_git.model.packet import Packet
from cc_git.store.ledger import KeptPacket, Ledger, PacketLine
from cc_git.wiring.session import Session

REBUILT = "rebuilt "
"""How the mark of a packet begins that another took the place of."""


def selected_ids(body: bytes) -> frozenset[str]:
    """The ids that a kept packet shows, without validating it whole."""
    sections = json.loads(body).get("sections", ())
    return frozenset(item["id"] for section in sections for item in section.get("items", ()) if item.get("id"))


def mark_touched(session: Session, plan: Plan) -> tuple[tuple[str, ...], Sequence[str]]:
    """At once after an act: the packets that show what it concerned, and what the ledger had to put up with."""
    return mark_showing(session, plan.operation, plan.receipt.touched)


def mark_showing(session: Session, operation: str, touched: Sequence[str]) -> tuple[tuple[str, ...], Sequence[str]]:
    """The same for an operation that has no plan of records."""
    if not touched:
        return (), ()
    ledger = Ledger(session.place)
    try:
        marks = dict[str, str]()
        for identifier in touched:
            naming = (ledger.packet(packet) for packet in ledger.concerning([identifier]))
            showing = (kept.id for kept in naming if kept and identifier in selected_ids(kept.body))
            marks |= dict.fromkeys(showing, f"{operation} {identifier}")
        if marks:
            ledger.mark_stale(marks)
        return tuple(sorted(marks)), tuple(ledger.warnings)
    finally:
        ledger.close()


def misleading(session: Session) -> tuple[str, ...]:
    """The packets that show what no longer holds and were not compiled anew, newest first. They are marked so."""
    ledger = Ledger(session.place)
    try:
        marks, found = _found(session, ledger)
        if marks:
            ledger.mark_stale(marks)
        return found
    finally:
        ledger.close()


def showing_what_is_over(session: Session) -> tuple[str, ...]:
    """The same, for whoever changes nothing."""
    ledger = Ledger(session.place)
    try:
        return _found(session, ledger)[1]
    finally:
        ledger.close()


def _found(session: Session, ledger: Ledger) -> tuple[dict[str, str], tuple[str, ...]]:
    """What is to be marked, with the reason; and all that mislead."""
    lines = ledger.newest()
    marks = dict[str, str]()
    for line in lines:
        kept = None if _misleads(line) or _is_rebuilt(line) else ledger.packet(line.id)
        if kept is not None and (reason := _reason(session, kept)):
            marks[line.id] = reason
    return marks, tuple(line.id for line in lines if line.id in marks or (_misleads(line) and not _is_rebuilt(line)))


def _reason(session: Session, kept: KeptPacket) -> str | None:
    packet = Packet.model_validate_json(kept.body)
    return next(iter(overtaken(packet, session.standings.of)), None)


def _misleads(line: PacketLine) -> bool:
    """A mark that names an id says what no longer holds; others (the snapshot changed) only that something is new."""
    return any(is_id(word) for reason in line.stale for word in reason.split(" "))


def _is_rebuilt(line: PacketLine) -> bool:
    return any(reason.startswith(REBUILT) for reason in line.stale)
