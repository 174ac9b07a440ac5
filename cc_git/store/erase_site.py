"""Where a forgetting is carried out: one opened worktree and workspace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cc_git.store.engine import Engine
from cc_git.store.git import Git
from cc_git.store.head_tree import HeadTree
from cc_git.store.index import Index
from cc_git.store.journal import Journal
from cc_git.store.place import Place


@dataclass(frozen=True)
class Site:
    place: Place
    engine: Engine
    git: Git
    journal: Journal
    index: Index

    @property
    def directory(self) -> Path:
        assert self.place.directory is not None, "a bare repository is refused before"
        return self.place.directory

    def head_files(self) -> HeadTree:
        commit = self.engine.head()[1]
        entry = None if commit is None else self.engine.entry(self.engine.commit(commit).tree, self.place.prefix)
        return HeadTree(self.engine, entry.oid if entry is not None and entry.is_tree else None)
