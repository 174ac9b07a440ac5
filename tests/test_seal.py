"""The seal itself: a machine's identity, configuration, locale and home must not be visible to a test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path


def test_git_sees_only_the_sealed_configuration(git: Callable[..., str], tmp_path: Path) -> None:
    listing = git(tmp_path, "config", "--list", "--show-origin")
    origins = {line.split("\t")[0] for line in listing.splitlines()}
    assert origins == {f"file:{os.environ['GIT_CONFIG_GLOBAL']}"}


def test_commits_have_the_sealed_identity_and_date(repository: Path, git: Callable[..., str]) -> None:
    assert git(repository, "log", "-1", "--format=%an <%ae> %ct") == ("Ana Test <ana@example.org> 1796040000")


def test_home_and_folder_are_new_and_empty_of_the_machine(sealed: Path) -> None:
    assert Path.home() == sealed
    assert Path.cwd() == sealed
    assert [p.name for p in sealed.iterdir()] == [".gitconfig"]


def test_agents_variables_of_the_machine_do_not_leak() -> None:
    assert not [name for name in os.environ if name.startswith(("CLAUDE", "CODEX", "CURSOR", "CI", "SSH_"))]


def test_child_processes_inherit_the_seal() -> None:
    shown = subprocess.run(["sh", "-c", "echo $HOME $LC_ALL $TZ"], capture_output=True, text=True).stdout.split()
    assert shown == [os.environ["HOME"], "C.UTF-8", "UTC"]
