"""Who Git says is typing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cc_git.errors import NoRepository
from cc_git.store.engine import Person
from cc_git.store.git import Git
from cc_git.store.git_process import NoGitProgram
from cc_git.store.place import Place, repository_at


def git_identity(start: Path, environ: Mapping[str, str]) -> Person | None:
    """The author as Git would write it, outside a repository too; None where it does not know or is not there."""
    try:
        place = repository_at(start, environ)
    except NoRepository:
        place = Place(None, start, start, "")
    except NoGitProgram:
        return None
    try:
        return Git(place, environ).identity()
    except NoGitProgram:
        return None
