"""The episode: what happened or was said, as evidence. Immutable."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.spine import Attachment, Relation, Source
from cc_git.model.value import FORMAT, Id, Instant, Lines, OneLine, Prose, Slug, Value, has_prefix

EpisodeType = Literal[
    "assertion",
    "decision",
    "correction",
    "permission",
    "commitment",
    "observation",
    "action",
    "outcome",
    "request",
    "message",
    "import",
]


class Episode(Value):
    LATE: ClassVar[tuple[str, ...]] = ()

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    type: EpisodeType
    content: Prose
    speaker: OneLine | None = None
    scope: Scope = EVERYWHERE
    authority: Authority
    actor: OneLine
    source: Source
    sensitivity: Sensitivity = "ordinary"
    retention: OneLine = "keep"
    recorded_at: Instant
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    trigger: Id | None = None
    relations: tuple[Relation, ...] = ()
    subject: Slug | None = None
    tags: Lines = ()
    attachments: tuple[Attachment, ...] = ()

    @property
    def starts(self) -> datetime:
        return self.valid_from or self.recorded_at

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "ep")
        return self
