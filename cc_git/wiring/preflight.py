"""Preflight over everything that this session sees."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.compiler.preflight import Operation, Preflight, preflight
from cc_git.model.request import Request
from cc_git.wiring.packets import inputs_of
from cc_git.wiring.session import Session
from cc_git.wiring.shelf import shelf_of


@dataclass(frozen=True)
class Looked:
    """`unreadable` says why files of runbooks, or the policy, cannot be used: what they say is not heard."""

    found: Preflight
    unreadable: tuple[str, ...]


def look_before(session: Session, operation: Operation, request: Request) -> Looked:
    found = preflight(inputs_of(session), operation, request, session.now)
    broken = (session.policy_fault,) if session.policy_fault else ()
    faults = (*broken, *shelf_of(session).faults)
    return Looked(found, tuple(f"{session.place.prefix}/{fault}" for fault in faults))
