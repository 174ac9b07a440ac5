"""Remember and propose: one new record with the episode that carries it and a receipt, in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cc_git.governance.build import build, payload_for, title_and_content
from cc_git.governance.evidence import Said, episode, type_for
from cc_git.governance.permit import authority_of
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.governance.sensitivity import weigh
from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.episode import Episode
from cc_git.model.kinds import PREFIX_OF_KIND, Permission
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.sanitise import as_value, quoted
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.spine import Anchor, Relation
from cc_git.model.value import Value
from cc_git.model.who import Who


@dataclass(frozen=True)
class Statement:
    """A request for one record. `quote` is what was literally said, where that differs from `text`; `sources` are
    episodes that exist already, and then none is written. `rests_on` is id → sensitivity of what it is taken from."""

    kind: str
    text: str
    title: str | None = None
    quote: str | None = None
    authority: Authority | None = None
    locator: str | None = None
    speaker: str | None = None
    sources: tuple[str, ...] = ()
    scope: Scope = EVERYWHERE
    sensitivity: Sensitivity | None = None
    rests_on: Mapping[str, Sensitivity] = field(default_factory=dict)
    retention: str | None = None
    confidence: float | None = None
    entitlement: str | None = None
    valid_from: Any = None
    valid_to: Any = None
    expires_at: Any = None
    review_by: Any = None
    subject: str | None = None
    tags: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    conflicts_with: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    payload: Mapping[str, Any] = field(default_factory=dict)
    proposal: bool = False
    """Only put forward. What restrains is in force from anyone, so it never is."""


def remember(statement: Statement, who: Who, mint: Mint) -> Plan:
    """A record with the writer's own authority: a person's word, or an agent's explicit statement. A goal that takes
    the place of none opens a line of work, with its trigger."""
    return _one_record("remember", statement, authority_of(who, statement.authority), who, mint)


def propose(statement: Statement, who: Who, mint: Mint) -> Plan:
    """A record that waits for an accept, whatever its kind; a restraint is in force at once."""
    authority = statement.authority or "agent-inference"
    return _one_record("propose", replace(statement, proposal=True), authority, who, mint)


def _one_record(operation: str, statement: Statement, authority: Authority, who: Who, mint: Mint) -> Plan:
    weighed = weigh(statement.sensitivity, statement.rests_on, authority=authority, who=who)
    statement = replace(statement, sensitivity=weighed.sensitivity)
    evidence = () if statement.sources else (_evidence(statement, authority, who, mint),)
    sources = statement.sources or tuple(e.id for e in evidence)
    record = record_from(statement, authority, sources, who, mint)
    made = (*(e.id for e in evidence), record.id)
    values: tuple[Value, ...] = (*evidence, record)
    if operation == "remember" and record.kind == "goal" and not statement.supersedes:
        # Only a goal opens a line; everything else starts sooner without it.
        from cc_git.governance.trigger import opened_by_goal

        said = statement.quote or statement.text
        values = (*values, opened_by_goal(record.id, record.title, said, authority, sources, record.scope, who, mint))
    return Plan(
        operation=operation,
        values=values,
        receipt=receipt_for(operation, tuple(v.id for v in values), statement.supersedes, who.actor, mint),  # type: ignore[attr-defined]
        claims=made if authority == "user-explicit" else (),
        asks=" ".join(filter(None, (weighed.asks, question(record)))) or None,
        notes=weighed.notes,
    )


def record_from(statement: Statement, authority: Authority, sources: tuple[str, ...], who: Who, mint: Mint) -> Record:
    title, content = title_and_content(statement.text, statement.title)
    payload = payload_for(statement.kind, statement.payload)
    return build(
        Record,
        id=mint(PREFIX_OF_KIND[statement.kind]),
        kind=statement.kind,
        title=title,
        content=content,
        scope=statement.scope,
        authority=authority,
        actor=who.actor,
        confidence=statement.confidence,
        entitlement=statement.entitlement,
        sensitivity=statement.sensitivity,
        retention=statement.retention,
        proposal=statement.proposal and not payload.restrains,
        recorded_at=mint.now,
        valid_from=statement.valid_from,
        valid_to=statement.valid_to,
        expires_at=statement.expires_at,
        review_by=statement.review_by,
        sources=sources,
        derived_from=statement.derived_from,
        supersedes=statement.supersedes,
        after=statement.after,
        conflicts_with=statement.conflicts_with,
        relations=statement.relations,
        subject=statement.subject,
        tags=statement.tags,
        anchors=statement.anchors,
        payload=payload,
    )


def question(record: Record) -> str | None:
    """What a person is asked before a gated statement of theirs is bound to them."""
    if record.kind not in GATED or record.restrains or record.authority != "user-explicit":
        return None
    return f"{in_words(record)}?"


def in_words(record: Record) -> str:
    """What it would mean that this record stands, and where."""
    if isinstance(record.payload, Permission):
        return (
            f"{record.payload.effect.capitalize()} {as_value(record.payload.action)} "
            f"on {as_value(record.payload.target)} ({record.scope})"
        )
    return f"Let this {record.kind} stand ({record.scope}): {quoted(record.title)}"


def _evidence(statement: Statement, authority: Authority, who: Who, mint: Mint) -> Episode:
    said = Said(
        text=statement.quote or statement.text,
        type=type_for(statement.kind),
        authority=authority,
        locator=statement.locator,
        speaker=statement.speaker,
        scope=statement.scope,
        sensitivity=statement.sensitivity or "ordinary",
        tags=statement.tags,
    )
    return episode(said, who, mint)
