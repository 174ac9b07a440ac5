"""What must not get into a commit, judged by what a file says and not by where it lies. The one rule for the pre-commit
hook, for `cc-git commit`, and for what commands write.

A file is no less sensitive than

1. it says of itself, anywhere in it;
2. the private file whose id it bears, or whose bytes it has;
3. whatever private it names: an id, in a link or in a text, or the path of a private file.

Above the ceiling it stays in the private tier. What names something private (3) may say so itself, where a person is
bound to these very bytes: they were asked. A receipt names what it concerned, and a revoke or reject of something that
is tracked goes wherever that goes, without the hash of anything private. A tombstone or an ending is a mark where it
has the very bytes that marks have, at its place; anything else there is looked at like any file.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Literal, Protocol

from cc_git.codec import paths
from cc_git.codec.named import Named, ids_in, named_in
from cc_git.codec.texts import document_in, listed
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity
from cc_git.model.ids import is_id, short

_MARK = 'format = "cc-git/1"\nid = "{}"\n'
"""The bytes of a tombstone or ending; their models would be most of what the hook loads."""
LOOKED_THROUGH = 16 << 20
"""Bytes of a file that is looked through. What is longer is no record, and reading it would make a commit wait."""
_TAKES_BACK = ("revoke", "reject")
Sort = Literal["says", "is", "names", "hash", "unread"]


class Private(Protocol):
    """What is private on this clone."""

    def holds(self, identifier: str) -> bool:
        """A private file bears this id, and no committed one does."""

    def tracks(self, identifier: str) -> bool:
        """A file of this id lies where it is committed, or will be."""

    def weight(self, identifier: str) -> Sensitivity | None:
        """How sensitive what bears this id counts as; None where that makes nothing private."""

    def weight_of_bytes(self, blob: str) -> Sensitivity | None:
        """The same of private files with these bytes."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A file as it would be committed; `rel` is its path below the workspace, `data` None where it is too long."""

    rel: str
    blob: str
    data: bytes | None


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a file is at least so sensitive. `what` is the id or path that it bears or names."""

    sort: Sort
    sensitivity: Sensitivity
    what: str = ""

    def in_words(self, ceiling: Sensitivity) -> str:
        if self.sort == "says":
            return f"says that it is {self.sensitivity}, and up to {ceiling} is committed here"
        if self.sort == "is":
            return f"{short(self.what)} is private on this clone" if self.what else "has the bytes of a private file"
        if self.sort == "unread":
            most = f"{LOOKED_THROUGH >> 20} MiB"
            return f"is longer than {most}, and may hold what is private: keep it outside, or add it by cc-git commit"
        if self.sort == "hash":
            return f"has the hash of a private file ({self.what[:12]}), by which anybody could test a guess"
        return f"names {short(self.what) if is_id(self.what) else self.what}, which is private on this clone"


def grounds(file: Laid, private: Private) -> Iterator[Ground]:
    """All that makes a file more than ordinary, its own word first."""
    if file.data is None:
        yield Ground("unread", "sensitive")
        return
    if not file.data or is_mark(file.rel, file.data):
        return
    said = named_in(file.rel, file.data)
    if said.sensitivity != "ordinary":
        yield Ground("says", said.sensitivity)
    twin = private.weight_of_bytes(file.blob)
    if twin is not None:
        yield Ground("is", twin)
    own = frozenset(ids_in(file.rel))
    yield from _weighed("is", own, private)
    if paths.folder_of(file.rel) == paths.RULINGS:
        yield from _hashes(file, private)
    if paths.folder_of(file.rel) != paths.RECEIPTS:
        yield from _weighed("names", _named(file, said, private) - own, private)
        for place in sorted(said.places):
            yield Ground("names", weight_of_place(place, private), place)


def is_mark(rel: str, data: bytes) -> bool:
    """A tombstone or ending at its place that holds its id and nothing else, not even a comment."""
    own = paths.id_at(rel)
    at_its_place = own is not None and rel in (paths.tombstone_path(own), paths.ending_path(own))
    return at_its_place and data == _MARK.format(own).encode()


def weight_of_place(place: str, private: Private) -> Sensitivity:
    """What lies in a private folder is there for a reason."""
    return highest("sensitive", *(weight for one in ids_in(place) if (weight := private.weight(one)) is not None))


def _weighed(sort: Sort, ids: Set[str], private: Private) -> Iterator[Ground]:
    for identifier in sorted(ids):
        weight = private.weight(identifier)
        if weight is not None:
            yield Ground(sort, weight, identifier)


def _hashes(file: Laid, private: Private) -> Iterator[Ground]:
    for blob in sorted({str(one) for one in listed((document_in(file.data or b"") or {}).get("saw"))}):
        weight = private.weight_of_bytes(blob)
        if weight is not None:
            yield Ground("hash", weight, blob)


def _named(file: Laid, said: Named, private: Private) -> Set[str]:
    if paths.folder_of(file.rel) != paths.RULINGS:
        return said.ids
    ruling = document_in(file.data or b"") or {}
    targets = ruling.get("targets")
    if ruling.get("verb") not in _TAKES_BACK or not isinstance(targets, list):
        return said.ids
    tracked = any(isinstance(one, str) and not private.holds(one) and private.tracks(one) for one in targets)
    return said.ids - {one for one in targets if isinstance(one, str)} if tracked else said.ids
