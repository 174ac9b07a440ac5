"""What the store needs of a Git repository: one small protocol, whoever serves it.

Object ids are lower-case hexadecimal `str` of the repository's own length (40 or 64). Paths are POSIX `str`; a name
that is no UTF-8 is carried with `surrogateescape`. No type of a Git library appears here: libgit2 serves the protocol
(`pygit2_engine.py`) and so does the git program (`program_engine.py`); `engines.py` chooses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from cc_git.errors import Damaged
from cc_git.model.fault import LARGEST

Kind = Literal["blob", "tree", "commit", "tag"]

LARGEST_KEPT: Final = 16 << 20
"""Bytes of a file that the journal keeps: an attachment may be longer than an object."""

FILE: Final = 0o100644
EXECUTABLE: Final = 0o100755
LINK: Final = 0o120000
TREE: Final = 0o040000
GITLINK: Final = 0o160000
"""An entry that names a commit of some repository; Git follows it nowhere."""


class MissingObject(Damaged):
    """An object that is not here: a partial or shallow clone, or one that was pruned."""

    kind = "missing-object"

    def __init__(self, oid: str) -> None:
        super().__init__(
            f"the Git object {oid} is not in this clone",
            why="a partial or shallow clone leaves objects out, and nothing is fetched unasked",
            hints=("git fetch --refetch", "git fetch --unshallow"),
        )
        self.oid = oid


class TooLarge(Damaged):
    """A blob that is not read, because it is larger than whoever asks can use."""

    kind = "too-large"

    def __init__(self, oid: str, size: int) -> None:
        super().__init__(
            f"the Git object {oid} is not read",
            why=f"it has {size} bytes",
            hints=("git log --find-object=" + oid,),
        )
        self.size = size


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a tree. `mode` is one of the constants above (old trees may hold others, such as 0o100664)."""

    name: str
    mode: int
    oid: str

    @property
    def is_tree(self) -> bool:
        return self.mode == TREE

    @property
    def is_file(self) -> bool:
        """A regular file; links and gitlinks are none of ours."""
        return self.mode & 0o170000 == 0o100000


@dataclass(frozen=True, slots=True)
class Change:
    """A file that differs between two trees; None says that it is not there on that side."""

    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Commit:
    """`committed_at` is in seconds since 1970 (the commit's own word for it: clocks are wrong)."""

    oid: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committed_at: int
    message: str


class Engine(Protocol):
    """One repository, opened. Reading raises `MissingObject` for an object that is not there."""

    @property
    def object_format(self) -> Literal["sha1", "sha256"]: ...

    @property
    def served_by(self) -> str:
        """The library or program with its version and, where it is not the usual one, why; for people."""

    def close(self) -> None:
        """Let go of files, caches and processes; the engine is not used afterwards."""

    def durable(self, wanted: bool, /) -> None:
        """Whether objects and packs are on the disk when writing them returns."""

    def many(self) -> AbstractContextManager[None]:
        """For writing many objects: inside, none is synced for itself, and others may not see them yet.

        What is loose afterwards is not on the disk for sure until `write_pack` has packed it.
        """

    # objects
    def has(self, oid: str) -> bool: ...

    def all_objects(self) -> Iterator[tuple[str, str, bytes]]:
        """Every object in the database, loose or packed, reached or not: id, kind, bytes. For small ones of our own."""

    def blob(self, oid: str, most: int = LARGEST) -> bytes:
        """Raises `TooLarge` for more than `most` bytes, before it has read them."""

    def commit(self, oid: str) -> Commit: ...

    def tree(self, oid: str) -> Sequence[Entry]:
        """The lines of one tree, in Git's order."""

    def lines(self, oid: str) -> Sequence[tuple[bytes, bytes, bytes]]:
        """The same as octal mode, name and raw id: for folders so large that no value per line may be made."""

    def write_blob(self, data: bytes) -> str: ...

    def write_tree(self, entries: Iterable[Entry]) -> str:
        """A tree of these lines, in any order; the objects that they name are not looked at."""

    def overlay(self, base: str | None, changes: Mapping[str, tuple[int, str] | None]) -> str | None:
        """Write the tree `base` with files set to (mode, id) or taken away; None when nothing is left."""

    def write_commit(self, tree: str, parents: Sequence[str], message: str, author: Person, *, seconds: int) -> str:
        """A commit by `author` at `seconds` since 1970 UTC; moves no ref."""

    def write_pack(self, oids: Iterable[str]) -> str:
        """Store these objects once more, together, as one pack; its file's name without the suffix."""

    # trees as folders of files
    def entry(self, tree: str, path: str) -> Entry | None:
        """The entry at `path` below `tree`; the empty path is the tree itself."""

    def files(self, tree: str) -> Mapping[str, str]:
        """Every regular file below `tree`, as path → blob."""

    def diff(self, before: str | None, after: str | None) -> Mapping[str, Change]:
        """The regular files that differ between two trees (None: no tree); equal subtrees are not read."""

    # names and history
    def resolve(self, revision: str) -> str | None:
        """The commit that a revision names (`HEAD`, `main~2`, an abbreviated id, a tag), or None."""

    def ref(self, name: str) -> str | None:
        """What one ref, by its full name, points at (not peeled), or None."""

    def refs(self, prefix: str = "refs/") -> Mapping[str, str]:
        """Every ref below `prefix`, as full name → the commit that it leads to, annotated tags peeled. What leads to
        none (a tag of a tree, a replaced blob) is left out, and so is what is broken; a commit may be missing here."""

    def head(self) -> tuple[str | None, str | None]:
        """The branch's full name (None when detached) and the commit of HEAD (None when unborn)."""

    def move_ref(self, name: str, new: str | None, expected: str | None) -> bool:
        """Set (or, with None, delete) a ref if it still is `expected` (None: absent); False when it is not."""

    def walk(self, tips: Iterable[str], hidden: Iterable[str] = ()) -> Iterator[str]:
        """Commits reachable from `tips` and not from `hidden`, children before parents, newest first."""

    def unreached(self, commits: Iterable[str], tips: Iterable[str]) -> frozenset[str]:
        """Those of `commits` that no one of `tips` reaches (a commit reaches itself); unknown ones count as such."""

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        """Whether `descendant` reaches `ancestor`; a commit is its own ancestor."""
