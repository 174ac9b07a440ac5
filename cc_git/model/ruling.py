"""The ruling: an act that changes what stands. Immutable."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from cc_git.model.authority import Authority
from cc_git.model.value import (
    FORMAT,
    Blob,
    Id,
    Ids,
    Instant,
    Items,
    Locator,
    OneLine,
    Prose,
    Value,
    has_prefix,
)

Verb = Literal[
    "accept",
    "reject",
    "revoke",
    "complete",
    "release",
    "expire",
    "reopen",
    "resolve",
    "confirm",
    "archive",
]
VERBS: tuple[Verb, ...] = (
    "accept", "reject", "revoke", "complete", "release", "expire", "reopen", "resolve", "confirm", "archive",
)  # fmt: skip


class Ruling(Value):
    """`saw` holds the blob of each target as read, in the order of `targets` (or is empty)."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    verb: Verb
    targets: tuple[Id, ...] = Field(min_length=1)
    saw: tuple[Blob, ...] = ()
    over: Ids = ()
    winner: Id | None = None
    reason: Prose = ""
    authority: Authority
    actor: OneLine
    sources: tuple[Locator, ...] = ()
    evidence: Items = ()
    recorded_at: Instant
    effective_from: Instant | None = None

    def saw_of(self, target: str) -> str | None:
        """The blob of `target` that the ruling was made on, or None where none was noted."""
        return dict(zip(self.targets, self.saw, strict=True)).get(target) if self.saw else None

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "ru")
        if self.saw and len(self.saw) != len(self.targets):
            raise ValueError("saw must name one blob for each target, or be left out")
        if self.id in self.over:
            raise ValueError("over names the ruling itself")
        if (self.verb == "resolve") != (self.winner is not None):
            raise ValueError("resolve names a winner, and no other verb does")
        if self.winner is not None and self.winner not in self.targets:
            raise ValueError("the winner must be one of the targets")
        return self
