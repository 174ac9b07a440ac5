"""Reading where the work stands: the state of this worktree, and the checkpoints that travelled here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cc_git.codec import paths
from cc_git.errors import Damaged
from cc_git.governance.heads import Precedes, work
from cc_git.model.work import Work
from cc_git.model.working_context import Checkpoint, WorkingContext
from cc_git.store.loader import read_object
from cc_git.store.present import below

if TYPE_CHECKING:
    from cc_git.wiring.session import Session

_NOBODY = ""


def work_of(session: Session, kept: WorkingContext | None) -> Work:
    """`kept` is the state of this worktree, as the caller read it."""
    return work(kept, checkpoints_of(session, kept), lambda: actor_of(session), session.now, _precedes(session),
                tombstones_of(session))  # fmt: skip


def checkpoints_of(session: Session, kept: WorkingContext | None) -> list[Checkpoint]:
    """Those of the snapshot, and of those that the state goes on from the ones that only the journal still has: on a
    branch without them what they superseded is no line of its own."""
    found: dict[str, list[Checkpoint]] = {}
    for rel, blob in _blobs(session).items():
        value = read_object(rel, blob, session.read)
        if isinstance(value, Checkpoint):
            found.setdefault(value.id, []).append(value)
    # One id with two contents is damaged: neither is delivered.
    present = {i: same[0] for i, same in found.items() if all(one == same[0] for one in same)}
    return [*present.values(), *_elsewhere(session, kept, present)]


def tombstones_of(session: Session) -> frozenset[str]:
    return frozenset() if session.asked.at is not None else session.present.tombstones


def actor_of(session: Session) -> str:
    return _NOBODY if session.asked.actor is None else session.asked.actor()


def _blobs(session: Session) -> Mapping[str, str]:
    entries = session.seen.entries
    folders = (paths.CHECKPOINTS, paths.private(paths.CHECKPOINTS))
    return {rel: entry.oid for folder in folders for rel, entry in below(entries, folder).items()}


def _elsewhere(
    session: Session, kept: WorkingContext | None, present: Mapping[str, Checkpoint]
) -> Iterator[Checkpoint]:
    left = [i for i in kept.basis if i not in present] if kept is not None and session.asked.at is None else []
    if not left:
        return
    state, seen = session.journal.read(), set[str]()
    while left:
        identifier = left.pop()
        rel = paths.path_of(identifier)
        watched = state.watch.get(rel)
        blob = watched.blob if watched is not None else state.pending.get(rel)
        if identifier in seen or identifier in present or identifier in session.present.tombstones or blob is None:
            continue
        seen.add(identifier)
        value = read_object(rel, blob, session.read)
        if isinstance(value, Checkpoint):
            left += value.supersedes
            yield value


def _precedes(session: Session) -> Precedes:
    engine = session.engine

    def precedes(one: str, other: str) -> bool:
        try:
            return engine.has(one) and engine.has(other) and not any(engine.walk((one,), (other,)))
        except Damaged:
            # A shallow clone ends somewhere.
            return False

    return precedes
