"""What a record does, in few words, and how an instant is written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from cc_git.model.kinds import Commitment, Decision, Failure, Goal, Payload, Permission, UserModel
from cc_git.model.packet import Form
from cc_git.model.record import Record
from cc_git.model.sanitise import as_value

LINE_LIMIT = 160
"""Characters of one stored value in the form `line`; the whole is in the form `full`."""


def instant_text(instant: datetime) -> str:
    """The date alone at midnight UTC, else to the second, or to the millisecond where there are some."""
    text = instant.isoformat(timespec="milliseconds" if instant.microsecond else "seconds")
    return text.replace("+00:00", "Z").removesuffix("T00:00:00Z")


def facts_of(record: Record, form: Form) -> tuple[str, ...]:
    """Effect, action and target; mode and due; severity; priority; until when; in full also how sure it is. Stored
    values in them are as `as_value` writes them, so that a fact holds what it seems to hold in every form of output."""
    facts = [*_duties(record.payload, LINE_LIMIT if form == "line" else None)]
    if record.ends is not None:
        facts.append(f"until {instant_text(record.ends)}")
    if form == "line":
        return tuple(facts)
    if record.confidence is not None:
        facts.append(f"confidence {record.confidence:g}")
    if record.entitlement is not None:
        facts.append(f"{record.entitlement} entitlement")
    return tuple(facts)


def _duties(payload: Payload, limit: int | None) -> Iterable[str]:
    if isinstance(payload, Permission):
        yield f"{payload.effect} {as_value(payload.action, limit)} → {as_value(payload.target, limit)}"
    elif isinstance(payload, Commitment):
        yield payload.mode
        if payload.due is not None:
            due = payload.due
            yield f"due {instant_text(due) if isinstance(due, datetime) else as_value(due, limit)}"
    elif isinstance(payload, Failure):
        yield f"severity {payload.severity}"
    elif isinstance(payload, Goal):
        yield f"priority {payload.priority}"
    elif isinstance(payload, Decision):
        if payload.decided_at is not None:
            yield f"decided {instant_text(payload.decided_at)}"
    elif isinstance(payload, UserModel) and payload.assertion == "inferred":
        yield "inferred"
