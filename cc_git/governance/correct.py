"""Correct: the old stays readable and superseded, the new stands in its place, what depended on it needs review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cc_git.errors import Refused, UsageFault
from cc_git.governance.build import build, payload_for, title_and_content
from cc_git.governance.evidence import Said, episode
from cc_git.governance.permit import authority_of
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.governance.remember import question
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.ids import short
from cc_git.model.kinds import PREFIX_OF_KIND
from cc_git.model.record import Record
from cc_git.model.spine import Relation
from cc_git.model.verdict import Verdict
from cc_git.model.who import Who
from cc_git.standing.statement import statement

_ENDED = frozenset({"revoked", "forgotten", "damaged"})


class Repeated(Refused):
    """One that stands in the place of the old record says the same already."""


@dataclass(frozen=True)
class Correction:
    """`text` replaces title and content; `changes` replaces other fields; `payload` replaces single payload fields."""

    text: str | None = None
    title: str | None = None
    quote: str | None = None
    authority: Authority | None = None
    locator: str | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    payload: Mapping[str, Any] = field(default_factory=dict)


def with_links(correction: Correction, old: Record, more: tuple[Relation, ...]) -> Correction:
    """The same, with more links beside those of the old record."""
    new = tuple(link for link in more if link not in old.relations)
    if not new:
        return correction
    return replace(correction, changes={**correction.changes, "relations": (*old.relations, *new)})


def correct(old: Record, verdict: Verdict, correction: Correction, who: Who, mint: Mint) -> Plan:
    """Raises UsageFault where nothing changes, Refused where the old record cannot be superseded any more."""
    if verdict.standing in _ENDED:
        raise Refused(
            f"{old.id} is {verdict.standing} and cannot be corrected",
            why="a revoke cannot be lifted; a new grant is a new record",
            hints=(f"cc-git remember --kind {old.kind} …",),
        )
    if correction.text is None and not correction.changes and not correction.payload and correction.title is None:
        raise UsageFault("a correction changes something", hints=(f'cc-git correct {old.id} "the right statement"',))
    authority = authority_of(who, correction.authority)
    new = _successor(old, correction, authority, who, mint, highest(old.sensitivity, verdict.sensitivity))
    said = Said(
        text=correction.quote or correction.text or new.title,
        type="correction",
        authority=authority,
        locator=correction.locator,
        scope=new.scope,
        sensitivity=new.sensitivity,
    )
    evidence = episode(said, who, mint)
    record = new.model_copy(update={"sources": (evidence.id,)})
    made = (evidence.id, record.id)
    return Plan(
        operation="correct",
        values=(evidence, record),
        receipt=receipt_for("correct", made, (old.id,), who.actor, mint),
        claims=made if authority == "user-explicit" else (),
        asks=question(record),
        notes=_kept(old, correction),
    )


def refuse_repeated(plan: Plan, in_its_place: Iterable[tuple[Record, Verdict]], *, attested: bool) -> None:
    """Raises Repeated where one that stands in the place of the old record says the same as this correction, with no
    less authority: a command that was interrupted and is given again has one effect."""
    new = next(value for value in plan.values if isinstance(value, Record))
    for record, verdict in in_its_place:
        as_strong = verdict.authority == new.authority and verdict.attested >= (attested and bool(plan.claims))
        if verdict.standing == "current" and as_strong and _says(record) == _says(new):
            raise Repeated(
                "this correct would change nothing, so it was not written",
                why=f"{short(record.id)} stands in its place and says the same",
                hints=(f"cc-git show {short(record.id)}",),
            )


def _says(record: Record) -> tuple[object, ...]:
    links = sorted((link.rel, link.to) for link in record.relations)
    return statement(record), record.scope, record.subject, record.review_by, record.valid_to, record.expires_at, links


def _kept(old: Record, correction: Correction) -> tuple[str, ...]:
    """Which of the kind's fields stay beside a new text: they may speak of the old one."""
    fields = type(old.payload).model_fields
    kept = [name for name, field in fields.items()
            if name not in correction.payload and getattr(old.payload, name) not in (field.default, ())]  # fmt: skip
    if correction.text is None or not kept:
        return ()
    return (f"kept from before: {', '.join(kept)} (--set {kept[0]}=… says it anew)",)


def _successor(
    old: Record, correction: Correction, authority: Authority, who: Who, mint: Mint, sensitivity: Sensitivity
) -> Record:
    kept = {name: getattr(old.payload, name) for name in type(old.payload).model_fields}
    title, content = (old.title, old.content)
    if correction.text is not None:
        title, content = title_and_content(correction.text, correction.title)
    elif correction.title is not None:
        title = correction.title
    fields: dict[str, Any] = {
        name: getattr(old, name)
        for name in ("scope", "retention", "valid_to", "expires_at", "review_by", "relations", "subject",
                     "tags", "anchors")
    }  # fmt: skip
    return build(
        Record,
        id=mint(PREFIX_OF_KIND[old.kind]),
        kind=old.kind,
        title=title,
        content=content,
        authority=authority,
        actor=who.actor,
        sensitivity=sensitivity,
        recorded_at=mint.now,
        supersedes=(old.id,),
        payload=payload_for(old.kind, kept | dict(correction.payload)),
        **(fields | dict(correction.changes)),
    )
