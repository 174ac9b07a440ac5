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
from cc_git.store.trees import object_id


class LooseObjects:
    """The loose objects of one repository, as they were when their folder was first looked at."""

    def __init__(self, objects: Path, object_format: Literal["sha1", "sha256"]) -> None:
        self._objects = str(objects)
        self._format = object_format
        self._folders: dict[str, frozenset[str]] = {}

    def read(self, oid: str) -> tuple[str, bytes] | None:
        """Kind and bytes, checked against the id; None when there is no such file (any more). Raises `Damaged`."""
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
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            stored = file.readall()
        try:
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


def _damaged(oid: str, why: str) -> Damaged:
    return Damaged(f"the Git object {oid} cannot be read", why=why, hints=("git fsck",))
