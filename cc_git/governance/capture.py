"""Capture: an episode exists before anything is derived from it."""

from __future__ import annotations

from cc_git.governance.evidence import Said, episode
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.model.who import Who


def capture(said: Said, who: Who, mint: Mint) -> Plan:
    value = episode(said, who, mint)
    return Plan(
        operation="capture",
        values=(value,),
        receipt=receipt_for("capture", (value.id,), (), who.actor, mint),
        claims=(value.id,) if said.authority == "user-explicit" else (),
        attached={place.path: one.data for place, one in zip(value.attachments, said.attached, strict=True)},
    )
