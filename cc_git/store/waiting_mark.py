"""The mark `<git dir>/continuity/waiting`: not empty when something waits in this worktree.

`hooks/pre-commit` looks at its size alone, so that a commit costs no start of Python while nothing waits. It holds the
prefixes of the workspaces that have waiting files, each ended by NUL. It is a hint: what waits is read from the
journal, so a mark too many costs time and one too few lets the files wait until the next command.
"""

from __future__ import annotations

from pathlib import Path

from cc_git.store.disk import read_file
from cc_git.store.names import OwnFolder
from cc_git.store.own_file import write_own
from cc_git.store.place import Place


def marked(git_dir: Path) -> tuple[str, ...]:
    """Prefixes of the workspaces that have something waiting in this worktree."""
    data = read_file(OwnFolder(git_dir).waiting) or b""
    return tuple(part.decode("utf-8", "surrogateescape") for part in data.split(b"\0") if part)


def is_marked(place: Place) -> bool:
    return place.prefix in marked(place.git_dir)


def mark_waiting(place: Place, *, waits: bool) -> None:
    """Say whether this workspace has pending files; writes only when that changes. Called under the journal's lock.

    Raises OSError where nothing can be written.
    """
    before = marked(place.git_dir)
    if (place.prefix in before) == waits:
        return
    after = (*before, place.prefix) if waits else tuple(prefix for prefix in before if prefix != place.prefix)
    data = b"".join(prefix.encode("utf-8", "surrogateescape") + b"\0" for prefix in after)
    write_own(OwnFolder(place.git_dir).waiting, data)
