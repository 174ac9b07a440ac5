"""The record: a typed statement that governs future behaviour. Immutable; what it counts as now is computed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, SerializeAsAny, model_validator

from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.ids import KIND_OF_PREFIX, prefix_of
from cc_git.model.kinds import PAYLOADS, Kind, Payload
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.spine import Anchor, Entitlement, Relation
from cc_git.model.value import FORMAT, Id, Ids, Instant, Lines, Locator, OneLine, Prose, Slug, Value

EARLIEST = datetime.min.replace(tzinfo=UTC)
Confidence = Annotated[float, Field(strict=True, ge=0, le=1)]
Yes = Annotated[bool, Field(strict=True)]


class Record(Value):
    """`payload` holds the kind's own fields; on disk it is the table named after the kind.

    `valid_from` defaults to `recorded_at`, of what restrains to the beginning of time; `valid_to` and `expires_at` are
    half-open.
    """

    LATE: ClassVar[tuple[str, ...]] = ("payload",)

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    kind: Kind
    title: OneLine
    content: Prose = ""
    scope: Scope = EVERYWHERE
    authority: Authority
    actor: OneLine
    confidence: Confidence | None = None
    entitlement: Entitlement | None = None
    sensitivity: Sensitivity = "ordinary"
    retention: OneLine = "keep"
    proposal: Yes = False
    """It is only put forward: it stands by an accept that names it, whatever its authority would do alone."""
    recorded_at: Instant
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    expires_at: Instant | None = None
    review_by: Instant | None = None
    sources: tuple[Locator, ...] = ()
    derived_from: Ids = ()
    supersedes: Ids = ()
    after: Ids = ()
    conflicts_with: Ids = ()
    relations: tuple[Relation, ...] = ()
    subject: Slug | None = None
    tags: Lines = ()
    anchors: tuple[Anchor, ...] = ()
    payload: SerializeAsAny[Payload]

    @property
    def starts(self) -> datetime:
        """A restraint waits for no clock that wrote it, only for what it says itself."""
        return self.valid_from or (EARLIEST if self.restrains else self.recorded_at)

    @property
    def ends(self) -> datetime | None:
        """The earlier of `valid_to` and `expires_at`; from that instant on the record is expired."""
        times = [t for t in (self.valid_to, self.expires_at) if t is not None]
        return min(times) if times else None

    @property
    def restrains(self) -> bool:
        return self.payload.restrains

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if KIND_OF_PREFIX.get(prefix_of(self.id)) != self.kind:
            raise ValueError(f"id {self.id} is not of the kind {self.kind}")
        if type(self.payload) is not PAYLOADS[self.kind]:
            raise ValueError(f"payload does not belong to the kind {self.kind}")
        for name in ("derived_from", "supersedes", "conflicts_with"):
            if self.id in getattr(self, name):
                raise ValueError(f"{name} names the record itself")
        if self.kind == "hypothesis" and self.expires_at is None:
            raise ValueError("a hypothesis needs expires_at")
        if self.valid_to is not None and self.valid_to < (self.valid_from or self.recorded_at):
            raise ValueError("valid_to lies before valid_from")
        return self
