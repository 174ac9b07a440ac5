"""What the runbooks are asked for: the task in focus and what it belongs to, what is to be done, and what failed."""

from __future__ import annotations

from collections.abc import Iterator

from cc_git.compiler.gate import Gate
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.pool import Pool
from cc_git.model.kinds import Goal
from cc_git.model.request import Request
from cc_git.model.working_context import Task, WorkingContext
from cc_git.runbooks.selection import Selection, Work, select

FAILED = frozenset({"failed", "failure"})
"""Tags of an outcome that say that it failed."""
_LOOKED_AT = 50
_DEEPEST = 64
"""Goals and tasks above one another; a chain that is longer, or runs in a circle, is cut here."""


def work_of(pool: Pool, context: WorkingContext | None, request: Request, gate: Gate) -> Work:
    """`request.signals` are what somebody reports now; beside them counts what came back in the work in hand, and the
    last outcome that was captured, if that failed."""
    returned = context.returned if context is not None else ()
    focus = focus_of(context) if context is not None else None
    return Work(
        task=focus.id if focus else None,
        above=tuple(dict.fromkeys(_above(pool, context, focus))) if context is not None and focus else (),
        texts=what_is_asked(request, context),
        reported=(*request.signals, *returned, *last_failure(pool, gate)),
    )


def books_for(inputs: Inputs, request: Request, gate: Gate) -> Selection:
    """The runbooks that serve what is asked."""
    if not inputs.runbooks:
        return Selection()
    return select(inputs.runbooks, work_of(inputs.pool, inputs.working_context, request, gate), request.ceiling)


def what_is_asked(request: Request, context: WorkingContext | None) -> tuple[str, ...]:
    """The task and the further queries; with neither, what the work in hand is about."""
    asked = tuple(query for query in (request.task, *request.queries) if query.strip())
    if asked or context is None:
        return asked
    focus = focus_of(context)
    about = ((focus.title if focus else None), context.next_step, context.project_line)
    return (" ".join(text for text in about if text),)


def focus_of(context: WorkingContext) -> Task | None:
    return context.task(context.focus)


def last_failure(pool: Pool, gate: Gate) -> tuple[str, ...]:
    """The text of the newest outcome that may be seen, if it failed; a later outcome that did not clears it."""
    for card in pool.recent_episodes(_LOOKED_AT):
        if card.type == "outcome" and gate.reason(card.scope, card.sensitivity, card.starts, card.ends) is None:
            episode = pool.episode(card.id).value
            return (episode.content,) if not FAILED.isdisjoint(episode.tags) else ()
    return ()


def _above(pool: Pool, context: WorkingContext, focus: Task) -> Iterator[str]:
    """The tasks above the focus and the goals of all of them, then the goals above these; nearest first."""
    tasks = {task.id: task for task in context.tasks}
    goals: list[str] = []
    at: Task | None = focus
    for _ in range(_DEEPEST):
        if at is None:
            break
        if at.goal is not None:
            goals.append(at.goal)
        if at.parent is not None:
            yield at.parent
        at = tasks.get(at.parent) if at.parent is not None else None
    for goal in goals:
        yield from _with_parents(pool, goal)


def _with_parents(pool: Pool, goal: str) -> Iterator[str]:
    at: str | None = goal
    for _ in range(_DEEPEST):
        if at is None:
            return
        yield at
        try:
            payload = pool.record(at).value.payload
        except KeyError:
            return
        at = payload.parent if isinstance(payload, Goal) else None
