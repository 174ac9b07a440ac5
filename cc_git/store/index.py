"""The index: `continuity/index.sqlite` in the common Git directory, shared by all worktrees and workspaces.

Disposable. Delete it, damage it, lock it, let another version write it: everything gets slower, nothing gets wrong or
different. A damaged file is removed and begun anew once for each process; where that fails, and where another process
holds it for longer than a moment, the command goes on without. Where nothing can be written it is only read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from cc_git.errors import NotWritable
from cc_git.store.index_schema import KEPT, KEY_LENGTH, PIECES, SCHEMA, VERSION, seal
from cc_git.store.names import OwnFolder
from cc_git.store.sqlite_file import Trouble, open_file, open_unchanging, remove, trouble

_T = TypeVar("_T")
_PATIENCE = 0.25
"""Seconds to wait for another process: an index is not worth more."""
_VARIABLES = 500
"""How many keys one query names (SQLite allows 999 at least)."""


class Index:
    """Opened on first use, by `get` or `put`. Serves as the `Cache` of the store."""

    def __init__(self, common_dir: Path) -> None:
        self.path = OwnFolder(common_dir).index
        self._connection: sqlite3.Connection | None = None
        self._writes = True
        self._begun_anew = False
        self._given_up = False

    def close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    @property
    def usable(self) -> bool:
        """Whether there is an index at all: opened, or openable."""
        return self._open() is not None

    # the cache
    def get(self, kind: str, key: str) -> bytes | None:
        return self.get_all(kind, (key,)).get(key)

    def get_all(self, kind: str, keys: Iterable[str]) -> dict[str, bytes]:
        """Those that are there and whole."""
        asked = list(keys)

        def read(connection: sqlite3.Connection) -> dict[str, bytes]:
            found = {}
            for start in range(0, len(asked), _VARIABLES):
                some = asked[start : start + _VARIABLES]
                marks = ",".join("?" * len(some))
                rows = connection.execute(
                    f"SELECT key, payload, seal FROM cache WHERE kind = ? AND key IN ({marks})", (kind, *some)
                )
                for key, payload, sealed in rows:
                    if isinstance(key, str) and isinstance(payload, bytes) and seal(kind, key, payload) == sealed:
                        found[key] = payload
            return found

        return self.ask(read, {})

    def put(self, kind: str, entries: Mapping[str, bytes]) -> None:
        """Keep payloads; where that cannot be, they are computed again the next time."""

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT OR REPLACE INTO cache (kind, key, payload, seal) VALUES (?,?,?,?)",
                [(kind, key, payload, seal(kind, key, payload)) for key, payload in entries.items()],
            )
            if kind in KEPT:
                connection.execute(
                    "DELETE FROM cache WHERE kind = ? AND id NOT IN"
                    " (SELECT id FROM cache WHERE kind = ? ORDER BY id DESC LIMIT ?)",
                    (kind, kind, KEPT[kind]),
                )
            for pieces in PIECES.get(kind, ()):
                connection.execute(
                    "DELETE FROM cache WHERE kind = ? AND substr(key, 1, ?) NOT IN"
                    " (SELECT key FROM cache WHERE kind = ?)",
                    (pieces, KEY_LENGTH, kind),
                )

        self.change(write)

    def drop(self, kinds: Iterable[str]) -> None:
        """Take whole kinds out."""
        self.change(lambda c: c.executemany("DELETE FROM cache WHERE kind = ?", [(kind,) for kind in kinds]))

    # what the index's own modules ask
    def ask(self, read: Callable[[sqlite3.Connection], _T], otherwise: _T) -> _T:
        """Run a query; `otherwise` where there is no index to ask."""
        for _ in range(2):
            connection = self._open()
            if connection is None:
                return otherwise
            try:
                return read(connection)
            except sqlite3.Error as error:
                self._after(error)
        return otherwise

    def change(self, write: Callable[[sqlite3.Connection], object]) -> bool:
        """Carry out a change whole; False where it was not."""
        connection = self._open()
        if connection is None or not self._writes:
            return False
        try:
            connection.execute("BEGIN IMMEDIATE")
            write(connection)
            connection.execute("COMMIT")
            return True
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            if trouble(error, self.path) is Trouble.DAMAGED:
                self._after(error)
            return False

    def erase(self) -> None:
        """Remove the index with everything that was kept of any text: forgetting ends so. Raises `NotWritable`."""
        self.close()
        try:
            remove(self.path)
        except OSError as fault:
            raise NotWritable(
                f"the index at {self.path} cannot be removed",
                why=f"{fault.strerror or fault}: what it keeps of texts stays (deletion)",
                hints=(f"remove {self.path} by hand",),
            ) from fault
        self._given_up = self._begun_anew = False

    # the file
    def _open(self) -> sqlite3.Connection | None:
        if self._connection is None and not self._given_up:
            try:
                self._connection = _open(self.path)
            except sqlite3.Error as error:
                self._after(error)
        return self._connection

    def _after(self, error: sqlite3.Error) -> None:
        """Decide how to go on: with a new file, with the file as it is, or without."""
        self.close()
        kind = trouble(error, self.path)
        if kind is Trouble.DAMAGED and self._writes and not self._begun_anew:
            self._begun_anew = True
            try:
                remove(self.path)
                self._connection = _open(self.path)
                return
            except OSError:
                pass
            except sqlite3.Error as again:
                kind = trouble(again, self.path)
        if kind is Trouble.CLOSED and self._writes:
            self._writes = False
            try:
                self._connection = open_unchanging(self.path, version=VERSION)
                return
            except (sqlite3.Error, OSError):
                pass
        self._given_up = True


def _open(path: Path) -> sqlite3.Connection:
    # What a power failure damages is recognised and made again, and forgetting removes the whole file.
    return open_file(path, version=VERSION, schema=SCHEMA, patience=_PATIENCE, precious=False)
