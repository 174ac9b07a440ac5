"""A repository with a real Git history that is made step by step, with our program beside it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from cc_git.codec import paths
from cc_git.store.present import PresentSnapshot, Workspace

from .memory import Memory, an_episode

PREFIX = ".continuity/"
_IN_THE_WAY = re.compile(
    r"(?<=untracked working tree files would be overwritten by )[a-z ]+:\n(?:\t.*\n)+|^.* already exists, no checkout$",
    re.MULTILINE,
)
"""The two ways in which Git refuses because of a file that it does not know."""


@dataclass
class World:
    """`ours` are the acknowledged files, path → bytes; `foreign` those of somebody who is never merged for good."""

    top: Path
    rng: Random
    memory: Memory = field(init=False)
    ours: dict[str, bytes] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)
    branches: list[str] = field(default_factory=lambda: ["main", "one", "two"])
    put_back: set[str] = field(default_factory=set)
    """Files that our program put on disk beside the one it was asked to write; a new id stands in nobody's way."""
    trace: list[str] = field(default_factory=list)
    refused_by_us: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.memory = Memory(self.top)

    def begin(self, *, union: bool) -> None:
        self.top.mkdir(parents=True, exist_ok=True)
        self.run("init", "-q")
        (self.top / "a.c").write_text("0\n")
        (self.top / ".gitattributes").write_text("a.c merge=union\n" if union else "\n")
        self.run("add", "-A")
        self.run("commit", "-qm", "before any workspace")
        self.run("branch", "old")
        self.memory.init()
        self.remember()
        self.run("add", "-A")
        self.run("commit", "-qm", "base")
        self.run("branch", "one")
        self.run("branch", "two")
        self.look()

    # git
    def run(self, *words: str, stdin: str | None = None, **variables: str) -> str | None:
        """The output, or None if git refused; notes whether it refused because of a file that we put back."""
        done = self.process(*words, stdin=stdin, **variables)
        self.trace.append(f"{' '.join(words)} → {done.returncode}")
        if done.returncode:
            in_the_way = "".join(_IN_THE_WAY.findall(done.stderr))
            if guilty := {rel for rel in self.put_back if rel in in_the_way}:
                self.refused_by_us.append(f"{self.trace[-1]}: {sorted(guilty)}\n{done.stderr}")
            return None
        if words[0] == "commit":
            # From here on the user has them tracked, and it is his word that lets them lie there untracked again.
            self.put_back -= {path.removeprefix(PREFIX) for path in self.ask("ls-files", "--", PREFIX).split()}
        return done.stdout.strip()

    def process(self, *words: str, stdin: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        command = ["git", *words]
        if variables:
            command = ["env", *(f"{name}={value}" for name, value in variables.items()), *command]
        self.put_back = {rel for rel in self.put_back if (self.top / PREFIX / rel).exists()}
        return subprocess.run(command, cwd=self.top, input=stdin, capture_output=True, text=True, check=False)

    def ask(self, *words: str) -> str:
        return self.process(*words).stdout.strip()

    def code(self) -> None:
        with (self.top / "a.c").open("a") as file:
            file.write(f"{self.rng.random()}\n")

    def has(self, mark: str) -> bool:
        return (self.top / ".git" / mark).exists()

    @property
    def underway(self) -> bool:
        return any(map(self.has, ("MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD")))

    # our program
    def look(self) -> PresentSnapshot:
        index = self._index()
        with self._noting_what_appears():
            present = self.memory.look()
        assert self._index() == index, "a look changed the user's index"
        self.trace.append("look")
        return present

    @contextmanager
    def _noting_what_appears(self) -> Iterator[None]:
        before = self._on_disk()
        yield
        self.put_back |= self._on_disk() - before

    def _on_disk(self) -> set[str]:
        base = self.top / PREFIX
        return {str(path.relative_to(base)) for path in base.rglob("*") if path.is_file()}

    def _index(self) -> bytes:
        file = self.top / ".git" / "index"
        return file.read_bytes() if file.exists() else b""

    def remember(self) -> None:
        """As the command: refused on a branch without a workspace."""
        if self.look().workspace is Workspace.ABSENT:
            return
        rel, data = an_episode(self.rng)
        if self.rng.random() < 0.15:
            rel = paths.private(rel)
        with self._noting_what_appears():
            self.memory.write({rel: data})
        self.put_back.discard(rel)
        self.ours[rel] = data
        self.trace.append(f"remember {rel[-15:-5]}")

    def foreign_commit(self, *, conflicting: bool) -> str | None:
        """A commit beside HEAD, of somebody else's, with a record and perhaps a clash in the code."""
        rel, data = an_episode(self.rng)
        self.foreign.add(rel)
        base = self.ask("rev-parse", "-q", "--verify", "HEAD~1")
        if not base:
            return None
        blob = self.process("hash-object", "-w", "--stdin", stdin=data.decode()).stdout.strip()
        code = self.process("hash-object", "-w", "--stdin", stdin=str(self.rng.random())).stdout.strip()
        index = {"GIT_INDEX_FILE": str(self.top / ".git" / "foreign-index")}
        self.process("read-tree", base, **index)
        self.process("update-index", "--add", "--cacheinfo", f"100644,{blob},{PREFIX}{rel}", **index)
        if conflicting:
            self.process("update-index", "--add", "--cacheinfo", f"100644,{code},a.c", **index)
        tree = self.process("write-tree", **index).stdout.strip()
        return self.ask("commit-tree", "-p", base, "-m", "foreign", tree) or None
