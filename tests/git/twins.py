"""Two repositories with one history: one with a workspace and our hook, one driven by plain Git without us."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from cc_git.store.git import Git
from cc_git.store.hook_install import carry_out, plan_install

from .histories.memory import Memory

CODE = "one\ntwo\nthree\n"


@dataclass
class Side:
    """One of the two. `codes` are the exit codes of the commands of a form, `said` their words."""

    top: Path
    ours: bool
    codes: list[int] = field(default_factory=list)
    said: str = ""
    between: Callable[[], object] = lambda: None
    """Called after every command of a form."""

    def git(self, *words: str, cwd: Path | None = None, stdin: str | None = None, **variables: str) -> int:
        """A command that belongs to the form: its exit code counts in the comparison."""
        code = self.run(*words, stdin=stdin, cwd=cwd, **variables)
        self.codes.append(code)
        self.between()
        return code

    def run(self, *words: str, cwd: Path | None = None, stdin: str | None = None, **variables: str) -> int:
        command = ["env", *(f"{name}={value}" for name, value in variables.items()), "git", *words]
        done = subprocess.run(command, cwd=cwd or self.top, input=stdin, capture_output=True, text=True, check=False)
        self.said += f"$ git {' '.join(words)}\n{done.stdout}{done.stderr}"
        return done.returncode

    def ask(self, *words: str, cwd: Path | None = None) -> str:
        done = subprocess.run(["git", *words], cwd=cwd or self.top, capture_output=True, text=True, check=True)
        return done.stdout.rstrip("\n")

    def write(self, name: str, text: str) -> None:
        (self.top / name).parent.mkdir(parents=True, exist_ok=True)
        (self.top / name).write_text(text)

    def hook(self, name: str, body: str) -> None:
        """A hook of the user's own; put in before ours is installed it is kept, later it is another one."""
        path = self.top / ".git" / "hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def seen(self) -> dict[str, object]:
        """Everything of the user's: what `.continuity/` is in, taken out."""
        return {
            "codes": self.codes,
            "subjects": self.ask("log", "--exclude=refs/stash", "--all", "--format=%s", "--topo-order").splitlines()
            if self.run("rev-parse", "-q", "--verify", "HEAD") == 0
            else [],
            "tree": self._without(self.ask("ls-tree", "-r", "HEAD") if self.born else ""),
            "index": self._without(self.ask("ls-files", "-s")),
            "status": self._without(self.ask("status", "--porcelain", "--untracked-files=all")),
            "branch": self.ask("branch", "--show-current"),
            "stashes": len(self.ask("stash", "list").splitlines()),
        }

    @property
    def born(self) -> bool:
        return self.run("rev-parse", "-q", "--verify", "HEAD") == 0

    @staticmethod
    def _without(listing: str) -> list[str]:
        return [line for line in listing.splitlines() if ".continuity/" not in line]


@dataclass
class Twins:
    """`waiting` are the records that waited in `ours` when the form began, path → bytes."""

    ours: Side
    plain: Side
    memory: Memory
    waiting: dict[str, bytes]


def make_twins(folder: Path, *, number: int = 2) -> Twins:
    """Both have the commit `base`; ours holds a committed workspace in it, the hook, and `number` waiting records."""
    ours, plain = Side(folder / "ours", ours=True), Side(folder / "plain", ours=False)
    for side in (ours, plain):
        side.top.mkdir(parents=True)
        side.run("init", "-q")
        side.write("code.c", CODE)
        side.write("other.c", "a\nb\n")
    memory = Memory(ours.top)
    memory.init()
    for side in (ours, plain):
        side.run("add", "-A")
        side.run("commit", "-qm", "base")
    install(memory)
    rng = Random(7)
    waiting = dict(memory.remember(rng) for _ in range(number))
    return Twins(ours, plain, memory, waiting)


def install(memory: Memory, program: str = sys.executable, names: Sequence[str] = ("pre-commit",)) -> None:
    place = memory.place
    carry_out(plan_install(place, Git(place), program, names))


def look_script(memory: Memory, folder: Path) -> str:
    """A shell command that runs a command of ours, for hooks and editors."""
    script = folder / "look.py"
    script.write_text(
        "from pathlib import Path\n"
        "from tests.git.histories.memory import Memory\n"
        f"Memory(Path({str(memory.top)!r})).look()\n"
    )
    return f"{sys.executable} {script}"
