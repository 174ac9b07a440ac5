"""HEAD's files of the workspace, and what lies on disk beside them.

Both are read folder by folder: a lookup reads the folders on its way, and the comparison with the disk never spells
the paths of what is committed. Listing names needs no answer of Git's, because it asks nothing of the index; the
git program (`ls-files --others`) would read the whole index for it and takes longer at 100,000 files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from cc_git.store.engine import Engine
from cc_git.store.trees import Line, is_file_mode, raw, text

_TREE_MODES = (b"40000", b"040000")

_FEW = 500
"""Lookups that may go folder by folder; whoever asks more often is better served by one listing of all files."""

Folders = dict[str, dict[bytes, Line]]
"""Trees that were read, by id; shared between commits."""


class HeadTree(Mapping[str, str]):
    """Path → blob of every regular file below one tree (None: no file), read as far as it is asked."""

    def __init__(self, engine: Engine, tree: str | None, folders: Folders | None = None) -> None:
        self._engine = engine
        self.tree = tree
        self._read: Folders = {} if folders is None else folders
        self._trees: dict[str, str | None] = {"": tree}

    def __getitem__(self, rel: str) -> str:
        line = self._line(rel)
        if line is None or not is_file_mode(line[0]):
            raise KeyError(rel)
        return line[2].hex()

    def for_lookups(self, number: int) -> Mapping[str, str]:
        """The same files, in the form that serves this many lookups best."""
        return self if number <= _FEW else self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def below(self, folder: str) -> Mapping[str, str]:
        """The regular files below one folder, path → blob, whole paths."""
        tree = self._tree(folder)
        if tree is None:
            return {}
        return {f"{folder}/{name}": blob for name, blob in self._engine.files(tree).items()}

    def lines(self, folder: str) -> Sequence[Line]:
        """The lines of one folder's tree; none where there is no such folder."""
        tree = self._tree(folder)
        return () if tree is None else self._engine.lines(tree)

    def _line(self, path: str) -> Line | None:
        folder, _, name = path.rpartition("/")
        tree = self._tree(folder)
        if tree is None:
            return None
        known = self._read.get(tree)
        if known is None:
            known = self._read[tree] = {line[1]: line for line in self._engine.lines(tree)}
        return known.get(raw(name))

    def _tree(self, folder: str) -> str | None:
        """The id of a folder's tree."""
        if folder not in self._trees:
            line = self._line(folder)
            is_tree = line is not None and line[0] in _TREE_MODES
            self._trees[folder] = line[2].hex() if line is not None and is_tree else None
        return self._trees[folder]

    def _all(self) -> Mapping[str, str]:
        return {} if self.tree is None else self._engine.files(self.tree)


def beside(head: HeadTree, directory: Path, skip: Iterable[str]) -> list[str]:
    """Regular files below `directory` whose path HEAD's tree lacks, sorted; the folders `skip` are left out.

    Links are not followed: a folder that is a link on disk counts as empty.
    """
    found: list[str] = []
    waiting = [("", os.fsencode(directory), frozenset(map(raw, skip)))]
    while waiting:
        waiting += _compare(head, *waiting.pop(), found)
    return sorted(found)


def files_below(directory: Path) -> list[str]:
    """All regular files below `directory`, sorted; links are not followed."""
    found: list[str] = []
    path = os.fsencode(directory)
    for name in _names(path):
        _lies_there(text(name), path + b"/" + name, found)
    return sorted(found)


def _compare(
    head: HeadTree, folder: str, path: bytes, skip: frozenset[bytes], found: list[str]
) -> Iterator[tuple[str, bytes, frozenset[bytes]]]:
    """Notes what one folder has beside HEAD, and yields the folders that HEAD has in it: a tree may be deeper than
    Python recurses."""
    listed = _names(path)
    if not listed:
        return
    lines = head.lines(folder)
    known = {line[1] for line in lines}
    start = f"{folder}/" if folder else ""
    for name in listed:
        if name not in known and name not in skip:
            _lies_there(start + text(name), path + b"/" + name, found)
    for mode, name, _ in lines:
        if mode in _TREE_MODES and name not in skip:
            yield start + text(name), path + b"/" + name, frozenset()


def _lies_there(rel: str, path: bytes, found: list[str]) -> None:
    waiting = [(rel, path)]
    while waiting:
        rel, path = waiting.pop()
        mode = _mode(path)
        if stat.S_ISREG(mode):
            found.append(rel)
        elif stat.S_ISDIR(mode) and not rel.endswith(".git"):
            waiting += ((f"{rel}/{text(name)}", path + b"/" + name) for name in _names(path))


def _names(path: bytes) -> list[bytes]:
    if not stat.S_ISDIR(_mode(path)):
        return []
    try:
        return os.listdir(path)  # noqa: PTH208  names as bytes, a hundred thousand of them
    except OSError:
        return []


def _mode(path: bytes) -> int:
    try:
        return os.lstat(path).st_mode
    except OSError:
        return 0
