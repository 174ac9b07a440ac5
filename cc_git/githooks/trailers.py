"""prepare-commit-msg: the records that a commit brings, as trailers of its message. Only where somebody asked for it:
`git config continuity.trailers true`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cc_git.codec import paths
from cc_git.githooks.variables import read_making
from cc_git.store.git import Git
from cc_git.store.staged import changes_of_commit
from cc_git.store.user_index import UserIndex

TRAILER = "Continuity-Record"
_MOST = 20
"""Trailers of one message; whoever commits more at once has a message that says what it is about."""


def add_trailers(cwd: Path, environ: Mapping[str, str], words: Sequence[str]) -> None:
    """`words` begin with the file of the message."""
    making = read_making(cwd, environ)
    git = Git(making.place(""), environ)
    changes = changes_of_commit(UserIndex(git, making.index), making.git_dir, making.base)
    inside = f"/{paths.WORKSPACE_DIR}/{paths.RECORDS}/"
    new = [paths.id_at(path) for path, staged in changes.items() if inside in f"/{path}" and staged.before is None]
    ids = [identifier for identifier in new if identifier is not None]
    if ids and len(ids) <= _MOST:
        named = [f"--trailer={TRAILER}: {identifier}" for identifier in ids]
        git.run("interpret-trailers", "--in-place", "--if-exists=addIfDifferent", *named, "--", str(cwd / words[0]))
