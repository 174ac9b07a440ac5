"""The present snapshot: what this worktree remembers now, as one value. `classify.py` holds the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from cc_git.model.fault import Fault
from cc_git.store.head_tree import HeadTree

_V = TypeVar("_V")


class Where(StrEnum):
    """Which object database, if any, holds an entry's bytes."""

    COMMITTED = "committed"
    """In HEAD's tree: the user's repository."""
    WAITING = "waiting"
    """In the journal; in the next commit at the earliest."""
    GUEST = "guest"
    """On disk, as long as an operation or the user's index leaves it there; perhaps known to the journal as well."""
    DRAFT = "draft"
    """A document that people edit, with the bytes it has on disk instead of HEAD's."""
    PRIVATE = "private"
    """The private tier: the journal."""


class Workspace(StrEnum):
    """What is to be said of `workspace.toml`."""

    READABLE = "readable"
    ABSENT = "absent"
    """Not on this branch: waiting records keep waiting."""
    BROKEN = "broken"
    """It does not parse: nothing new takes effect, and negatives do."""


class EditedAt(StrEnum):
    """Where an immutable file has other bytes than it was written with."""

    COMMITTED = "committed"
    STAGED = "staged"
    ON_DISK = "on disk"
    MISSING = "missing"
    """Committed, still in the index, and not on disk."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`oid` is the blob id of the bytes, whichever database holds them."""

    oid: str
    where: Where


@dataclass(frozen=True, slots=True)
class Edit:
    """An immutable file with changed bytes. `first` is the blob first seen, `now` the one found ("": it is missing)."""

    rel: str
    at: EditedAt
    first: str
    now: str

    @property
    def says(self) -> str:
        if self.at is EditedAt.MISSING:
            return "is committed, and missing on disk"
        return f"is written once, and was edited ({self.at})"


class Entries(Mapping[str, Entry]):
    """HEAD's files under what lies over them. A lookup reads no more than the folders on its way."""

    def __init__(self, committed: Mapping[str, str], added: Mapping[str, Entry], hidden: frozenset[str]) -> None:
        self._committed = committed
        self._added = added
        self._hidden = hidden

    def __getitem__(self, rel: str) -> Entry:
        entry = self._added.get(rel)
        if entry is None:
            if rel in self._hidden:
                raise KeyError(rel)
            entry = Entry(self._committed[rel], Where.COMMITTED)
        return entry

    def below(self, folder: str) -> dict[str, Entry]:
        """Those below one folder, without a look at the others."""
        start = f"{folder}/"
        committed = self._committed
        listed = committed.below(folder) if isinstance(committed, HeadTree) else _beginning(committed, start)
        found = {r: Entry(oid, Where.COMMITTED) for r, oid in listed.items() if r not in self._hidden}
        return found | _beginning(self._added, start)

    def __iter__(self) -> Iterator[str]:
        added, hidden = self._added, self._hidden
        yield from added
        yield from (rel for rel in self._committed if rel not in added and rel not in hidden)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def below(entries: Mapping[str, Entry], folder: str) -> dict[str, Entry]:
    """The entries below one folder (`triggers`), whatever holds them."""
    return entries.below(folder) if isinstance(entries, Entries) else _beginning(entries, f"{folder}/")


def _beginning(files: Mapping[str, _V], start: str) -> dict[str, _V]:
    return {rel: value for rel, value in files.items() if rel.startswith(start)}


def _nothing() -> Mapping[str, bytes]:
    return MappingProxyType({})


@dataclass(frozen=True)
class PresentSnapshot:
    """HEAD's files, what waits, guests and the private tier. All paths are below `.continuity/`, all lists sorted.

    `tree` is HEAD's tree of the workspace (None: none), `committed` its files. `added` lies beside or over them,
    `hidden` are those of HEAD's files that are not in: forgotten ones, and files in a tracked `private/`.
    `loose` has the bytes, by blob id, of what may be in no object database: guests, drafts, and what a read-only
    repository could not keep.
    """

    head: str | None
    tree: str | None
    committed: Mapping[str, str]
    added: Mapping[str, Entry]
    hidden: frozenset[str]
    workspace: Workspace
    workspace_fault: Fault | None = None
    waiting: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    stranded: tuple[str, ...] = ()
    edited: tuple[Edit, ...] = ()
    """Edits of committed files in the work tree or the index are looked for by `edits.py`, on demand."""
    forgotten: tuple[str, ...] = ()
    """Where the content of a forgotten id is still (or again) present: to be emptied or removed."""
    kept: tuple[str, ...] = ()
    """Of forgotten ids what the journal holds for this worktree."""
    tombstones: frozenset[str] = frozenset()
    """Forgotten ids: a tombstone that a person is bound to is in HEAD, waits, lies on disk, or was made on this clone,
    wherever it lies. What others wrote takes nothing out of the snapshot."""
    on_branch: bool = True
    """HEAD is on a branch; else a commit is looked at that may be long past."""
    faults: tuple[Fault, ...] = ()
    """Files on disk, in no commit, that cannot be used."""
    underway: tuple[str, ...] = ()
    """The operations of Git that are in progress, by name."""
    put_back: tuple[str, ...] = ()
    """Files that were missing on disk and were written again by this command."""
    adopted: tuple[str, ...] = ()
    """Files that began to wait, or joined the private tier, with this command."""
    loose: Mapping[str, bytes] = field(default_factory=_nothing)

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Everything that is in."""
        return Entries(self.committed, self.added, self.hidden)
