"""Which operation of Git is in progress: what the git program itself looks for (`wt_status_get_state`)."""

from __future__ import annotations

from pathlib import Path

INDEX_LOCKED = "index locked"

_MARKS = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "sequencer": "sequence",
    "BISECT_LOG": "bisect",
    "index.lock": INDEX_LOCKED,
}
"""File in the worktree's own Git directory → name of the operation.

`index.lock` is there while a checkout, merge or reset writes the work tree: files of the new branch are then on disk
and not yet in the index, and would look like somebody's untracked files.
"""


def underway(git_dir: Path) -> tuple[str, ...]:
    """The names of the operations in progress, none in the ordinary case."""
    return tuple(dict.fromkeys(name for mark, name in _MARKS.items() if (git_dir / mark).exists()))
