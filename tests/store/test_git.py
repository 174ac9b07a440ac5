"""The git program: what it sees of the environment, what it says, and what it is kept from."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cc_git.store.engine import Person
from cc_git.store.git import Git
from cc_git.store.git_process import GitFailed
from cc_git.store.place import Place


def at(top: Path) -> Place:
    return Place(top, top / ".git", top / ".git", ".continuity")


def test_variables_that_lead_elsewhere_are_taken_away_and_configuration_stays(repository: Path, tmp_path: Path) -> None:
    misleading = {
        **os.environ,
        "GIT_DIR": str(tmp_path / "other.git"),
        "GIT_INDEX_FILE": str(tmp_path / "other-index"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path),
        "GIT_WORK_TREE": str(tmp_path),
        "GIT_PREFIX": "x/",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_CONFIG_PARAMETERS": "'x.y'='from the command line'",
    }
    git = Git(at(repository), misleading)
    assert git.run("rev-parse", "--show-toplevel").stdout.decode().strip() == str(repository)
    assert git.run("ls-files", ":(top)code.c").stdout == b"code.c\n"
    assert git.settings("x") == {"x.y": "from the command line"}


def test_a_failure_carries_gits_own_words(repository: Path) -> None:
    with pytest.raises(GitFailed, match="rev-parse") as failed:
        Git(at(repository)).run("rev-parse", "--verify", "nothing")
    assert "Needed a single revision" in (failed.value.why or "")
    assert Git(at(repository)).run("rev-parse", "--verify", "nothing", check=False).code == 128


def test_nothing_is_fetched_and_nothing_prompts(repository: Path, tmp_path: Path, git: Callable[..., str]) -> None:
    git(tmp_path, "clone", "-q", str(repository), "clone")
    with pytest.raises(GitFailed) as failed:
        Git(at(tmp_path / "clone")).run("fetch", "origin")
    assert "not allowed" in (failed.value.why or "")
    assert Git(at(tmp_path / "clone")).run_for_user("fetch", "origin").code == 0


def test_input_is_given_and_empty_without_one(repository: Path) -> None:
    git = Git(at(repository))
    assert git.run("hash-object", "--stdin", input=b"x\n").stdout == b"587be6b4c3f93f93c489c0111bba5596147a26cb\n"
    assert git.run("hash-object", "--stdin").stdout == b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n"


def test_more_variables_reach_one_run(repository: Path, tmp_path: Path) -> None:
    git = Git(at(repository))
    index = {"GIT_INDEX_FILE": str(tmp_path / "index")}
    git.run("read-tree", "HEAD", more=index)
    assert (tmp_path / "index").is_file()
    assert git.run("ls-files", more={"GIT_INDEX_FILE": str(tmp_path / "none")}).stdout == b""


class TestConfiguration:
    def test_one_key_and_a_section(self, repository: Path, git: Callable[..., str]) -> None:
        git(repository, "config", "continuity.acceptedRef", "origin/main")
        git(repository, "config", "continuity.two", "line\nbreak")
        git(repository, "config", "continuityX.no", "1")
        program = Git(at(repository))
        assert program.own_config("continuity.acceptedRef") == "origin/main"
        assert program.own_config("continuity.none") is None
        assert program.settings("continuity") == {
            "continuity.acceptedref": "origin/main",
            "continuity.two": "line\nbreak",
        }
        assert program.settings("nothing") == {}

    def test_identity_is_gits_and_never_guessed(self, repository: Path, git: Callable[..., str]) -> None:
        assert Git(at(repository)).identity() == Person("Ana Test", "ana@example.org")
        assert Git(at(repository), {**os.environ, "GIT_AUTHOR_NAME": "Ö <x>"}).identity() == Person(
            "Ö x", "ana@example.org"
        )
        assert Git(at(repository), {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}).identity() is None


def test_in_a_linked_worktree_it_is_that_worktrees_git(
    repository: Path, tmp_path: Path, git: Callable[..., str]
) -> None:
    git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    place = Place(tmp_path / "linked", repository / ".git/worktrees/linked", repository / ".git", ".continuity")
    assert Git(place).run("symbolic-ref", "HEAD").stdout == b"refs/heads/side\n"


def test_in_a_bare_repository_it_reads(repository: Path, tmp_path: Path, git: Callable[..., str]) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    bare = tmp_path / "bare.git"
    assert Git(Place(None, bare, bare, ".continuity")).run("rev-parse", "--is-bare-repository").stdout == b"true\n"
