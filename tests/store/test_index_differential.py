"""Random workspaces: the index answers exactly as the files do, however it came to know what it knows."""

from __future__ import annotations

import random
from pathlib import Path

import pygit2
import pytest

from cc_git.store.cache import MemoryCache
from cc_git.store.index import Index
from cc_git.store.pygit2_engine import open_engine
from tests.store.lab import Lab, answers


def a_lab(folder: Path, seed: int) -> Lab:
    pygit2.init_repository(str(folder), bare=True)
    return Lab(open_engine(folder), folder, random.Random(seed))


def compare(lab: Lab, index: Index | MemoryCache | None) -> None:
    question = lab.question()
    plain, quick = answers(question, None), answers(question, index)
    for name, answer in plain.items():
        assert quick[name] == answer, name


@pytest.mark.parametrize("seed", range(20))
def test_step_by_step_the_index_says_what_the_files_say(tmp_path: Path, seed: int) -> None:
    lab = a_lab(tmp_path / "r.git", seed)
    index = Index(lab.folder)
    lab.write(30)
    lab.commit()
    for _ in range(15):
        compare(lab, index)
        for _ in range(lab.dice.choice([1, 1, 1, 3])):
            lab.step()
