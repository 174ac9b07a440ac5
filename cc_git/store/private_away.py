"""Whether `private/` is in a stash (`git stash -a` takes ignored files), and must not appear on disk meanwhile.

With any of its files back on disk, `git stash pop` restores none: "already exists, no checkout". Until the stash is
popped or dropped the private tier is in the journal alone, and temporary files lie outside the work tree.
"""

from __future__ import annotations

import os

from cc_git.codec.paths import PRIVATE_IGNORE
from cc_git.store.git import Git
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place
from cc_git.store.repository import open_repository
from cc_git.store.stashes import any_stash, stashed


def scratch_while_away(place: Place) -> str | None:
    """How temporary files begin while `private/` is in a stash; None, in the ordinary case, when it is not.

    Asks no more than the disk unless the ignore file is missing and there is a stash.
    """
    if os.path.lexists(f"{place.directory}/{PRIVATE_IGNORE}") or not any_stash(place):
        return None
    git = Git(place)
    engine = open_repository(place, git)
    try:
        held = stashed(place, engine, git, (PRIVATE_IGNORE,))
    finally:
        engine.close()
    own = OwnFolder(place.common_dir)
    return f"{own.path}/{own.temporary_prefix}" if held else None
