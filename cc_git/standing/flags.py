"""Flags beside the standing of a record that may be used, and what a confirm clears.

 1. `needs-review`: something it derives from or rests on was superseded, ended, rejected, forgotten, damaged or
    overruled (not by this record itself), or itself needs review, or `review_by` is past.
 2. `stale`: the code has another blob at an anchor's path than the anchor names, or nothing.
 3. `reported`: stands as a user's word that nobody attested. `disputed`: something of lower authority contradicts it.
    `under-review`: a reopened decision, until the reopen is lifted by `over`. `limited`: a deny cuts into it.
Each reason to doubt is one line (`Verdict.doubts`). A confirm in force that saw these very bytes clears the lines that
its `evidence` repeats, and no others: it holds up to the blobs it names, and raises nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from cc_git.model.record import Record
from cc_git.model.verdict import Flag, Standing
from cc_git.standing.findings import Finding
from cc_git.standing.member import Member
from cc_git.standing.world import World

_UNSETTLING: frozenset[Standing] = frozenset(
    {"forgotten", "damaged", "rejected", "revoked", "completed", "released", "archived", "ended", "superseded",
     "expired", "overruled"}
)  # fmt: skip
_NONE: tuple[frozenset[Flag], tuple[str, ...]] = (frozenset(), ())
_REPORTED: tuple[frozenset[Flag], tuple[str, ...]] = (frozenset({"reported"}), ())


class Doubts:
    """Reasons to doubt. `code` maps paths to the blobs of HEAD, or is None where nobody asks about the code."""

    def __init__(
        self,
        world: World,
        findings: Mapping[str, Finding],
        code: Mapping[str, str] | None,
        now: datetime,
    ) -> None:
        self._findings = findings
        self._forgotten = world.forgotten
        self._code = code
        self._now = now
        gone = {identifier for identifier, finding in findings.items() if finding.standing in _UNSETTLING}
        self._unsettled = gone | world.unreadable | world.forgotten
        self._spread = self._spreading(world)

    def arise(self, record: Record) -> bool:
        """Whether there may be any; a quick answer, for most records have none."""
        return bool(
            record.review_by
            or (record.anchors and self._code is not None)
            or not self._unsettled.isdisjoint(record.sources)
            or not self._unsettled.isdisjoint(record.derived_from)
        )

    def review(self, member: Member) -> Iterable[str]:
        record, skipped = member.record, _skipped(member)
        for dependency in dict.fromkeys((*record.derived_from, *record.sources)):
            if dependency in self._unsettled and dependency not in skipped:
                yield self._doubt(dependency)
        if record.review_by is not None and record.review_by <= self._now:
            yield f"review-by {record.review_by.isoformat()}"

    def inherited(self, identifier: str) -> Sequence[str]:
        """A line for each record that it derives from or rests on and that itself needs review."""
        return self._spread.get(identifier, ())

    def _spreading(self, world: World) -> dict[str, list[str]]:
        """From every open record with a doubt of its own along what derives from it, however far; each once."""
        standing = {i: m for i, m in world.whole.items() if self._findings[i].standing in ("current", "conflicted")}
        waiting = [i for i, m in standing.items() if self.arise(m.record) and set(self.review(m)) - _cleared(m)]
        found: dict[str, list[str]] = {}
        if not waiting:
            return found
        resting: dict[str, list[Member]] = {}
        for member in standing.values():
            for named in dict.fromkeys((*member.record.derived_from, *member.record.sources)):
                if named in standing and named not in _skipped(member):
                    resting.setdefault(named, []).append(member)
        seen = set(waiting)
        for identifier in waiting:
            for member in resting.get(identifier, ()):
                line = f"{identifier} needs-review"
                if line not in _cleared(member):
                    found.setdefault(member.id, []).append(line)
                    if member.id not in seen:
                        seen.add(member.id)
                        waiting.append(member.id)
        return {identifier: sorted(lines) for identifier, lines in found.items()}

    def code(self, record: Record) -> Iterable[str]:
        for anchor in record.anchors if self._code is not None else ():
            blob = self._code.get(anchor.path) if self._code is not None else None
            if anchor.blob is not None and anchor.blob != blob:
                yield f"{anchor.path} {blob or 'gone'}"

    def _doubt(self, dependency: str) -> str:
        if dependency in self._forgotten:
            return f"{dependency} forgotten"
        finding = self._findings.get(dependency)
        return f"{dependency} damaged" if finding is None else " ".join((dependency, finding.standing, *finding.by))


def _skipped(member: Member) -> set[str]:
    """What it knows of: itself, its twins, and what it stands in the place of."""
    return {member.id, *member.record.supersedes, *(twin.id for twin in member.twins)}


def _cleared(member: Member) -> set[str]:
    """The lines that a confirm in force repeats, of these very bytes."""
    cleared: set[str] = set()
    for act in member.acts:
        if act.ruling.verb == "confirm" and act in member.firm and act.ruling.saw_of(member.id) == member.blob:
            cleared.update(act.ruling.evidence)
    return cleared


def flags_of(member: Member, doubts: Doubts) -> tuple[frozenset[Flag], tuple[str, ...]]:
    """Flags of an eligible record, and the doubts that no confirm has cleared."""
    reported = member.authority == "user-explicit" and not member.attested
    inherited = doubts.inherited(member.id)
    if not (member.acts or member.limited_by or inherited or doubts.arise(member.record)):
        return _REPORTED if reported else _NONE
    flags: set[Flag] = set()
    cleared = _cleared(member)
    if member.record.kind == "decision" and any(act.ruling.verb == "reopen" for act in member.acts):
        flags.add("under-review")
    review = [*(doubt for doubt in doubts.review(member) if doubt not in cleared), *inherited]
    code = [doubt for doubt in doubts.code(member.record) if doubt not in cleared]
    if review:
        flags.add("needs-review")
    if code:
        flags.add("stale")
    if reported:
        flags.add("reported")
    if member.limited_by:
        flags.add("limited")
    return frozenset(flags), (*review, *code)
