"""Some cells of the table of operations and conditions: each condition and each operation at least once.

`CC_GIT_TABLE=all` plays every one, as `python -m tests.git.table` does.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from .operations import OPERATIONS, Operation
from .surroundings import why_not
from .table import CONDITIONS, PAGE, Cell, Made, cells, page
from .table import chosen as some_of


def chosen(condition: Made) -> tuple[Operation, ...]:
    return OPERATIONS if os.environ.get("CC_GIT_TABLE") == "all" else some_of(condition)


@pytest.mark.slow
@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: condition.__name__)
def test_records_survive_and_the_rest_is_as_plain_git_makes_it(condition: Made, tmp_path: Path) -> None:
    if reason := why_not(condition.__name__):
        pytest.skip(reason)
    found = cells(condition, chosen(condition), tmp_path)
    assert [cell for cell in found if not cell.is_right] == []


def test_every_operation_is_played_under_some_condition() -> None:
    assert {operation for condition in CONDITIONS for operation in chosen(condition)} == set(OPERATIONS)


def test_the_page_is_of_these_conditions_and_operations() -> None:
    every = [Cell(c.__name__, o.__name__, "here") for c in CONDITIONS for o in OPERATIONS]
    pages = [text.splitlines() for text in (PAGE.read_text(), page(every))]
    conditions = [[line for line in lines if re.match(r"\d+\. ", line)] for lines in pages]
    operations = [[line.split("|")[1] for line in lines if line.startswith("| ")] for lines in pages]
    assert conditions[0] == conditions[1] and operations[0] == operations[1]


def test_a_cell_that_differs_or_loses_or_leaks_is_wrong() -> None:
    assert [Cell("c", "o", mark).is_right for mark in ("here", "restored", "branch")] == [True] * 3
    assert not any(Cell("c", "o", mark).is_right for mark in ("differs", "lost", "leaked", "broke"))
