"""Making the journal's bare repository, by hand, whole, and moved into place in one step; and opening it.

It has the object format of the user's repository, so that a file has one blob id in both. No template of the user's
(with its hooks) has any business in it, and a copy of this skeleton costs less than `init`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Literal

from cc_git.entropy import fresh_token
from cc_git.store.engine import Engine
from cc_git.store.engines import open_own
from cc_git.store.names import OwnFolder

_CONFIG = {
    "sha1": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n",
    "sha256": (
        "[core]\n\trepositoryformatversion = 1\n\tbare = true\n"
        "[extensions]\n\tobjectformat = sha256\n[gc]\n\tauto = 0\n"
    ),
}


def open_journal(own: OwnFolder) -> Engine:
    """The journal's repository, which is there; by the git program where libgit2 does not know its object format."""
    made_as = (own.journal / "config").read_text(encoding="ascii", errors="replace")
    return open_own(own.journal, "sha256" if "objectformat = sha256" in made_as.lower() else "sha1")


def create_repository(own: OwnFolder, object_format: Literal["sha1", "sha256"]) -> None:
    """Make the journal's repository; harmless if it is there or another process makes it at the same time."""
    made = own.path / f"{own.temporary_prefix}{fresh_token(8)}"
    try:
        for folder in ("objects/info", "objects/pack", "refs"):
            (made / folder).mkdir(parents=True, mode=0o700)
        _write(made / "config", _CONFIG[object_format])
        _write(made / "HEAD", "ref: refs/heads/none\n")
        # A rename onto a folder that is not empty fails: whoever is second keeps the first one's.
        try:
            made.rename(own.journal)
        except OSError:
            if not (own.journal / "HEAD").is_file():
                raise
        else:
            _sync_folder(own.path)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _write(path: Path, text: str) -> None:
    with path.open("x", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
