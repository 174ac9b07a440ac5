"""The folder of the private tier: ignored by Git whatever a tree brings, and never a way to somewhere else.

Its own `.gitignore` is put right at every command, for a merge may bring another. Git's `info/exclude` names the folder
as well: it needs no file in the tree, and holds in every worktree. What neither keeps out (`git add -f`, or ignore
files that a merge brought, before any command of ours ran) the pre-commit hook stops.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from cc_git.codec.paths import PRIVATE_DIR, PRIVATE_IGNORE, PRIVATE_IGNORE_TEXT, TEMP_PREFIX, WORKSPACE_DIR
from cc_git.entropy import fresh_token
from cc_git.errors import Damaged
from cc_git.store.disk import read_file, replace_file
from cc_git.store.place import Place

EXCLUDED = f"**/{WORKSPACE_DIR}/{PRIVATE_DIR}/"
"""The line in `info/exclude`: of every workspace, on every branch."""


def obstacle(directory: Path | str) -> str | None:
    """What stands where the private folder or its ignore file belongs, as a path below `.continuity/`.

    A link there could lead out of the workspace, or into what is committed.
    """
    mode = mode_of(f"{directory}/{PRIVATE_DIR}")
    if mode and not stat.S_ISDIR(mode):
        return PRIVATE_DIR
    return PRIVATE_IGNORE if mode and stat.S_ISDIR(mode_of(f"{directory}/{PRIVATE_IGNORE}")) else None


def refuse_obstacle(place: Place) -> None:
    """Raises Damaged where nothing may be written into the private folder, with the path and the way out."""
    found = obstacle(f"{place.directory}")
    if found is None:
        return
    here, git_path = f"{place.directory}/{found}", f"{place.prefix}/{found}"
    raise Damaged(
        f"{here} is not a {'folder' if found == PRIVATE_DIR else 'file'}",
        why=f"{named(here)} stands there, and private records are written nowhere else",
        hints=(f"git rm -r {git_path}, where a commit brought it", f"else: mv {git_path} {git_path}.away"),
    )


def put_ignore_right(directory: Path | str) -> bool:
    """Write the ignore file where it is missing or says something else; whether it said something else.

    The folder must be there, and nothing in its way.
    """
    target = f"{directory}/{PRIVATE_IGNORE}"
    stands = read_file(target)
    expected = PRIVATE_IGNORE_TEXT.encode()
    if stands == expected:
        return False
    said_more = os.path.lexists(target)
    temporary = f"{directory}/{PRIVATE_DIR}/{TEMP_PREFIX}{fresh_token(8)}"
    replace_file(target, expected, temporary=temporary, durable=False)
    return said_more


def exclude(place: Place) -> None:
    """Name the folder in `info/exclude` of the clone, at its end; the user's lines stay, a link is left alone.

    Where that cannot be written the folder's own ignore file has to do.
    """
    info = place.common_dir / "info"
    target = info / "exclude"
    with suppress(OSError):
        stands = read_file(target)
        if info.is_symlink() or (stands is None and os.path.lexists(target)):
            return
        if EXCLUDED.encode() in (stands or b"").splitlines():
            return
        info.mkdir(exist_ok=True)
        start = b"\n" if stands and not stands.endswith(b"\n") else b""
        with target.open("ab", buffering=0) as file:
            file.write(start + f"{EXCLUDED}\n".encode())


def mode_of(path: str) -> int:
    """What lies at a path, not following a link; 0 where nothing does."""
    with suppress(OSError):
        return os.lstat(path).st_mode
    return 0


def named(path: str) -> str:
    """A link, a folder or a file, in words."""
    mode = mode_of(path)
    return "a link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "a file"
