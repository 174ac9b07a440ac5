"""The ledger's file: opened on demand, begun anew when damaged, read as it is where nothing can be written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from cc_git.errors import LostRace, NotWritable
from cc_git.store.sqlite_file import Trouble, open_file, open_unchanging, put_aside, remove, trouble

_T = TypeVar("_T")
_VERSION = 1
_PATIENCE = 5.0
"""Seconds to wait for another process that writes."""

_SCHEMA = """
CREATE TABLE packets (
  id TEXT PRIMARY KEY, workspace TEXT NOT NULL, created INTEGER NOT NULL, until INTEGER, digest TEXT NOT NULL,
  tree TEXT NOT NULL, request TEXT NOT NULL, body BLOB NOT NULL, verdicts BLOB NOT NULL, stale TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE named (packet TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (id, packet)) WITHOUT ROWID;
CREATE INDEX packets_by_time ON packets (workspace, created);
"""


class LedgerFile:
    """`warnings` collects what had to be put up with, one sentence each."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.warnings: list[str] = []
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    def _open(self) -> sqlite3.Connection | None:
        """The connection, or None where there is nothing to read and nothing can be made."""
        if self._connection is None:
            try:
                self._connection = _open(self.path)
            except sqlite3.Error as error:
                match trouble(error, self.path):
                    case Trouble.DAMAGED:
                        self._begin_anew(error)
                    case Trouble.CLOSED:
                        self._connection = self._open_as_it_is()
                    case Trouble.LOCKED:
                        self.warn("another process holds the ledger of packets; going on without it")
        return self._connection

    def _open_as_it_is(self) -> sqlite3.Connection | None:
        try:
            return open_unchanging(self.path, version=_VERSION)
        except (sqlite3.Error, FileNotFoundError):
            return None

    def _begin_anew(self, error: sqlite3.Error) -> None:
        self.close()
        aside = put_aside(self.path)
        if aside is None:
            self.warn(f"the ledger of packets at {self.path} cannot be read ({error}), nor put aside")
            return
        self.warn(f"the ledger of packets could not be read ({error}); it is now {aside.name}, and a new one began")
        with suppress(sqlite3.Error):
            self._connection = _open(self.path)

    def read(self, ask: Callable[[sqlite3.Connection], _T], otherwise: _T) -> _T:
        """Ask the ledger; `otherwise` where there is none. One that proves damaged is begun anew, and is empty."""
        if self._connection is None and not self.path.exists():
            return otherwise
        connection = self._open()
        if connection is None:
            return otherwise
        try:
            return ask(connection)
        except sqlite3.Error as error:
            if trouble(error, self.path) is Trouble.DAMAGED:
                self._begin_anew(error)
            else:
                self.warn(f"the ledger of packets cannot be read now ({error})")
            return otherwise

    def write(self, act: Callable[[sqlite3.Connection], _T], *, transaction: bool = True) -> _T:
        """Carry out a change whole; a damaged ledger is begun anew and asked again. Raises `CcGitError`."""
        for attempt in (1, 2):
            connection = self._open()
            if connection is None:
                raise NotWritable(
                    f"the ledger of packets at {self.path} cannot be written",
                    why=self.warnings[-1] if self.warnings else None,
                    hints=("cc-git doctor",),
                )
            try:
                return _in_transaction(connection, act) if transaction else act(connection)
            except sqlite3.Error as error:
                kind = trouble(error, self.path)
                if kind is not Trouble.DAMAGED or attempt == 2:
                    raise NotWritable(
                        f"the ledger of packets at {self.path} cannot be written",
                        why=f"{kind.value} ({error})",
                        hints=("cc-git doctor",),
                    ) from error
                self._begin_anew(error)
        raise AssertionError("the second attempt returns or raises")

    def scrub(self) -> None:
        """Rewrite the file without what was deleted, and empty the write-ahead log; raises `CcGitError`."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("VACUUM")
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise LostRace(
                    f"the write-ahead log of {self.path} cannot be emptied while another process reads it",
                    hints=("run the command again",),
                )

        if self.path.exists():
            self.write(write, transaction=False)

    def remove_aside(self) -> None:
        try:
            remove(self.path.with_name(self.path.name + ".damaged"))
        except OSError as fault:
            raise NotWritable(
                f"the damaged ledger beside {self.path} cannot be removed",
                why=f"{fault.strerror or fault}: what it holds stays (deletion)",
                hints=(f"remove {self.path}.damaged by hand",),
            ) from fault


def _open(path: Path) -> sqlite3.Connection:
    return open_file(path, version=_VERSION, schema=_SCHEMA, patience=_PATIENCE, precious=True)


def _in_transaction(connection: sqlite3.Connection, act: Callable[[sqlite3.Connection], _T]) -> _T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = act(connection)
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    return result
