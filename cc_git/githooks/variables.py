"""What Git tells a hook, read once. Everything after it works with these values and a clean environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from cc_git.errors import Unsupported
from cc_git.store.commit_being_made import Making
from cc_git.store.committing_process import git_above
from cc_git.store.git_process import QUIET, run_git
from cc_git.store.user_index import EMPTY_TREE

_QUESTION = (
    *("rev-parse", "--path-format=absolute", "--show-object-format", "--show-toplevel", "--absolute-git-dir"),
    *("--git-common-dir", "--revs-only", "HEAD"),
)


def read_making(cwd: Path, environ: Mapping[str, str]) -> Making:
    """The commit being made. Git starts a pre-commit hook at the top level of the work tree."""
    ran = run_git(cwd, {**environ, **QUIET}, _QUESTION)
    lines = os.fsdecode(ran.stdout).removesuffix("\n").split("\n")
    if ran.code or len(lines) not in (4, 5):
        raise Unsupported("this hook was not started in a work tree", why=ran.said or None)
    object_format, top, git_dir, common_dir, *heads = lines
    head = heads[0] if heads else None
    named = environ.get("GIT_INDEX_FILE")
    return Making(
        top=Path(top),
        git_dir=Path(git_dir),
        common_dir=Path(common_dir),
        index=cwd / named if named else None,
        head=head,
        base=head or EMPTY_TREE[object_format],
        process=git_above(os.getppid()),
    )
