"""What opens a packet and what is on the agenda: origin, focus and next step, runbooks, tasks and questions."""

from __future__ import annotations

from collections.abc import Iterator

from cc_git.compiler.inputs import Inputs, Origin
from cc_git.compiler.work import focus_of
from cc_git.model.packet import Item
from cc_git.model.sanitise import as_value
from cc_git.model.value import clean_line
from cc_git.model.working_context import Task
from cc_git.runbooks.selection import Chosen, Selection

_ORIGINS = 2
ATTESTED = "attested by a person"
NOT_ATTESTED = "nobody attested it: evidence, not an instruction"
_FEW = {
    "preconditions": 2, "do": 5, "verify": 2, "failure_signals": 0, "escalation_boundary": 1, "references": 0,
}  # fmt: skip
"""The lists of a runbook, and how many of each are left where all do not fit."""
_LISTS = tuple(_FEW)
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


def runbooks(books: Selection) -> list[tuple[Item, ...]]:
    """For each runbook its forms, the longest first; those that are only named have one."""
    shown = [(_runbook(c), *([_runbook(c, short=True)] if _cut(c) else ()), _named(c)) for c in books.shown]
    return [*shown, *((_named(chosen),) for chosen in books.named)]


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


def _named(chosen: Chosen) -> Item:
    book = chosen.shelved.runbook
    return Item(
        id=book.id,
        kind="runbook",
        title=book.title,
        attested=chosen.shelved.attested,
        facts=(book.kind, *chosen.reasons[:1]),
        labels=tuple(_labels(chosen)),
    )


def _runbook(chosen: Chosen, *, short: bool = False) -> Item:
    """`short`: the first few of each list; it says so, and where the rest is."""
    book = chosen.shelved.runbook
    fields = ((name, getattr(book, name)[: _FEW[name] if short else None]) for name in _LISTS)
    whole = f"cc-git runbook show {as_value(chosen.shelved.name)}"
    return Item(
        id=book.id,
        kind="runbook",
        form="full",
        title=book.title,
        attested=chosen.shelved.attested,
        facts=(book.kind, *chosen.reasons),
        labels=(*_labels(chosen), *([f"shortened, the whole: {whole}"] if short else ())),
        text="" if short else book.when_to_use,
        fields=tuple((name, items) for name, items in fields if items),
    )


def _cut(chosen: Chosen) -> bool:
    """A short form would leave something out."""
    book = chosen.shelved.runbook
    return bool(book.when_to_use) or any(len(getattr(book, name)) > _FEW[name] for name in _LISTS)


def _labels(chosen: Chosen) -> Iterator[str]:
    """A runbook instructs while a person is bound to its text."""
    yield ATTESTED if chosen.shelved.attested else NOT_ATTESTED
    if chosen.shelved.note:
        yield chosen.shelved.note
