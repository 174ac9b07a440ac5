"""Documents of a folder, with what HEAD says of them: tracked with these bytes, and last committed when."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cc_git.codec.paths import PRIVATE_DIR, WORKSPACE_DIR
from cc_git.errors import UsageFault
from cc_git.store.disk import read_file
from cc_git.store.engine import Engine
from cc_git.store.git import Git
from cc_git.store.place import Place
from cc_git.store.trees import object_id

LARGEST = 4 << 20
"""Bytes of the largest document that is read; a decision record is a page or two."""
_NOT_ENTERED = frozenset({".git", ".hg", ".svn", "node_modules", ".venv"})


@dataclass(frozen=True)
class Found:
    """`path` is from the repository's top level, or from outside of it the folder's name and the path below.

    `data` is None where the file is too large or cannot be read, and `why` says so.
    """

    path: str
    data: bytes | None
    blob: str
    at_head: bool
    committed_at: datetime | None
    why: str = ""


Wanted = Callable[[str], bool]
"""Whether a file with this path (POSIX, from the folder that was named) is read."""


def documents_in(
    folder: Path, place: Place, engine: Engine, git: Git, wanted: Wanted = lambda _path: True
) -> tuple[Found, ...]:
    """The files below `folder` that are wanted, or the one file, sorted by path; links are not followed.

    Raises UsageFault where there is neither.
    """
    only = folder.name if folder.is_file() and not folder.is_symlink() else None
    if only is None and not folder.is_dir():
        raise UsageFault(f"{folder} is not a file or folder")
    folder = folder.resolve() if only is None else folder.parent.resolve()
    inside = place.top is not None and folder.is_relative_to(place.top.resolve())
    base = place.top.resolve() if inside and place.top is not None else folder.parent
    head = engine.head()[1]
    tree = engine.commit(head).tree if head is not None else None
    times = last_commits(git, folder.relative_to(base).as_posix()) if inside and head is not None else {}
    found = []
    for file in (folder / only,) if only else _files(folder):
        if only is None and not wanted(file.relative_to(folder).as_posix()):
            continue
        path = file.relative_to(base).as_posix()
        data, why = _read(file)
        blob = object_id("blob", data or b"", engine.object_format)
        entry = engine.entry(tree, path) if inside and tree is not None else None
        at_head = data is not None and entry is not None and entry.is_file and entry.oid == blob
        found.append(Found(path, data, blob, at_head, times.get(path) if at_head else None, why))
    return tuple(sorted(found, key=lambda one: one.path))


def last_commits(git: Git, folder: str) -> Mapping[str, datetime]:
    """Path → when the commit that last touched it was made, for everything below `folder`; one process."""
    words = ("log", "-z", "--format=%x01%ct", "--name-only", "--no-renames", "--diff-filter=AM", "HEAD")
    said = git.run(*words, "--", folder or ".", check=False).stdout.decode("utf-8", "surrogateescape")
    found: dict[str, datetime] = {}
    for commit in said.split("\x01")[1:]:
        seconds, *names = commit.replace("\n", "\0").split("\0")
        when = datetime.fromtimestamp(int(seconds), UTC)
        for name in filter(None, names):
            found.setdefault(name, when)
    return found


def still_at_head(paths: frozenset[str], engine: Engine) -> frozenset[str]:
    """Those of these repository paths that HEAD has."""
    head = engine.head()[1]
    if head is None:
        return frozenset()
    tree = engine.commit(head).tree
    return frozenset(path for path in paths if engine.entry(tree, path) is not None)


def _files(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        private = PRIVATE_DIR if Path(where).name == WORKSPACE_DIR else None
        folders[:] = sorted(f for f in folders if f not in (*_NOT_ENTERED, WORKSPACE_DIR, private))
        yield from (Path(where) / name for name in names if not (Path(where) / name).is_symlink())


def read_whole(file: Path, largest: int) -> bytes:
    """The bytes of one file that somebody named. Raises UsageFault where it is none, too large, or cannot be read."""
    try:
        if file.is_file() and file.stat().st_size > largest:
            raise UsageFault(f"{file} is larger than {largest >> 20} MiB")
        data = read_file(file.resolve())
    except OSError as error:
        raise UsageFault(f"{file} cannot be read", why=error.strerror) from None
    if data is None:
        raise UsageFault(f"{file} is not a file")
    return data


def _read(file: Path) -> tuple[bytes | None, str]:
    try:
        if file.stat().st_size > LARGEST:
            return None, f"larger than {LARGEST >> 20} MiB"
        return read_file(file), ""
    except OSError as error:
        return None, str(error.strerror)
