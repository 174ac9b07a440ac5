"""What Git tells a hook, read once. Everything after it works with these values and a clean environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from cc_git.errors import Unsupported
from cc_git.store.commit_being_made import Making
from cc_git.store.committing_process import git_above
from cc_git.store.git_process import QUIET, run_git
from cc_git.store.user_index import empty_tree


def read_making(cwd: Path, environ: Mapping[str, str]) -> Making:
    """The commit being made. Git starts a pre-commit hook at the top level of the work tree."""
    words = ("--path-format=absolute", "--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--revs-only")
    ran = run_git(cwd, {**environ, **QUIET}, ("rev-parse", *words, "HEAD"))
    lines = os.fsdecode(ran.stdout).removesuffix("\n").split("\n")
    if ran.code or len(lines) not in (3, 4):
        raise Unsupported("this hook was not started in a work tree", why=ran.said or None)
    head = lines[3] if len(lines) == 4 else None
    named = environ.get("GIT_INDEX_FILE")
    return Making(
        top=Path(lines[0]),
        git_dir=Path(lines[1]),
        common_dir=Path(lines[2]),
        index=cwd / named if named else None,
        head=head,
        base=head or empty_tree("sha1"),
        process=git_above(os.getppid()),
    )
