"""Whether nothing may be put into `private/`: a stash holds it, or something else stands in its place.

`git stash -a` takes ignored files. With any of them back on disk, `git stash pop` restores none: "already exists, no
checkout". Until the stash is popped or dropped the private tier is in the journal alone, and temporary files lie
outside the work tree. So do they where a commit brought a file or a link named `private`: what is not private is
written all the same.
"""

from __future__ import annotations

import os

from cc_git.codec.paths import PRIVATE_IGNORE
from cc_git.store.git import Git
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place
from cc_git.store.private_folder import obstacle
from cc_git.store.repository import open_repository
from cc_git.store.stashes import any_stash, stashed


def scratch_outside(place: Place) -> str | None:
    """How temporary files begin while nothing may be put into `private/`; None in the ordinary case."""
    if obstacle(f"{place.directory}") is None and not is_away(place):
        return None
    own = OwnFolder(place.common_dir)
    return f"{own.path}/{own.temporary_prefix}"


def is_away(place: Place) -> bool:
    """A stash holds the private tier.

    Asks no more than the disk unless the ignore file is missing and there is a stash.
    """
    if os.path.lexists(f"{place.directory}/{PRIVATE_IGNORE}") or not any_stash(place):
        return False
    git = Git(place)
    engine = open_repository(place, git)
    try:
        return bool(stashed(place, engine, git, (PRIVATE_IGNORE,)))
    finally:
        engine.close()
