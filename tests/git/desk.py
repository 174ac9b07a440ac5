"""Somebody at work in a repository: commands of ours in this process, everything of Git's as plain Git."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from cc_git.cli.main import main
from cc_git.codec.paths import path_of

SAID = "Deploys go out on Tuesdays"
SAID_LATER = "Deploys go out on Thursdays"


@dataclass
class Desk:
    """`top` is where commands are run, `prefix` the workspace below the repository's top level."""

    top: Path
    capsys: pytest.CaptureFixture[str]
    prefix: str = ".continuity"
    code: str = "code.c"
    hour: int = 12
    minutes: int = 0
    environ: dict[str, str] = field(default_factory=dict)

    def git(self, *words: str, code: int | None = 0, where: Path | None = None) -> str:
        done = subprocess.run(["git", *words], cwd=where or self.top, capture_output=True)
        said = (done.stdout + done.stderr).decode("utf-8", "surrogateescape").strip()
        if code is not None and done.returncode != code:
            raise AssertionError(f"git {' '.join(words)} → {done.returncode}\n{said}")
        return said

    def cc(self, *words: str, code: int | None = 0, where: Path | None = None) -> str:
        self.minutes += 1
        instant = f"2026-11-30T{self.hour:02}:{self.minutes:02}:00Z"
        before = Path.cwd()
        os.chdir(where or self.top)
        try:
            found = main((*words, "--now", instant))
        finally:
            os.chdir(before)
        shown = self.capsys.readouterr()
        if code is not None and found != code:
            raise AssertionError(f"cc-git {' '.join(words)} → {found}\n{shown.out}{shown.err}")
        return shown.out if code == 0 else shown.out + shown.err

    def data(self, *words: str, where: Path | None = None) -> Any:
        return json.loads(self.cc(*words, "--json", where=where))["data"]

    def made(self, *words: str, prefix: str = "dec") -> str:
        return next(str(i) for i in self.data(*words)["made"] if i.startswith(f"{prefix}_"))

    @property
    def root(self) -> Path:
        return Path(os.fsdecode(os.fsencode(self.git("rev-parse", "--show-toplevel"))))

    def file(self, identifier: str) -> Path:
        return self.root / self.prefix / path_of(identifier)

    def committed(self, identifier: str) -> bytes:
        """The very bytes that HEAD holds, no filter between."""
        path = f"HEAD:{self.prefix}/{path_of(identifier)}"
        return subprocess.run(["git", "cat-file", "blob", path], cwd=self.root, capture_output=True, check=True).stdout

    def seen(self) -> list[str]:
        """What is the user's: status, branch, index and the bytes of the code, without what is ours."""
        status = self.git("status", "--porcelain", "--untracked-files=all", where=self.root).splitlines()
        index = self.git("ls-files", "-s", where=self.root).splitlines()
        lines = [line for line in (*status, *index) if ".continuity/" not in line]
        code = self.root / self.code
        return [*lines, self.git("branch", "--show-current"), code.read_bytes().hex() if code.exists() else ""]

    def change(self, text: str) -> None:
        """An ordinary commit of the user's."""
        path = self.root / self.code
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(f"/* {text} */\n".encode())
        self.git("add", "--sparse", self.code, where=self.root)
        self.git("commit", "-q", "-m", text, where=self.root)

    def titles(self, where: Path | None = None) -> set[str]:
        return {line["title"] for line in self.data("list", where=where)}


def go_round(desk: Desk, *, by_hook: bool = True) -> tuple[str, str]:
    """Remember; commit by the hook; correct; commit by our command. Bytes, index and statuses are right throughout."""
    before = desk.seen()
    first = desk.made("remember", SAID, "-k", "decision")
    assert desk.seen() == before
    assert desk.titles() >= {SAID}
    written = desk.file(first).read_bytes() if desk.file(first).exists() else None
    desk.change("one")
    if not by_hook:
        assert len(desk.data("status")["waiting"]) >= 3
        desk.cc("commit", "-m", "Memory")
    assert desk.data("status")["waiting"] == []
    assert written in (None, desk.committed(first))
    _settled(desk)
    second = desk.made("correct", first, SAID_LATER)
    desk.cc("commit", "-m", "Memory")
    assert SAID_LATER.encode() in desk.committed(second)
    assert b"\r" not in desk.committed(second)
    assert desk.data("status")["waiting"] == []
    _settled(desk)
    assert SAID_LATER in desk.cc("resume", "--task", "deploy")
    return first, second


def _settled(desk: Desk) -> None:
    assert desk.git("status", "--porcelain", where=desk.root) == ""


def arrives(desk: Desk, source: str | Path, folder: Path, *options: str) -> None:
    """Somebody clones it and goes on where this desk is."""
    desk.git("clone", "-q", *options, str(source), str(folder), where=folder.parent)
    inside = folder / desk.prefix.rpartition("/")[0]
    assert desk.titles(where=inside) == {SAID_LATER}
    assert SAID_LATER in desk.cc("resume", "--task", "deploy", where=inside)
    assert desk.git("status", "--porcelain", where=folder) == ""
