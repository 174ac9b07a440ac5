"""Digests over canonical JSON: what a packet depends on, and the packet itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from cc_git.compiler.inputs import Inputs
from cc_git.compiler.ranking import RANKER
from cc_git.compiler.terms import VERSION as TERMS
from cc_git.model.ids import new_id
from cc_git.model.packet import Packet
from cc_git.model.request import Unit

_SHORT = 12
"""Hexadecimal digits of an input's digest: enough to see a change, no more than a packet has room for."""


def digest_of(plain: Any) -> str:
    """SHA-256 over JSON with sorted keys, no blanks and nothing but ASCII."""
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def mode_of(inputs: Inputs, unit: Unit) -> str:
    """The compiler's mode: ranker, terms and counter with their versions."""
    counter = "characters/1" if unit == "characters" else inputs.tokens.name
    return f"{RANKER} {TERMS} {counter}"


def basis_of(inputs: Inputs, anchors: Iterable[str]) -> dict[str, str]:
    """What a packet depends on beside the snapshot, by name. `anchors` are the paths that its items name."""
    context = inputs.working_context
    head: Mapping[str, str | None] = {path: inputs.head[path] for path in sorted(anchors) if path in inputs.head}
    parts: dict[str, Any] = {
        "workspace": inputs.workspace.model_dump(mode="json"),
        "context": None if context is None else context.model_dump(mode="json"),
        "lines": [[line.checkpoint.id, line.own] for line in inputs.lines] or None,
        "private": inputs.private,
        "attestations": inputs.attestations,
        "negatives": inputs.negatives,
        "anchors": head or None,
        "runbooks": [[one.runbook.model_dump(mode="json"), *one[1:4]] for one in inputs.runbooks] or None,
        "origin": [[o.trigger.id, o.how, list(o.path), o.private] for o in inputs.origins] or None,
    }
    return {name: digest_of(part)[:_SHORT] for name, part in parts.items() if part}


def seal(packet: Packet) -> Packet:
    """The packet with its digest and id."""
    digest = content_digest(packet)
    identifier = new_id("pk", packet.instant, bytes.fromhex(digest)[:10])
    return packet.model_copy(update={"digest": digest, "id": identifier})


def content_digest(packet: Packet) -> str:
    return digest_of(packet.model_dump(mode="json", exclude={"id", "digest", "used"}))
