"""What a command does first about the private folder, and what it says where Git tracks files of it."""

from __future__ import annotations

from collections.abc import Set

from cc_git.codec.paths import PRIVATE_DIR, PRIVATE_IGNORE, PRIVATE_IGNORE_TEXT
from cc_git.model.fault import Fault
from cc_git.store.disk import read_file
from cc_git.store.git import Git
from cc_git.store.place import Place
from cc_git.store.private_away import is_away
from cc_git.store.private_folder import exclude, mode_of, named, obstacle, put_ignore_right
from cc_git.store.user_index import UserIndex


def keep_ignored(place: Place) -> list[Fault]:
    """Put right what keeps Git from taking the folder in; what was found wrong."""
    directory = place.directory
    if directory is None or not mode_of(f"{directory}/{PRIVATE_DIR}"):
        return []
    found = obstacle(directory)
    if found is not None:
        what = named(f"{directory}/{found}")
        return [Fault(found, "misplaced", f"{what} stands where the private folder belongs; git rm it, or move it")]
    exclude(place)
    try:
        if not is_away(place) and put_ignore_right(directory):
            reason = "said something else, and was put right: Git ignores everything below private/"
            return [Fault(PRIVATE_IGNORE, "edited", reason)]
    except OSError as fault:
        if read_file(f"{directory}/{PRIVATE_IGNORE}") != PRIVATE_IGNORE_TEXT.encode():
            return [Fault(PRIVATE_IGNORE, "edited", f"does not ignore everything, and {fault.strerror}")]
    return []


def tracked_private(place: Place, git: Git, head: Set[str]) -> tuple[Fault, ...]:
    """What of the private tier Git tracks. `head` are HEAD's files below it (paths below `.continuity/`)."""
    if place.top is None:
        return ()
    start = f"{place.prefix}/"
    staged = {path.removeprefix(start) for path in UserIndex(git).entries((f"{start}{PRIVATE_DIR}",))}
    remedy = f"git rm -r --cached {start}{PRIVATE_DIR}, and commit that"
    faults = [Fault(rel, "misplaced", f"is in Git's index, and must not be: {remedy}") for rel in staged - head]
    told = f"is in a commit, which goes wherever it is pushed: {remedy}"
    faults += [Fault(rel, "misplaced", told) for rel in staged & head]
    return tuple(sorted(faults, key=lambda fault: fault.rel))
