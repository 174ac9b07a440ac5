"""The commit being made, as a pre-commit hook sees it; light, because every commit that may concern us asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cc_git.store.committing_process import Process, words_of
from cc_git.store.place import Place
from cc_git.store.underway import INDEX_LOCKED, underway

_AMEND = "--amend"
"""Git takes any beginning of it that is not ambiguous."""


@dataclass(frozen=True, slots=True)
class Making:
    """`index` is the file that Git named (None: none), `head` HEAD's commit, `base` what the index is compared with,
    `process` the git process that makes the commit.
    """

    top: Path
    git_dir: Path
    common_dir: Path
    index: Path | None
    head: str | None
    base: str
    process: Process | None

    def place(self, prefix: str) -> Place:
        return Place(self.top, self.git_dir, self.common_dir, prefix)


def may_add(making: Making) -> bool:
    """Whether the commit comes from the worktree's own index, with no operation under way (`into_commit.py`, 1 and 2).

    `--git-path index` would not do: it obeys the variable that is in question.
    """
    index = making.index
    if index is None or index.name not in ("index", "index.lock") or not _same(index.parent, making.git_dir):
        return False
    # Git itself holds `index.lock` under `commit -a`.
    return not set(underway(making.git_dir)) - {INDEX_LOCKED}


def wants_no_change(making: Making) -> bool:
    """Whether its command line asks for a commit that may be empty, or for another message of the last one."""
    words = words_of(making.process) if making.process is not None else ()
    return any(word == "--allow-empty" or _AMEND.startswith(word) for word in words if len(word) > 3)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
