"""Turning down what waits in quarantine: a receipt says so, and the same text is not asked about again.

Nothing is deleted: what must go is forgotten, not discarded. A person may still take it out by name.
"""

from __future__ import annotations

from cc_git.errors import UsageFault
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.importers.importing import Here
from cc_git.importers.quarantine import Manifest
from cc_git.importers.settled import DISCARD
from cc_git.model.who import Who


def plan_discard(manifest: Manifest, only: frozenset[str] | None, here: Here, who: Who, mint: Mint) -> Plan:
    """`only`: ids under which things wait; None turns down all that nobody has taken. Raises UsageFault."""
    waiting = {i: item for item in manifest.items for i in (item.waits_as, item.episode)}
    if only is not None and (unknown := sorted(only - set(waiting))):
        raise UsageFault(f"{unknown[0]} does not wait in {manifest.id}")
    asked = manifest.items if only is None else tuple(waiting[i] for i in sorted(only))
    settled = here.settled
    left = dict.fromkeys(
        item.waits_as for item in asked if item.waits_as not in settled.taken and item.waits_as not in settled.discarded
    )
    if not left and (manifest.items or manifest.id in settled.discarded):
        raise UsageFault(f"nothing of {manifest.id} waits any more")
    touched = (manifest.id, *left)
    return Plan(DISCARD, (), receipt_for(DISCARD, (), touched, who.actor, mint, discarded=len(left)))
