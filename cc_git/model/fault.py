"""A fault: a file that could not be read as what it should be. It is reported and skipped, never rewritten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FaultCode = Literal[
    "empty",
    "syntax",
    "invalid",
    "future",
    "misplaced",
    "encoding",
    "duplicate",
    "edited",
    "conflict-markers",
    "missing",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """`rel` is the path below `.continuity/`, `line` counts from 1 where it is known."""

    rel: str
    code: FaultCode
    reason: str
    line: int | None = None

    def __str__(self) -> str:
        where = self.rel if self.line is None else f"{self.rel}:{self.line}"
        return f"{where}: {self.reason}"
