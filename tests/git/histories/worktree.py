"""A repository with a committed workspace, for one Git history a test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from cc_git.codec import paths
from cc_git.store.present import PresentSnapshot

from .memory import Memory, an_episode

Run = Callable[..., str]


@dataclass
class Worktree:
    """A repository with a committed workspace on `main`."""

    top: Path
    git: Run
    memory: Memory
    rng: Random

    def __call__(self, *words: str) -> str:
        return self.git(self.top, *words)

    def remember(self) -> str:
        rel, _ = self.memory.remember(self.rng)
        return rel

    def commit(self, message: str = "code") -> str:
        with (self.top / "code.c").open("a") as file:
            file.write(f"/* {self.rng.random()} */\n")
        self("add", "-A")
        self("commit", "-qm", message)
        return self("rev-parse", "HEAD")

    def look(self) -> PresentSnapshot:
        return self.memory.look()

    def file(self, rel: str) -> Path:
        return self.top / self.memory.prefix / rel


def class_of(present: PresentSnapshot, rel: str) -> str | None:
    entry = present.entries.get(rel)
    named = {
        entry.where.value if entry else None,
        *(name for name in ("withdrawn", "elsewhere", "stranded") if rel in getattr(present, name)),
    } - {None}
    assert len(named) <= 1
    return named.pop() if named else None


def remember_privately(work: Worktree) -> str:
    rel, data = an_episode(work.rng)
    work.memory.write({paths.private(rel): data})
    return paths.private(rel)
