"""What a plan rests on, by everything that its files name: the rule of `governance/leaks.py`, before they are written.

So what commands write is never what the hook would stop.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from cc_git.codec.files import encode, path_for
from cc_git.codec.paths import PRIVATE_DIR, WORKSPACE_DIR
from cc_git.governance.leaks import Laid, grounds, weight_of_place
from cc_git.governance.plan import Plan
from cc_git.model.authority import Sensitivity
from cc_git.store.trees import object_id
from cc_git.wiring.finding import sensitivity_of
from cc_git.wiring.session import Session


class _Counted:
    """How sensitive things count here; `new` are ids that are only now coming to be."""

    def __init__(self, session: Session, new: Iterable[str]) -> None:
        self._session = session
        self._new = frozenset(new)

    def holds(self, identifier: str) -> bool:
        return identifier not in self._new and self._session.private_tier.holds(identifier)

    def tracks(self, identifier: str) -> bool:
        """Whoever writes has looked its targets up."""
        return not self.holds(identifier)

    def weight(self, identifier: str) -> Sensitivity | None:
        counts = "ordinary" if identifier in self._new else sensitivity_of(self._session, identifier)
        return None if counts == "ordinary" else counts

    def weight_of_bytes(self, blob: str) -> Sensitivity | None:
        return self._session.private_tier.weight_of_bytes(blob) if blob else None


def rests_on(session: Session, plan: Plan, *typed: str | None) -> dict[str, Sensitivity]:
    """Id or path → as it counts, of all that makes a plan more than ordinary. `typed` are paths as somebody gave them:
    from the directory they are in or from the top level, perhaps through a link."""
    files = [Laid(path_for(value), "", encode(value)) for value in plan.values]
    found = named_by(session, files, plan.ids) | _told_by_attached(session, plan)
    for path in filter(None, typed):
        bases = (session.asked.start, session.place.top)
        if any(leads_into_private(base / path) for base in bases if base is not None):
            found[path] = weight_of_place(path, _Counted(session, plan.ids))
    return found


def _told_by_attached(session: Session, plan: Plan) -> dict[str, Sensitivity]:
    """What comes with an episode is looked at as the hook would: also for what it says of itself."""
    private, form = _Counted(session, plan.ids), session.engine.object_format
    laid = (Laid(rel, object_id("blob", data, form), data) for rel, data in plan.attached.items())
    return {ground.what or file.rel: ground.sensitivity for file in laid for ground in grounds(file, private)}


def weighed(session: Session, plan: Plan, *typed: str | None) -> Plan:
    """No less sensitive than what it names."""
    return plan.resting_on(rests_on(session, plan, *typed))


def named_by(session: Session, files: Iterable[Laid], new: Iterable[str] = ()) -> dict[str, Sensitivity]:
    private = _Counted(session, new)
    return {ground.what: ground.sensitivity for file in files for ground in grounds(file, private)
            if ground.sort == "names"}  # fmt: skip


def leads_into_private(path: Path) -> bool:
    """It is a private folder or something in one, whatever links lead there."""
    try:
        parts = path.resolve().parts
    except (OSError, RuntimeError, ValueError):
        return False
    return (WORKSPACE_DIR, PRIVATE_DIR) in pairwise(parts)
