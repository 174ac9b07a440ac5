"""One turn of the work in hand; pure. What needs a repository is in tests/cli/test_working.py."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.errors import Refused, UsageFault
from cc_git.governance.working import TaskEdit, TaskWish, add_task, edit_task, move_task, set_focus
from cc_git.model.working_context import Task, WorkingContext
from tests.unit.compiler.world import identifier

ONE, TWO = identifier("tsk", 1), identifier("tsk", 2)


def context(*tasks: Task, **fields: Any) -> WorkingContext:
    return WorkingContext(tasks=tasks, **fields)


def task(number: int, **fields: Any) -> Task:
    return Task(id=identifier("tsk", number), title=f"Task {number}", **fields)


def test_starting_what_is_in_progress_makes_it_the_focus() -> None:
    state = context(task(1, state="in-progress"), task(2, state="in-progress"), focus=ONE)
    assert move_task(state, TWO, "in-progress").context.focus == TWO
    again = move_task(state, ONE, "in-progress")
    assert again.context == state and "already" in again.notes[0]


def test_an_edit_keeps_what_a_newer_version_knows_of_a_task() -> None:
    newer = Task.model_validate({"id": ONE, "title": "Task 1", "later": "kept"})
    edited = edit_task(context(newer), ONE, TaskEdit({"priority": 1})).context.task(ONE)
    assert edited is not None and (edited.priority, edited.unknown) == (1, {"later": "kept"})


def test_an_edit_that_breaks_the_grammar_is_refused_by_name() -> None:
    with pytest.raises(UsageFault, match="task: title"):
        edit_task(context(task(1)), ONE, TaskEdit({"title": "two\nlines"}))


def test_what_is_over_takes_no_subtask_and_is_no_focus() -> None:
    over = context(task(1, state="done"))
    with pytest.raises(Refused, match="takes no subtasks"):
        add_task(over, TaskWish("Two", parent=ONE), TWO)
    with pytest.raises(Refused, match="is done"):
        set_focus(over, ONE)


def test_a_step_is_let_go_only_when_the_focus_moves() -> None:
    state = context(task(1), task(2), next_step="Buy paint")
    kept = move_task(state, ONE, "in-progress").context
    assert kept.next_step == "Buy paint", "there was no focus that it belonged to"
    moved = move_task(kept, TWO, "in-progress")
    assert moved.context.next_step is None and "Buy paint" in moved.notes[0]
