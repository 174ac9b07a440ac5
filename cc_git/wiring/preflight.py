"""Preflight over everything that this session sees."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.compiler.preflight import Operation, Preflight, Waiting, preflight
from cc_git.model.kinds import Permission
from cc_git.model.request import Request
from cc_git.wiring.packets import inputs_of
from cc_git.wiring.reading import list_records, taken_back
from cc_git.wiring.session import Session
from cc_git.wiring.shelf import shelf_of


@dataclass(frozen=True)
class Looked:
    """`unreadable` says why files of runbooks, or the policy, cannot be used: what they say is not heard."""

    found: Preflight
    unreadable: tuple[str, ...]


def look_before(session: Session, operation: Operation, request: Request) -> Looked:
    found = preflight(inputs_of(session), operation, request, session.now, _waiting(session))
    broken = (session.policy_fault,) if session.policy_fault else ()
    faults = (*broken, *shelf_of(session).faults)
    return Looked(found, tuple(f"{session.place.prefix}/{fault}" for fault in faults))


def _waiting(session: Session) -> tuple[Waiting, ...]:
    """All files are read only where there is such a grant."""
    if not any((one.standing, one.kind) == ("proposed", Permission.KIND) for one in session.known.pool.excluded()):
        return ()
    revokes = taken_back(session)
    found = list_records(session, kinds=(Permission.KIND,), standings=("proposed",))
    granted = (line for line in found if not line.record.restrains)
    return tuple(Waiting(one.record, one.verdict.sensitivity, revokes.get(one.record.id, ())) for one in granted)
