"""Fixtures of the tests that make Git histories."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from .histories.memory import Memory
from .histories.worktree import Run, Worktree


@pytest.fixture
def work(repository: Path, git: Run) -> Worktree:
    git(repository, "branch", "old")
    tree = Worktree(repository, git, Memory(repository), Random(7))
    tree.memory.init()
    tree.commit("workspace")
    return tree
