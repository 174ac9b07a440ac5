"""What can be found in a proposal: one list of codes for `cc-git check` and the pre-commit hook.

Light on purpose: the hook loads it for every commit that touches a workspace. A new sort of finding is a code and a
level here, and whoever finds it yields a `Finding`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "notice"]
Code = Literal[
    "private",
    "above-ceiling",
    "secret",
    "format",
    "future",
    "duplicate",
    "edited",
    "removed",
    "lost-negative",
    "resurrected",
    "dangling",
    "source-missing",
    "scope",
    "wider-than-source",
    "authority",
    "in-a-persons-name",
    "without-effect",
    "policy",
    "forgets",
    "instruction-like",
]
LEVELS: dict[Code, Level] = {
    "private": "error",
    "above-ceiling": "error",
    "secret": "error",
    "format": "error",
    "future": "warning",
    "duplicate": "error",
    "edited": "error",
    "removed": "warning",
    "lost-negative": "error",
    "resurrected": "error",
    "dangling": "error",
    "source-missing": "warning",
    "scope": "error",
    "wider-than-source": "warning",
    "authority": "error",
    "in-a-persons-name": "warning",
    "without-effect": "notice",
    "policy": "warning",
    "forgets": "notice",
    "instruction-like": "warning",
}
"""What is an error makes `check` exit with 1; `docs/review.md` says why each is what it is, and a test compares."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`path` is from the repository's top level, `line` counts from 1. `says` goes on after the path,
    `helps` is a remedy or a command."""

    code: Code
    path: str
    says: str
    line: int | None = None
    helps: str = ""
    level: Level = "error"

    @property
    def where(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


def found(
    code: Code, path: str, says: str, *, line: int | None = None, helps: str = "", level: Level | None = None
) -> Finding:
    """A finding with the level of its code, unless this one weighs another."""
    return Finding(code, path, says, line, helps, level or LEVELS[code])
