"""What is over where it came from: ended or forgotten there, and taken in here before.

It is told, and nothing here changes by it: what a stranger's file says is over may be what holds an agent back here.
One thing follows at once, when a person takes such a bundle in: a grant that was revoked there is revoked here, for
whoever restrains may do so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Protocol

from cc_git.governance.build import build
from cc_git.governance.plan import Mint
from cc_git.importers.importing import Here
from cc_git.importers.known import Earlier, Known
from cc_git.importers.outcomes import Outcome
from cc_git.importers.reconcile import OURS
from cc_git.model.bundle import EndedRecord
from cc_git.model.ruling import Ruling


class Over(Protocol):
    """A reading, or the manifest that was kept of it."""

    @property
    def ended(self) -> tuple[EndedRecord, ...]: ...

    @property
    def forgotten(self) -> tuple[str, ...]: ...


def over_at_source(known: Known, here: Here, over: Over, now: datetime) -> Iterator[Outcome]:
    """One outcome for everything here that came from there and does not stand there any more."""
    standing = {record.id: record for record in here.standing}
    for ended in over.ended:
        for one in _from_there(known, ended.id):
            if record := standing.get(one.record):
                when = "" if ended.is_over(now) else f", from {ended.effective_from:%Y-%m-%d %H:%M} UTC on"
                said = f"{ended.standing} where it comes from{when}; here it stands until somebody rules"
                yield Outcome(one.path, "over", said, record.title, record=record.id)
    for identifier in over.forgotten:
        for one in _from_there(known, identifier):
            yield Outcome(
                one.path, "over", "forgotten where it comes from: cc-git forget", one.title, record=one.record
            )


def revokes(known: Known, here: Here, over: Over, blobs: dict[str, str], actor: str, mint: Mint) -> Iterable[Ruling]:
    """A revoke for each grant that stands here and was revoked there. `blobs`: id → blob of the record's file."""
    grants = {r.id for r in here.standing if r.kind == "permission" and not r.restrains}
    for ended in over.ended:
        when = None if ended.is_over(mint.now) else ended.effective_from
        known_to_end = _revoked_by(here, when)
        targets = [one.record for one in _from_there(known, ended.id) if one.record in grants - known_to_end]
        if ended.standing == "revoked" and targets:
            yield build(
                Ruling,
                id=mint("ru"),
                verb="revoke",
                targets=tuple(targets),
                saw=tuple(blobs[target] for target in targets),
                reason="it was revoked where it comes from",
                authority="document",
                actor=actor,
                recorded_at=mint.now,
                effective_from=when,
            )


def _revoked_by(here: Here, when: datetime | None) -> set[str]:
    """What a revoke that waits for its time ends no later than then."""
    if when is None:
        return set()
    rulings = (variants[0].value for variants in here.files.rulings.values())
    return {
        t for r in rulings if r.verb == "revoke" and r.effective_from and r.effective_from <= when for t in r.targets
    }


def _from_there(known: Known, identifier: str) -> tuple[Earlier, ...]:
    return known.of(f"{OURS}{identifier}")
