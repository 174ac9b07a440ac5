"""What the rules of the present snapshot are asked, and what they answer: values. `classify.py` holds the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from cc_git.model.fault import Fault
from cc_git.store.journal_state import JournalState, ReflogPosition
from cc_git.store.present import Edit, Entry, Workspace


class Reach(Enum):
    """What reaches a commit. A commit that is in no entry of `Facts.reach` is reached by nothing."""

    HEAD = "head"
    REF = "ref"


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file on disk that HEAD lacks, or a document on disk with other bytes than HEAD's.

    `fault` says why it cannot be used; `staged`: the index has an entry for the path.
    """

    blob: str
    fault: Fault | None = None
    staged: bool = False


def _none() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Facts:
    """Everything the rules ask. `found` is None where there is no work tree (a bare repository)."""

    state: JournalState
    head_commit: str | None
    head: Mapping[str, str]
    """HEAD's files below the workspace, path → blob."""
    found: Mapping[str, Found] | None
    workspace: Workspace
    position: ReflogPosition
    tips: str
    underway: tuple[str, ...] = ()
    holders: Mapping[str, str] = field(default_factory=_none)
    """Pending path → a commit that holds it (rule 1)."""
    published: frozenset[str] = frozenset()
    """Watched paths that a remote-tracking branch holds with the same bytes."""
    anchors: Mapping[str, str] = field(default_factory=_none)
    """Watched path → the commit that it is to be watched with from now on (rule 2)."""
    reach: Mapping[str, Reach] = field(default_factory=lambda: MappingProxyType({}))
    """Commit → what reaches it, for the watched files that HEAD lacks."""
    stashed: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    """Paths that sparse checkout leaves out."""
    tombstones: frozenset[str] = frozenset()
    """Forgotten ids: those with a tombstone that a person is bound to."""
    entombed: Mapping[str, str] = field(default_factory=_none)
    """HEAD's files that belong to forgotten ids, path → blob."""
    tracked_private: frozenset[str] = frozenset()
    """HEAD's files below `private/`."""
    empty_blob: str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@dataclass(frozen=True)
class Verdict:
    """The classes, and what is to be done: `state` is what the journal should hold from now on."""

    state: JournalState
    added: Mapping[str, Entry]
    hidden: frozenset[str]
    waiting: tuple[str, ...]
    guests: tuple[str, ...]
    withdrawn: tuple[str, ...]
    elsewhere: tuple[str, ...]
    stranded: tuple[str, ...]
    edited: tuple[Edit, ...]
    forgotten: tuple[str, ...]
    kept: tuple[str, ...]
    """Of forgotten ids what the journal holds, pending, private or watched."""
    faults: tuple[Fault, ...]
    adopt: tuple[str, ...]
    """Paths whose bytes on disk the journal must take before it can hold `state`."""
    put_back: tuple[str, ...]
