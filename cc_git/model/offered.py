"""What a host model proposes to consolidate: a file that is checked and stays a set of proposals."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from cc_git.model.kinds import Kind
from cc_git.model.value import Id, Instant, OneLine, Slug, Value

_STRICT = ConfigDict(frozen=True, extra="forbid", defer_build=True)
OfferedSort = Literal["add", "reinforce", "supersede", "conflict", "expire", "no-change", "procedure-candidate"]


class Offered(Value):
    """One proposal. `sources` are the episodes that it follows from; `target` is the record that it reinforces,
    supersedes, contradicts or ends (at `valid_to`). `fields` are the kind's own. `rationale` is shown and not kept."""

    model_config = _STRICT

    sort: OfferedSort
    sources: Annotated[tuple[Id, ...], Field(min_length=1)]
    target: Id | None = None
    kind: Kind | None = None
    text: Annotated[str, Field(min_length=1, strict=True)] | None = None
    title: OneLine | None = None
    subject: Slug | None = None
    valid_to: Instant | None = None
    expires_at: Instant | None = None
    fields: dict[str, Any] = Field(default_factory=dict)
    rationale: Annotated[str, Field(strict=True)] = ""


class OfferedFile(Value):
    model_config = _STRICT

    format: Literal["cc-git-proposals/1"]
    proposals: Annotated[tuple[Offered, ...], Field(min_length=1)]
