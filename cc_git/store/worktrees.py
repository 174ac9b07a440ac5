"""The other worktrees of this clone, those that are there and those that are gone, and what the journal keeps for each.

A worktree is gone when nothing names its token any more (`git worktree remove --force`), or its folder is not there
(`rm -rf`) and nobody locked it, as one does for a disk that is not mounted now.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from cc_git.store.disk import read_file
from cc_git.store.journal import Journal
from cc_git.store.journal_state import JournalState
from cc_git.store.names import WRITES, OwnFolder, writes_ref
from cc_git.store.place import Place

MAIN = "main"


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another worktree that is there. `name` is Git's, `top` its folder, `ref` its chain in the journal, if any."""

    name: str
    top: Path
    ref: str | None


def siblings(place: Place) -> Iterator[Sibling]:
    """The main worktree first, then the linked ones by name; this one is not among them."""
    common = place.common_dir
    if place.git_dir != common and common.name == ".git":
        yield Sibling(MAIN, common.parent, _ref(common, place.prefix))
    for git_dir in sorted((common / "worktrees").glob("*")):
        if git_dir != place.git_dir and (top := _top(git_dir)) is not None:
            yield Sibling(git_dir.name, top, _ref(git_dir, place.prefix))


def refs_of_gone(journal: Journal) -> tuple[str, ...]:
    """The chains of this workspace in the journal that belong to no worktree that is there."""
    place = journal.place
    here = {_ref(place.git_dir, place.prefix), _ref(place.common_dir, place.prefix)}
    here |= {one.ref for one in siblings(place)}
    last = writes_ref("", place.prefix).name.rpartition("/")[2]
    return tuple(ref for ref in journal.refs.below(WRITES) if ref.rpartition("/")[2] == last and ref not in here)


def state_of(journal: Journal, ref: str | None) -> JournalState:
    """What waits, is watched and is private there; nothing where there is no chain."""
    if ref is None:
        return JournalState()
    with closing(journal.beside(ref)) as other:
        return other.read()


def _ref(git_dir: Path, prefix: str) -> str | None:
    token = (read_file(OwnFolder(git_dir).token) or b"").decode("ascii", "replace").strip()
    return writes_ref(token, prefix).name if token else None


def _top(git_dir: Path) -> Path | None:
    with suppress(OSError):
        dot_git = git_dir / os.fsdecode((git_dir / "gitdir").read_bytes()).strip("\n")
        if os.path.lexists(dot_git) or (git_dir / "locked").exists():
            return dot_git.parent
    return None
