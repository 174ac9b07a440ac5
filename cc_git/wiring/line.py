"""The line of a task as it is here, and as it came to be: the commits that its files came with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from cc_git.codec import paths
from cc_git.errors import UsageFault
from cc_git.governance.line import Line, line_of
from cc_git.model.authority import Sensitivity
from cc_git.model.filed import Variants
from cc_git.model.id_part import IdPart
from cc_git.origin.inherit import Origin
from cc_git.store.file_history import FileHistory
from cc_git.store.negative_history import is_cut
from cc_git.wiring.finding import task_id
from cc_git.wiring.graph import known_at_hand
from cc_git.wiring.knowledge import waiting_ids
from cc_git.wiring.origin import ground_of, origins_of
from cc_git.wiring.session import Session
from cc_git.wiring.work import checkpoints_of
from cc_git.wiring.working import next_of


@dataclass(frozen=True)
class Event:
    """Something of the line came to be. `commit` is the one that it came with, None where it `waits` or is private."""

    when: datetime
    id: str
    what: str
    commit: str | None
    state: str = ""


@dataclass(frozen=True)
class Thread:
    """`questions` are open. `cut`: history ends in this clone, so what is older has no commit of its own here."""

    line: Line
    origins: tuple[Origin, ...]
    events: tuple[Event, ...]
    questions: tuple[str, ...]
    cut: bool


def line_at_hand(session: Session, part: IdPart | None, ceiling: Sensitivity) -> Line:
    """Of the task that is named, of the focus, or of what is next. Raises UsageFault where there is none."""
    known = known_at_hand(session)
    context = session.work.united()
    identifier = task_id(session.work, part) if part is not None else _at_hand(session)
    task = context.task(identifier)
    if task is None:
        task = next(one for _, one in session.work.elsewhere() if one.id == identifier)
        known = replace(known, context=context.model_copy(update={"tasks": (*context.tasks, task)}))
    return line_of(known, task, ceiling)


def thread(session: Session, part: IdPart | None, ceiling: Sensitivity) -> Thread:
    line = line_at_hand(session, part, ceiling)
    context = session.work.united()
    return Thread(
        line=line,
        origins=origins_of(session, ground_of(session, context), line.task.id),
        events=_events(session, line),
        questions=tuple(question.text for question in context.questions if question.answer is None),
        cut=is_cut(session.place),
    )


def _at_hand(session: Session) -> str:
    context = session.work.united()
    if context.task(context.focus) is not None:
        return str(context.focus)
    recommended = next_of(session).recommended
    if recommended is None or recommended.type != "task":
        hints = ("cc-git task list --all", "cc-git task start ID")
        raise UsageFault("there is no task at hand: name one", hints=hints)
    return recommended.id


def _events(session: Session, line: Line) -> tuple[Event, ...]:
    """In the order of the commits, then of what was written; what is in none comes last."""
    found = [*_written(session, line), *_moved(session, line)]
    head = session.seen.head
    tips = (head,) if head else ()
    wanted = {rel for rel, _ in found if not paths.is_private(rel)}
    came = FileHistory(session.engine, session.place.prefix, tips).came_with(wanted)
    order = {oid: -number for number, oid in enumerate(session.engine.walk(tips))}
    events = [replace(event, commit=came.get(rel)) for rel, event in found]
    return tuple(sorted(events, key=lambda one: (order.get(one.commit or "", 1), one.when, one.id)))


def _written(session: Session, line: Line) -> Iterator[tuple[str, Event]]:
    """(path, what came to be) of everything that has a file."""
    files, waiting = session.loaded.files, waiting_ids(session)
    groups: tuple[Mapping[str, Variants[Any]], ...] = (files.records, files.episodes, files.rulings)
    for step in line.steps:
        for filed in (filed for group in groups for filed in group.get(step.node.id, ())[:1]):
            state = "private" if paths.is_private(filed.rel) else "waits" if step.node.id in waiting else ""
            yield filed.rel, Event(filed.value.recorded_at, step.node.id, step.part, None, state)


def _moved(session: Session, line: Line) -> Iterator[tuple[str, Event]]:
    """What checkpoints say of its tasks: where one is first, and where it is in another state than before."""
    tasks = {step.node.id for step in line.steps if step.part in ("task", "subtask")}
    states: dict[str, str] = {}
    waiting = waiting_ids(session)
    for one in sorted(checkpoints_of(session, session.context), key=lambda one: (one.recorded_at, one.id)):
        for task in one.context.tasks:
            if task.id in tasks and states.get(task.id) != task.state:
                states[task.id] = task.state
                state = "waits" if one.id in waiting else ""
                yield paths.path_of(one.id), Event(one.recorded_at, task.id, f"task {task.state}", None, state)
