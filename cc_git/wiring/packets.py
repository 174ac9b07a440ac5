"""Packets: compiled from what this session sees, kept in the private ledger, verified against the present."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError

from cc_git.codec import paths
from cc_git.compiler.compile import Compiled, compile_whole
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.verify import verify
from cc_git.errors import UsageFault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.model.packet import Packet, PacketCheck, Unfit
from cc_git.model.request import Request
from cc_git.store.ledger import KeptPacket, Ledger, PacketLine
from cc_git.wiring.origin import origins_at_hand
from cc_git.wiring.session import Session
from cc_git.wiring.shelf import shelf_of


@dataclass(frozen=True)
class Delivered:
    """`text` is the packet in the form asked for. `warnings` concern the ledger alone."""

    packet: Packet
    text: str
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Verified:
    packet: Packet
    check: PacketCheck


def inputs_of(session: Session) -> Inputs:
    """All that a packet made now would depend on."""
    known = session.known
    pool = known.pool
    anchors = sorted({path for card in pool.cards() for path in card.anchors})
    head = session.question.code(anchors)
    return Inputs(
        snapshot=session.snapshot,
        pool=pool,
        workspace=session.workspace,
        trusted=session.trusted,
        working_context=session.work.context,
        lines=session.work.lines,
        origins=origins_at_hand(session),
        runbooks=shelf_of(session).shelved,
        clashes=known.clashes,
        until=known.until,
        private=_private_digest(session),
        attestations=session.attestations.digest,
        negatives=session.elsewhere.digest,
        cut=session.elsewhere.cut,
        head={path: head.get(path) for path in anchors},
    )


def compile_now(session: Session, request: Request) -> Delivered | Unfit:
    """A packet for `request`, kept in the ledger, or the budget that would suffice."""
    compiled = compile_whole(inputs_of(session), request, session.now)
    if isinstance(compiled, Unfit):
        return compiled
    ledger = Ledger(session.place)
    try:
        ledger.retire(session.now, session.policy.packet_days)
        ledger.keep(_to_keep(compiled, request, session))
        return Delivered(compiled.packet, compiled.text, tuple(ledger.warnings))
    finally:
        ledger.close()


def _to_keep(compiled: Compiled, request: Request, session: Session) -> KeptPacket:
    packet = compiled.packet
    return KeptPacket(
        id=packet.id,
        created=session.now,
        until=packet.expires,
        digest=packet.digest,
        tree=packet.tree,
        request=request.model_dump_json(),
        body=packet.model_dump_json().encode(),
        verdicts=json.dumps(dict(sorted(compiled.verdicts.items())), separators=(",", ":")).encode(),
        ids=tuple(sorted(packet.named)),
    )


@dataclass(frozen=True)
class ListedPacket:
    """One line of the list: all of a kept packet but its texts, and what it was compiled for."""

    id: str
    created: datetime
    until: datetime | None
    task: str
    digest: str
    tree: str
    stale: tuple[str, ...]


def packet_lines(session: Session, limit: int | None) -> tuple[ListedPacket, ...]:
    ledger = Ledger(session.place)
    try:
        return tuple(_listed(line, ledger.packet(line.id)) for line in ledger.newest(limit))
    finally:
        ledger.close()


def _listed(line: PacketLine, kept: KeptPacket | None) -> ListedPacket:
    task = "" if kept is None else str(json.loads(kept.request).get("task", ""))
    return ListedPacket(line.id, line.created, line.until, task, line.digest, line.tree, line.stale)


def kept_packet(session: Session, part: IdPart | None) -> Packet:
    """The packet that `part` names, or the newest. Raises UsageFault."""
    ledger = Ledger(session.place)
    try:
        found = ledger.newest(1) if part is None else ledger.find(part.text)
        if len(found) != 1:
            raise UsageFault(
                f"{part.text} names {len(found)} packets" if part else "no packet was compiled here yet",
                why=", ".join(short(line.id) for line in found) or None,
                hints=("cc-git packet list",) if part else ("cc-git resume",),
            )
        kept = ledger.packet(found[0].id)
        assert kept is not None
        return Packet.model_validate_json(kept.body)
    finally:
        ledger.close()


def verify_packet(session: Session, packet: Packet) -> Verified:
    """Whether a packet still holds, and if not, what changed. A stale one is marked so in the ledger."""
    check = verify(packet, inputs_of(session), session.now)
    if check.state == "stale":
        ledger = Ledger(session.place)
        try:
            ledger.mark_stale({packet.id: check.reasons[0]})
        finally:
            ledger.close()
    return Verified(packet, check)


def _private_digest(session: Session) -> str:
    """Of the private tier but for the working context, which is an input of its own."""
    private = {rel: e.oid for rel, e in session.seen.added.items() if paths.is_private(rel)}
    lines = [f"{oid} {rel}" for rel, oid in sorted(private.items()) if rel != paths.WORKING_CONTEXT]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest() if lines else ""


def read_packet(data: bytes) -> Packet:
    """A packet from its JSON form. Raises UsageFault for anything else."""
    try:
        return Packet.model_validate_json(data)
    except ValidationError as error:
        raise UsageFault("this is not a packet in its JSON form", why=str(error.errors()[0]["msg"])) from None
