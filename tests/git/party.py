"""One of two who do the same: one with a workspace, records and our hooks, the other with plain Git alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.started import program

SECRET = "The harbour is sold to the lowest bidder"
"""Kept privately: it may be in nothing that Git would send."""


_IDS = re.compile(rb"^(>>>>>>>|<<<<<<<) [0-9a-f]{7,40}\b", re.MULTILINE)
"""Marks of a conflict name the commit, whose id is another one."""


@dataclass
class Party:
    """`folder` is all of theirs: a bare origin, a clone, a home. `codes` are the exit codes of what is compared."""

    folder: Path
    ours: bool
    top: Path = field(init=False)
    code: str = "code.c"
    codes: list[int] = field(default_factory=list)
    said: str = ""
    root: Path = field(init=False)
    begun_at: str = ""

    def __post_init__(self) -> None:
        self.top = self.root = self.folder / "work"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def environ(self, **more: str) -> dict[str, str]:
        home = str(self.home)
        around = {"HOME": home, "XDG_CONFIG_HOME": f"{home}/.config", "GIT_CONFIG_GLOBAL": f"{home}/.gitconfig"}
        return {**os.environ, **around, **more}

    def run(self, *words: str, where: Path | None = None, stdin: str | None = None, **more: str) -> int:
        """A command of Git's as part of an operation: its exit code counts in the comparison."""
        done = self._start(["git", *words], where or self.root, self.environ(**more), stdin)
        self.codes.append(done.returncode)
        return done.returncode

    def git(self, *words: str, code: int | None = 0, where: Path | None = None) -> str:
        done = self._start(["git", *words], where or self.top, self.environ())
        if code is not None and done.returncode != code:
            raise AssertionError(f"git {' '.join(words)} → {done.returncode}\n{self.said}")
        return done.stdout + done.stderr if code is None else done.stdout.strip()

    def cc(self, *words: str, code: int | None = 0, where: Path | None = None) -> str:
        """A command of ours; the other one has none."""
        if not self.ours:
            return ""
        done = self._start([*program(), *words], where or self.top, self.environ())
        if code is not None and done.returncode != code:
            raise AssertionError(f"cc-git {' '.join(words)} → {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def _start(
        self, words: list[str], where: Path, environ: dict[str, str], stdin: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            words, cwd=where, env=environ, input=stdin or "", capture_output=True, text=True, errors="surrogateescape"
        )
        self.said += f"$ {' '.join(words[-4:])} → {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def change(self, text: str) -> None:
        self.edit(text)
        self.git("add", "--sparse", "--", self.code, where=self.root)
        self.git("commit", "-q", "-m", text, where=self.root)

    def edit(self, text: str) -> None:
        path = self.root / self.code
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"/* {text} */\n")

    def stage(self, text: str) -> None:
        self.edit(text)
        self.git("add", "--sparse", "--", self.code, where=self.root)

    def settle(self) -> None:
        """Under its condition: where the top level is, and which branch it is on."""
        self.root = Path(os.fsdecode(os.fsencode(self.git("rev-parse", "--show-toplevel"))))
        self.begun_at = self.git("rev-parse", "HEAD")

    def seen(self) -> dict[str, object]:
        """Everything of the user's: what lies in `.continuity/` is taken out."""
        born = self.git("rev-parse", "-q", "--verify", "HEAD", code=None, where=self.root).strip() != ""
        log = ("log", "--exclude=refs/stash", "--all", "--format=%s", "--topo-order")
        return {
            "exit codes": self.codes,
            "subjects": sorted(self.git(*log, where=self.root).splitlines()),
            "tree": self._without(self.git("ls-tree", "-r", "HEAD", where=self.root) if born else ""),
            "index": self._without(self.git("ls-files", "-s", where=self.root)),
            "status": self._without(self.git("status", "--porcelain", "--untracked-files=all", where=self.root)),
            "branch": self.git("branch", "--show-current", where=self.root),
            "branches": self.git("branch", "--format=%(refname)", where=self.root).splitlines(),
            "stashes": len(self.git("stash", "list", where=self.root).splitlines()),
            "files": self._files(),
        }

    @staticmethod
    def _without(listing: str) -> list[str]:
        return [line for line in listing.splitlines() if ".continuity/" not in line]

    def _files(self) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in (".git", ".continuity")]
            for name in names:
                path = Path(folder, name)
                if name != ".git" and path.is_file():
                    found[str(path.relative_to(self.root))] = _IDS.sub(rb"\1 id", path.read_bytes())
        return found

    def data(self, *words: str) -> Any:
        return json.loads(self.cc(*words, "--json"))["data"]

    def titles(self) -> dict[str, str]:
        """Title → id of everything that is here."""
        return {line["title"]: line["id"] for line in self.data("list", "--all")}


def every_object(repository: Path, environ: dict[str, str]) -> bytes:
    """The bytes of all that a repository holds."""
    words = ("cat-file", "--batch-all-objects", "--unordered", "--batch", "--buffer")
    return subprocess.run(["git", "-C", repository, *words], env=environ, check=True, capture_output=True).stdout
