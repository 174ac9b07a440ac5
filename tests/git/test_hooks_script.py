"""`hooks/pre-commit` itself: small, POSIX, and gone at once when a commit does not concern us."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cc_git.resources import shipped
from cc_git.store.git import Git
from cc_git.store.hook_install import carry_out, plan_install
from cc_git.store.place import Place

SCRIPT = shipped("hooks") / "pre-commit"


@pytest.fixture
def watched(repository: Path) -> Path:
    """A repository with the hook; in place of Python a program that leaves a trace when it is started."""
    program = repository.parent / "python"
    program.write_text(f'#!/bin/sh\necho "$@" >> {repository.parent}/started\n')
    program.chmod(0o755)
    place = Place(repository, repository / ".git", repository / ".git", ".continuity")
    carry_out(plan_install(place, Git(place), str(program)))
    return repository


def started(watched: Path) -> bool:
    trace = watched.parent / "started"
    found = trace.exists()
    trace.unlink(missing_ok=True)
    return found


def mark(watched: Path) -> None:
    (watched / ".git" / "continuity" / "waiting").write_bytes(b".continuity\0")


def change(watched: Path, name: str = "code.c") -> None:
    (watched / name).parent.mkdir(parents=True, exist_ok=True)
    (watched / name).write_text("changed\n")


def test_it_is_no_longer_than_a_screen_and_readable_by_every_shell() -> None:
    assert len(SCRIPT.read_text().splitlines()) <= 25
    for shell in ("sh", "dash", "bash", "ksh", "zsh"):
        if shutil.which(shell):
            subprocess.run([shell, "-n", str(SCRIPT)], check=True)


def test_a_commit_that_does_not_concern_us_starts_no_python(watched: Path, git: Callable[..., str]) -> None:
    change(watched)
    git(watched, "commit", "-qam", "x")
    change(watched, "new.c")
    git(watched, "add", "-A")
    git(watched, "commit", "-qm", "y", "--", "new.c")
    assert not started(watched)


def test_the_first_commit_of_a_repository_starts_no_python(watched: Path, git: Callable[..., str]) -> None:
    git(watched, "switch", "-q", "--orphan", "fresh")
    change(watched)
    git(watched, "add", "code.c")
    git(watched, "commit", "-qm", "x")
    assert not started(watched)


def test_something_that_waits_starts_it(watched: Path, git: Callable[..., str]) -> None:
    mark(watched)
    change(watched)
    git(watched, "commit", "-qam", "x")
    assert started(watched)


def test_something_that_waits_starts_nothing_for_a_partial_commit(watched: Path, git: Callable[..., str]) -> None:
    mark(watched)
    change(watched)
    git(watched, "commit", "-qm", "x", "code.c")
    assert not started(watched)


@pytest.mark.parametrize("name", [".continuity/workspace.toml", "deep/down/.continuity/records/x.toml"])
@pytest.mark.parametrize("orphan", [False, True])
def test_a_change_below_a_workspace_starts_it(watched: Path, name: str, orphan: bool, git: Callable[..., str]) -> None:
    if orphan:
        git(watched, "switch", "-q", "--orphan", "fresh")
    change(watched, name)
    git(watched, "add", "-A")
    git(watched, "--literal-pathspecs", "commit", "-qm", "x")
    assert started(watched)


def test_a_workspace_that_does_not_change_starts_nothing(watched: Path, git: Callable[..., str]) -> None:
    change(watched, ".continuity/workspace.toml")
    git(watched, "add", "-A")
    git(watched, "commit", "-qm", "x")
    assert started(watched)
    change(watched)
    git(watched, "commit", "-qam", "y")
    assert not started(watched)


@pytest.mark.parametrize(("answer", "code"), [(0, 0), (3, 1), (1, 0), (2, 0), (70, 0), (127, 0)])
def test_only_the_one_answer_stops_a_commit(watched: Path, answer: int, code: int) -> None:
    (watched.parent / "python").write_text(f"#!/bin/sh\nexit {answer}\n")
    mark(watched)
    change(watched)
    done = subprocess.run(["git", "commit", "-qam", "x"], cwd=watched, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert ("neither added nor checked" in done.stderr) == (answer not in (0, 3))


def test_a_copy_made_by_hand_works_without_installing(
    repository: Path, tmp_path: Path, git: Callable[..., str]
) -> None:
    hook = repository / ".git" / "hooks" / "pre-commit"
    shutil.copy(SCRIPT, hook)
    hook.chmod(0o755)
    found = tmp_path / "bin" / "cc-git-hook"
    found.parent.mkdir()
    found.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\n')
    found.chmod(0o755)
    change(repository, ".continuity/workspace.toml")
    git(repository, "add", "-A")
    subprocess.run(
        ["env", f"PATH={found.parent}:/usr/bin:/bin", "git", "commit", "-qm", "x"], cwd=repository, check=True
    )
    assert (tmp_path / "words").read_text() == "pre-commit\n"
