"""Who Git says is typing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cc_git.store.engine import Person
from cc_git.store.git import Git
from cc_git.store.place import repository_at


def git_identity(start: Path, environ: Mapping[str, str]) -> Person | None:
    """The author as Git would write it, or None. Raises NoWorkspace outside a repository."""
    return Git(repository_at(start, environ), environ).identity()
