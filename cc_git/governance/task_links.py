"""How tasks hang together: what waits for what."""

from __future__ import annotations

from cc_git.model.working_context import Task, WorkingContext


def open_subtasks(context: WorkingContext, identifier: str) -> tuple[Task, ...]:
    return tuple(task for task in context.tasks if task.parent == identifier and task.is_open)


def waits_for(context: WorkingContext, task: Task) -> tuple[Task, ...]:
    """Its open dependencies, then its open subtasks, each in the order of the list."""
    depends = tuple(one for one in context.tasks if one.id in task.depends_on and one.is_open)
    return (*depends, *open_subtasks(context, task.id))


def cycle_through(context: WorkingContext, identifier: str) -> tuple[str, ...]:
    """The shortest way on which this task waits for itself, beginning with it; empty where there is none."""
    ahead: dict[str, list[str]] = {task.id: list(task.depends_on) for task in context.tasks}
    for task in context.tasks:
        if task.parent is not None:
            ahead.setdefault(task.parent, []).append(task.id)
    came: dict[str, str] = {}
    waiting = [identifier]
    while waiting:
        reached: list[str] = []
        for node in waiting:
            for after in ahead.get(node, ()):
                if after == identifier:
                    return _way(came, node, identifier)
                if after not in came:
                    came[after] = node
                    reached.append(after)
        waiting = reached
    return ()


def _way(came: dict[str, str], end: str, start: str) -> tuple[str, ...]:
    way = [end]
    while way[-1] != start:
        way.append(came[way[-1]])
    return tuple(reversed(way))
