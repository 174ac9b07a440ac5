"""Whether a packet still says what a compile would say now."""

from __future__ import annotations

from datetime import datetime

from cc_git.compiler.digest import basis_of, content_digest, mode_of
from cc_git.compiler.facts import instant_text
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.items import anchors_of
from cc_git.model.packet import Packet, PacketCheck

_CHANGED = {
    "workspace": "the workspace's policy changed",
    "context": "the working context changed",
    "lines": "other lines of the work came or went",
    "private": "the private records changed",
    "attestations": "what persons attested changed",
    "negatives": "a revocation, denial or tombstone was seen or dismissed",
    "anchors": "code that its records depend on changed",
    "runbooks": "the runbooks at hand changed",
    "origin": "the origin of the work changed",
}


def verify(packet: Packet, inputs: Inputs, now: datetime) -> PacketCheck:
    """`inputs` are those of this moment, for the same workspace. Each reason names one input that changed."""
    if content_digest(packet) != packet.digest:
        return PacketCheck("altered", ("its content is not what its digest names",))
    reasons = []
    if inputs.snapshot.tree != packet.tree:
        reasons.append("the snapshot changed")
    if inputs.trusted != packet.trusted:
        reasons.append("the workspace is trusted now" if inputs.trusted else "the workspace is no longer trusted")
    current = basis_of(inputs, anchors_of(packet.items()))
    reasons += [why for name, why in _CHANGED.items() if current.get(name) != packet.basis.get(name)]
    if mode_of(inputs, packet.unit) != packet.mode:
        reasons.append("the compiler changed")
    if packet.expires is not None and packet.expires <= now:
        reasons.append(f"something in it changed by itself at {instant_text(packet.expires)}")
    return PacketCheck("stale", tuple(reasons)) if reasons else PacketCheck("valid")
