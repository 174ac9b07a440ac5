"""Opening a SQLite file of our own: for its owner alone, with a write-ahead log.

Both users of it (index, ledger) must go on when the file is damaged, locked by another process, or nothing may be
written, so what SQLite says is sorted here into those three.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from enum import Enum
from pathlib import Path
from urllib.parse import quote

_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_CLOSED = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
)
COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite puts beside the file."""


class Trouble(Enum):
    LOCKED = "another process holds it"
    CLOSED = "nothing can be written there"
    DAMAGED = "it is damaged"


class OtherVersion(sqlite3.DatabaseError):
    """A file of this program's, with a schema that this version does not read."""


def trouble(error: sqlite3.Error, path: Path) -> Trouble:
    """What an error means for the file at `path`."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in _LOCKED:
        return Trouble.LOCKED
    if primary in _CLOSED:
        return Trouble.CLOSED
    if primary == sqlite3.SQLITE_CANTOPEN and not path.is_dir():
        return Trouble.CLOSED
    return Trouble.DAMAGED


def open_file(path: Path, *, version: int, schema: str, patience: float, precious: bool) -> sqlite3.Connection:
    """Open, making the file where it is missing; raises sqlite3.Error (`OtherVersion` for another schema version).

    `patience` is how long to wait for another process, in seconds. A `precious` file survives a power failure, and what
    is deleted from it is overwritten; both cost time that a disposable one need not spend. Statements commit by
    themselves unless they are put between BEGIN IMMEDIATE and COMMIT.
    """
    if not path.exists():
        _make(path)
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if precious else 'OFF'}")
        connection.execute(f"PRAGMA secure_delete = {'ON' if precious else 'OFF'}")
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found == 0:
            _build(connection, version, schema)
        elif found != version:
            raise OtherVersion(f"schema version {found}, not {version}")
    except BaseException:
        connection.close()
        raise
    return connection


def _make(path: Path) -> None:
    """An empty file that nobody else may read; SQLite gives its companions the same mode."""
    with suppress(FileExistsError, OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _build(connection: sqlite3.Connection, version: int, schema: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            for statement in schema.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def open_unchanging(path: Path, *, version: int) -> sqlite3.Connection:
    """Open for reading where nothing can be written; what is only in the write-ahead log is not seen.

    Raises sqlite3.Error, and FileNotFoundError where there is no file.
    """
    if not path.is_file():
        raise FileNotFoundError(path)
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found != version:
            raise OtherVersion(f"schema version {found}, not {version}")
    except BaseException:
        connection.close()
        raise
    return connection


def remove(path: Path) -> None:
    """Take the file and its companions away; raises OSError where that fails."""
    for name in ("", *COMPANIONS):
        path.with_name(path.name + name).unlink(missing_ok=True)


def put_aside(path: Path) -> Path | None:
    """Rename a damaged file to `<name>.damaged`, its companions with it; an earlier one is replaced.

    None where the rename fails.
    """
    aside = path.with_name(path.name + ".damaged")
    try:
        if aside.is_file():
            remove(aside)
        path.replace(aside)
    except OSError:
        return None
    for name in COMPANIONS:
        with suppress(OSError):
            path.with_name(path.name + name).replace(aside.with_name(aside.name + name))
    return aside
