"""Which engine serves a repository: libgit2 where it can, the git program where it cannot or was asked for.

Whether the repository's owner is trusted is for the git program to say, for both: libgit2 knows less of
`safe.directory` (nothing of the environment's). It is asked only where something belongs to somebody else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from cc_git.errors import Refused, Unsupported, UsageFault
from cc_git.store.engine import Engine
from cc_git.store.git_process import of_our_own
from cc_git.store.program import Program
from cc_git.store.program_engine import Format, ProgramEngine
from cc_git.store.pygit2_engine import open_engine as open_libgit2

ENGINE_VARIABLE = "CC_GIT_ENGINE"
LIBGIT2, GIT = "libgit2", "git"

Judge = Callable[[], str | None]
"""Asks the git program whether it would open the repository: None for yes, else its own words."""


def open_engine(git_dir: Path, top: Path | None, environ: Mapping[str, str], judge: Judge) -> Engine:
    """Open the repository whose Git directory this is (of a linked worktree: its own), with this work tree."""
    wanted = environ.get(ENGINE_VARIABLE) or None
    if wanted not in (None, LIBGIT2, GIT):
        hints = (f"{ENGINE_VARIABLE}={LIBGIT2}", f"{ENGINE_VARIABLE}={GIT}", f"unset {ENGINE_VARIABLE}")
        raise UsageFault(f"{ENGINE_VARIABLE}={wanted} names no engine", hints=hints)
    verdict = judge() if _is_somebody_elses(git_dir, top) else None
    if verdict is not None:
        raise Refused(
            f"Git does not trust the repository at {git_dir}",
            why=verdict,
            hints=(f"git config --global --add safe.directory {top or git_dir}",),
        )
    if wanted == GIT:
        return ProgramEngine(Program(git_dir, environ), f"{ENGINE_VARIABLE}={GIT}")
    try:
        return open_libgit2(git_dir)
    except Unsupported as refusal:
        if wanted == LIBGIT2:
            refusal.hints = (f"unset {ENGINE_VARIABLE}", *refusal.hints)
            raise
        return ProgramEngine(Program(git_dir, environ), f"libgit2 cannot: {refusal.why}")


def open_own(git_dir: Path, object_format: Format) -> Engine:
    """Open a repository of our own, which nobody's configuration concerns."""
    if object_format == "sha1":
        return open_libgit2(git_dir)
    return ProgramEngine(Program(git_dir, of_our_own()), "libgit2 has no SHA-256", object_format)


def _is_somebody_elses(git_dir: Path, top: Path | None) -> bool:
    """What Git looks at: the Git directory, the work tree and the `.git` in it."""
    looked_at = (git_dir,) if top is None else (git_dir, top, top / ".git")
    return any(_owner(path) not in (None, os.geteuid()) for path in looked_at)


def _owner(path: Path) -> int | None:
    """None for what is not there; nobody's number for what may not even be looked at."""
    try:
        return path.stat().st_uid
    except FileNotFoundError:
        return None
    except OSError:
        return -1
