"""Random workspaces: the index answers exactly as the files do, however it came to know what it knows."""

from __future__ import annotations

import multiprocessing
import random
from pathlib import Path
from typing import Any

import pygit2
import pytest

from cc_git.codec.files import encode, path_for
from cc_git.model.kinds import Permission
from cc_git.store import index_bring, index_facts, index_judge
from cc_git.store.cache import MemoryCache
from cc_git.store.index import Index
from cc_git.store.index_pool import Known
from cc_git.store.pygit2_engine import open_engine
from tests.store.lab import Lab, answers
from tests.store.worlds import NOW, a_record


def a_lab(folder: Path, seed: int) -> Lab:
    pygit2.init_repository(str(folder), bare=True)
    return Lab(open_engine(folder), folder, random.Random(seed))


def compare(lab: Lab, index: Index | MemoryCache | None) -> None:
    question = lab.question()
    plain, quick = answers(question, None), answers(question, index)
    for name, answer in plain.items():
        assert quick[name] == answer, name


@pytest.mark.parametrize("seed", range(14))
def test_step_by_step_the_index_says_what_the_files_say(tmp_path: Path, seed: int) -> None:
    lab = a_lab(tmp_path / "r.git", seed)
    index = Index(lab.folder)
    lab.write(30)
    lab.commit()
    for _ in range(10):
        compare(lab, index)
        for _ in range(lab.dice.choice([1, 1, 1, 3])):
            lab.step()


@pytest.mark.parametrize("seed", range(100, 108))
def test_it_still_does_when_bases_are_often_written_anew(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_bring, "_LAID_OVER_AT_MOST", 8)
    monkeypatch.setattr(index_judge, "_FEW", 3)
    lab = a_lab(tmp_path / "r.git", seed)
    index = Index(lab.folder)
    lab.write(40)
    for _ in range(10):
        compare(lab, index)
        lab.step()


@pytest.mark.parametrize("seed", range(200, 204))
def test_going_back_and_forth_between_snapshots_and_instants(tmp_path: Path, seed: int) -> None:
    lab = a_lab(tmp_path / "r.git", seed)
    index = Index(lab.folder)
    lab.write(30)
    questions = []
    for _ in range(5):
        questions.append(lab.question())
        lab.step()
        lab.later()
    for question in (*questions, *lab.dice.sample(questions, 5), *questions[::-1]):
        assert answers(question, index) == answers(question, None)


def test_a_compare_that_finds_a_difference_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the tie between records of one subject the index would overlook what a new one does to the old."""
    whole = index_facts.facts_of

    def without_subjects(*asked: Any) -> index_facts.Facts:
        facts = whole(*asked)
        return facts._replace(ties=tuple(tie for tie in facts.ties if not tie.startswith("s:")))

    monkeypatch.setattr(index_bring, "facts_of", without_subjects)
    lab = a_lab(tmp_path / "r.git", 1)
    lab.now = NOW
    index = Index(lab.folder)
    first, second = (a_record("decision", number, subject="s", authority="agent-explicit") for number in (1, 2))
    lab.waiting[path_for(first)] = encode(first)
    compare(lab, index)
    lab.waiting[path_for(second)] = encode(second)
    with pytest.raises(AssertionError, match="cards"):
        compare(lab, index)


def test_a_restraint_that_only_the_clone_has_seen_comes_and_goes(tmp_path: Path) -> None:
    lab = a_lab(tmp_path / "r.git", 1)
    lab.now = NOW
    index = Index(lab.folder)
    lab.write(20)
    deny = a_record("permission", 1, authority="agent-explicit", payload=Permission(effect="deny", action="push"))
    item = (path_for(deny), lab.engine.write_blob(encode(deny)))
    for force, number in (("withholds", 1), ("counts", 1), ("dismissed", 0), ("counts", 1)):
        lab.elsewhere[item] = force
        compare(lab, index)
        keys = [one.key for one in Known(lab.question(), index).restraining]
        assert keys.count((deny.id, item[1])) == number


def _one_of_several(folder: str, seed: int) -> None:
    lab = Lab(open_engine(Path(folder)), Path(folder), random.Random(seed))
    index = Index(lab.folder)
    lab.write(30)
    for _ in range(6):
        compare(lab, index)
        lab.step()


def test_several_processes_share_one_index(tmp_path: Path) -> None:
    pygit2.init_repository(str(tmp_path / "r.git"), bare=True)
    spawned = multiprocessing.get_context("spawn")
    processes = [spawned.Process(target=_one_of_several, args=(str(tmp_path / "r.git"), seed)) for seed in (1, 1, 2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
