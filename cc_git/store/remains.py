"""Where content of forgotten ids lies in this worktree, or lies again: after a merge, a stash pop, an adopted file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cc_git.codec import paths
from cc_git.store.classify import owner_of
from cc_git.store.place import Place
from cc_git.store.present import PresentSnapshot


def remains(place: Place, present: PresentSnapshot) -> tuple[str, ...]:
    """Paths of forgotten files that have bytes on disk or in the journal; where HEAD alone has them, none.

    HEAD's content goes from the branch with the commit of the emptied file, and from history by nobody's command here.
    So a checkout of a past commit, on no branch, from before the tombstone, stays as it is: emptied, it would bar the
    way back.
    """
    if place.directory is None:
        return ()
    entombed = {rel for rel in present.hidden if owner_of(rel) in present.tombstones}
    lying = (rel for rel in entombed.union(present.forgotten) if _has_bytes(place.directory, rel))
    found = {*lying, *present.kept}
    if not present.on_branch:
        found = {rel for rel in found if rel not in present.committed or is_marked(present, owner_of(rel) or "")}
    return tuple(sorted(found))


def is_marked(present: PresentSnapshot, identifier: str) -> bool:
    """Whether this snapshot has the tombstone itself; else it was made on another branch of this clone."""
    mark = paths.tombstone_path(identifier)
    return mark in present.entries or paths.private(mark) in present.entries


def emptied(place: Place, present: PresentSnapshot) -> tuple[str, ...]:
    """Paths whose content HEAD still has while the file on disk has none: they wait for the next commit."""
    if place.directory is None:
        return ()
    in_head = (rel for rel in present.forgotten if rel in present.committed)
    return tuple(rel for rel in in_head if (place.directory / rel).is_file() and not _has_bytes(place.directory, rel))


def _has_bytes(directory: Path, rel: str) -> bool:
    try:
        about = os.lstat(directory / rel)
    except OSError:
        return False
    return stat.S_ISREG(about.st_mode) and about.st_size > 0
