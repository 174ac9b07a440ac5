"""Tasks of the work in hand: add, start, block, done, drop, edit, list, show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.command import Command, command
from cc_git.cli.context import Call
from cc_git.cli.opening import looked_at, who_of
from cc_git.cli.options import ID_PART, LINE, TEXT
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Fields, Heading, Table
from cc_git.cli.worked import (
    ELSEWHERE,
    change_options,
    elsewhere_data,
    elsewhere_row,
    line_name,
    state_cell,
    task_row,
    turned,
)
from cc_git.errors import UsageFault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.model.work import Line
    from cc_git.model.working_context import Task, WorkingContext
    from cc_git.wiring.session import Session

_PRIORITY = click.IntRange(1, 9)
STATES = ("draft", "ready", "in-progress", "blocked", "done", "dropped")


@command()
@click.argument("title", type=LINE)
@click.option("--parent", type=ID_PART, metavar="TASK", help="The task that this is a part of.")
@click.option("--depends-on", type=ID_PART, metavar="TASK", multiple=True, help="What must be done first; repeatable.")
@click.option("--goal", type=ID_PART, metavar="GOAL", help="The goal it serves; a subtask has its parent's.")
@click.option("--hypothesis", "hypotheses", type=ID_PART, metavar="HYP", multiple=True, help="What it tests.")
@click.option("--priority", type=_PRIORITY, default=5, show_default=True, help="From 1 to 9; 1 is first.")
@click.option("--draft", is_flag=True, help="It is not ready to be begun.")
@click.option("--note", type=TEXT, help="What more there is to say.")
@click.option("--opens-line/--same-line", "line", default=None, help="Whether it begins with a trigger of its own.")
@click.option("--private", is_flag=True, help="Its trigger stays on this machine.")
@change_options
def task_add(call: Call, dry_run: bool, seen: int | None, **asked: Any) -> Outcome:
    """Add a task; at the top, and of no goal with an origin, it opens a line of work with a trigger."""
    from cc_git.wiring.tasks import adding

    return turned(call, lambda session: adding(session, who=who_of(call), **asked), dry_run=dry_run, seen=seen)


def _moving(name: str, text: str, state: Any, *, reason: str | None) -> Command:
    """A command that brings a task into a state; `reason` is the help of an optional text."""

    def run(call: Call, part: IdPart, because: str | None = None, **how: Any) -> Outcome:
        from cc_git.wiring.tasks import moving

        return turned(call, lambda session: moving(session, part, state, because), **how)

    run.__name__, run.__doc__ = name, text
    decorated: Any = change_options(run)
    if reason is not None:
        decorated = click.option("--because", type=TEXT, help=reason)(decorated)
    made: Command = command()(click.argument("part", type=ID_PART, metavar="ID")(decorated))
    return made


task_start = _moving(
    "task_start", "Begin a task, or take it up again: it is in progress, and the focus.", "in-progress", reason=None
)
task_done = _moving(
    "task_done", "Say that a task is done; refused while it waits for another.", "done", reason="What shows it."
)
task_drop = _moving("task_drop", "Give a task up.", "dropped", reason="Why it is given up.")


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@click.argument("because", type=TEXT)
@click.option("--on", type=ID_PART, metavar="TASK", multiple=True, help="A task that it waits for; repeatable.")
@change_options
def task_block(call: Call, part: IdPart, because: str, on: tuple[IdPart, ...], **how: Any) -> Outcome:
    """Say that a task cannot go on, and why."""
    from cc_git.wiring.tasks import blocking

    return turned(call, lambda session: blocking(session, part, because, on), **how)


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@click.option("--title", type=LINE)
@click.option("--priority", type=_PRIORITY, help="From 1 to 9; 1 is first.")
@click.option("--state", type=click.Choice(["draft", "ready"]), help="Before it is begun.")
@click.option("--note", type=TEXT)
@click.option("--parent", type=ID_PART, metavar="TASK")
@click.option("--no-parent", is_flag=True, help="It is a part of nothing.")
@click.option("--goal", type=ID_PART, metavar="GOAL", help="Its subtasks follow.")
@click.option("--depends-on", type=ID_PART, metavar="TASK", multiple=True)
@click.option("--independent-of", type=ID_PART, metavar="TASK", multiple=True, help="A dependency to take away.")
@change_options
def task_edit(call: Call, part: IdPart, dry_run: bool, seen: int | None, **asked: Any) -> Outcome:
    """Change a task: its title, its priority, what it is a part of, what it waits for."""
    from cc_git.wiring.tasks import editing

    if asked["parent"] is not None and asked["no_parent"]:
        raise UsageFault("--parent and --no-parent exclude each other")
    return turned(call, lambda session: editing(session, part, **asked), dry_run=dry_run, seen=seen)


@command()
@click.option("-a", "--all", "everything", is_flag=True, help="Done and dropped ones too.")
@click.option("--state", "states", type=click.Choice(STATES), multiple=True)
@click.option("--goal", type=ID_PART, metavar="GOAL", help="Those that serve this goal.")
def task_list(call: Call, everything: bool, states: tuple[str, ...], goal: IdPart | None) -> Outcome:
    """List the tasks of the work in hand, and what other lines know of them."""
    from cc_git.wiring.tasks import listed

    with looked_at(call) as session:
        found = listed(session, goal)
        context = found.work.now

        def wanted(task: Task) -> bool:
            return task.state in states if states else everything or task.is_open

        shown = [task for task in found.tasks if wanted(task)]
        there = [
            (line, task) for line, task in found.elsewhere if wanted(task) or wanted(context.task(task.id) or task)
        ]
        data = {"version": context.version, "focus": context.focus, "tasks": shown,
                "elsewhere": [elsewhere_data(line, task) for line, task in there]}  # fmt: skip
        return Outcome(data=data, blocks=_tables(context, shown, there))


def _tables(context: WorkingContext, shown: list[Task], there: list[tuple[Line, Task]]) -> list[Block]:
    columns = ("id", "state", "priority", "waits for", "title")
    blocks: list[Block] = [Table(columns, [task_row(task, context) for task in shown], "No open tasks.")]
    if there:
        rows = [elsewhere_row(line, task, context) for line, task in there]
        blocks += [Heading("\nIn other lines (cc-git resume --from ID)"), Table(ELSEWHERE, rows, "")]
    return blocks


@command()
@click.argument("part", type=ID_PART, metavar="ID")
def task_show(call: Call, part: IdPart) -> Outcome:
    """Show a task whole: its state and why, what it is a part of, what it waits for."""
    from cc_git.governance.heads import bring
    from cc_git.wiring.finding import task_id

    with looked_at(call) as session:
        identifier = task_id(session.work, part)
        context = bring(session.work.now, identifier, session.work.lines)
        task = context.task(identifier)
        assert task is not None
        there = [(line, one) for line, one in session.work.elsewhere() if one.id == identifier]
        data = {"version": context.version, "focus": context.focus == task.id, "task": task,
                "elsewhere": [elsewhere_data(line, one) for line, one in there]}  # fmt: skip
        rows = _rows(task, context, session)
        rows += [("elsewhere", f"{one.state} in {line_name(line)}") for line, one in there]
        return Outcome(data=data, blocks=(Fields(rows),))


def _rows(task: Task, context: WorkingContext, session: Session) -> list[tuple[str, Cell]]:
    from cc_git.governance.task_links import waits_for
    from cc_git.wiring.reading import title_of

    def named(identifier: str) -> str:
        other = context.task(identifier)
        return f"{short(identifier)} {other.state}, {other.title}" if other else short(identifier)

    rows: list[tuple[str, Cell]] = [("id", task.id), ("title", task.title), ("state", state_cell(task))]
    rows += [("because", task.reason)] if task.reason else []
    rows += [("priority", str(task.priority))]
    rows += [("part of", named(task.parent))] if task.parent else []
    rows += [("depends on", named(i)) for i in task.depends_on]
    rows += [("subtask", named(one.id)) for one in context.tasks if one.parent == task.id]
    rows += [("waits for", named(one.id)) for one in waits_for(context, task)]
    rows += [("goal", f"{short(task.goal)} {title_of(session, task.goal)}")] if task.goal else []
    rows += [("hypothesis", f"{short(i)} {title_of(session, i)}") for i in task.hypotheses]
    return rows + ([("note", task.note)] if task.note else [])
