"""The user's index, read and changed by the git program alone (split, sparse and future forms are its business)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cc_git.model.fault import LARGEST
from cc_git.store.git import Git

_LITERAL = {"GIT_LITERAL_PATHSPECS": "1"}
EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""What an unborn branch is compared with, by object format; Git knows these trees without their being stored."""
_AT_ONCE = 200
"""Paths in one command line: well below every system's limit."""


@dataclass(frozen=True, slots=True)
class Staged:
    """How the index differs from a tree at one path. `before` and `after` are blobs (of a submodule its commit), None
    where there is no file; `mode` is Git's, in octal digits, of what is there after."""

    status: Literal["A", "M", "D", "T", "U"]
    before: str | None
    after: str | None
    mode: str = "100644"

    @property
    def is_file(self) -> bool:
        """No link and no submodule."""
        return self.mode.startswith("100")


class UserIndex:
    """One index file of the worktree; None is the worktree's own."""

    def __init__(self, git: Git, file: Path | None = None) -> None:
        self._git = git
        self._more: Mapping[str, str] = {} if file is None else {"GIT_INDEX_FILE": str(file)}

    def entries(self, paths: Iterable[str]) -> dict[str, str]:
        """Path → blob of everything in the index at or below these paths (relative to the top level)."""
        wanted, found = sorted(set(paths)), dict[str, str]()
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            out = self._git.run("ls-files", "-s", "-z", "--", *part, more={**self._more, **_LITERAL}).stdout
            for line in out.split(b"\0"):
                about, tab, path = line.partition(b"\t")
                if tab:
                    found[_text(path)] = about.split(b" ")[1].decode()
        return found

    def changes(self, base: str, *pathspecs: str) -> dict[str, Staged]:
        """How the index differs from the tree or commit `base`. Entries that `add -N` made are no difference."""
        words = ("diff-index", "--cached", "--raw", "--no-abbrev", "--no-renames", "--ita-invisible-in-index", "-z")
        out = self._git.run(*words, base, "--", *pathspecs, more=self._more).stdout.split(b"\0")
        found = {}
        for about, path in zip(out[::2], out[1::2], strict=False):
            _, mode, before, after, status = about.split(b" ")
            how: Any = status[:1].decode()
            found[_text(path)] = Staged(how, _blob(before), _blob(after), mode.decode())
        return found

    def add(self, paths: Iterable[str]) -> None:
        """Take files from disk in, whatever is ignored or outside the sparse cone; all of them or none."""
        self._update(paths, "--add")

    def remove(self, paths: Iterable[str]) -> None:
        """Take entries out; the files stay on disk."""
        self._update(paths, "--force-remove")

    def _update(self, paths: Iterable[str], how: str) -> None:
        data = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
        if data:
            self._git.run("update-index", how, "-z", "--stdin", input=data, more=self._more)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _blob(oid: bytes) -> str | None:
    return oid.decode() if oid.strip(b"0") else None


def blobs(git: Git, oids: Iterable[str], largest: int = LARGEST) -> dict[str, bytes | int]:
    """The bytes of blobs of the user's repository, of one that is too large its size; what is not there is left out."""
    sizes = _sizes(git, list(dict.fromkeys(oids)))
    read = _read(git, [oid for oid, size in sizes.items() if size <= largest])
    return {oid: read.get(oid, size) for oid, size in sizes.items() if oid in read or size > largest}


def _sizes(git: Git, wanted: list[str]) -> dict[str, int]:
    if not wanted:
        return {}
    data = "".join(f"{oid}\n" for oid in wanted).encode()
    lines = git.run("cat-file", "--batch-check", input=data).stdout.split(b"\n")
    told = ((oid, line.split(b" ")) for oid, line in zip(wanted, lines, strict=False))
    return {oid: int(fields[2]) for oid, fields in told if len(fields) == 3}


def _read(git: Git, wanted: list[str]) -> dict[str, bytes]:
    if not wanted:
        return {}
    out = git.run("cat-file", "--batch", input="".join(f"{oid}\n" for oid in wanted).encode()).stdout
    found, at = {}, 0
    for oid in wanted:
        head, _, _ = out[at : at + 200].partition(b"\n")
        at += len(head) + 1
        fields = head.split(b" ")
        if len(fields) == 3:
            size = int(fields[2])
            found[oid] = out[at : at + size]
            at += size + 1
    return found
