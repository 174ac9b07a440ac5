"""What to do next: open tasks in order, each with the factors of its place; where none can be worked on, the gaps.

First what can be worked on, then what waits: a blocked task, one with open dependencies, a parent of open subtasks.
Within each by score, a sum of factors in thousandths: how far it is, its priority and its goal's (1 is first in both),
and how much waits for it. Ties go by priority, then the focus, then the older.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cc_git.model.working_context import Task, WorkingContext

WEIGHTS: Mapping[str, int] = {"state": 40, "priority": 25, "goal": 20, "unblocks": 15}
"""In hundredths of the score."""
_STATE = {"in-progress": 1000, "ready": 800, "draft": 350, "blocked": 150}
_STEPS, _LEAST = 125, 9
"""Priorities run from 1 (a thousand) to 9 (nothing)."""
_NO_GOAL, _EACH, _MOST = 500, 200, 1000


@dataclass(frozen=True, slots=True)
class GoalFact:
    """A goal that tasks serve, or that stands without one."""

    title: str
    priority: int
    stands: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """`factors` are thousandths; `waits_for` are task ids. A gap has no factors: `state` says what is missing."""

    type: Literal["task", "question", "goal"]
    id: str
    title: str
    state: str
    score: int = 0
    priority: int = 0
    factors: Mapping[str, int] | None = None
    waits_for: tuple[str, ...] = ()


@dataclass(frozen=True)
class NextUp:
    """`recommended` is None where everything waits, or nothing is open. `counts` are open tasks by state."""

    recommended: Candidate | None
    candidates: tuple[Candidate, ...]
    counts: Mapping[str, int]
    guidance: tuple[str, ...]


@dataclass(frozen=True)
class OpenWork:
    """The open tasks of a context, and what each waits for."""

    context: WorkingContext
    tasks: Mapping[str, Task]
    waits: Mapping[str, tuple[str, ...]]

    @property
    def is_stuck(self) -> bool:
        """No task can be worked on, so that the gaps matter."""
        return all(self.waits[task.id] or task.state == "blocked" for task in self.tasks.values())

    @property
    def goals(self) -> set[str]:
        return {task.goal for task in self.tasks.values() if task.goal is not None}


def open_work(context: WorkingContext) -> OpenWork:
    tasks = {task.id: task for task in context.tasks if task.is_open}
    return OpenWork(context, tasks, _waits(tasks))


def next_up(work: OpenWork, goals: Mapping[str, GoalFact]) -> NextUp:
    """`goals` by id: those that tasks name, and, where no task can be worked on, all that stand."""
    context, tasks, waits = work.context, work.tasks, work.waits
    wanted = Counter(i for named in waits.values() for i in named)
    found = [_candidate(task, goals, waits[task.id], wanted[task.id]) for task in tasks.values()]
    found.sort(key=lambda one: (_has_to_wait(one), -one.score, one.priority, one.id != context.focus, one.id))
    free = [one for one in found if not _has_to_wait(one)]
    gaps = [] if free else _gaps(work, goals)
    recommended = (*free, *gaps)[0] if free or gaps else None
    counts = Counter(task.state for task in tasks.values())
    return NextUp(
        recommended, (*free, *gaps, *found[len(free) :]), dict(sorted(counts.items())), _guidance(found, free)
    )


def _waits(tasks: Mapping[str, Task]) -> dict[str, tuple[str, ...]]:
    below: dict[str, list[str]] = {}
    for task in tasks.values():
        if task.parent is not None:
            below.setdefault(task.parent, []).append(task.id)
    return {i: (*(d for d in task.depends_on if d in tasks), *below.get(i, ())) for i, task in tasks.items()}


def _candidate(task: Task, goals: Mapping[str, GoalFact], waits: tuple[str, ...], wanted: int) -> Candidate:
    goal = goals.get(task.goal) if task.goal is not None else None
    factors = {
        "state": _STATE[task.state],
        "priority": _STEPS * (_LEAST - task.priority),
        "goal": _NO_GOAL if goal is None or not goal.stands else _STEPS * (_LEAST - goal.priority),
        "unblocks": min(_EACH * wanted, _MOST),
    }
    score = sum(WEIGHTS[name] * value for name, value in factors.items()) // 100
    return Candidate("task", task.id, task.title, task.state, score, task.priority, factors, waits)


def _has_to_wait(one: Candidate) -> bool:
    return one.state == "blocked" or bool(one.waits_for)


def _gaps(work: OpenWork, goals: Mapping[str, GoalFact]) -> list[Candidate]:
    served = work.goals
    asked = [
        Candidate("question", f"question {number}", question.text, "unanswered")
        for number, question in enumerate(work.context.questions, 1)
        if question.answer is None
    ]
    idle = [(fact.priority, i, fact) for i, fact in goals.items() if fact.stands and i not in served]
    return asked + [
        Candidate("goal", i, fact.title, "no open task", priority=p)
        for p, i, fact in sorted(idle, key=lambda one: one[:2])
    ]


def _guidance(found: list[Candidate], free: list[Candidate]) -> tuple[str, ...]:
    if free:
        return ()
    if not found:
        return ("No task is open. cc-git task add TITLE [--goal ID]",)
    blocked = sum(1 for one in found if one.state == "blocked")
    return (
        f"Every open task waits: {blocked} blocked, {len(found) - blocked} for others. "
        "cc-git task start ID takes a blocked one up again.",
    )
