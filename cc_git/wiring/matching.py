"""Which runbooks serve a text or the work in hand, as a packet would choose them."""

from __future__ import annotations

from collections.abc import Sequence

from cc_git.compiler.cards import millis
from cc_git.compiler.gate import Gate, scope_of
from cc_git.compiler.work import work_of
from cc_git.model.request import Request
from cc_git.runbooks.selection import Selection, Work, select
from cc_git.wiring.session import Session
from cc_git.wiring.shelf import shelf_of


def matching(session: Session, task: str, signals: Sequence[str]) -> Selection:
    """Without `task` what the work in hand is about."""
    return select(shelf_of(session).shelved, work_at(session, Request(task=task, signals=tuple(signals))))


def work_at(session: Session, request: Request) -> Work:
    return work_of(session.known.pool, session.work.context, request, gate_of(session, request))


def gate_of(session: Session, request: Request) -> Gate:
    scope = scope_of(request.scope, session.workspace.scope)
    return Gate(scope, request.ceiling, millis(session.now), request.scope)
