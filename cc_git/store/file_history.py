"""In which commit a workspace's file came and in which it went: what `blame` tells and the audit compares.

A file *came* with the oldest commit that has it while no parent does, and *went* with the newest that has it not while
some parent does (a merge that keeps one side alone drops what the other had). Squash, rebase and amend make new
commits, so the answer is always one of the history at hand. A tree that is not in this clone is passed over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from cc_git.codec.paths import is_private
from cc_git.store.engine import Engine, MissingObject


class _Step(NamedTuple):
    """One commit with the workspace's tree in it and in each parent (None: no workspace there)."""

    oid: str
    here: str | None
    parents: tuple[str | None, ...]


class FileHistory:
    """`prefix` is the workspace's folder. Each question is one walk over `tips`, newest commits first."""

    def __init__(self, engine: Engine, prefix: str, tips: Collection[str]) -> None:
        self._engine = engine
        self._prefix = prefix
        self._tips = sorted(set(tips))
        self._trees: dict[str, str | None] = {}

    def came(self) -> dict[str, str]:
        """Path → the commit that it came with, for every file that ever was there. A tracked `private/` is not ours."""
        found: dict[str, str] = {}
        for step in self._steps():
            if step.here is None or step.here in step.parents:
                continue
            first = step.parents[0] if step.parents else None
            for rel, change in self._engine.diff(first, step.here).items():
                new = change.before is None and not any(self._has(tree, rel) for tree in step.parents[1:])
                if new and not is_private(rel):
                    found[rel] = step.oid
        return found

    def came_with(self, rels: Collection[str]) -> dict[str, str]:
        """The same for these paths alone."""
        found: dict[str, str] = {}
        for step in self._steps():
            if step.here is not None and step.here not in step.parents:
                for rel in rels:
                    if self._has(step.here, rel) and not any(self._has(tree, rel) for tree in step.parents):
                        found[rel] = step.oid
        return found

    def went_with(self, rels: Collection[str]) -> dict[str, str]:
        """Path → the commit that it went with; only those that went."""
        left, found = set(rels), dict[str, str]()
        for step in self._steps():
            if not left:
                break
            if all(tree == step.here for tree in step.parents):
                continue
            for rel in sorted(left):
                if not self._has(step.here, rel) and any(self._has(tree, rel) for tree in step.parents):
                    found[rel] = step.oid
                    left.discard(rel)
        return found

    def _steps(self) -> Iterator[_Step]:
        for oid in self._engine.walk(self._tips):
            try:
                parents = self._engine.commit(oid).parents
            except MissingObject:
                continue
            yield _Step(oid, self._workspace(oid), tuple(self._workspace(parent) for parent in parents))

    def _workspace(self, oid: str) -> str | None:
        if oid not in self._trees:
            try:
                entry = self._engine.entry(self._engine.commit(oid).tree, self._prefix)
            except MissingObject:
                entry = None
            self._trees[oid] = entry.oid if entry is not None and entry.is_tree else None
        return self._trees[oid]

    def _has(self, tree: str | None, rel: str) -> bool:
        try:
            entry = None if tree is None else self._engine.entry(tree, rel)
        except MissingObject:
            return False
        return entry is not None and entry.is_file
