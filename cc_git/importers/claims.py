"""What every importer but the one for decision records makes of its source: claims, one for each thing that is said.

A claim has the evidence (its text, where it stood, the blob of that text) and a draft of the record that it would
become, or none: then it is evidence alone. Nothing here decides whether it may come in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from cc_git.importers.arrival import arrives_as
from cc_git.importers.outcomes import Outcome
from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.bundle import EndedRecord
from cc_git.model.kinds import Payload
from cc_git.model.scope import Scope
from cc_git.model.spine import Entitlement


@dataclass(frozen=True)
class Draft:
    """The record that a claim would become. `authority` overrides with what it would arrive, downwards only.

    `links` are field → places of other claims: `supersedes`, `conflicts_with`, `sources` (further evidence), or the
    word of a relation. A link to what does not come in is left out.
    """

    kind: str
    title: str
    content: str
    payload: Payload
    authority: Authority | None = None
    subject: str | None = None
    tags: tuple[str, ...] = ()
    confidence: float | None = None
    entitlement: Entitlement | None = None
    expires_at: datetime | None = None
    review_by: datetime | None = None
    proposal: bool = False
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """`place` is where it stands in the source, one line; with `blob` it is the natural key. `claimed` is whose word
    the source says it is. `reviewed`: a person let exactly this text into the accepted branch."""

    place: str
    blob: str
    text: str
    title: str
    scope: Scope
    claimed: Authority = "document"
    sensitivity: Sensitivity = "ordinary"
    speaker: str | None = None
    said_at: datetime | None = None
    valid_to: datetime | None = None
    tags: tuple[str, ...] = ()
    reviewed: bool = False
    draft: Draft | None = None

    @property
    def arrives(self) -> Authority:
        """With which authority: of the draft, or of the bare evidence."""
        if self.draft is None:
            return arrives_as(self.claimed)
        return arrives_as(self.draft.authority or self.claimed, self.draft.payload)


@dataclass(frozen=True)
class Reading:
    """All that was read from one source. `ended` and `forgotten` are ids there. `digest` binds it, where it has one."""

    importer: str
    claims: tuple[Claim, ...]
    outcomes: tuple[Outcome, ...] = ()
    ended: tuple[EndedRecord, ...] = ()
    forgotten: tuple[str, ...] = ()
    digest: str | None = None
