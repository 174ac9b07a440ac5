"""What all importers share: what one is asked, what it answers, and the one function that each must offer.

An importer reads a foreign format into values; what it cannot vouch for goes to quarantine with its name. Taking it out
again is the importer's business too, for only it knows how its things hang together: `Accept`. Reviewing is the same
plan, not carried out. `table.py` lists the importers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cc_git.codec.paths import id_at
from cc_git.governance.plan import Mint, Plan
from cc_git.importers.outcomes import Done, Outcome
from cc_git.importers.quarantine import Held, Manifest, Quarantine
from cc_git.importers.settled import Settled, settled
from cc_git.model.filed import Files
from cc_git.model.record import Record
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.who import Who

BlobOf = Callable[[bytes], str]
"""Names bytes as Git does, in this repository's format."""


@dataclass(frozen=True)
class ImportPlan:
    """`plan` is None where nothing is written. `quarantine` holds the files that wait for review."""

    outcomes: tuple[Outcome, ...]
    plan: Plan | None = None
    quarantine: Quarantine | None = None

    def count(self, done: Done) -> int:
        return sum(1 for one in self.outcomes if one.done == done)


@dataclass(frozen=True)
class Here:
    """The workspace that something arrives in. `standing` are the records that are current or conflicted, `manifests`
    the imports in quarantine by id and `quarantine` all files there, `tombstones` the ids forgotten here or seen so
    elsewhere."""

    files: Files = field(default_factory=Files)
    standing: tuple[Record, ...] = ()
    scope: Scope = EVERYWHERE
    tombstones: frozenset[str] = frozenset()
    manifests: Mapping[str, Manifest] = field(default_factory=dict)
    quarantine: Mapping[str, bytes] = field(default_factory=dict)

    @cached_property
    def settled(self) -> Settled:
        return settled(self.files)


@dataclass(frozen=True)
class AcceptRequest:
    """`only`: what to take, by the ids under which it waits; None takes all that fits. `mine`: of these the person at
    the terminal says that they are their own word. `rescope` says where it shall hold here. `at_head`: of these paths
    those that HEAD has."""

    held: Held
    here: Here
    who: Who
    mint: Mint
    blob_of: BlobOf
    at_head: Callable[[frozenset[str]], frozenset[str]] = frozenset
    only: frozenset[str] | None = None
    mine: frozenset[str] = frozenset()
    rescope: Callable[[Scope], Scope] = lambda scope: scope


def unreadable(held: Held, tombstones: frozenset[str]) -> Iterator[Outcome]:
    """One outcome for each thing in quarantine whose file cannot be read: most likely it was forgotten."""
    for fault in held.faults:
        identifier = id_at(fault.rel)
        done: Done = "forgotten" if identifier in tombstones else "broken"
        yield Outcome(fault.rel, done, fault.reason, record=identifier, waits_in=held.manifest.id)


Accept = Callable[[AcceptRequest], ImportPlan]
