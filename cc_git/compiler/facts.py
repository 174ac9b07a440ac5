"""What a record does, in few words, and how an instant is written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from cc_git.model.kinds import Commitment, Decision, Failure, Goal, Payload, Permission, UserModel
from cc_git.model.packet import Form
from cc_git.model.record import Record
from cc_git.model.value import clean_line

LINE_LIMIT = 160
"""Characters of one fact in the form `line`; the whole is in the form `full`."""


def instant_text(instant: datetime) -> str:
    """The date alone at midnight UTC, else to the second, or to the millisecond where there are some."""
    text = instant.isoformat(timespec="milliseconds" if instant.microsecond else "seconds")
    return text.replace("+00:00", "Z").removesuffix("T00:00:00Z")


def facts_of(record: Record, form: Form) -> tuple[str, ...]:
    """Effect, action and target; mode and due; severity; priority; until when; in full also how sure it is."""
    facts = [*_duties(record.payload)]
    if record.ends is not None:
        facts.append(f"until {instant_text(record.ends)}")
    if form == "line":
        return tuple(clean_line(fact, LINE_LIMIT) for fact in facts)
    if record.confidence is not None:
        facts.append(f"confidence {record.confidence:g}")
    if record.entitlement is not None:
        facts.append(f"{record.entitlement} entitlement")
    return tuple(facts)


def _duties(payload: Payload) -> Iterable[str]:
    if isinstance(payload, Permission):
        yield f"{payload.effect} {payload.action} → {payload.target}"
    elif isinstance(payload, Commitment):
        yield payload.mode
        if payload.due is not None:
            yield f"due {instant_text(payload.due) if isinstance(payload.due, datetime) else payload.due}"
    elif isinstance(payload, Failure):
        yield f"severity {payload.severity}"
    elif isinstance(payload, Goal):
        yield f"priority {payload.priority}"
    elif isinstance(payload, Decision):
        if payload.decided_at is not None:
            yield f"decided {instant_text(payload.decided_at)}"
    elif isinstance(payload, UserModel) and payload.assertion == "inferred":
        yield "inferred"
