"""Kept packets that mislead, compiled anew with one command."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cc_git.model.id_part import IdPart
from cc_git.model.packet import Unfit
from cc_git.model.request import Request
from cc_git.store.ledger import KeptPacket, Ledger
from cc_git.wiring.packets import compile_now, kept_packet
from cc_git.wiring.session import Session
from cc_git.wiring.stale_packets import REBUILT, misleading


@dataclass(frozen=True)
class Rebuilt:
    """`new` is the packet that stands in the place of `old`; None where it does not fit, and `needed` would suffice."""

    old: str
    new: str | None
    task: str
    needed: int = 0


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
    _mark(session, {r.old: f"{REBUILT}{r.new}" for r in found if r.new is not None and r.new != r.old})
    return tuple(found)


def _rest(one: Rebuilt) -> tuple[str | None, str, int]:
    return one.new, one.task, one.needed


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
