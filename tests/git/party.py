"""One of two who do the same: one with a workspace, records and our hooks, the other with plain Git alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cc_git.store.play import play_at_terminal
from tests.started import program

SECRET = "The harbour is sold to the lowest bidder"
"""Kept privately: it may be in nothing that Git would send."""
WAITING = "Waiting still"
_STATUS = ("status", "--porcelain", "--untracked-files=all")
_IDS = re.compile(rb"^(>>>>>>> (?:parent of )?|<<<<<<< )[0-9a-f]{7,40}\b", re.MULTILINE)
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
    is_bare: bool = False
    wanted: dict[str, str] = field(default_factory=dict)
    """Title → id of the records that were there when the operation began."""
    around: dict[str, str | None] = field(default_factory=dict)
    """Variables of the condition; None: there is none of the name."""
    others: list[str] = field(default_factory=list)
    """Folders below the top level that are workspaces too."""
    gone: set[str] = field(default_factory=set)
    """Titles of what was taken away by an operation: they never come back."""
    revoked: set[str] = field(default_factory=set)
    """Ids, the same."""
    refusals: int = 0
    ends: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.top = self.root = self.folder / "work"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def environ(self, **more: str) -> dict[str, str]:
        home = str(self.home)
        around = {"HOME": home, "XDG_CONFIG_HOME": f"{home}/.config", "GIT_CONFIG_GLOBAL": f"{home}/.gitconfig"}
        found: dict[str, str | None] = {**os.environ, **around, **self.around, **more}
        return {name: value for name, value in found.items() if value is not None}

    def run(self, *words: str, where: Path | None = None, stdin: str | None = None, **more: str) -> int:
        """A command of Git's as part of an operation: its exit code counts in the comparison."""
        done = self._start(["git", *words], where or self.root, self.environ(**more), stdin)
        self.codes.append(done.returncode)
        return done.returncode

    def refused(self, *words: str) -> None:
        """A command that a hook of ours stops, by policy; plain Git does not even try it."""
        if self.ours:
            self.git(*words, code=1, where=self.root)
            self.refusals += 1

    def git(self, *words: str, code: int | None = 0, where: Path | None = None) -> str:
        done = self._start(["git", *words], where or self.top, self.environ())
        if code is not None and done.returncode != code:
            raise AssertionError(f"git {' '.join(words)} → {done.returncode}\n{self.said}")
        return done.stdout + done.stderr if code is None else done.stdout.strip("\n")

    def cc(self, *words: str, code: int | None = 0, where: Path | None = None) -> str:
        """A command of ours; the other one has none."""
        if not self.ours:
            return ""
        done = self._start([*program(), *words], where or self.top, self.environ())
        if code is not None and done.returncode != code:
            raise AssertionError(f"cc-git {' '.join(words)} → {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def person(self, *words: str) -> int:
        """A command of ours that a person answers with yes, at a terminal; its exit code."""
        around = {**self.environ(), "TERM": "dumb", "NO_COLOR": "1"}
        return play_at_terminal([*program(), *words], self.top, around, ("y",)).code

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
        if self.is_bare:
            self.root = self.top
        else:
            self.root = Path(os.fsdecode(os.fsencode(self.git("rev-parse", "--show-toplevel"))))

    def begin(self) -> None:
        """The waiting record, on the commit that is checked out now; a condition may do so before it leaves it."""
        self.begun_at = self.head()
        self.cc("remember", WAITING, "-k", "decision", code=8 if self.is_bare else 0)
        if not self.is_bare and SECRET not in self.cc("list", "--all"):  # each clone has private things of its own
            self.cc("remember", SECRET, "-k", "decision", "--sensitivity", "sensitive")
        self.wanted = self.titles()

    def head(self) -> str:
        """The commit that is checked out; nothing where there is none."""
        return self.git("rev-parse", "-q", "--verify", "HEAD", code=None).strip()

    def seen(self) -> dict[str, object]:
        """Everything of the user's: what lies in `.continuity/` is taken out."""
        born = self.head() != ""
        log = ("log", "--exclude=refs/stash", "--all", "--format=%s", "--topo-order")
        return {
            "exit codes": self.codes,
            "subjects": sorted(self.git(*log, where=self.root).splitlines()),
            "tree": self._without(self.git("ls-tree", "-r", "HEAD", where=self.root) if born else ""),
            "index": self._without(self.git("ls-files", "-s", where=self.root)),
            "status": self._without(self.git(*_STATUS, code=128 if self.is_bare else 0, where=self.root)),
            "branch": self.git("branch", "--show-current", where=self.root),
            "branches": self.git("for-each-ref", "--format=%(refname)", "refs/heads", where=self.root).splitlines(),
            "stashes": self.git("stash", "list", code=128 if self.is_bare else 0, where=self.root).count("\n"),
            "files": {} if self.is_bare else self._files(),
        }

    @staticmethod
    def _without(listing: str) -> list[str]:
        return [line for line in listing.splitlines() if ".continuity/" not in line]

    def _files(self) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in (".git", ".continuity", ".githooks")]
            for name in names:
                path = Path(folder, name)
                if name != ".git" and path.is_file():
                    found[str(path.relative_to(self.root))] = _IDS.sub(rb"\1id", path.read_bytes())
        return found

    def data(self, *words: str) -> Any:
        return json.loads(self.cc(*words, "--json"))["data"]

    @property
    def places(self) -> list[Path]:
        """A folder in each workspace that there is on disk."""
        return [self.top, *(self.root / name for name in self.others if (self.root / name).exists())]

    def titles(self) -> dict[str, str]:
        """Title → id of everything that is here."""
        if not self.ours:
            return {}
        told = [json.loads(self.cc("list", "--all", "--json", code=None, where=place)) for place in self.places]
        lines = [one["data"] or [] for one in told]  # none: this branch has no workspace
        return {line["title"]: line["id"] for found in lines for line in found}


def every_object(repository: Path, environ: dict[str, str]) -> bytes:
    """The bytes of all that a repository holds."""
    words = ("cat-file", "--batch-all-objects", "--unordered", "--batch", "--buffer")
    return subprocess.run(["git", "-C", repository, *words], env=environ, check=True, capture_output=True).stdout
