"""What a record counts as now: the result of `standing`, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.filed import Filed
from cc_git.model.record import Record

Standing = Literal[
    "forgotten",
    "damaged",
    "rejected",
    "proposed",
    "revoked",
    "completed",
    "released",
    "archived",
    "ended",
    "superseded",
    "expired",
    "not-yet-valid",
    "conflicted",
    "overruled",
    "current",
]
"""In order of precedence. `ended`: by an ending file, what a forgotten object had ended."""

Flag = Literal["needs-review", "stale", "disputed", "reported", "claimed", "under-review", "withheld", "limited"]
"""Beside the standing. `reported`: claims a user's word that nobody attested. `claimed`: completed by an agent's word.
`under-review`: a reopened decision. `withheld`: a negative on another branch holds it back. `limited`: a narrower deny
applies inside it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`by` names the ids that cause the standing; `reason` says it in one short sentence without stored text.

    `limited_by`: denies that cut into this allow. `yields_to`: records to which this one gives way at a question that
    sees both (scopes that lie in each other). `sensitivity` is no lower than that of the sources. `doubts`: one line
    for each reason to review; a confirm that repeats them as its evidence clears them.
    """

    standing: Standing
    authority: Authority
    attested: bool = False
    by: tuple[str, ...] = ()
    reason: str = ""
    flags: frozenset[Flag] = frozenset()
    limited_by: tuple[str, ...] = ()
    yields_to: tuple[str, ...] = ()
    sensitivity: Sensitivity = "ordinary"
    doubts: tuple[str, ...] = ()

    @property
    def eligible(self) -> bool:
        return self.standing in ("current", "conflicted")


@dataclass(frozen=True, slots=True)
class Clash:
    """Records that clash until somebody rules; `cause` says why they meet."""

    ids: tuple[str, ...]
    cause: Literal["line", "subject", "declared", "rulings"]


Whence = Literal["damaged", "forgotten", "counts", "withholds"]
"""Of a restraint without a whole record: a content of a damaged id, or of a forgotten one; else only this clone has
seen it, and it `counts`, or it `withholds` until a person says otherwise (as in `SeenNegative`)."""


@dataclass(frozen=True, slots=True)
class Restraint:
    """A restraint in force that is no whole record of the snapshot, and so has no standing of its own there.

    `branch` says where it was first seen (empty: on this clone, or in the snapshot), `lost` that the snapshot's own
    history had it.
    """

    filed: Filed[Record]
    verdict: Verdict
    whence: Whence
    branch: str = ""
    lost: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Id and blob: an id may have several."""
        return self.filed.value.id, self.filed.blob


@dataclass(frozen=True)
class Standings:
    """`until` is the next instant at which a standing changes without a new file, or None. `restraining` is in the
    order of its keys."""

    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    clashes: tuple[Clash, ...] = ()
    until: datetime | None = None
    restraining: tuple[Restraint, ...] = ()

    def of(self, identifier: str) -> Verdict | None:
        return self.verdicts.get(identifier)
