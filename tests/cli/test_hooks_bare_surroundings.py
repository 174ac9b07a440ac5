"""Commits where hardly anything is around the hooks: no variables, no PATH, a disk that takes nothing."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.cli.people import Clone, Said

WAITS = "Tabs it is"


@pytest.fixture
def hooked(ana: Clone) -> Clone:
    """With all seven hooks, something that waits, and a change that is staged."""
    told = ana.cc("hooks", "install")
    assert all(name in told for name in ("pre-commit", "prepare-commit-msg", "post-commit", "post-rewrite"))
    ana.cc("remember", WAITS, "-k", "decision")
    (ana.top / "code.c").write_text("int changed;\n")
    ana.git("add", "code.c")
    return ana


@cache
def no_mounts() -> str | None:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return "only root can lay a read-only disk over a folder"
    tried = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    return None if tried.returncode == 0 else "mounts are not allowed here"


def committed_on_a_read_only(clone: Clone, folder: Path) -> Said:
    """`git commit` where the folder is on a disk that takes nothing, for that one process."""
    place = shlex.quote(str(folder))
    text = (
        f"mount --bind {place} {place}; mount -o remount,bind,ro {place}; cd {place}; cd {shlex.quote(str(clone.top))}"
    )
    words = ["unshare", "-m", "sh", "-c", f"{text}; exec git commit -qm x"]
    done = subprocess.run(words, cwd="/", env=clone.environ, capture_output=True, text=True)
    return Said(done.returncode, done.stdout, done.stderr)


def files(clone: Clone) -> list[str]:
    return clone.git("show", "--format=", "--name-only", "HEAD").splitlines()


@pytest.mark.parametrize("around", ["nothing", "an empty PATH", "a PATH that leads nowhere"])
def test_a_client_that_sets_hardly_a_variable_commits_as_any_other(hooked: Clone, around: str) -> None:
    kept = {name: value for name, value in hooked.environ.items() if name.startswith(("GIT_", "HOME"))}
    kept |= {"an empty PATH": {"PATH": ""}, "a PATH that leads nowhere": {"PATH": "/nowhere"}}.get(around, {})
    words = [shutil.which("git") or "", "commit", "-qm", "x"]
    done = subprocess.run(words, cwd=hooked.top, env=kept, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert {"code.c"} < set(files(hooked))
    assert hooked.data("status")["waiting"] == []


@pytest.mark.parametrize("folder", [".continuity", ".git/continuity/journal.git"])
def test_a_disk_that_takes_nothing_of_ours_hinders_no_commit(hooked: Clone, folder: str) -> None:
    if reason := no_mounts():
        pytest.skip(reason)
    said = committed_on_a_read_only(hooked, hooked.top / folder)
    assert (said.code, said.out + said.err) == (0, "")
    assert {"code.c"} < set(files(hooked))
    assert hooked.data("status")["waiting"] == []


def test_where_it_cannot_note_what_it_adds_it_adds_nothing_and_says_so_in_one_line(hooked: Clone) -> None:
    if reason := no_mounts():
        pytest.skip(reason)
    said = committed_on_a_read_only(hooked, hooked.top / ".git/continuity")
    assert said.code == 0 and said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("cc-git: what waits goes on waiting:") and "Read-only file system" in line
    assert files(hooked) == ["code.c"]
    assert len(hooked.data("status")["waiting"]) >= 2
    (hooked.top / "code.c").write_text("int again;\n")
    hooked.git("commit", "-qam", "y")
    assert hooked.data("status")["waiting"] == []


def test_a_disk_that_takes_nothing_at_all_is_gits_to_tell(hooked: Clone) -> None:
    if reason := no_mounts():
        pytest.skip(reason)
    said = committed_on_a_read_only(hooked, hooked.top)
    assert said.code == 128 and "cc-git" not in said.err and "Read-only file system" in said.err
    assert len(hooked.data("status")["waiting"]) >= 2
