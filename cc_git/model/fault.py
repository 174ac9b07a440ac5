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
    "too-large",
    "secret",
]

LARGEST = 1 << 20
"""Bytes of a file that is read as an object. The longest that people write have some ten thousand; a hundred times as
much is no statement, and whoever may push a branch must not fill the memory of everybody who fetches it. What is long
belongs into an attachment."""


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


def too_large(rel: str, size: int) -> Fault:
    remedy = "shorten it, or attach it (cc-git capture TEXT --attach FILE)"
    return Fault(rel, "too-large", f"has {size} bytes, and more than {LARGEST >> 20} MiB is not read: {remedy}")
