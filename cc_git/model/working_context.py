"""The working context: the mutable state of the work in hand, and the checkpoint that freezes it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from cc_git.model.value import FORMAT, Blob, Id, Ids, Instant, Items, OneLine, Prose, Value, has_prefix

TaskState = Literal["draft", "ready", "in-progress", "blocked", "done", "dropped"]
CLOSED: frozenset[TaskState] = frozenset({"done", "dropped"})


class Task(Value):
    """`reason`: why it is blocked or was dropped, or what shows that it is done. A parent waits for its subtasks."""

    id: Id
    title: OneLine
    state: TaskState = "ready"
    priority: Annotated[int, Field(strict=True, ge=1, le=9)] = 5
    parent: Id | None = None
    depends_on: Ids = ()
    goal: Id | None = None
    hypotheses: Ids = ()
    note: Prose | None = None
    reason: Prose | None = None

    @property
    def is_open(self) -> bool:
        return self.state not in CLOSED

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "tsk")
        return self


class Question(Value):
    text: Prose
    answer: Prose | None = None
    asked_at: Instant


class WorkingContext(Value):
    """`version` counts writes; a writer that read an older version is refused. `basis` are the checkpoints that it goes
    on from: the next one supersedes them. `trigger` is the origin of what was begun last."""

    format: Literal["cc-git/1"] = FORMAT
    version: Annotated[int, Field(strict=True, ge=0)] = 0
    basis: Ids = ()
    project_line: Prose | None = None
    focus: Id | None = None
    tasks: tuple[Task, ...] = ()
    questions: tuple[Question, ...] = ()
    next_step: Prose | None = None
    returned: Items = ()
    trigger: Id | None = None

    def task(self, identifier: str | None) -> Task | None:
        return next((task for task in self.tasks if task.id == identifier), None)

    def says_the_same_as(self, other: WorkingContext) -> bool:
        """Whatever the count of writes, and the checkpoints behind it."""
        return self.model_copy(update={"version": other.version, "basis": other.basis}) == other


class Checkpoint(Value):
    """A working context that travels with the repository. `commit` is HEAD when it was frozen."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    actor: OneLine
    recorded_at: Instant
    commit: Blob | None = None
    supersedes: Ids = ()
    context: WorkingContext

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "cp")
        return self
