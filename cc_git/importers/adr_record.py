"""One decision document → the texts and times of its episode and its record. The same document gives the same texts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from cc_git.governance.build import build
from cc_git.importers.adr_known import subject_for
from cc_git.importers.adr_values import Adr, AdrStatus
from cc_git.importers.known import locator_for
from cc_git.importers.suspicion import marked, signs_in
from cc_git.model.authority import Authority
from cc_git.model.episode import Episode
from cc_git.model.kinds.decision import Decision
from cc_git.model.record import Record
from cc_git.model.scope import Scope
from cc_git.model.spine import Relation, Source
from cc_git.model.value import clean_line

OPEN = frozenset((AdrStatus.PROPOSED, AdrStatus.DRAFT, AdrStatus.ON_HOLD, AdrStatus.UNKNOWN))
"""Statuses under which nothing has been decided yet. A document carries a decision, but here it only offers one, so
its record has the authority of an inference: it stands as proposed until somebody accepts it."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A document and what is known about it besides its text. `committed_at`: when this text came into the history."""

    adr: Adr
    blob: str
    count: int
    committed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Setting:
    """What all documents of one import share."""

    now: datetime
    actor: str
    scope: Scope


def authority_for(status: AdrStatus) -> Authority:
    return "agent-inference" if status in OPEN else "document"


def episode_for(document: Dated, identifier: str, setting: Setting) -> Episode:
    return build(
        Episode,
        id=identifier,
        type="import",
        content=document.adr.text,
        scope=setting.scope,
        authority="document",
        actor=setting.actor,
        source=Source(
            kind="document",
            locator=locator_for(document.adr.path, document.count),
            blob=document.blob,
        ),
        recorded_at=setting.now,
        tags=marked(("adr",), signs_in(document.adr.text)),
    )


def record_for(
    document: Dated,
    identifier: str,
    episode: str,
    setting: Setting,
    *,
    supersedes: tuple[str, ...],
    relations: tuple[Relation, ...],
    ended: bool,
) -> Record:
    """`ended`: the document itself says that its decision is over, and no record here takes its place."""
    adr = document.adr
    starts = _starts(document, setting.now)
    return build(
        Record,
        id=identifier,
        kind="decision",
        title=adr.title,
        content=_content(adr),
        scope=setting.scope,
        authority=authority_for(adr.status),
        actor=setting.actor,
        recorded_at=setting.now,
        valid_from=None if starts == setting.now else starts,
        valid_to=_ends(document, starts, setting.now) if ended else None,
        sources=(episode,),
        supersedes=supersedes,
        relations=relations,
        subject=subject_for(adr.path),
        tags=marked(("adr", *adr.tags), signs_in(adr.text)),
        payload=Decision(
            owner=clean_line(", ".join(adr.deciders)) or None,
            rationale=adr.rationale or adr.drivers or adr.context,
            alternatives=adr.alternatives,
            decided_at=_midnight(adr.date),
            reopen_when=adr.reopen_when or None,
        ),
    )


def _content(adr: Adr) -> str:
    """The decision, then what it brings and how it is checked: what the next one to work here has to respect."""
    parts = [adr.decision]
    if adr.consequences:
        parts.append(f"Consequences:\n\n{adr.consequences}")
    if adr.confirmation:
        parts.append(f"Confirmation:\n\n{adr.confirmation}")
    if adr.status not in (AdrStatus.ACCEPTED, AdrStatus.ABSENT):
        parts.append(f"Status in the document: {adr.status_text or adr.status}")
    return "\n\n".join(part for part in parts if part)


def _starts(document: Dated, now: datetime) -> datetime:
    """In force from the day of the decision, else from the commit; never later than now, for the document stands."""
    known = _midnight(document.adr.date) or document.committed_at or now
    return min(known, now)


def _ends(document: Dated, starts: datetime, now: datetime) -> datetime:
    """The day that the status names, else the commit that says so, else now."""
    for instant in (_midnight(document.adr.status_date), document.committed_at):
        if instant is not None and starts <= instant <= now:
            return instant
    return now


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC)
