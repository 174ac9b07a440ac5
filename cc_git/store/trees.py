"""Git's tree format and what follows from it alone: listing, looking up, comparing and overlaying trees.

A tree is `<octal mode> <name> NUL <raw id>` for each line, sorted by name as if folders ended in `/`
(https://git-scm.com/book/en/v2/Git-Internals-Git-Objects). Working on these bytes is what keeps a folder of 100,000
files in tenths of a second: no object per entry is made by the library below.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Literal

from cc_git.store.engine import TREE, Change, Entry

_LINE = {size: re.compile(rb"(\d+) ([^\0]+)\0(.{%d})" % size, re.DOTALL) for size in (20, 32)}
_TREE_MODES = (b"40000", b"040000")
_CACHED_LISTINGS = 16

Line = tuple[bytes, bytes, bytes]
"""Mode in octal digits, name, raw id."""


def lines_of(data: bytes, id_size: int) -> list[Line]:
    return _LINE[id_size].findall(data)


def is_file_mode(mode: bytes) -> bool:
    return mode.startswith(b"100")


def tree_bytes(lines: Iterable[Line]) -> bytes:
    def order(line: Line) -> bytes:
        return line[1] + b"/" if line[0] in _TREE_MODES else line[1]

    return b"".join(b"%b %b\0%b" % line for line in sorted(lines, key=order))


def object_id(kind: str, data: bytes, object_format: Literal["sha1", "sha256"]) -> str:
    """The id that Git gives these bytes."""
    digest = hashlib.new(object_format, usedforsecurity=False)
    digest.update(b"%b %d\0" % (kind.encode(), len(data)))
    digest.update(data)
    return digest.hexdigest()


def text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def raw(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


class TreeReading(ABC):
    """The part of an engine that needs no more than the bytes of a tree and the size of an id."""

    def __init__(self) -> None:
        self._listings: dict[str, Mapping[str, str]] = {}

    @property
    @abstractmethod
    def object_format(self) -> Literal["sha1", "sha256"]: ...

    @abstractmethod
    def tree_data(self, oid: str) -> bytes:
        """The bytes of a tree; raises `MissingObject`."""

    @abstractmethod
    def write_tree_bytes(self, data: bytes) -> str: ...

    def overlay(self, base: str | None, changes: Mapping[str, tuple[int, str] | None]) -> str | None:
        return overlay(self.lines, self.write_tree_bytes, base, changes)

    def lines(self, oid: str) -> list[Line]:
        return lines_of(self.tree_data(oid), 20 if self.object_format == "sha1" else 32)

    def tree(self, oid: str) -> list[Entry]:
        return [Entry(text(name), int(mode, 8), rawid.hex()) for mode, name, rawid in self.lines(oid)]

    def entry(self, tree: str, path: str) -> Entry | None:
        here = Entry("", TREE, tree)
        for part in filter(None, path.split("/")):
            if not here.is_tree:
                return None
            wanted = raw(part)
            for mode, name, rawid in self.lines(here.oid):
                if name == wanted:
                    here = Entry(part, int(mode, 8), rawid.hex())
                    break
            else:
                return None
        return here

    def files(self, tree: str) -> Mapping[str, str]:
        known = self._listings.get(tree)
        if known is None:
            found = dict(self._list(tree))
            while len(self._listings) >= _CACHED_LISTINGS:
                del self._listings[next(iter(self._listings))]
            known = self._listings[tree] = MappingProxyType(found)
        return known

    def _list(self, tree: str) -> Iterator[tuple[str, str]]:
        """Without recursion: a stranger's tree may be deeper than Python goes."""
        open_folders = [("", iter(self.lines(tree)))]
        while open_folders:
            prefix, lines = open_folders[-1]
            for mode, name, rawid in lines:
                if is_file_mode(mode):
                    yield prefix + name.decode("utf-8", "surrogateescape"), rawid.hex()
                elif mode in _TREE_MODES:
                    open_folders.append((f"{prefix}{text(name)}/", iter(self.lines(rawid.hex()))))
                    break
            else:
                open_folders.pop()

    def diff(self, before: str | None, after: str | None) -> Mapping[str, Change]:
        found: dict[str, Change] = {}
        waiting = [("", before, after)]
        while waiting:
            prefix, was, now = waiting.pop()
            if was != now:
                waiting += self._compare(prefix, was, now, found)
        return found

    def _compare(
        self, prefix: str, before: str | None, after: str | None, found: dict[str, Change]
    ) -> Iterator[tuple[str, str | None, str | None]]:
        """Notes the files of one folder that differ, and yields the folders in it that do."""
        old = set(self.lines(before)) if before else set()
        new = set(self.lines(after)) if after else set()
        gone = {name: (mode, rawid.hex()) for mode, name, rawid in old - new}
        come = {name: (mode, rawid.hex()) for mode, name, rawid in new - old}
        for name in sorted(gone.keys() | come.keys()):
            was, now = gone.get(name), come.get(name)
            path = prefix + text(name)
            blob_was, blob_now = _oid(was, is_file_mode), _oid(now, is_file_mode)
            if blob_was != blob_now:
                found[path] = Change(blob_was, blob_now)
            tree_was, tree_now = _oid(was, _TREE_MODES.__contains__), _oid(now, _TREE_MODES.__contains__)
            if tree_was != tree_now:
                yield f"{path}/", tree_was, tree_now


def _oid(side: tuple[bytes, str] | None, wanted: Callable[[bytes], bool]) -> str | None:
    return side[1] if side is not None and wanted(side[0]) else None


def overlay(
    read: Callable[[str], list[Line]],
    write: Callable[[bytes], str],
    base: str | None,
    changes: Mapping[str, tuple[int, str] | None],
) -> str | None:
    """The tree `base` with files set to (mode, id) or, by None, taken away; folders that become empty vanish.

    Only folders on the way to a change are read and written. `write` gets a tree's bytes and returns its id: it may
    store them, or only name them (`object_id`). Returns None when nothing is left.
    """
    here: dict[bytes, Line] = {line[1]: line for line in read(base)} if base else {}
    below: dict[bytes, dict[str, tuple[int, str] | None]] = {}
    for path, target in changes.items():
        first, slash, rest = path.partition("/")
        name = raw(first)
        if slash:
            below.setdefault(name, {})[rest] = target
        elif target is None:
            here.pop(name, None)
        else:
            here[name] = (b"%o" % target[0], name, bytes.fromhex(target[1]))
    for name, inside in below.items():
        line = here.get(name)
        under = line[2].hex() if line and line[0] in _TREE_MODES else None
        new = overlay(read, write, under, inside)
        if new is None:
            if under is not None:
                del here[name]
        else:
            here[name] = (b"%o" % TREE, name, bytes.fromhex(new))
    return write(tree_bytes(here.values())) if here else None
