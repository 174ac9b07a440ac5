"""Putting the workspace's files into the work tree, each whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from cc_git.codec.paths import (
    ATTRIBUTES_FILE,
    ATTRIBUTES_TEXT,
    PRIVATE_DIR,
    PRIVATE_IGNORE,
    PRIVATE_IGNORE_TEXT,
    TEMP_PREFIX,
    is_immutable,
)
from cc_git.entropy import fresh_token
from cc_git.errors import Refused
from cc_git.store.disk import made_folder, read_file, replace_file

_SKELETON = {PRIVATE_IGNORE: PRIVATE_IGNORE_TEXT.encode(), ATTRIBUTES_FILE: ATTRIBUTES_TEXT.encode()}


def make_skeleton(directory: Path) -> None:
    """The two files without which ours are not safe in a work tree; what stands there already is left alone.

    The ignore file comes first: nothing private may lie in `private/` for a moment without it.
    """
    directory.mkdir(parents=True, exist_ok=True)
    if not os.path.lexists(f"{directory}/{PRIVATE_DIR}"):
        (directory / PRIVATE_DIR).mkdir(mode=0o700)
    for rel, data in _SKELETON.items():
        if not os.path.lexists(f"{directory}/{rel}"):
            _put(directory, rel, data, durable=False)


def place_files(directory: Path, files: Mapping[str, bytes], *, durable: bool) -> None:
    """Write these files, in their order; those that stand there with the same bytes are left alone.

    Raises `Refused` as `missing_files` does, before anything is written.
    """
    write_missing(directory, missing_files(directory, files), durable=durable)


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


def write_missing(directory: Path, files: Mapping[str, bytes], *, durable: bool) -> None:
    make_skeleton(directory)
    for rel, data in files.items():
        _put(directory, rel, data, durable=durable)


def sweep_temporary(directory: Path) -> None:
    """Remove what a killed writer left in `private/`."""
    for path in (directory / PRIVATE_DIR).glob(f"{TEMP_PREFIX}*"):
        path.unlink(missing_ok=True)


def _put(directory: Path, rel: str, data: bytes, *, durable: bool) -> None:
    base = str(directory)
    folder, _, name = rel.rpartition("/")
    temporary = f"{made_folder(base, PRIVATE_DIR)}/{TEMP_PREFIX}{fresh_token(8)}"
    replace_file(f"{made_folder(base, folder)}/{name}", data, temporary=temporary, durable=durable)
