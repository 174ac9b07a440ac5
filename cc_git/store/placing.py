"""Putting the workspace's files into the work tree, each whole or not at all."""

from __future__ import annotations

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
from cc_git.store.disk import make_folder, read_file, replace_file

_SKELETON = {PRIVATE_IGNORE: PRIVATE_IGNORE_TEXT.encode(), ATTRIBUTES_FILE: ATTRIBUTES_TEXT.encode()}


def make_skeleton(directory: Path) -> None:
    """The two files without which ours are not safe in a work tree; what stands there already is left alone.

    The ignore file comes first: nothing private may lie in `private/` for a moment without it.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for rel, data in _SKELETON.items():
        if not (directory / rel).exists():
            folder = make_folder(directory, rel.rpartition("/")[0])
            _put(directory, folder / rel.rpartition("/")[2], data, durable=False)


def place_files(directory: Path, files: Mapping[str, bytes], *, durable: bool) -> None:
    """Write these files, in their order; those that stand there with the same bytes are left alone.

    Refuses to give an immutable file other bytes (`check_immutable` before a transaction says so earlier).
    """
    make_skeleton(directory)
    check_immutable(directory, files)
    for rel, data in files.items():
        if read_file(directory / rel) != data:
            folder, _, name = rel.rpartition("/")
            _put(directory, make_folder(directory, folder) / name, data, durable=durable)


def check_immutable(directory: Path, files: Mapping[str, bytes]) -> None:
    """Stop before an immutable file would get other bytes."""
    for rel, data in files.items():
        if is_immutable(rel):
            stands = read_file(directory / rel)
            if stands is not None and stands != data:
                raise Refused(
                    f"{directory / rel} is there with other bytes",
                    why="a record is written once; to change it, a new one supersedes it",
                    hints=("cc-git correct", "cc-git check"),
                )


def sweep_temporary(directory: Path) -> None:
    """Remove what a killed writer left in `private/`."""
    for path in (directory / PRIVATE_DIR).glob(f"{TEMP_PREFIX}*"):
        path.unlink(missing_ok=True)


def _put(directory: Path, target: Path, data: bytes, *, durable: bool) -> None:
    temporary = directory / PRIVATE_DIR / f"{TEMP_PREFIX}{fresh_token(8)}"
    replace_file(target, data, temporary=temporary, durable=durable)
