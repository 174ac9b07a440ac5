"""Which commits hold which files of a workspace: asked of where HEAD has been, of all tips, of remote-tracking ones.

Most branches share most of their folders, so every folder is read once, whatever number of tips it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from cc_git.store.classify import Reach
from cc_git.store.engine import Engine, MissingObject
from cc_git.store.head_tree import Folders, HeadTree

STASH = "refs/stash"
REMOTES = "refs/remotes/"


class Holders:
    """`tips` are all refs but the stash, full name → commit; `head` is HEAD's commit."""

    def __init__(self, engine: Engine, prefix: str, head: str | None, tips: Mapping[str, str]) -> None:
        self._engine = engine
        self._prefix = prefix
        self._head = head
        self._folders: Folders = {}
        self._trees: dict[str, HeadTree] = {}
        self._by_tree: dict[str, HeadTree] = {}
        self._tips = tuple(dict.fromkeys(tips.values()))
        self._remote = tuple(dict.fromkeys(oid for name, oid in tips.items() if name.startswith(REMOTES)))
        self._reach: dict[str, Reach | None] = {}

    def files(self, commit: str) -> HeadTree:
        """The workspace's files in a commit; none where the commit is not here."""
        known = self._trees.get(commit)
        if known is None:
            tree = None
            with suppress(MissingObject):
                below = self._engine.entry(self._engine.commit(commit).tree, self._prefix)
                tree = below.oid if below is not None and below.is_tree else None
            known = self._by_tree.setdefault(tree or "", HeadTree(self._engine, tree, self._folders))
            self._trees[commit] = known
        return known

    def of_pending(self, pending: Mapping[str, str], visited: Iterable[str]) -> dict[str, str]:
        """Path → the commit that holds it: by its path where HEAD has been, with the same bytes at a tip.

        Bytes are compared at tips because anybody may push one: no other branch's file takes ours out.
        """
        left, found = dict(pending), dict[str, str]()
        asked: set[tuple[str | None, bool]] = set()
        for commit, any_bytes in (*((c, True) for c in visited), *((c, False) for c in self._tips)):
            if not left:
                break
            files = self.files(commit)
            if (files.tree, any_bytes) in asked:
                continue
            asked.add((files.tree, any_bytes))
            there_all = files.for_lookups(len(left))
            for rel, blob in tuple(left.items()):
                there = _blob(there_all, rel)
                if there is not None and (any_bytes or there == blob):
                    found[rel] = commit
                    del left[rel]
        return found

    def published(self, watched: Mapping[str, str]) -> frozenset[str]:
        """Those of the paths (with the blob first seen) that a remote-tracking branch holds with the same bytes."""
        left = dict(watched)
        for files in {files.tree: files for files in map(self.files, self._remote)}.values():
            there = files.for_lookups(len(left))
            left = {rel: blob for rel, blob in left.items() if _blob(there, rel) != blob}
        return frozenset(watched.keys() - left.keys())

    def reach(self, commits: Iterable[str]) -> dict[str, Reach]:
        """What reaches each commit; those that nothing reaches are left out."""
        asked = frozenset(commits)
        unknown = asked - self._reach.keys()
        if unknown:
            outside = self._engine.unreached(unknown, (self._head,) if self._head else ())
            stranded = self._engine.unreached(outside, self._tips) if outside else outside
            for commit in unknown:
                here = Reach.HEAD if commit not in outside else Reach.REF
                self._reach[commit] = None if commit in stranded else here
        return {commit: reach for commit in asked if (reach := self._reach[commit]) is not None}

    def anchors(self, lost: Mapping[str, str], visited: Iterable[str]) -> dict[str, str]:
        """For watched paths (with their blob) whose commit nothing reaches: a reachable commit that holds them.

        An amend, a rebase or a squash leaves the commit in which a file was first seen and keeps the file.
        """
        found: dict[str, str] = {}
        reachable = self.reach(visited)
        candidates = (*((self._head,) if self._head else ()), *self._tips, *reversed(tuple(reachable)))
        for commit in dict.fromkeys(candidates):
            files = self.files(commit).for_lookups(len(lost) - len(found))
            for rel in lost.keys() - found.keys():
                there = _blob(files, rel)
                if there == lost[rel] or (there is not None and commit == self._head):
                    found[rel] = commit
            if len(found) == len(lost):
                break
        return found


def tips_of(engine: Engine) -> dict[str, str]:
    """Every ref but the stash, full name → commit."""
    return {name: oid for name, oid in engine.refs().items() if name != STASH}


def tip_files(engine: Engine, prefix: str) -> Iterator[HeadTree]:
    """The workspace's files at every tip, each different state once."""
    tips = tips_of(engine)
    holders = Holders(engine, prefix, None, tips)
    yield from {files.tree: files for files in map(holders.files, tips.values())}.values()


def _blob(files: Mapping[str, str], rel: str) -> str | None:
    try:
        return files.get(rel)
    except MissingObject:
        return None
