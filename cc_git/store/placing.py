"""Putting the workspace's files into the work tree, each whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from cc_git.codec.paths import (
    ATTRIBUTES_FILE,
    ATTRIBUTES_TEXT,
    PRIVATE_DIR,
    TEMP_PREFIX,
    WORKSPACE_FILE,
    is_immutable,
    is_private,
)
from cc_git.entropy import fresh_token
from cc_git.errors import Refused
from cc_git.store.disk import made_folder, read_file, replace_file
from cc_git.store.private_folder import put_ignore_right


def make_skeleton(directory: Path, files: Iterable[str] = ()) -> None:
    """What makes ours safe in a work tree.

    The ignore file comes before anything private, and always says the same. The attributes come with a new
    `workspace.toml` alone: later they are a file like others, and made again they could stand in the way of a branch
    that has them.
    """
    directory.mkdir(parents=True, exist_ok=True)
    if not os.path.lexists(f"{directory}/{PRIVATE_DIR}"):
        (directory / PRIVATE_DIR).mkdir(mode=0o700)
    put_ignore_right(directory)
    if WORKSPACE_FILE in files and not os.path.lexists(f"{directory}/{ATTRIBUTES_FILE}"):
        _put(directory, ATTRIBUTES_FILE, ATTRIBUTES_TEXT.encode(), durable=False)


def place_files(directory: Path, files: Mapping[str, bytes], *, durable: bool, scratch: str | None = None) -> None:
    """Write these files, in their order; those that stand there with the same bytes are left alone.

    Raises `Refused` as `missing_files` does, before anything is written. `scratch` is as for `write_missing`.
    """
    missing = missing_files(directory, files)
    make_folders(directory, missing, scratch=scratch)
    write_missing(directory, missing, durable=durable, scratch=scratch)


def missing_files(directory: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those that do not stand there with the same bytes; `Refused` where an immutable file has others."""
    missing = {}
    for rel, data in files.items():
        stands = read_file(f"{directory}/{rel}")
        if stands is not None and stands != data and is_immutable(rel):
            raise Refused(
                f"{directory / rel} is there with other bytes",
                why="a record is written once; to change it, a new one supersedes it",
                hints=("cc-git correct", "cc-git check"),
            )
        if stands != data:
            missing[rel] = data
    return missing


def make_folders(directory: Path, files: Iterable[str], *, scratch: str | None = None) -> None:
    """Everything but the files themselves, so that most of what can go wrong does so before a write is published."""
    directory.mkdir(parents=True, exist_ok=True)
    if scratch is None:
        make_skeleton(directory, files)
    for folder in dict.fromkeys(rel.rpartition("/")[0] for rel in files if scratch is None or not is_private(rel)):
        made_folder(str(directory), folder)


def write_missing(directory: Path, files: Mapping[str, bytes], *, durable: bool, scratch: str | None = None) -> None:
    """After `make_folders`. `scratch` is given while nothing may be put into `private/` (`private_away`): temporary
    files begin with it, and private ones are left out.
    """
    for rel, data in files.items():
        if scratch is None or not is_private(rel):
            _put(directory, rel, data, durable=durable, scratch=scratch)


def sweep_temporary(directory: Path) -> None:
    """Remove what a killed writer left in `private/`, or in the workspace itself while that was away."""
    for folder in (directory / PRIVATE_DIR, directory):
        if folder.is_symlink():
            continue
        for path in folder.glob(f"{TEMP_PREFIX}*"):
            path.unlink(missing_ok=True)


def _put(directory: Path, rel: str, data: bytes, *, durable: bool, scratch: str | None = None) -> None:
    base = str(directory)
    folder, _, name = rel.rpartition("/")
    target = f"{made_folder(base, folder)}/{name}"
    token = fresh_token(8)
    inside = f"{TEMP_PREFIX}{token}"
    if scratch is None:
        replace_file(target, data, temporary=f"{made_folder(base, PRIVATE_DIR)}/{inside}", durable=durable)
        return
    try:
        replace_file(target, data, temporary=f"{scratch}{token}", durable=durable)
    except OSError as fault:
        if fault.errno != errno.EXDEV:
            raise
        # A Git directory on another file system.
        replace_file(target, data, temporary=f"{base}/{inside}", durable=durable)
