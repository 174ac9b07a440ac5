"""What opens a packet and what is on the agenda: origin, focus and next step, runbooks, tasks and questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cc_git.compiler.facts import LINE_LIMIT, instant_text
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.work import focus_of
from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.ids import is_id, prefix_of, short
from cc_git.model.packet import Item
from cc_git.model.policy import Policy
from cc_git.model.sanitise import as_value
from cc_git.model.value import clean_line
from cc_git.model.work import Line, Work
from cc_git.model.working_context import Task
from cc_git.origin.inherit import Origin
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
_LINES = 3
_PROSE = 300
_OPEN = ("in-progress", "ready", "blocked", "draft")


def opening(inputs: Inputs, ceiling: Sensitivity) -> list[Item]:
    """One item a line, in order of weight: origins (never their full text), focus, next step, other lines."""
    items = [_origin(origin, ceiling) for origin in inputs.origins[:_ORIGINS]]
    items += _in_focus(inputs)
    items += [_line(line) for line in inputs.lines[:_LINES]]
    return items + list(_more("line", len(inputs.lines), "lines (cc-git checkpoint --list)", shown=_LINES))


def _in_focus(inputs: Inputs) -> list[Item]:
    context, items = inputs.working_context, list[Item]()
    if context is None:
        return items
    if focus := focus_of(context):
        items.append(_task(focus, "focus", inputs.lines))
    elif context.focus is not None and prefix_of(context.focus) == "goal":
        # Only the id: whether its title may be seen is decided where goals are chosen.
        items.append(
            Item(id="", kind="focus", title="", facts=(f"goal {short(context.focus)}",), refers=(context.focus,))
        )
    if context.next_step:
        items.append(_prose("next-step", context.next_step))
    return items


def agenda(inputs: Inputs) -> list[Item]:
    """Open tasks other than the focus, the most advanced and urgent first, then what came back and open questions. Of
    each the first few: how many more there are is one line."""
    context = inputs.working_context
    if context is None:
        return []
    united = Work(context, lines=inputs.lines).united()
    waiting = [task for task in united.tasks if task.state in _OPEN and task.id != context.focus]
    waiting.sort(key=lambda task: (_OPEN.index(task.state), task.priority, task.id))
    asked = [question for question in context.questions if question.answer is None]
    return [
        *(_task(task, "task", inputs.lines) for task in waiting[:_AGENDA]),
        *_more("task", len(waiting), "open tasks (cc-git task list)"),
        *(_prose("returned", text) for text in context.returned[:_AGENDA]),
        *_more("returned", len(context.returned), "came back (cc-git returned)"),
        *(_prose("question", question.text) for question in asked[:_AGENDA]),
        *_more("question", len(asked), "open questions (cc-git question list)"),
    ]


def runbooks(books: Selection) -> list[tuple[Item, ...]]:
    """For each runbook its forms, the longest first; those that are only named have one."""
    shown = [(_runbook(c), *([_runbook(c, short=True)] if _cut(c) else ()), _named(c)) for c in books.shown]
    return [*shown, *((_named(chosen),) for chosen in books.named)]


def _origin(origin: Origin, ceiling: Sensitivity) -> Item:
    """A private trigger may repeat what is above the ceiling of what is tracked: below that, only that there is one."""
    trigger = origin.trigger
    hidden = origin.private and at_most(ceiling, Policy().tracked_ceiling)
    ways = (short(named) if is_id(named) else as_value(named) for named in origin.path)
    path = f" through {' → '.join(ways)}" if origin.path else ""
    return Item(
        id=trigger.id,
        kind="trigger",
        title="" if hidden else trigger.summary,
        actor=trigger.actor,
        recorded_at=trigger.recorded_at,
        facts=("Direct" if origin.how == "direct" else f"Inherited{path}", trigger.kind),
        refers=origin.path,
    )


def _line(line: Line) -> Item:
    """Another line by what it would do next; its other texts come only when it is taken up."""
    frozen, context = line.checkpoint, line.context
    focus = focus_of(context)
    said = context.next_step or (focus.title if focus else "")
    number = sum(task.is_open for task in context.tasks)
    tasks = f"{number} open task{'' if number == 1 else 's'}"
    facts = (f"of {as_value(frozen.actor)}", instant_text(frozen.recorded_at), tasks)
    label = f"take it up: cc-git resume --from {short(frozen.id)}"
    title = clean_line(said, _PROSE)
    return Item(id=frozen.id, kind="line" if line.own else "hand-off", title=title, facts=facts, labels=(label,))


def _task(task: Task, kind: str, lines: Sequence[Line]) -> Item:
    facts: tuple[str, ...] = (task.state, f"priority {task.priority}")
    if task.state == "blocked" and task.reason:
        facts = (*facts, f"because {as_value(task.reason, LINE_LIMIT)}")
    there = [(line.checkpoint, other) for line in lines if (other := line.context.task(task.id)) and other != task]
    labels = tuple(f"{other.state} in {short(frozen.id)} of {as_value(frozen.actor)}" for frozen, other in there)
    refers = tuple(frozen.id for frozen, _ in there)
    return Item(id=task.id, kind=kind, title=task.title, facts=facts, labels=labels, refers=refers)


def _prose(kind: str, text: str) -> Item:
    return Item(id="", kind=kind, title=clean_line(text, _PROSE))


def _more(kind: str, number: int, what: str, shown: int = _AGENDA) -> tuple[Item, ...]:
    return (Item(id="", kind=kind, title="", facts=(f"{number - shown} more {what}",)),) if number > shown else ()


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
