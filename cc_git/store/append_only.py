"""A file of JSON lines that only ever grows: what a person did on this clone and no file of the workspace may say.

Each line is one object. A line that a crash tore, or that anything else made unreadable, is skipped and counted: the
rest keeps its force. Writers take a `flock` on the file itself and sync it before they return.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cc_git.entropy import fresh_token
from cc_git.store.disk import explained, replace_file


@dataclass(frozen=True, slots=True)
class Lines:
    """`unreadable` counts the lines that were skipped."""

    entries: tuple[dict[str, Any], ...] = ()
    unreadable: int = 0


def read_lines(path: Path) -> Lines:
    """Every readable line, oldest first; none where there is no file. Takes no lock and writes nothing."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Lines()
    except OSError:
        return Lines(unreadable=1)
    entries: list[dict[str, Any]] = []
    unreadable = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        entry = _parsed(line)
        if entry is None:
            unreadable += 1
        else:
            entries.append(entry)
    return Lines(tuple(entries), unreadable)


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def append_lines(path: Path, entries: tuple[Mapping[str, object], ...]) -> None:
    """Add the entries durably, all by one write; raises `NotWritable` where that cannot be."""
    data = b"".join(json.dumps(entry, ensure_ascii=True).encode() + b"\n" for entry in entries)
    with explained(path.parent, lost="nothing was noted (persistence)"):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        with os.fdopen(os.open(path, flags, 0o600), "r+b", buffering=0) as file:
            descriptor = file.fileno()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                # The last writer was killed: its torn line must not swallow ours.
                data = b"\n" + data
            view = memoryview(data)
            while view:
                view = view[file.write(view) :]
            os.fsync(descriptor)
        _sync_folder(path.parent)


def rewrite_lines(path: Path, keep: Callable[[dict[str, Any]], bool]) -> None:
    """Leave out the lines that are not to be kept, and those that cannot be read: the one way to take something out."""
    if not path.exists():
        return
    with explained(path.parent, lost="what was noted stays (deletion)"), path.open("rb") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        entries = read_lines(path).entries
        left = [entry for entry in entries if keep(entry)]
        if len(left) != len(entries):
            data = b"".join(json.dumps(entry, ensure_ascii=True).encode() + b"\n" for entry in left)
            replace_file(path, data, temporary=path.with_name(f".new-{fresh_token(8)}"), durable=True)
            path.chmod(0o600)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
