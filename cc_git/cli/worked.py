"""How the work in hand is told: after a change, and when it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import actor_option, dry_run_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Fields, Heading, Prose, Table, Tone, Toned
from cc_git.model.ids import short
from cc_git.model.sanitise import as_value, quoted

if TYPE_CHECKING:
    from cc_git.cli.context import Call
    from cc_git.governance.working import Make
    from cc_git.model.work import Line, Work
    from cc_git.model.working_context import Task, WorkingContext
    from cc_git.wiring.session import Session
    from cc_git.wiring.working import Turned

F = TypeVar("F", bound=Callable[..., Any])
_TONE: dict[str, Tone] = {"in-progress": "good", "blocked": "warn", "done": "dim", "dropped": "dim"}


def change_options(function: F) -> F:
    """Pass `seen: int | None` and `dry_run: bool`; read who acts."""
    seen = click.option(
        "--seen", type=click.IntRange(0), metavar="VERSION",
        help="The version this was decided on: refused (exit 5) where it changed since.",
    )  # fmt: skip
    return seen(actor_option(dry_run_option(function)))


def turned(
    call: Call, make: Callable[[Session], Make], *, dry_run: bool, seen: int | None, verb: str = "context"
) -> Outcome:
    """One turn of the work in hand, from the request (`make` looks up what it names) to what is told."""
    from cc_git.wiring.working import take_turn

    with opened(call) as session:
        planned = make(session)
        return told(take_turn(session, planned, hand_of(call, dry_run=dry_run), seen=seen, verb=verb), dry_run=dry_run)


def told(done: Turned, *, dry_run: bool) -> Outcome:
    context, turn = done.context, done.turn
    tasks = [task for task in map(context.task, turn.touched) if task is not None]
    lines = [f"{short(task.id)}  {task.state}  {quoted(task.title)}" for task in tasks]
    kept = [value.id for value in turn.values]  # type: ignore[attr-defined]
    lines += [f"{short(i)} {'would be' if dry_run else 'is'} kept" for i in kept]
    if done.changed and not lines:
        lines = [_brief(context)]
    data = {
        "version": context.version,
        "changed": done.changed,
        "dry_run": dry_run,
        "made": [] if dry_run else kept,
        "files": {} if dry_run else dict(done.rels),
        "private": turn.private,
        "tasks": tasks,
        "focus": context.focus,
        "next_step": context.next_step,
        "trigger": context.trigger,
        "notes": list(turn.notes),
    }
    notes = [*turn.notes, *(["Nothing was written (--dry-run)."] if dry_run else [])]
    if done.rels and not turn.private and not dry_run:
        notes.append("It waits for your next commit (or: cc-git commit).")
    receipt = None if dry_run else turn.receipt
    return Outcome(
        data=data, blocks=(Prose("\n".join(lines)),) if lines else (), notes=notes, warnings=done.warnings,
        receipt=receipt,
    )  # fmt: skip


def _brief(context: WorkingContext) -> str:
    from cc_git.wiring.working import in_brief

    said = in_brief(context)
    return said[:1].upper() + said[1:]


def state_cell(task: Task) -> Cell:
    return Toned(task.state, _TONE.get(task.state, "plain"))


def task_row(task: Task, context: WorkingContext) -> tuple[Cell, ...]:
    from cc_git.governance.task_links import waits_for

    waits = "  ".join(short(one.id) for one in waits_for(context, task)) if task.is_open else ""
    mark = "→ " if task.id == context.focus else ""
    return (short(task.id), state_cell(task), str(task.priority), waits, f"{mark}{task.title}")


ELSEWHERE = ("id", "there", "here", "line", "title")


def line_name(line: Line) -> str:
    return f"{short(line.checkpoint.id)} of {as_value(line.checkpoint.actor)}"


def elsewhere_row(line: Line, task: Task, context: WorkingContext) -> tuple[Cell, ...]:
    here = context.task(task.id)
    return (short(task.id), state_cell(task), state_cell(here) if here else "absent", line_name(line), task.title)


def elsewhere_data(line: Line, task: Task) -> dict[str, object]:
    frozen = line.checkpoint
    return {"checkpoint": frozen.id, "actor": frozen.actor, "recorded_at": frozen.recorded_at, "own": line.own,
            "task": task}  # fmt: skip


def line_rows(lines: Sequence[Line]) -> list[tuple[Cell, ...]]:
    """The other lines, newest first: whose, since when, what they were about and how much is open there."""
    return [
        (short(line.checkpoint.id), "own line" if line.own else "hand-off", line.checkpoint.actor,
         line.checkpoint.recorded_at.strftime("%Y-%m-%d %H:%M"), str(sum(task.is_open for task in line.context.tasks)),
         line.context.next_step or (focus.title if (focus := line.context.task(line.context.focus)) else ""))
        for line in lines
    ]  # fmt: skip


LINES = ("id", "what", "of", "frozen", "open", "next step, or focus")


def overview(work: Work) -> list[Block]:
    """The work in hand at a glance: where it stands, what was asked, what came back."""
    context = work.now
    focus = context.task(context.focus)
    rows: list[tuple[str, Cell]] = [
        ("project line", context.project_line or "none"),
        ("focus", f"{short(focus.id)} {focus.title}" if focus else short(context.focus) if context.focus else "none"),
        ("next step", context.next_step or "none"),
        ("open tasks", str(sum(1 for task in context.tasks if task.is_open))),
        ("version", str(context.version)),
    ]
    rows += [(f"question {n}", q.text) for n, q in enumerate(context.questions, 1) if q.answer is None]
    rows += [("returned", text) for text in context.returned]
    if work.taken is not None:
        rows.append(("goes on from", f"{short(work.taken.id)} of {as_value(work.taken.actor)}"))
    blocks: list[Block] = [Fields(rows)]
    if work.lines:
        blocks += [Heading("\nOther lines (cc-git resume --from ID)"), Table(LINES, line_rows(work.lines), "")]
    return blocks


def work_data(work: Work) -> dict[str, object]:
    """The state, and the other lines without their whole contents."""
    plain = {name: getattr(work.now, name) for name in type(work.now).model_fields}
    lines = [
        {"checkpoint": line.checkpoint.id, "own": line.own, "actor": line.checkpoint.actor,
         "recorded_at": line.checkpoint.recorded_at, "commit": line.checkpoint.commit, "focus": line.context.focus,
         "next_step": line.context.next_step, "open_tasks": sum(task.is_open for task in line.context.tasks)}
        for line in work.lines
    ]  # fmt: skip
    return plain | {"taken": work.taken.id if work.taken else None, "lines": lines}


def questions_table(context: WorkingContext) -> Table:
    rows = [
        (str(number), question.asked_at.strftime("%Y-%m-%d"), question.text, question.answer or "")
        for number, question in enumerate(context.questions, 1)
    ]
    return Table(("number", "asked", "question", "answer"), rows, "No questions.")
