"""Adopt: what somebody changed in a file that is written once becomes a correction; the file is what it was again."""

from __future__ import annotations

from typing import Any

from cc_git.errors import Refused, UsageFault
from cc_git.governance.correct import Correction
from cc_git.governance.differ import differences
from cc_git.model.ids import short
from cc_git.model.record import Record

CHANGES = frozenset({"subject", "valid_to", "expires_at", "review_by", "relations", "tags", "anchors"})
"""Fields that a correction may give a new value."""
_ITS_OWN = ("actor", "sources", "supersedes", "recorded_at", "kind")


def as_correction(old: Record, edited: Record) -> Correction:
    """Raises UsageFault for an edit of what a correction cannot change, Refused where it says the same."""
    changed = differences(old, edited)
    payload = {name: value for name, value in _payload(edited).items() if f"{edited.kind}.{name}" in changed}
    others = {name: getattr(edited, name) for name in changed if name in CHANGES}
    may = {*CHANGES, "title", "content", *(f"{old.kind}.{name}" for name in _payload(old))}
    beyond = [name for name in changed if name not in may]
    beyond += [name for name in _ITS_OWN if getattr(old, name) != getattr(edited, name)]
    if beyond:
        raise UsageFault(
            f"the edit of {short(old.id)} changes {', '.join(beyond)}, which a correction does not",
            hints=("take that back in the file, or say it anew: cc-git remember TEXT --supersedes ID",),
        )
    if not changed:
        raise Refused(f"the edit of {short(old.id)} says the same", hints=("git restore takes it back",))
    says_anew = "content" in changed or "title" in changed
    return Correction(
        text=(edited.content or edited.title) if says_anew else None,
        title=edited.title if says_anew else None,
        changes=others,
        payload=payload,
    )


def _payload(record: Record) -> dict[str, Any]:
    return {name: getattr(record.payload, name) for name in type(record.payload).model_fields}
