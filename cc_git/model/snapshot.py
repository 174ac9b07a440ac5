"""The repository snapshot: an immutable view of a workspace's versioned files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RepositorySnapshot:
    """`tree` is the Git tree of the workspace, `commit` the commit that holds it (None: nothing committed yet),
    `origin` the revision as asked for, or `present`."""

    tree: str
    commit: str | None
    origin: str
