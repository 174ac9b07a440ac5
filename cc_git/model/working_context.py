"""The working context: the mutable state of the work in hand, and the checkpoint that freezes it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from cc_git.model.value import FORMAT, Id, Ids, Instant, Items, OneLine, Prose, Value, has_prefix

TaskState = Literal["draft", "ready", "in-progress", "blocked", "done", "dropped"]


class Task(Value):
    id: Id
    title: OneLine
    state: TaskState = "ready"
    priority: Annotated[int, Field(strict=True, ge=1, le=9)] = 5
    parent: Id | None = None
    depends_on: Ids = ()
    goal: Id | None = None
    hypotheses: Ids = ()
    note: Prose | None = None

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "tsk")
        return self


class Question(Value):
    text: Prose
    answer: Prose | None = None
    asked_at: Instant


class WorkingContext(Value):
    """`version` counts writes; a writer that read an older version is refused."""

    format: Literal["cc-git/1"] = FORMAT
    version: Annotated[int, Field(strict=True, ge=0)] = 0
    project_line: Prose | None = None
    focus: Id | None = None
    tasks: tuple[Task, ...] = ()
    questions: tuple[Question, ...] = ()
    next_step: Prose | None = None
    returned: Items = ()
    trigger: Id | None = None


class Checkpoint(Value):
    """A working context that travels with the repository. `commit` is HEAD when it was frozen."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    actor: OneLine
    recorded_at: Instant
    commit: str | None = None
    supersedes: Ids = ()
    context: WorkingContext

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "cp")
        return self
