"""Attestations and negatives: what a clone knows beyond the files of one branch. Values, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from cc_git.model.filed import Filed
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import Policy
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling


@dataclass(frozen=True)
class Attestations:
    """Blobs that a person is bound to: what stands in the accepted branch, and what was confirmed on this clone.

    `accepted_policy` is the policy of the accepted branch: only it may loosen the defaults for what is gated. `once`:
    blobs of negatives that a person was bound to at some time, whether one still is or not; what they took stays taken.
    `buried` are ids whose tombstone counts as a person's, whoever's it is.
    """

    accepted: frozenset[str] = frozenset()
    confirmed: frozenset[str] = frozenset()
    accepted_policy: Policy | None = None
    once: frozenset[str] = frozenset()
    buried: frozenset[str] = frozenset()

    def holds(self, blob: str) -> bool:
        return blob in self.accepted or blob in self.confirmed


@dataclass(frozen=True, slots=True)
class SeenNegative:
    """A negative this clone has ever seen outside the snapshot at hand.

    `force` is `counts` when HEAD or the accepted branch held it (now or earlier), or it was made here; else it only
    `withholds` until a person accepts or dismisses it. `branch` and `author` say where it was first seen; `lost` that
    HEAD's history had it.
    """

    filed: Filed[Ruling | Record | Tombstone | Ending]
    force: Literal["counts", "withholds"]
    branch: str
    author: str = ""
    lost: bool = False


@dataclass(frozen=True)
class Negatives:
    """Keyed by path below `.continuity/`; those that are in the snapshot itself need not be listed."""

    seen: Mapping[str, SeenNegative] = field(default_factory=dict)
