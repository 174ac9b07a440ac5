"""The bundle: what one workspace gives to another, bound by a digest. A claim wherever it arrives, never an order."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import Id, Ids, Instant, Lines, OneLine, Value
from cc_git.model.verdict import Standing

BUNDLE_FORMAT = "cc-git-bundle/1"
CONTESTED = "contested"

Document = dict[str, Any]
"""A value as its file spells it (`docs/format.md`), with instants as text."""


class BundledRecord(Value):
    """A record with what it counted as where it comes from; `value` is its file, `sensitivity` no lower than that of
    its sources there. The flag `contested`: it stands there only against something that did not come along."""

    standing: Standing
    authority: Authority
    attested: bool = False
    sensitivity: Sensitivity = "ordinary"
    flags: Lines = ()
    value: Document


class EndedRecord(Value):
    """A record that does not stand where it comes from, or with `effective_from` will not from then on, because
    somebody ruled so: its id and why, without its content."""

    id: Id
    standing: Standing
    effective_from: Instant | None = None

    def is_over(self, now: datetime) -> bool:
        return self.effective_from is None or self.effective_from <= now


class Origin(Value):
    """Which workspace, and which snapshot of it (`tree`) at which commit."""

    workspace: OneLine
    tree: OneLine
    commit: OneLine | None = None


class Bundle(Value):
    """`forgotten` are the ids that have a tombstone there. `left_out` counts by reason. All lists are in the order of
    their ids, so the same snapshot gives the same bytes."""

    format: Literal["cc-git-bundle/1"] = "cc-git-bundle/1"
    program: OneLine
    exported_at: Instant
    origin: Origin
    scope: Scope = EVERYWHERE
    ceiling: Sensitivity
    episodes: tuple[Document, ...] = ()
    records: tuple[BundledRecord, ...] = ()
    ended: tuple[EndedRecord, ...] = ()
    forgotten: Ids = ()
    left_out: dict[str, Annotated[int, Field(strict=True, ge=0)]] = Field(default_factory=dict)
