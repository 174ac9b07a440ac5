"""Two snapshots of one workspace, compared in meaning: for each record what was and what is, and who stands behind it.

What changed is told once for each object: a file that is new, has other bytes, is gone, or was forgotten; and a record
whose file is the same and that counts as something else. What a ruling did stands with the ruling as well as with each
record that it changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from cc_git.codec import paths
from cc_git.governance.sensitivity import highest
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.policy import Workspace
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.runbook import Runbook
from cc_git.model.value import Value
from cc_git.model.verdict import Clash, Verdict
from cc_git.review import fields
from cc_git.review.changes import (
    Broken,
    ConflictChange,
    DocumentChange,
    EvidenceChange,
    FieldChange,
    RecordChange,
    Replaced,
    Review,
    Ruled,
    RulingChange,
    SensitivityChange,
    Stand,
)
from cc_git.review.shifts import shifts
from cc_git.review.side import Side
from cc_git.review.unsaid import unsaid

FileChange = Literal["added", "edited", "removed", "forgotten"]
_TOLD = {paths.RECORDS, paths.RULINGS, paths.EPISODES, paths.RUNBOOKS}
_NOT_COUNTED = {paths.TOMBSTONES, paths.WORKSPACE_FILE, paths.ATTRIBUTES_FILE}


def compare(before: Side, after: Side) -> Review:
    """Everything that is another on the side `after`."""
    return unsaid(_Comparison(before, after).review(), before.forgotten | after.forgotten)


class _Comparison:
    def __init__(self, before: Side, after: Side) -> None:
        self._before, self._after = before, after
        self._files = dict(_changed(before, after))

    def review(self) -> Review:
        before, after = self._before, self._after
        records = tuple(self._records())
        return Review(
            before=before.label,
            after=after.label,
            policy=self._policy(),
            shifts=shifts(before, after),
            sensitivity=tuple(_sensitivities(records)),
            records=records,
            rulings=tuple(self._rulings()),
            conflicts=tuple(self._conflicts()),
            evidence=tuple(self._evidence()),
            runbooks=tuple(self._runbooks()),
            others=self._others(),
            broken=tuple(self._broken()),
        )

    def _in(self, folder: str) -> Iterator[tuple[str, FileChange]]:
        return ((rel, how) for rel, how in self._files.items() if paths.folder_of(rel) == folder)

    def _values(self, rel: str) -> tuple[Value | None, Value | None]:
        """The value of one file on both sides; None where it is not there or cannot be read."""
        sides = (self._before, self._after)
        found = (side.look(rel) if rel in side.blobs else None for side in sides)
        old, new = (None if isinstance(value, Fault) else value for value in found)
        return old, new

    # records
    def _records(self) -> Iterator[RecordChange]:
        told = {paths.id_at(rel): how for rel, how in self._in(paths.RECORDS)}
        ids = {identifier for identifier in told if identifier is not None}
        before, after = self._before, self._after
        for old, new in ((before.standings, after.standings), (before.accepted, after.accepted)):
            ids |= {i for i in old.verdicts.keys() | new.verdicts.keys() if _differ(old.of(i), new.of(i))}
        order = {"added": 0, "edited": 1, "removed": 2, "forgotten": 3, "stands": 4}
        changes = (self._record(identifier, told.get(identifier)) for identifier in ids)
        yield from sorted((c for c in changes if c is not None), key=lambda c: (order[c.how], c.kind, c.id))

    def _record(self, identifier: str, how: FileChange | None) -> RecordChange | None:
        before, after = self._before, self._after
        was, now = before.record(identifier), after.record(identifier)
        one = now or was
        if one is None:
            return None
        old, new, accepted = (s.of(identifier) for s in (before.standings, after.standings, after.accepted))
        verdicts = [v.sensitivity for v in (old, new) if v is not None]
        return RecordChange(
            how=how or "stands",
            id=identifier,
            kind=one.kind,
            title=one.title,
            actor=one.actor,
            claims=one.authority,
            sensitivity=highest(one.sensitivity, *verdicts),
            path=(after.places.get(identifier) or before.places.get(identifier) or ""),
            before=_stand(old),
            after=_stand(new),
            accepted=_stand(accepted) if _differ(new, accepted) else None,
            replaces=tuple(self._replaced(one)) if how == "added" else (),
            fields=_fields(how, was, now),
        )

    def _replaced(self, record: Record) -> Iterator[Replaced]:
        for identifier in record.supersedes:
            old = self._after.record(identifier) or self._before.record(identifier)
            if old is not None:
                yield Replaced(identifier, old.title, old.sensitivity, fields.between(old, record))

    # rulings
    def _rulings(self) -> Iterator[RulingChange]:
        for rel, how in self._in(paths.RULINGS):
            old, new = self._values(rel)
            side = self._before if new is None else self._after
            ruling = new if isinstance(new, Ruling) else old
            if isinstance(ruling, Ruling):
                yield RulingChange(
                    how=how,
                    id=ruling.id,
                    verb=ruling.verb,
                    actor=ruling.actor,
                    authority=ruling.authority,
                    attested=side.attested(rel, side.blobs[rel]),
                    reason=ruling.reason,
                    winner=ruling.winner,
                    over=ruling.over,
                    path=rel,
                    targets=tuple(self._ruled(target) for target in ruling.targets),
                )

    def _ruled(self, identifier: str) -> Ruled:
        record = self._after.record(identifier) or self._before.record(identifier)
        old, new, accepted = (
            s.of(identifier) for s in (self._before.standings, self._after.standings, self._after.accepted)
        )
        return Ruled(
            id=identifier,
            title="" if record is None else record.title,
            sensitivity=highest(*(v.sensitivity for v in (old, new) if v is not None)),
            before=None if old is None else old.standing,
            after=None if new is None else new.standing,
            accepted=accepted.standing if accepted is not None and _differ(new, accepted) else None,
        )

    def _conflicts(self) -> Iterator[ConflictChange]:
        old, new = ({clash.ids: clash for clash in side.standings.clashes} for side in (self._before, self._after))
        yield from (self._conflict("new", clash) for ids, clash in sorted(new.items()) if ids not in old)
        yield from (self._conflict("settled", clash) for ids, clash in sorted(old.items()) if ids not in new)

    def _conflict(self, how: Literal["new", "settled"], clash: Clash) -> ConflictChange:
        found = [self._after.record(i) or self._before.record(i) for i in clash.ids]
        titles = tuple("" if record is None else record.title for record in found)
        return ConflictChange(how, clash.ids, titles, clash.cause,
                              highest(*(record.sensitivity for record in found if record is not None)))  # fmt: skip

    # the rest
    def _policy(self) -> tuple[FieldChange, ...]:
        old, new = (side.workspace for side in (self._before, self._after))
        if isinstance(old, Fault) or isinstance(new, Fault):
            return ()
        return fields.edited(old or Workspace(), new or Workspace())

    def _evidence(self) -> Iterator[EvidenceChange]:
        for rel, how in self._in(paths.EPISODES):
            old, new = self._values(rel)
            episode = new if isinstance(new, Episode) else old
            if isinstance(episode, Episode):
                yield EvidenceChange(how, episode.id, episode.type, episode.actor, episode.authority,
                                     episode.source.kind, episode.sensitivity, episode.content, rel)  # fmt: skip

    def _runbooks(self) -> Iterator[DocumentChange]:
        for rel, how in self._in(paths.RUNBOOKS):
            old, new = self._values(rel)
            runbook = new if isinstance(new, Runbook) else old
            if isinstance(runbook, Runbook) and how != "forgotten":
                changed = fields.edited(old, new) if old is not None and new is not None else ()
                yield DocumentChange(how, runbook.id, runbook.title, rel, changed)

    def _others(self) -> dict[str, dict[str, int]]:
        counted: dict[str, Counter[str]] = {}
        for rel, how in self._files.items():
            folder = paths.folder_of(rel)
            if folder not in _TOLD and folder not in _NOT_COUNTED:
                counted.setdefault(folder, Counter())[how] += 1
        return {folder: dict(sorted(found.items())) for folder, found in sorted(counted.items())}

    def _broken(self) -> Iterator[Broken]:
        for rel, how in self._files.items():
            if how in ("added", "edited") and (paths.folder_of(rel) in _TOLD or rel == paths.WORKSPACE_FILE):
                value = self._after.look(rel)
                if isinstance(value, Fault):
                    yield Broken(rel, value.line, value.reason)
        yield from (Broken(fault.rel, fault.line, fault.reason) for fault in self._after.faults)


def _changed(before: Side, after: Side) -> Iterator[tuple[str, FileChange]]:
    marked = {paths.id_at(rel) for rel in after.blobs if paths.folder_of(rel) == paths.TOMBSTONES}
    for rel in sorted(before.blobs.keys() | after.blobs.keys()):
        old, new = before.blobs.get(rel), after.blobs.get(rel)
        if old == new:
            continue
        if old is not None and paths.id_at(rel) in marked and _is_empty(after, rel):
            yield rel, "forgotten"
        else:
            yield rel, "added" if old is None else "removed" if new is None else "edited"


def _is_empty(side: Side, rel: str) -> bool:
    if rel not in side.blobs:
        return True
    value = side.look(rel)
    return isinstance(value, Fault) and value.code == "empty"


def _differ(one: Verdict | None, other: Verdict | None) -> bool:
    if one is None or other is None:
        return one is not other
    counts = ((v.standing, v.authority, v.flags, v.limited_by, v.sensitivity) for v in (one, other))
    return next(counts) != next(counts)


def _stand(verdict: Verdict | None) -> Stand | None:
    if verdict is None:
        return None
    return Stand(verdict.standing, verdict.authority, verdict.attested, tuple(sorted(verdict.flags)),
                 verdict.sensitivity, verdict.by, verdict.reason)  # fmt: skip


def _fields(how: FileChange | None, was: Record | None, now: Record | None) -> tuple[FieldChange, ...]:
    if how == "added" and now is not None:
        return fields.said_by(now)
    if how == "edited" and was is not None and now is not None:
        return fields.edited(was, now)
    return ()


def _sensitivities(records: Iterable[RecordChange]) -> Iterator[SensitivityChange]:
    for one in records:
        old, new = one.before, one.after
        if old is not None and new is not None and old.sensitivity != new.sensitivity:
            yield SensitivityChange(one.id, one.kind, one.title, old.sensitivity, new.sensitivity)
        for replaced in one.replaces:
            now = new.sensitivity if new is not None else one.sensitivity
            if replaced.sensitivity != now:
                yield SensitivityChange(one.id, one.kind, one.title, replaced.sensitivity, now, replaced.id)
