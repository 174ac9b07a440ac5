"""The small files by which a Git directory points at another: `.git` as a file, and `commondir`."""

from __future__ import annotations

import os
from pathlib import Path

from cc_git.errors import Unsupported


def pointed_at(dot_git: Path) -> Path:
    """A `.git` file says `gitdir: PATH`, relative to the folder it lies in (linked worktrees, submodules)."""
    text = os.fsdecode(dot_git.read_bytes())
    git_dir = (dot_git.parent / text.removeprefix("gitdir:").strip()).resolve()
    if not text.startswith("gitdir:") or not git_dir.is_dir():
        raise Unsupported(
            f"{dot_git} leads nowhere", why=f"it says: {text.strip()[:200]}", hints=("git worktree repair",)
        )
    return git_dir


def common_dir(git_dir: Path) -> Path:
    """Where a linked worktree's Git directory has its objects and refs; the same directory for all others."""
    try:
        said = (git_dir / "commondir").read_bytes()
    except FileNotFoundError:
        return git_dir
    return (git_dir / os.fsdecode(said).strip("\n")).resolve()
