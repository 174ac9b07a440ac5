"""libgit2 and the git program give the same answers, byte for byte: one long session in this process, played on each at
the same place, at the same instants and with the same chance, so that every id and every commit must be the same."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cc_git.cli.main import main

Run = Callable[..., str]
REFUSED = [
    ("ana: audit", 1),
    ("ana: show nothing-like-it", 2),
    ("ana: list --at no-such-revision", 2),
    ("ben: audit --json", 1),
]
"""The commands that do not end well, with their exit codes."""


class Played:
    """What was said, command by command, and what the repositories are at the end."""

    def __init__(self, folder: Path, git: Run, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.git, self._capsys = folder, git, capsys
        self.said: list[tuple[str, int, str, str]] = []
        self._minute = 0

    def cc(self, where: str, *words: str) -> str:
        self._minute += 1
        instant = f"2026-11-30T12:{self._minute:02}:00Z"
        before = Path.cwd()
        os.chdir(self.folder / where)
        try:
            code = main((*words, "--now", instant))
        finally:
            os.chdir(before)
        shown = self._capsys.readouterr()
        self.said.append((f"{where}: {' '.join(words)}", code, shown.out, shown.err))
        return shown.out

    def made(self, where: str, prefix: str, *words: str) -> str:
        out = self.cc(where, *words, "--json")
        return next(part for part in out.split('"') if part.startswith(f"{prefix}_"))

    def ends(self) -> dict[str, str]:
        """Everything that either repository holds, by the ids of its commits; our own journal too."""
        found = {}
        for where in ("ana", "ben"):
            found[where] = self.git(self.folder / where, "log", "--all", "--format=%H %s", "--topo-order")
            found[f"{where}, on disk"] = self.git(self.folder / where, "status", "--porcelain", "--ignored")
            journal = self.folder / where / ".git/continuity/journal.git"
            found[f"{where}'s journal"] = self.git(journal, "for-each-ref")
        return found


def _play(play: Played) -> None:
    git, folder = play.git, play.folder
    folder.mkdir()
    git(folder, "init", "-q", "--bare", "origin.git")
    git(folder, "clone", "-q", "origin.git", "ana")
    (folder / "ana/code.c").write_text("int main(void) { return 0; }\n")
    play.cc("ana", "init", "--name", "harbour")
    git(folder / "ana", "add", "-A")
    git(folder / "ana", "commit", "-q", "-m", "Begin")
    grant = play.made(
        "ana", "prm", "remember", "Deploys to staging are fine", "--allow", "deploy", "--target", "stage/*"
    )
    play.cc("ana", "remember", "Do not touch the billing schema", "--refrain")
    decision = play.made("ana", "dec", "remember", "Deploys go out on Tuesdays", "-k", "decision", "--subject", "day")
    goal = play.made("ana", "goal", "remember", "Ship version 2", "-k", "goal", "--set", "priority=1")
    play.cc("ana", "status")
    play.cc("ana", "commit", "-m", "Memory")
    git(folder / "ana", "push", "-q", "origin", "HEAD:main")
    git(folder, "clone", "-q", "origin.git", "ben")
    git(folder / "ben", "config", "continuity.acceptedRef", "origin/main")
    git(folder / "ben", "switch", "-q", "-c", "ben")
    bens = play.made("ben", "dec", "correct", decision, "Deploys go out on Thursdays")
    play.cc("ben", "revoke", grant, "--reason", "staging is gone")
    play.cc("ben", "commit", "-m", "Ben")
    git(folder / "ben", "push", "-q", "origin", "ben")
    play.cc("ana", "correct", decision, "Deploys go out on Mondays")
    play.cc("ana", "commit", "-m", "Ana")
    git(folder / "ana", "fetch", "-q")
    play.cc("ana", "list")
    git(folder / "ana", "merge", "-q", "--no-edit", "origin/ben")
    play.cc("ana", "resolve", bens, "--reason", "the train leaves on Mondays")
    play.cc("ana", "complete", goal, "--evidence", "tag v2")
    # a stash, a branch that is left, a clean, a reset: what waits, is elsewhere, is stranded
    git(folder / "ana", "stash", "-q", "-u")
    play.cc("ana", "status")
    git(folder / "ana", "stash", "pop", "-q")
    git(folder / "ana", "switch", "-q", "-c", "side")
    belief = play.made("ana", "blf", "remember", "The cache is cold after a restart", "-k", "belief")
    play.cc("ana", "commit", "-m", "Side")
    git(folder / "ana", "switch", "-q", "main")
    git(folder / "ana", "clean", "-fdq")
    play.cc("ana", "status", "--json")
    git(folder / "ana", "branch", "-q", "-D", "side")
    play.cc("ana", "status")
    play.cc("ana", "restore", belief)
    for words in (
        ("list", "--all"),
        ("log",),
        ("show", bens),
        ("why", bens),
        ("blame", bens),
        ("search", "deploys"),
        ("audit",),
        ("compile", "--task", "deploy on Thursdays"),
        ("resume", "--task", "deploy on Thursdays", "--json"),
        ("packet", "list"),
        ("list", "--at", "HEAD~1"),
        ("compile", "--at", "main^", "--json"),
        ("export", "../bundle.json"),
        ("forget", decision, "--dry-run"),
        ("consolidate", "--dry-run"),
        ("diff",),
        ("diff", "HEAD~2", "--json"),
        ("diff", "origin/ben", "main"),
        ("hooks", "status"),
        ("show", "nothing-like-it"),
        ("list", "--at", "no-such-revision"),
        ("reindex",),
        ("list", "--json"),
    ):
        play.cc("ana", *words)
    play.cc("ana", "commit", "-m", "All")
    git(folder / "ben", "fetch", "-q")
    git(folder / "ana", "push", "-q", "origin", "HEAD:main")
    git(folder / "ben", "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    for words in (("status",), ("list", "--json"), ("compile", "--json"), ("audit", "--json")):
        play.cc("ben", *words)


def test_one_session_on_both_engines(
    tmp_path: Path, git: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {}
    for engine in ("libgit2", "git"):
        monkeypatch.setenv("CC_GIT_ENGINE", engine)
        monkeypatch.setattr(os, "urandom", Random(7).randbytes)
        play = Played(tmp_path / "place", git, capsys)
        _play(play)
        told[engine] = play.said, play.ends(), (tmp_path / "place/bundle.json").read_bytes()
        shutil.move(tmp_path / "place", tmp_path / engine)
    assert [(words, code) for words, code, _, _ in told["libgit2"][0] if code] == REFUSED
    for ours, theirs in zip(told["git"][0], told["libgit2"][0], strict=True):
        assert ours == theirs
    assert told["git"][1:] == told["libgit2"][1:]
    kept = [
        subprocess.run(
            ["git", "cat-file", "--batch-all-objects", "--batch-check"],
            cwd=tmp_path / engine / "ana/.git/continuity/journal.git",
            capture_output=True,
            check=True,
        ).stdout
        for engine in ("libgit2", "git")
    ]
    assert kept[0] == kept[1]
