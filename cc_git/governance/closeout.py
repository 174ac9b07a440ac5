"""What separates the present from the last commit, and what kind of a step that is: by bytes and by meaning, never by a
mark that something was touched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from cc_git.model.working_context import Task, WorkingContext

Sort = Literal["nothing", "work", "evidence", "hypothesis", "closes-a-task", "small", "larger"]
_SMALL = 2
_FIELDS = ("project_line", "focus", "next_step", "questions", "returned", "trigger")
_BESIDE = frozenset({"episode", "trigger", "checkpoint", "ruling", "dream", "tombstone", "ending", "imported thing"})
"""What waits and is no record."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A task that no checkpoint has as it is now; `before` is None for a new one."""

    id: str
    title: str
    before: str | None
    after: str


@dataclass(frozen=True)
class Delta:
    """`waiting` is kind → number of what the next commit would take, receipts left out; `documents` are edited ones,
    `emptied` forgotten places. `moved` and `fields` are what of the work in hand is in no checkpoint."""

    waiting: Mapping[str, int]
    documents: tuple[str, ...] = ()
    emptied: int = 0
    moved: tuple[Moved, ...] = ()
    fields: tuple[str, ...] = ()

    @property
    def is_work(self) -> bool:
        return bool(self.moved or self.fields)

    @property
    def is_committable(self) -> bool:
        return bool(self.waiting or self.documents or self.emptied)


def since_checkpoints(
    context: WorkingContext, basis: Iterable[WorkingContext]
) -> tuple[tuple[Moved, ...], tuple[str, ...]]:
    """What of the work in hand no checkpoint that it goes on from has: tasks, and the names of the other fields. A task
    that was let go is no change: a checkpoint keeps it."""
    kept = list(basis)
    tasks: dict[str, list[Task]] = {}
    for one in kept:
        for task in one.tasks:
            tasks.setdefault(task.id, []).append(task)
    moved = tuple(
        Moved(task.id, task.title, tasks[task.id][-1].state if task.id in tasks else None, task.state)
        for task in context.tasks
        if task not in tasks.get(task.id, ())
    )
    empty = WorkingContext()
    others = kept or [empty]
    fields = tuple(name for name in _FIELDS if all(getattr(context, name) != getattr(one, name) for one in others))
    return moved, fields


def sort_of(delta: Delta, resolved: Collection[str]) -> Sort:
    """`resolved` are the tasks that something which waits says it resolves."""
    if not delta.is_committable:
        return "work" if delta.is_work else "nothing"
    records = {kind: number for kind, number in delta.waiting.items() if kind not in _BESIDE}
    if any(one.after == "done" and one.id in resolved for one in delta.moved):
        return "closes-a-task"
    if not delta.documents and not delta.emptied and set(delta.waiting) == {"episode"}:
        return "evidence"
    if not delta.documents and not delta.emptied and set(records) == {"hypothesis"}:
        return "hypothesis"
    return "small" if sum(records.values()) + len(delta.documents) + delta.emptied <= _SMALL else "larger"


def guidance(delta: Delta, *, proposals: int, missing: bool) -> Iterator[str]:
    """Commands, in the order in which they are run."""
    if proposals:
        yield "cc-git review"
    if missing:
        yield "cc-git check --task"
    if delta.is_work:
        yield "cc-git checkpoint"
    if delta.is_committable or delta.is_work:
        yield "cc-git commit"
