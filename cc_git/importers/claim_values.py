"""Claims → the episode and the record that they would be, with ids of this workspace and links between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from cc_git.governance.build import build
from cc_git.importers.claims import Claim, Draft
from cc_git.importers.known import locator_for
from cc_git.importers.quarantine import Kept
from cc_git.importers.suspicion import marked, signs_in, texts_in
from cc_git.model.episode import Episode
from cc_git.model.record import Record
from cc_git.model.spine import Relation, Source

LINK_FIELDS = ("supersedes", "conflicts_with", "sources")
Find = Callable[[str, str], tuple[str, ...]]
"""(field or word of a relation, place) → the ids here that are meant; none where the thing does not come in."""


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids that a claim gets. `count`: which time the source has this text."""

    episode: str
    record: str | None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Setting:
    now: datetime
    actor: str


def kept_from(claim: Claim, ids: Ids, setting: Setting, find: Find) -> Kept:
    """Raises UsageFault where the source's own values do not fit together."""
    signs = signs_in(claim.text, claim.title, *_prose(claim.draft))
    tags = marked(claim.tags, signs)
    episode = build(
        Episode,
        id=ids.episode,
        type="import",
        content=claim.text,
        speaker=claim.speaker,
        scope=claim.scope,
        authority="document",
        actor=setting.actor,
        source=Source(kind="document", locator=locator_for(claim.place, ids.count), blob=claim.blob),
        sensitivity=claim.sensitivity,
        recorded_at=setting.now,
        valid_from=claim.said_at,
        tags=tags,
    )
    record = _record(claim, claim.draft, ids, setting, tags, find) if claim.draft and ids.record else None
    return Kept(episode, record, claim.claimed, signs)


def _record(claim: Claim, draft: Draft, ids: Ids, setting: Setting, tags: tuple[str, ...], find: Find) -> Record:
    links: dict[str, tuple[str, ...]] = {name: _found(draft, name, find) for name in LINK_FIELDS}
    relations = tuple(
        Relation(rel=word, to=to) for word in draft.links if word not in LINK_FIELDS for to in _found(draft, word, find)
    )
    starts = claim.said_at
    if claim.valid_to is not None and (starts or setting.now) > claim.valid_to:
        starts = claim.valid_to
    return build(
        Record,
        id=ids.record,
        kind=draft.kind,
        title=draft.title,
        content=draft.content,
        scope=claim.scope,
        authority=claim.arrives,
        actor=setting.actor,
        confidence=draft.confidence,
        entitlement=draft.entitlement,
        sensitivity=claim.sensitivity,
        recorded_at=setting.now,
        valid_from=starts,
        valid_to=claim.valid_to,
        expires_at=draft.expires_at,
        review_by=draft.review_by,
        sources=tuple(dict.fromkeys((ids.episode, *links["sources"]))),
        supersedes=links["supersedes"],
        conflicts_with=links["conflicts_with"],
        relations=relations,
        subject=draft.subject,
        tags=tuple(dict.fromkeys((*draft.tags, *tags))),
        proposal=draft.proposal,
        payload=draft.payload,
    )


def _found(draft: Draft, name: str, find: Find) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i for place in draft.links.get(name, ()) for i in find(name, place)))


def _prose(draft: Draft | None) -> Iterable[str]:
    if draft is None:
        return
    yield draft.content
    yield from texts_in(draft.payload)
