"""From the words of a task command to what it makes of the work in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cc_git.governance.heads import bring
from cc_git.governance.plan import Mint
from cc_git.governance.trigger import opened_by, opens_a_line
from cc_git.governance.working import (
    Make,
    TaskEdit,
    TaskWish,
    Turn,
    add_task,
    block_task,
    edit_task,
    move_task,
    set_focus,
)
from cc_git.model.id_part import IdPart
from cc_git.model.who import Who
from cc_git.model.work import Line, Work
from cc_git.model.working_context import Task, TaskState, WorkingContext
from cc_git.wiring.finding import find, task_id
from cc_git.wiring.origin import ground_of, origins_of, signals_of
from cc_git.wiring.session import Session
from cc_git.wiring.working import focus_id


def adding(
    session: Session,
    *,
    title: str,
    parent: IdPart | None,
    depends_on: Sequence[IdPart],
    goal: IdPart | None,
    hypotheses: Sequence[IdPart],
    draft: bool,
    line: bool | None,
    private: bool,
    who: Who,
    **plain: Any,
) -> Make:
    """`line`: whether it opens a line of its own; None leaves it to the policy. `private` keeps the trigger here."""
    wish = TaskWish(
        title,
        state="draft" if draft else "ready",
        parent=_task(session, parent),
        depends_on=_tasks(session, depends_on),
        goal=None if goal is None else find(session, goal, "goal"),
        hypotheses=tuple(find(session, one, "hyp") for one in hypotheses),
        **plain,
    )

    def make(work: Work, mint: Mint) -> Turn:
        turn = add_task(_with_named(work, wish.parent, *wish.depends_on), wish, mint("tsk"))
        task = turn.context.tasks[-1]
        opens = _opens(session, turn.context, task) if line is None else line
        return opened_by(turn, task, who, mint, private=private) if opens else turn

    return make


def moving(session: Session, part: IdPart, state: TaskState, reason: str | None) -> Make:
    identifier = task_id(session.work, part)
    return lambda work, _: move_task(_with_named(work, identifier), identifier, state, reason)


def blocking(session: Session, part: IdPart, reason: str, on: Sequence[IdPart]) -> Make:
    identifier, waits = task_id(session.work, part), _tasks(session, on)
    return lambda work, _: block_task(_with_named(work, identifier, *waits), identifier, reason, waits)


def focusing(session: Session, part: IdPart | None) -> Make:
    """On a task or a goal; None takes the focus away."""
    identifier = focus_id(session, part) if part is not None else None
    return lambda work, _: set_focus(_with_named(work, identifier), identifier)


def editing(
    session: Session,
    part: IdPart,
    *,
    parent: IdPart | None,
    no_parent: bool,
    goal: IdPart | None,
    depends_on: Sequence[IdPart],
    independent_of: Sequence[IdPart],
    **plain: Any,
) -> Make:
    identifier = task_id(session.work, part)
    fields = {name: value for name, value in plain.items() if value is not None}
    if parent is not None or no_parent:
        fields["parent"] = _task(session, parent)
    if goal is not None:
        fields["goal"] = find(session, goal, "goal")
    edit = TaskEdit(fields, _tasks(session, depends_on), _tasks(session, independent_of))
    named = (identifier, fields.get("parent"), *edit.depends_on)
    return lambda work, _: edit_task(_with_named(work, *named), identifier, edit)


@dataclass(frozen=True)
class Listed:
    """`tasks` in the order in which they were added, `elsewhere` the forms of tasks that only other lines have."""

    work: Work
    tasks: tuple[Task, ...]
    elsewhere: tuple[tuple[Line, Task], ...]


def listed(session: Session, goal: IdPart | None = None) -> Listed:
    """All tasks, or those of one goal."""
    work = session.work
    wanted = None if goal is None else find(session, goal, "goal")
    return Listed(
        work,
        tuple(task for task in work.now.tasks if wanted is None or task.goal == wanted),
        tuple((line, task) for line, task in work.elsewhere() if wanted is None or task.goal == wanted),
    )


def _opens(session: Session, context: WorkingContext, task: Task) -> bool:
    known = bool(task.goal and origins_of(session, ground_of(session, context), task.goal))
    return opens_a_line(task, signals_of(session), goal_has_origin=known)


def _with_named(work: Work, *identifiers: str | None) -> WorkingContext:
    """The state, with tasks that a command names and only another line has."""
    context = work.now
    for identifier in identifiers:
        if identifier is not None:
            context = bring(context, identifier, work.lines)
    return context


def _task(session: Session, part: IdPart | None) -> str | None:
    return None if part is None else task_id(session.work, part)


def _tasks(session: Session, parts: Sequence[IdPart]) -> tuple[str, ...]:
    return tuple(task_id(session.work, part) for part in parts)
