"""What would stand if a plan were carried out, and what stands once it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.governance.plan import Plan
from cc_git.store.cache import Cache
from cc_git.store.index_pool import Known
from cc_git.store.loader import reading
from cc_git.store.negatives import SnapshotAt
from cc_git.store.present import Entries, Entry, Where
from cc_git.store.trees import object_id
from cc_git.wiring.carry_out import files_of
from cc_git.wiring.session import Session


class Unkept:
    """An index that is read and not written: what is only planned is not worth keeping."""

    def __init__(self, below: Cache) -> None:
        self._below = below

    def get(self, kind: str, key: str) -> bytes | None:
        return self._below.get(kind, key)

    def put(self, kind: str, entries: Mapping[str, bytes]) -> None:
        """Forget it."""


def known_at(session: Session, now: datetime) -> Known:
    """What stands at another instant, as far as is known now."""
    return Known(replace(session.question, now=now), Unkept(session.index))


def known_if_confirmed(session: Session, blobs: Mapping[str, str], now: datetime) -> Known:
    """What stands once a person is bound to these files (blob → path)."""
    known = session.attestations
    attestations = replace(known, confirmed_at={**known.confirmed_at, **blobs})
    return Known(replace(session.question, attestations=attestations, now=now), Unkept(session.index))


def known_with(session: Session, plan: Plan, *, attested: bool, written: bool, now: datetime | None = None) -> Known:
    """What stands with the plan's values beside everything that is there, now or at another instant.

    `attested`: the person at this terminal is bound to the plan's claims. `written`: it was carried out, so the answer
    is also the next command's, and is kept.
    """
    data = {rel: encode(value) for rel, value in files_of(plan, session).items()}
    blobs = {rel: object_id("blob", content, session.engine.object_format) for rel, content in data.items()}
    question = replace(
        session.question,
        now=now or session.now,
        snapshot=_with(session, blobs),
        read=reading({blobs[rel]: content for rel, content in data.items()}, session.read),
    )
    if attested:
        claimed = {blob: rel for rel, blob in blobs.items() if paths.id_at(rel) in plan.claims}
        known = session.attestations
        question = replace(question, attestations=replace(known, confirmed_at={**known.confirmed_at, **claimed}))
    return Known(question, session.index if written else Unkept(session.index))


def _with(session: Session, blobs: Mapping[str, str]) -> SnapshotAt:
    present = session.present
    new = {rel: Entry(blob, Where.PRIVATE if paths.is_private(rel) else Where.WAITING) for rel, blob in blobs.items()}
    added = {**present.added, **new}
    entries = Entries(present.committed, added, present.hidden)
    return SnapshotAt(present.head, present.tree, entries, added, present.hidden)


def waiting_ids(session: Session) -> frozenset[str]:
    """The ids that are in no commit yet."""
    if session.asked.at is not None:
        return frozenset()
    return frozenset(i for rel in session.present.waiting if (i := paths.id_at(rel)))
