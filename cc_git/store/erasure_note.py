"""Where the note of an unfinished forgetting lies, apart from what is in it: every command looks for one."""

from __future__ import annotations

from pathlib import Path

from cc_git.store.names import OwnFolder
from cc_git.store.place import Place


def note_path(place: Place) -> Path:
    return OwnFolder(place.git_dir).forgetting(place.prefix)


def is_begun(place: Place) -> bool:
    """Whether a forgetting was interrupted here; one look at the disk."""
    path = note_path(place)
    return path.exists() or begun_path(path).exists()


def begun_path(path: Path) -> Path:
    """A fixed name: what a writer left that was killed is found and emptied."""
    return path.with_name(path.name + ".begun")
