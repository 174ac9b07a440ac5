"""Flags beside the standing of a record that may be used, and what a confirm clears.

 1. `needs-review`: something it derives from or rests on was superseded, ended, rejected, forgotten, damaged or
    overruled (not by this record itself), or `review_by` is past.
 2. `stale`: the code has another blob at an anchor's path than the anchor names, or nothing.
 3. `reported`: stands as a user's word that nobody attested. `disputed`: something of lower authority contradicts it.
    `under-review`: a reopened decision, until the reopen is lifted by `over`. `limited`: a deny cuts into it.
Each reason to doubt is one line (`Verdict.doubts`). A confirm in force that saw these very bytes clears the lines that
its `evidence` repeats, and no others: it holds up to the blobs it names, and raises nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from cc_git.model.filed import Files
from cc_git.model.record import Record
from cc_git.model.verdict import Flag, Standing
from cc_git.standing.world import Member, World

_UNSETTLING: frozenset[Standing] = frozenset(
    {"forgotten", "damaged", "rejected", "revoked", "completed", "released", "archived", "ended", "superseded",
     "expired", "overruled"}
)  # fmt: skip


class Doubts:
    """`causes` tells of a record id its standing and what caused it; `code` maps paths to blobs, or is None."""

    def __init__(
        self,
        files: Files,
        world: World,
        causes: Mapping[str, tuple[Standing, tuple[str, ...]]],
        code: Mapping[str, str] | None,
    ) -> None:
        self._files = files
        self._world = world
        self._causes = causes
        self._code = code

    def review(self, member: Member, now: datetime) -> Iterable[str]:
        record = member.record
        skipped = {member.id, *record.supersedes, *(twin.id for twin in member.twins)}
        for dependency in dict.fromkeys((*record.derived_from, *record.sources)):
            if dependency not in skipped and (doubt := self._doubt(dependency)):
                yield doubt
        if record.review_by is not None and record.review_by <= now:
            yield f"review-by {record.review_by.isoformat()}"

    def code(self, record: Record) -> Iterable[str]:
        if self._code is None:
            return
        for anchor in record.anchors:
            blob = self._code.get(anchor.path)
            if anchor.blob is not None and anchor.blob != blob:
                yield f"{anchor.path} {blob or 'gone'}"

    def _doubt(self, dependency: str) -> str | None:
        if dependency in self._world.forgotten:
            return f"{dependency} forgotten"
        if dependency in self._causes:
            standing, by = self._causes[dependency]
            return " ".join((dependency, standing, *by)) if standing in _UNSETTLING else None
        return f"{dependency} damaged" if len(self._files.episodes.get(dependency, ())) > 1 else None


def flags_of(member: Member, doubts: Doubts, now: datetime) -> tuple[frozenset[Flag], tuple[str, ...]]:
    """Flags of an eligible record, and the doubts that no confirm has cleared."""
    record = member.record
    if not (
        member.acts or record.derived_from or record.sources or record.anchors or record.review_by
        or member.limited_by or member.authority == "user-explicit"
    ):  # fmt: skip
        return frozenset(), ()
    flags: set[Flag] = set()
    cleared: set[str] = set()
    for act in member.acts:
        if act.ruling.verb == "confirm" and act.ruling.saw_of(member.id) == member.blob:
            cleared.update(act.ruling.evidence)
        elif act.ruling.verb == "reopen" and record.kind == "decision":
            flags.add("under-review")
    review = [doubt for doubt in doubts.review(member, now) if doubt not in cleared]
    code = [doubt for doubt in doubts.code(record) if doubt not in cleared]
    if review:
        flags.add("needs-review")
    if code:
        flags.add("stale")
    if member.authority == "user-explicit" and not member.attested:
        flags.add("reported")
    if member.limited_by:
        flags.add("limited")
    return frozenset(flags), (*review, *code)
