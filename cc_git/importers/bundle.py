"""`import bundle`: a bundle of another workspace of ours → claims.

Each record and each episode is a claim with its id there as its place; a bundle file may lie anywhere and come in
several editions, the id and the bytes of the file it names stay. What the bundle says of standing, attestation and
authority is what somebody wrote: it decides at most that a thing arrives lower. Links become links to what came in;
those that say only where something comes from, and parents of goals, become relations, so that two clones which take
in the same bundle keep equal statements. What waits for
a word there, or is contested there, waits here. Anchors, retention and rulings are left behind: they speak of another
place; what a ruling ends, and when, comes along.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, TypeVar

from pydantic import ValidationError

from cc_git.codec.bundle_file import BundleFault, decode_bundle
from cc_git.codec.documents import from_document
from cc_git.codec.files import encode
from cc_git.importers.arrival import lower
from cc_git.importers.claim_values import LINK_FIELDS
from cc_git.importers.claims import Claim, Draft, Reading
from cc_git.importers.importing import BlobOf
from cc_git.importers.outcomes import Outcome
from cc_git.importers.reconcile import OURS
from cc_git.importers.table import BUNDLE
from cc_git.model.authority import Authority
from cc_git.model.bundle import CONTESTED, BundledRecord
from cc_git.model.episode import Episode
from cc_git.model.kinds import Commitment, Goal, Payload
from cc_git.model.record import Record
from cc_git.model.value import Value
from cc_git.standing.tables import higher

MOST = 50_000
"""Things in one bundle."""
V = TypeVar("V", bound=Value)


def read_bundle(data: bytes, blob_of: BlobOf) -> Reading:
    """Raises BundleFault for what is no bundle; a thing in it that cannot be read is told as broken."""
    bundle, digest = decode_bundle(data)
    if len(bundle.records) + len(bundle.episodes) > MOST:
        raise BundleFault(f"it holds more than {MOST} things")
    claims: list[Claim] = []
    outcomes: list[Outcome] = []
    ends = {one.id: one.effective_from for one in bundle.ended if one.effective_from is not None}
    for read in (*_records(bundle.records, ends, blob_of), *_episodes(bundle.episodes, blob_of)):
        claims.append(read) if isinstance(read, Claim) else outcomes.append(read)
    return Reading(BUNDLE, tuple(claims), tuple(outcomes), bundle.ended, bundle.forgotten, digest)


def _records(
    bundled: tuple[BundledRecord, ...], ends: Mapping[str, datetime], blob_of: BlobOf
) -> Iterator[Claim | Outcome]:
    """`ends`: when somebody's ruling there ends a record."""
    for one in bundled:
        record = _value(Record, _with_instants(one.value))
        if isinstance(record, Outcome):
            yield record
            continue
        waits = one.standing == "proposed" or CONTESTED in one.flags
        last = None if record.restrains else ends.get(record.id)
        authority: Authority = lower(record.authority, "agent-inference") if waits else one.authority
        yield Claim(
            place=f"{OURS}{record.id}",
            blob=blob_of(encode(record)),
            text=json.dumps(one.value, indent=1, ensure_ascii=False),
            title=record.title,
            scope=record.scope,
            claimed=record.authority if waits else one.authority,
            sensitivity=higher(record.sensitivity, one.sensitivity),
            speaker=record.actor,
            said_at=record.starts,
            valid_to=min((t for t in (record.valid_to, last) if t is not None), default=None),
            tags=("bundle",),
            draft=_draft(record, authority, proposal=waits),
        )


def _draft(record: Record, authority: Authority, *, proposal: bool) -> Draft:
    payload, within = _without_ids(record.payload)
    links: dict[str, tuple[str, ...]] = {
        name: tuple(f"{OURS}{identifier}" for identifier in getattr(record, name)) for name in LINK_FIELDS
    }
    named = [("derived-from", i) for i in record.derived_from] + within
    named += [(r.rel, r.to) for r in record.relations if r.rel not in LINK_FIELDS]
    for word, identifier in named:
        links[word] = (*links.get(word, ()), f"{OURS}{identifier}")
    return Draft(
        kind=record.kind,
        title=record.title,
        content=record.content,
        payload=payload,
        authority=authority,
        subject=record.subject,
        tags=record.tags,
        confidence=record.confidence,
        entitlement=record.entitlement,
        expires_at=record.expires_at,
        review_by=record.review_by,
        proposal=proposal,
        links=links,
    )


def _without_ids(payload: Payload) -> tuple[Payload, list[tuple[str, str]]]:
    """Ids inside a payload mean nothing here: they become named links."""
    if not isinstance(payload, Goal):
        return payload, []
    links = [("parent", payload.parent)] if payload.parent else []
    links += [("depends-on", identifier) for identifier in payload.depends_on]
    return payload.model_copy(update={"parent": None, "depends_on": ()}), links


def _episodes(documents: tuple[dict[str, Any], ...], blob_of: BlobOf) -> Iterator[Claim | Outcome]:
    for document in documents:
        episode = _value(Episode, document)
        if isinstance(episode, Outcome):
            yield episode
            continue
        first = next((line.strip() for line in episode.content.splitlines() if line.strip()), "")
        yield Claim(
            place=f"{OURS}{episode.id}",
            blob=blob_of(encode(episode)),
            text=episode.content,
            title=first[:120],
            scope=episode.scope,
            claimed=episode.authority,
            sensitivity=episode.sensitivity,
            speaker=episode.speaker or episode.actor,
            said_at=episode.starts,
            valid_to=episode.valid_to,
            tags=("bundle", *episode.tags),
        )


def _value(model: type[V], document: dict[str, Any]) -> V | Outcome:
    """The value, or what is wrong with it in words without its text."""
    try:
        value = from_document(model, document, [])
        assert isinstance(value, model)
        return value
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:120]
        named = document.get("id")
        place = f"{OURS}{named}"[:120] if isinstance(named, str) else f"{OURS}?"
        return Outcome(place, "broken", f"{where}: {first['msg'].removeprefix('Value error, ')}")


def _with_instants(document: dict[str, Any]) -> dict[str, Any]:
    """JSON has no instants; the one field that may be an instant or words is read as a file would spell it."""
    table = document.get(Commitment.KIND)
    due = table.get("due") if isinstance(table, dict) else None
    if not isinstance(due, str) or not due.endswith("Z"):
        return document
    try:
        when = datetime.fromisoformat(due)
    except ValueError:
        return document
    return document | {Commitment.KIND: {**table, "due": when}}  # type: ignore[dict-item]
