"""What one command makes of the work in hand: its next state, as a value. What stands beside it is `Turn.values`.

Rules: a parent waits for its open subtasks, a task for its open dependencies, and no task for itself. A subtask has its
parent's goal. What waits cannot be done. When the focus is done, dropped or moved, the step that was next is no longer
the next one: it is told, not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from cc_git.errors import Refused, UsageFault
from cc_git.governance.build import build
from cc_git.governance.plan import Mint
from cc_git.governance.task_links import cycle_through, open_subtasks, waits_for
from cc_git.model.ids import short
from cc_git.model.receipt import Receipt
from cc_git.model.sanitise import quoted
from cc_git.model.value import Value
from cc_git.model.work import Work
from cc_git.model.working_context import Question, Task, TaskState, WorkingContext


@dataclass(frozen=True)
class Turn:
    """`context` is the next state, `touched` are the tasks that differ in it, `notes` what the person should know.
    `values` are files that are written with it, and `receipt` theirs; `private` keeps them on this machine."""

    context: WorkingContext
    touched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    receipt: Receipt | None = None
    private: bool = False


Make = Callable[[Work, Mint], Turn]
"""Plans on the newest state: it is called once the state can no longer change under it."""


@dataclass(frozen=True)
class TaskWish:
    """A request for one task; `parent`, `depends_on` and `goal` are whole ids."""

    title: str
    state: TaskState = "ready"
    priority: int = 5
    parent: str | None = None
    depends_on: tuple[str, ...] = ()
    goal: str | None = None
    hypotheses: tuple[str, ...] = ()
    note: str | None = None


def add_task(context: WorkingContext, wish: TaskWish, identifier: str) -> Turn:
    parent = _parent(context, wish.parent)
    if parent is not None and not parent.is_open:
        raise Refused(
            f"{_named(parent)} is {parent.state}, and takes no subtasks",
            hints=(f"cc-git task start {short(parent.id)}",),
        )
    task = build(
        Task,
        id=identifier,
        title=wish.title,
        state=wish.state,
        priority=wish.priority,
        parent=wish.parent,
        depends_on=tuple(dict.fromkeys(wish.depends_on)),
        goal=_goal(wish.goal, parent),
        hypotheses=wish.hypotheses,
        note=wish.note,
    )
    return Turn(_with(context, task), (identifier,))


@dataclass(frozen=True)
class TaskEdit:
    """What is to be different: `fields` by name, and dependencies to add and to take away."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    independent_of: tuple[str, ...] = ()


def edit_task(context: WorkingContext, identifier: str, edit: TaskEdit) -> Turn:
    task = task_of(context, identifier)
    depends = dict.fromkeys((*task.depends_on, *edit.depends_on))
    fields = {"depends_on": tuple(i for i in depends if i not in edit.independent_of), **edit.fields}
    parent = _parent(context, fields.get("parent", task.parent))
    if parent is not None and fields.get("goal") is None:
        fields["goal"] = parent.goal
    fields["goal"] = _goal(fields.get("goal", task.goal), parent)
    plain = {name: getattr(task, name) for name in type(task).model_fields}
    valid = build(Task, **(plain | fields))
    # Copied into the task as it is, so that what a newer version knows of it is kept.
    edited = task.model_copy(update={name: getattr(valid, name) for name in fields})
    changed = _with_goal_below(_with(context, edited), identifier, fields["goal"])
    return _turn(context, changed, (identifier,))


def move_task(context: WorkingContext, identifier: str, state: TaskState, reason: str | None = None) -> Turn:
    """The task in another state. Raises Refused where it still waits for something that `state` cannot pass over."""
    task = task_of(context, identifier)
    waits = waits_for(context, task)
    if state == "done" and waits:
        raise Refused(
            f"{_named(task)} is not done: it waits for {_list(waits)}",
            hints=(f"cc-git task done {short(waits[0].id)}", f"cc-git task drop {short(waits[0].id)}"),
        )
    if state == "dropped" and (below := open_subtasks(context, identifier)):
        raise Refused(
            f"{_named(task)} has open subtasks: {_list(below)}", hints=(f"cc-git task drop {short(below[0].id)}",)
        )
    notes = [f"It waits for {_list(waits)}."] if state == "in-progress" and waits else []
    if task.state == state and (reason is None or reason == task.reason):
        moved, told = _focused(context, identifier) if state == "in-progress" else (context, ())
        if moved == context:
            return Turn(context, notes=(f"{short(identifier)} is {state} already.",))
        return Turn(moved, (identifier,), (*notes, *told))
    kept = reason if reason is not None or state not in ("blocked", *_ENDS) else task.reason
    changed = _with(context, task.model_copy(update={"state": state, "reason": kept}))
    if state == "in-progress":
        changed, told = _focused(changed, identifier)
    elif state in _ENDS and context.focus == identifier:
        changed, told = _focused(changed, _next_above(changed, task))
    else:
        told = ()
    return Turn(changed, (identifier,), (*notes, *told))


_ENDS: tuple[TaskState, ...] = ("done", "dropped")


def block_task(context: WorkingContext, identifier: str, reason: str, on: tuple[str, ...] = ()) -> Turn:
    if on:
        context = edit_task(context, identifier, TaskEdit(depends_on=on)).context
    return move_task(context, identifier, "blocked", reason)


def set_focus(context: WorkingContext, identifier: str | None) -> Turn:
    """A task or a goal; None takes the focus away."""
    task = context.task(identifier)
    if task is not None and not task.is_open:
        raise Refused(f"{_named(task)} is {task.state}", hints=(f"cc-git task start {short(task.id)}",))
    changed, told = _focused(context, identifier)
    return _turn(context, changed, (identifier,) if task is not None and identifier else (), told)


def set_step(context: WorkingContext, text: str | None) -> Turn:
    return _turn(context, context.model_copy(update={"next_step": text}))


def set_line(context: WorkingContext, text: str | None) -> Turn:
    return _turn(context, context.model_copy(update={"project_line": text}))


def add_question(context: WorkingContext, text: str, now: datetime) -> Turn:
    if any(question.text == text and question.answer is None for question in context.questions):
        return Turn(context, notes=("It is an open question already.",))
    question = build(Question, text=text, asked_at=now)
    return Turn(context.model_copy(update={"questions": (*context.questions, question)}))


def answer_question(context: WorkingContext, number: int, answer: str) -> Turn:
    """Questions are numbered from 1, in the order in which they were asked."""
    if not 1 <= number <= len(context.questions):
        raise UsageFault(f"there is no question {number}", hints=("cc-git question list",))
    asked = list(context.questions)
    asked[number - 1] = asked[number - 1].model_copy(update={"answer": answer})
    return _turn(context, context.model_copy(update={"questions": tuple(asked)}))


def add_returned(context: WorkingContext, text: str) -> Turn:
    return Turn(context.model_copy(update={"returned": (*context.returned, text)}))


def clear_returned(context: WorkingContext) -> Turn:
    return _turn(context, context.model_copy(update={"returned": ()}))


def task_of(context: WorkingContext, identifier: str) -> Task:
    """Raises UsageFault where the newest state has no such task."""
    task = context.task(identifier)
    if task is None:
        raise UsageFault(f"no task here is {short(identifier)}", hints=("cc-git task list --all",))
    return task


def _turn(
    before: WorkingContext, after: WorkingContext, touched: tuple[str, ...] = (), notes: tuple[str, ...] = ()
) -> Turn:
    return Turn(before, notes=("Nothing changed.",)) if after == before else Turn(after, touched, notes)


def _with(context: WorkingContext, task: Task) -> WorkingContext:
    """The task in its place, or at the end. Raises UsageFault for a link to nothing, or a circle."""
    known = context.task(task.id)
    rest = (task if one.id == task.id else one for one in context.tasks)
    changed = context.model_copy(update={"tasks": (*context.tasks, task) if known is None else tuple(rest)})
    links = (*task.depends_on, *((task.parent,) if task.parent else ()))
    before = () if known is None else (*known.depends_on, known.parent)
    for missing in (i for i in links if i not in before and changed.task(i) is None):
        raise UsageFault(f"no task here is {short(missing)}", hints=("cc-git task list --all",))
    if circle := cycle_through(changed, task.id):
        names = " → ".join(map(short, (*circle, circle[0])))
        raise UsageFault(
            f"{short(task.id)} would wait for itself",
            why=f"{names} (a task waits for its dependencies, a parent for its subtasks)",
        )
    return changed


def _with_goal_below(context: WorkingContext, identifier: str, goal: str | None) -> WorkingContext:
    """A subtask has its parent's goal, however deep: what is changed above is changed below."""
    below, more = set[str](), {identifier}
    while more:
        below |= more
        more = {task.id for task in context.tasks if task.parent in below} - below
    tasks = (task.model_copy(update={"goal": goal}) if task.id in below else task for task in context.tasks)
    return context.model_copy(update={"tasks": tuple(tasks)})


def _parent(context: WorkingContext, identifier: str | None) -> Task | None:
    return None if identifier is None else task_of(context, identifier)


def _goal(asked: str | None, parent: Task | None) -> str | None:
    if parent is None:
        return asked
    if asked is not None and asked != parent.goal:
        theirs = short(parent.goal) if parent.goal else "none"
        raise UsageFault(f"a subtask serves the goal of its parent ({theirs})", hints=("leave --goal out",))
    return parent.goal


def _focused(context: WorkingContext, identifier: str | None) -> tuple[WorkingContext, tuple[str, ...]]:
    if identifier == context.focus:
        return context, ()
    moved = context.model_copy(update={"focus": identifier})
    if context.focus is None or context.next_step is None:
        return moved, ()
    told = f"The step that was next is no longer kept: {quoted(context.next_step)}"
    return moved.model_copy(update={"next_step": None}), (told,)


def _next_above(context: WorkingContext, task: Task) -> str | None:
    """What remains to be done around a task that ended: its nearest open parent."""
    seen: set[str] = set()
    above = context.task(task.parent)
    while above is not None and not above.is_open and above.id not in seen:
        seen.add(above.id)
        above = context.task(above.parent)
    return above.id if above is not None and above.is_open else None


def _named(task: Task) -> str:
    return f"{short(task.id)} ({quoted(task.title)})"


def _list(tasks: tuple[Task, ...]) -> str:
    more = f" and {len(tasks) - _NAMED} more" if len(tasks) > _NAMED else ""
    return ", ".join(_named(task) for task in tasks[:_NAMED]) + more


_NAMED = 3
