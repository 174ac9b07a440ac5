"""Which checkpoint is where: what goes on, what was left off beside it, what is superseded.

Rules:

 1. A checkpoint that another one supersedes is history: it stays readable and is never delivered. Inside a circle of
    supersessions nothing is superseded.
 2. The state at hand goes on from its `basis`. Every other head is a line beside it: this agent's own, or a hand-off.
 3. Where nothing is at hand, the newest head of this agent becomes the state. Nobody else's does unasked.
 4. Where the state at hand says exactly what its checkpoint froze, and a head supersedes that, the head is the state:
    somebody went on from it, and nothing here would be lost.
 5. Newest is by ancestry first: one made on a descendant of another's commit is newer, whatever the clocks say.
 6. A checkpoint that forgetting redacted stands in the place of the one whose id is entombed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime

from cc_git.governance.plan import Mint, receipt_for
from cc_git.governance.quotes import Quotes
from cc_git.governance.redact import redacted
from cc_git.governance.task_links import cycle_through
from cc_git.governance.working import Turn
from cc_git.model.ids import short, time_of
from cc_git.model.work import Line, Work
from cc_git.model.working_context import Checkpoint, Question, Task, WorkingContext
from cc_git.standing.cycles import components

Precedes = Callable[[str, str], bool]
"""Whether the first commit is a proper ancestor of the second, as far as this clone can tell."""

_TRAVELS = "Its titles, notes, questions and steps are then read by everybody who has the repository."
_COMPARED = 4
"""Heads whose commits are compared; beyond, the clock alone decides."""


def work(
    kept: WorkingContext | None,
    checkpoints: Sequence[Checkpoint],
    actor: Callable[[], str],
    now: datetime,
    precedes: Precedes,
    tombstones: Collection[str] = frozenset(),
) -> Work:
    """`kept` is the state of this worktree, `checkpoints` those of the snapshot; `actor` is asked where it matters."""
    if not checkpoints:
        return Work(kept)
    heads = newest_first(heads_of(checkpoints), now, precedes)
    taken = _own(heads, actor()) if kept is None else _went_on(kept, checkpoints, heads)
    version = 0 if kept is None else kept.version
    context = kept if taken is None else resumed(taken, version)
    basis = context.basis if context is not None else ()
    known = {*basis, *(twin.id for twin in twins(basis, heads, tombstones))}
    beside = [head for head in heads if head.id not in known]
    who = actor() if beside else ""
    return Work(context, taken, tuple(Line(head, own=head.actor == who) for head in beside))


def heads_of(checkpoints: Iterable[Checkpoint]) -> list[Checkpoint]:
    by_id = {one.id: one for one in checkpoints}
    circle = components({one.id: one.supersedes for one in by_id.values()})
    over = {old for one in by_id.values() for old in one.supersedes if circle[old] != circle[one.id]}
    return [one for one in by_id.values() if one.id not in over]


def newest_first(heads: Iterable[Checkpoint], now: datetime, precedes: Precedes) -> list[Checkpoint]:
    """A clock that is ahead is worth no more than the present."""
    left = sorted(heads, key=lambda one: (min(one.recorded_at, now), one.id), reverse=True)
    first: list[Checkpoint] = []
    compared, rest = left[:_COMPARED], left[_COMPARED:]
    while compared:
        newest = next((one for one in compared if not _is_behind(one, compared, precedes)), compared[0])
        first.append(newest)
        compared.remove(newest)
    return [*first, *rest]


def _is_behind(one: Checkpoint, others: Iterable[Checkpoint], precedes: Precedes) -> bool:
    return any(
        one.commit is not None and other.commit is not None and one.commit != other.commit
        and precedes(one.commit, other.commit)
        for other in others
    )  # fmt: skip


def resumed(checkpoint: Checkpoint, version: int = 0) -> WorkingContext:
    """The state that goes on from a checkpoint."""
    count = max(checkpoint.context.version, version) + 1
    return checkpoint.context.model_copy(update={"version": count, "basis": (checkpoint.id,)})


def twins(basis: Collection[str], heads: Iterable[Checkpoint], tombstones: Collection[str]) -> list[Checkpoint]:
    """Redacted forms of what the state goes on from: they keep the instant of the one that they stand for."""
    return [
        one
        for one in heads
        if any(old in basis and old in tombstones and _same_instant(one, old) for old in one.supersedes)
    ]


def _same_instant(one: Checkpoint, old: str) -> bool:
    return abs((one.recorded_at - time_of(old)).total_seconds()) < 0.001


def freeze(
    context: WorkingContext, heads: Iterable[Checkpoint], actor: str, commit: str | None, mint: Mint,
    tombstones: Collection[str] = frozenset(), *, hidden: Collection[str] = (), tidy: bool = False,
) -> Turn:  # fmt: skip
    """A checkpoint that supersedes what the state goes on from, and the state that goes on from it; with `tidy` without
    the tasks that are over and that no open one hangs on. Links to `hidden` ids, and texts that name one, stay here."""
    heads = list(heads)
    basis = [one for one in heads if one.id in context.basis]
    travels = redacted(context, Quotes(), hidden) if hidden else context
    if len(context.basis) == 1 and basis and travels.says_the_same_as(basis[0].context):
        return Turn(context, notes=(f"Nothing changed since {short(basis[0].id)}.",))
    replaced = tuple(dict.fromkeys((*context.basis, *(one.id for one in twins(context.basis, heads, tombstones)))))
    frozen = Checkpoint(
        id=mint("cp"),
        actor=actor,
        recorded_at=mint.now,
        commit=commit,
        supersedes=replaced,
        context=travels.model_copy(update={"version": context.version, "basis": ()}),
    )
    receipt = receipt_for("checkpoint", (frozen.id,), replaced, actor, mint, tasks=len(context.tasks))
    left = {"basis": (frozen.id,), **({"tasks": needed(context)} if tidy else {})}
    notes = (
        (_TRAVELS, f"What it says of {', '.join(map(short, sorted(hidden)))} stays here.") if hidden else (_TRAVELS,)
    )
    return Turn(context.model_copy(update=left), (), notes, values=(frozen,), receipt=receipt)


def needed(context: WorkingContext) -> tuple[Task, ...]:
    """The open tasks, and those that they are a part of or depend on."""
    kept, waiting = set[str](), [task.id for task in context.tasks if task.is_open]
    tasks = {task.id: task for task in context.tasks}
    while waiting:
        task = tasks.get(waiting.pop())
        if task is not None and task.id not in kept:
            kept.add(task.id)
            waiting += (*task.depends_on, *((task.parent,) if task.parent else ()))
    return tuple(task for task in context.tasks if task.id in kept)


def take(context: WorkingContext | None, checkpoint: Checkpoint) -> Turn:
    """The state with another line taken in: the next checkpoint supersedes both. What is at hand stays as it is; every
    task that differs is told with both states."""
    if context is None:
        new = resumed(checkpoint)
        return Turn(new, tuple(task.id for task in new.tasks if task.is_open))
    theirs = checkpoint.context
    here = {task.id: task for task in context.tasks}
    added = [task for task in theirs.tasks if task.id not in here]
    fields = {
        name: getattr(context, name) or getattr(theirs, name)
        for name in ("project_line", "focus", "next_step", "trigger")
    }
    new = context.model_copy(
        update={
            **fields,
            "tasks": (*context.tasks, *added),
            "questions": _questions(context.questions, theirs.questions),
            "returned": tuple(dict.fromkeys((*context.returned, *theirs.returned))),
            "basis": tuple(
                dict.fromkeys((*(i for i in context.basis if i not in checkpoint.supersedes), checkpoint.id))
            ),
        }
    )
    notes = [*_differing(here, theirs), *_left(context, theirs), *_circles(new, added)]
    return Turn(new, tuple(task.id for task in added), tuple(notes))


def bring(context: WorkingContext, identifier: str, lines: Iterable[Line]) -> WorkingContext:
    """The state with a task that only another line has, and what it hangs on there."""
    if context.task(identifier) is not None:
        return context
    there: Mapping[str, Task] = next(
        (found for line in lines if identifier in (found := {task.id: task for task in line.context.tasks})), {}
    )
    here = {task.id: task for task in context.tasks}
    waiting = [identifier]
    while waiting:
        task = there.get(waiting.pop())
        if task is not None and task.id not in here:
            here[task.id] = task
            waiting += (*task.depends_on, *((task.parent,) if task.parent else ()))
    return context.model_copy(update={"tasks": tuple(here.values())})


def _own(heads: Sequence[Checkpoint], actor: str) -> Checkpoint | None:
    return next((head for head in heads if head.actor == actor), None)


def _went_on(kept: WorkingContext, checkpoints: Sequence[Checkpoint], heads: Sequence[Checkpoint]) -> Checkpoint | None:
    frozen = {one.id for one in checkpoints if one.id in kept.basis and kept.says_the_same_as(one.context)}
    if not frozen:
        return None
    by_id = {one.id: one for one in checkpoints}
    return next((head for head in heads if head.id not in frozen and _reaches(head, frozen, by_id)), None)


def _reaches(head: Checkpoint, wanted: Collection[str], by_id: Mapping[str, Checkpoint]) -> bool:
    seen, waiting = set[str](), list(head.supersedes)
    while waiting:
        identifier = waiting.pop()
        if identifier in wanted:
            return True
        if identifier not in seen and identifier in by_id:
            seen.add(identifier)
            waiting += by_id[identifier].supersedes
    return False


def _questions(ours: Sequence[Question], theirs: Sequence[Question]) -> tuple[Question, ...]:
    answered = {one.text: one.answer for one in theirs if one.answer is not None}
    kept = [
        one.model_copy(update={"answer": answered[one.text]}) if one.answer is None and one.text in answered else one
        for one in ours
    ]
    known = {one.text for one in ours}
    return (*kept, *(one for one in theirs if one.text not in known))


def _differing(here: Mapping[str, Task], theirs: WorkingContext) -> Iterable[str]:
    for task in theirs.tasks:
        ours = here.get(task.id)
        if ours is not None and ours != task:
            what = ours.state if ours.state != task.state else f"{ours.state}, and differs in other fields"
            yield f"{short(task.id)} is {what} here and {task.state} there; it stays as it is here."


def _left(context: WorkingContext, theirs: WorkingContext) -> Iterable[str]:
    if theirs.next_step and context.next_step and theirs.next_step != context.next_step:
        yield f"The next step there was: {theirs.next_step}"


def _circles(context: WorkingContext, added: Iterable[Task]) -> Iterable[str]:
    for task in added:
        if circle := cycle_through(context, task.id):
            yield f"{' → '.join(map(short, (*circle, circle[0])))} wait for each other: cc-git task edit"
