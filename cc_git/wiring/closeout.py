"""Closing out: what the next commit would take, what no checkpoint has yet, and what is open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cc_git.codec import paths
from cc_git.errors import Refused, UsageFault
from cc_git.governance.closeout import Delta, Sort, guidance, since_checkpoints, sort_of
from cc_git.governance.line import CONCLUDES, Line
from cc_git.model.ids import KIND_OF_PREFIX, prefix_of
from cc_git.store.classify import is_document
from cc_git.wiring.line import line_at_hand
from cc_git.wiring.session import Session
from cc_git.wiring.work import checkpoints_of
from cc_git.wiring.work_tree import commit

_NAMES = {
    paths.EPISODES: "episode", paths.RULINGS: "ruling", paths.TRIGGERS: "trigger", paths.CHECKPOINTS: "checkpoint",
    paths.DREAMS: "dream", paths.TOMBSTONES: "tombstone", paths.ENDINGS: "ending", paths.QUARANTINE: "imported thing",
}  # fmt: skip


@dataclass(frozen=True)
class Closeout:
    """`blocked` says why nothing can be committed now; `left_out` are files that a commit would not take. `line` is
    that of the task at hand, None without one."""

    delta: Delta
    sort: Sort
    line: Line | None
    questions: int
    returned: int
    proposals: int
    left_out: tuple[str, ...]
    blocked: str | None
    then: tuple[str, ...]


def closeout(session: Session) -> Closeout:
    try:
        planned, blocked = commit(session, None, dry_run=True).plan, None
        files, left_out = planned.files, (*planned.left_out, *planned.held_back, *planned.secrets, *planned.absent)
    except Refused as refused:
        files, left_out, blocked = session.present.waiting, (), str(refused)
    delta = _delta(session, files)
    line = _line(session)
    context = session.work.now
    proposals = sum(1 for verdict in session.standings.verdicts.values() if verdict.standing == "proposed")
    return Closeout(
        delta=delta,
        sort=sort_of(delta, _resolved(session, files)),
        line=line,
        questions=sum(1 for question in context.questions if question.answer is None),
        returned=len(context.returned),
        proposals=proposals,
        left_out=tuple(sorted(left_out)),
        blocked=blocked,
        then=tuple(guidance(delta, proposals=proposals, missing=bool(line and line.missing))),
    )


def _delta(session: Session, files: Collection[str]) -> Delta:
    waiting: dict[str, int] = {}
    for rel in files:
        kind = _kind(rel)
        if kind is not None and rel in session.present.waiting:
            waiting[kind] = waiting.get(kind, 0) + 1
    known = {one.id: one.context for one in checkpoints_of(session, session.context)}
    context = session.work.now
    moved, fields = since_checkpoints(context, [known[i] for i in context.basis if i in known])
    return Delta(
        waiting=dict(sorted(waiting.items())),
        documents=tuple(rel for rel in files if is_document(rel)),
        emptied=sum(1 for rel in files if rel not in session.present.waiting and not is_document(rel)),
        moved=moved,
        fields=fields,
    )


def _kind(rel: str) -> str | None:
    """What a file is, in a word; receipts and attachments come with what they are of."""
    identifier = paths.id_at(rel)
    if identifier is None:
        return None
    folder = paths.folder_of(rel)
    return KIND_OF_PREFIX.get(prefix_of(identifier)) if folder == paths.RECORDS else _NAMES.get(folder)


def _resolved(session: Session, files: Collection[str]) -> frozenset[str]:
    records = session.loaded.files.records
    named = (records[i][0].value for rel in files if (i := paths.id_at(rel)) in records)  # type: ignore[index]
    return frozenset(link.to for record in named for link in record.relations if link.rel in CONCLUDES)


def _line(session: Session) -> Line | None:
    if session.work.context is None:
        return None
    try:
        return line_at_hand(session, None, "restricted")
    except UsageFault:
        return None
