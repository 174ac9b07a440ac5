"""The work in hand as somebody finds it: the state that goes on, and the other lines that were left off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cc_git.model.working_context import Checkpoint, Task, WorkingContext


@dataclass(frozen=True, slots=True)
class Line:
    """A checkpoint that no other supersedes and that the state at hand does not go on from. `own`: of this agent."""

    checkpoint: Checkpoint
    own: bool

    @property
    def context(self) -> WorkingContext:
        return self.checkpoint.context


@dataclass(frozen=True)
class Work:
    """`context` is the state that the next change is made on, None where nothing was begun. `taken` is the checkpoint
    that it comes from, where it was not kept here before. `lines` are newest first."""

    context: WorkingContext | None = None
    taken: Checkpoint | None = None
    lines: tuple[Line, ...] = ()

    @property
    def now(self) -> WorkingContext:
        return self.context or WorkingContext()

    def elsewhere(self) -> Iterator[tuple[Line, Task]]:
        """Every task of another line that is not here, or not the same here; the newest line first."""
        here = {task.id: task for task in self.now.tasks}
        for line in self.lines:
            for task in line.context.tasks:
                if here.get(task.id) != task:
                    yield line, task

    def united(self) -> WorkingContext:
        """The state with what only this agent's own other lines have. Of a task that differs it has its own."""
        here = {task.id: task for task in self.now.tasks}
        for line, task in self.elsewhere():
            if line.own:
                here.setdefault(task.id, task)
        return self.now.model_copy(update={"tasks": tuple(here.values())})
