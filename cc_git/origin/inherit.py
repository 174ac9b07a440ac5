"""Where a piece of work began: the triggers that name it, or the nearest of what it belongs to.

Direct is a trigger that names the thing itself. Else it is inherited: from what a task is a part of, from what it
depends on, from the goal that it serves, from what that goal takes the place of and from the goals above it; of any
other record, from the tasks that test it and from what it rests on. Nearest first, with the way there.

What names nothing is never direct: without a focus the trigger of what was begun last is inherited, by no way at all.
Nothing is inherited for being alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from cc_git.model.trigger import Trigger
from cc_git.model.working_context import Task


class Origin(NamedTuple):
    """A trigger that opened the work in hand. `path` are the ids on the way by which it was inherited, nearest first;
    the last one is what the trigger names. `private`: it is kept on this machine, so its words are above most
    ceilings."""

    trigger: Trigger
    how: Literal["direct", "inherited"]
    path: tuple[str, ...] = ()
    private: bool = False


Behind = Callable[[str], Iterable[str]]
"""Of a record: the ids that it inherits from, nearest first (a goal: what it takes the place of, then its parent)."""


@dataclass(frozen=True)
class Ground:
    """What origin is computed from. `current` is the trigger of what was begun last."""

    tasks: Mapping[str, Task]
    triggers: Mapping[str, Trigger]
    behind: Behind
    current: str | None = None
    named: Mapping[str, tuple[str, ...]] = field(init=False)
    """Id → the triggers that name it, newest first. A trigger names itself."""

    def __post_init__(self) -> None:
        named: dict[str, list[str]] = {}
        ordered = sorted(self.triggers.values(), key=lambda one: (one.recorded_at, one.id), reverse=True)
        for trigger in ordered:
            for identifier in (*trigger.task_ids, *trigger.goal_ids, *trigger.runbook_ids, trigger.id):
                named.setdefault(identifier, []).append(trigger.id)
        object.__setattr__(self, "named", {i: tuple(dict.fromkeys(ids)) for i, ids in named.items()})


def origins(focus: str | None, ground: Ground) -> Iterator[Origin]:
    """Every trigger that `focus` comes from, nearest first, each once; without a focus, the current one."""
    if focus is None:
        current = ground.triggers.get(ground.current) if ground.current else None
        if current is not None:
            yield Origin(current, "inherited")
        return
    told: set[str] = set()
    for identifier, path in _ways(focus, ground):
        for found in (i for i in ground.named.get(identifier, ()) if i not in told):
            told.add(found)
            yield Origin(ground.triggers[found], "inherited" if path else "direct", path)


def _ways(focus: str, ground: Ground) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What `focus` belongs to, with the way there, breadth first."""
    seen = {focus}
    level: list[tuple[str, tuple[str, ...]]] = [(focus, ())]
    while level:
        yield from level
        above: list[tuple[str, tuple[str, ...]]] = []
        for identifier, path in level:
            for after in _next(identifier, ground):
                if after not in seen:
                    seen.add(after)
                    above.append((after, (*path, after)))
        level = above


def _next(identifier: str, ground: Ground) -> Iterable[str]:
    task = ground.tasks.get(identifier)
    if task is not None:
        return [i for i in (task.parent, *task.depends_on, task.goal) if i is not None]
    testing = [task.id for task in ground.tasks.values() if identifier in task.hypotheses]
    return [*testing, *ground.behind(identifier)]
