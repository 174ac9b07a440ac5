"""What opens a packet and what is on the agenda: origin, focus and next step, runbooks, tasks and questions."""

from __future__ import annotations

from cc_git.compiler.inputs import Inputs, Origin
from cc_git.model.packet import Item
from cc_git.model.runbook import Runbook
from cc_git.model.sanitise import as_value
from cc_git.model.value import clean_line
from cc_git.model.working_context import Task, WorkingContext

_ORIGINS = 2
_RUNBOOKS_SHOWN = 2
_AGENDA = 5
_PROSE = 300
_OPEN = ("in-progress", "blocked", "ready", "draft")


def opening(inputs: Inputs) -> list[Item]:
    """One item a line, in order of weight: origins (never their full text), focus, next step."""
    items = [_origin(origin) for origin in inputs.origins[:_ORIGINS]]
    context = inputs.working_context
    if context is None:
        return items
    if focus := focus_of(context):
        items.append(_task(focus, "focus"))
    if context.next_step:
        items.append(Item(id="", kind="next-step", title=clean_line(context.next_step, _PROSE)))
    return items


def agenda(inputs: Inputs) -> list[Item]:
    """Open tasks other than the focus, the most advanced and urgent first, then open questions."""
    context = inputs.working_context
    if context is None:
        return []
    waiting = [task for task in context.tasks if task.state in _OPEN and task.id != context.focus]
    waiting.sort(key=lambda task: (_OPEN.index(task.state), task.priority, task.id))
    asked = [question for question in context.questions if question.answer is None]
    return [_task(task, "task") for task in waiting[:_AGENDA]] + [
        Item(id="", kind="question", title=clean_line(question.text, _PROSE)) for question in asked[:_AGENDA]
    ]


def focus_of(context: WorkingContext) -> Task | None:
    return next((task for task in context.tasks if task.id == context.focus), None)


def runbooks(inputs: Inputs) -> list[tuple[Item, ...]]:
    """For each runbook its forms, the longest first; beyond the first two the name alone."""
    shown = [(_runbook(r), _named(r)) for r in inputs.runbooks[:_RUNBOOKS_SHOWN]]
    return [*shown, *((_named(r),) for r in inputs.runbooks[_RUNBOOKS_SHOWN:])]


def _origin(origin: Origin) -> Item:
    trigger = origin.trigger
    path = f" through {' → '.join(map(as_value, origin.path))}" if origin.path else ""
    return Item(
        id=trigger.id,
        kind="trigger",
        title=trigger.summary,
        actor=trigger.actor,
        recorded_at=trigger.recorded_at,
        facts=("Direct" if origin.how == "direct" else f"Inherited{path}", trigger.kind),
    )


def _task(task: Task, kind: str) -> Item:
    facts = (task.state, f"priority {task.priority}")
    return Item(id=task.id, kind=kind, title=task.title, facts=facts)


def _named(runbook: Runbook) -> Item:
    return Item(id=runbook.id, kind="runbook", title=runbook.title, facts=(runbook.kind,))


def _runbook(runbook: Runbook) -> Item:
    lists = ("preconditions", "do", "verify", "failure_signals", "escalation_boundary", "references")
    return Item(
        id=runbook.id,
        kind="runbook",
        form="full",
        title=runbook.title,
        facts=(runbook.kind,),
        text=runbook.when_to_use,
        fields=tuple((name, getattr(runbook, name)) for name in lists if getattr(runbook, name)),
    )
