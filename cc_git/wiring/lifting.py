"""What an act or a confirmation would lift and let stand, judged with and without it before a person is asked.

Judged at this instant, and at each later one at which something of it begins: what supersedes a deny from tomorrow on
is confirmed today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from cc_git.errors import UsageFault
from cc_git.governance.lifts import lifts, may_lift
from cc_git.governance.plan import Plan
from cc_git.model.filed import Filed
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.model.verdict import Standings
from cc_git.wiring.finding import record_of
from cc_git.wiring.knowledge import known_at, known_if_confirmed, known_with
from cc_git.wiring.session import Session


def lifted_by(session: Session, plan: Plan) -> tuple[str, ...]:
    """With the plan carried out by the person at this terminal."""
    concerned = [*plan.values, *(one for i in plan.receipt.touched if (one := _record(session, i)) is not None)]
    if not _may_lift(concerned):
        return ()

    def judged(now: datetime) -> Standings:
        return known_with(session, plan, attested=True, written=False, now=now).standings

    return _told(session, concerned, judged)


def lifted_by_confirming(session: Session, files: Iterable[Filed[Value]]) -> tuple[str, ...]:
    """With a person bound to these files."""
    files = tuple(files)
    if not _may_lift([one.value for one in files]):
        return ()
    blobs = {one.blob: one.rel for one in files}
    values = [one.value for one in files]
    return _told(session, values, lambda now: known_if_confirmed(session, blobs, now).standings)


def _told(session: Session, values: Iterable[Value], judged: Callable[[datetime], Standings]) -> tuple[str, ...]:
    def find(identifier: str) -> Record | None:
        return _record(session, identifier)

    told = list(lifts(session.known.standings, judged(session.now), find))
    for later in sorted({start for value in values if (start := _start(value)) is not None and start > session.now}):
        told += lifts(known_at(session, later).standings, judged(later), find, later)
    return tuple(told)


def _may_lift(values: Iterable[Value]) -> bool:
    for value in values:
        if isinstance(value, Ruling) and (value.over or may_lift(value.targets)):
            return True
        if isinstance(value, Record) and may_lift((value.id,)):
            return True
    return False


def _start(value: Value) -> datetime | None:
    if isinstance(value, Record):
        return value.starts
    return value.effective_from if isinstance(value, Ruling) else None


def _record(session: Session, identifier: str) -> Record | None:
    """None for one that is only being made: what it says is the question itself."""
    try:
        return record_of(session, identifier).value
    except UsageFault:
        return None
