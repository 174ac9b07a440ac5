"""A throw-away repository around a copy of a workspace: how its files are read where there is no Git to read them."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pygit2

from cc_git.codec.paths import WORKSPACE_DIR, WORKSPACE_FILE, is_private
from cc_git.store.engine import FILE
from cc_git.store.journal_form import SECONDS, WRITER
from cc_git.store.pygit2_engine import open_engine


def workspace_folder(start: Path) -> Path | None:
    """The nearest folder of a workspace at `start` or above, whatever is around it."""
    for folder in (start.resolve(), *start.resolve().parents):
        found = folder / WORKSPACE_DIR
        if (found / WORKSPACE_FILE).is_file() and not found.is_symlink():
            return found
    return None


@contextmanager
def scratch_repository(workspace: Path) -> Iterator[Path]:
    """The top of a repository that holds a copy of `workspace` in one commit, the private tier beside it; then gone.

    Links are left out: they may lead anywhere.
    """
    with TemporaryDirectory(prefix="cc-git-") as made:
        top = Path(made).resolve()
        shutil.copytree(workspace, top / WORKSPACE_DIR, ignore=_no_files, ignore_dangling_symlinks=True)
        pygit2.init_repository(str(top))
        engine = open_engine(top / ".git")
        try:
            rels = (path.relative_to(top).as_posix() for path in sorted((top / WORKSPACE_DIR).rglob("*")))
            files = [rel for rel in rels if (top / rel).is_file() and not is_private(rel.partition("/")[2])]
            tree = engine.overlay(None, {rel: (FILE, engine.write_blob((top / rel).read_bytes())) for rel in files})
            commit = engine.write_commit(tree or engine.write_tree(()), (), "files\n", WRITER, seconds=SECONDS)
            branch = engine.head()[0]
            assert branch is not None, "a new repository is on an unborn branch"
            engine.move_ref(branch, commit, None)
        finally:
            engine.close()
        yield top


def _no_files(folder: str, names: list[str]) -> set[str]:
    """What is neither a folder nor a regular file."""
    kinds = {name: os.lstat(Path(folder, name)).st_mode for name in names}
    return {name for name, mode in kinds.items() if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode))}
