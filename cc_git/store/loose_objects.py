"""Reading loose objects without libgit2, which never returns from some that were cut short.

(https://github.com/libgit2/libgit2/issues/7342, in every release up to 1.9.7: a file that lost its end with the power
sends `git_odb_read` round for ever.) Which files are there is looked up once per fan-out folder: an object that comes
later is whole, and read by libgit2.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Literal

from cc_git.errors import Damaged
from cc_git.store.engine import TooLarge
from cc_git.store.trees import object_id

_BEGINNING = 16 << 10
"""Bytes of a file that are read first: most objects of ours are whole then."""
_HEAD = 32
"""The kind and the length of an object need no more."""


class LooseObjects:
    """The loose objects of one repository, as they were when their folder was first looked at."""

    def __init__(self, objects: Path, object_format: Literal["sha1", "sha256"]) -> None:
        self._objects = str(objects)
        self._format = object_format
        self._folders: dict[str, frozenset[str]] = {}

    def read(self, oid: str, most: int | None = None) -> tuple[str, bytes] | None:
        """Kind and bytes, checked against the id; None when there is no such file (any more). Raises `Damaged`, and
        `TooLarge` for one of more than `most` bytes: its beginning says how many."""
        folder, name = oid[:2], oid[2:]
        names = self._folders.get(folder)
        if names is None:
            names = self._folders[folder] = self._list(folder)
        if name not in names:
            return None
        try:
            descriptor = os.open(f"{self._objects}/{folder}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            with os.fdopen(descriptor, "rb", buffering=0) as file:
                if most is not None:
                    # Longer than that are few, and a short one can unfold to any length.
                    beginning = file.read(_BEGINNING)
                    size = _size(beginning)
                    if size > most:
                        raise TooLarge(oid, size)
                    stored = beginning if len(beginning) < _BEGINNING else beginning + file.readall()
                else:
                    stored = file.readall()
            head, _, data = zlib.decompress(stored).partition(b"\0")
            kind = head.partition(b" ")[0].decode()
        except (zlib.error, ValueError) as fault:
            raise _damaged(oid, str(fault)) from None
        if object_id(kind, data, self._format) != oid:
            raise _damaged(oid, "its bytes have another id")
        return kind, data

    def _list(self, folder: str) -> frozenset[str]:
        try:
            return frozenset(os.listdir(f"{self._objects}/{folder}"))  # noqa: PTH208  names alone, 256 times
        except FileNotFoundError:
            return frozenset()


def _size(beginning: bytes) -> int:
    """What the head of an object says of its length."""
    head = zlib.decompressobj().decompress(beginning, _HEAD).partition(b"\0")[0]
    return int(head.partition(b" ")[2])


def _damaged(oid: str, why: str) -> Damaged:
    return Damaged(f"the Git object {oid} cannot be read", why=why, hints=("git fsck",))
