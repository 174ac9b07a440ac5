"""Which commits hold which files of a workspace: asked of where HEAD has been, of all tips, of remote-tracking ones.

Most branches share most of their folders, so every folder is read once, whatever number of tips it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from cc_git.store.engine import Engine, MissingObject
from cc_git.store.head_tree import Folders, HeadTree
from cc_git.store.journal_state import Watched
from cc_git.store.names import REMOTES, STASH
from cc_git.store.present_facts import Reach


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
        return self._holding(pending, visited, at_tips=self._tips)

    def _holding(self, wanted: Mapping[str, str], anyhow: Iterable[str], at_tips: Iterable[str] = ()) -> dict[str, str]:
        """Path → the first commit that holds it: one of `anyhow` by its path, or of `at_tips` with its blob."""
        left, found = dict(wanted), dict[str, str]()
        asked: set[tuple[str | None, bool]] = set()
        for commit, same in (*((c, False) for c in anyhow), *((c, True) for c in at_tips)):
            if not left:
                break
            files = self.files(commit)
            if (files.tree, same) in asked:
                continue
            asked.add((files.tree, same))
            there_all = files.for_lookups(len(left))
            for rel, blob in tuple(left.items()):
                there = _blob(there_all, rel)
                if there is not None and (there == blob or not same):
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

    def anchors(self, watched: Mapping[str, Watched], visited: Sequence[str]) -> dict[str, str]:
        """For watched paths: a commit that holds them, where their own says less about where they are.

        An amend, a rebase or a squash leaves the commit in which a file was first seen and keeps the file. So a commit
        of HEAD's history comes first, and where nothing reaches the file's own, any other that is reached.
        """
        reach = self.reach({*visited, *(seen.commit for seen in watched.values())})
        off = {rel: seen.blob for rel, seen in watched.items() if reach.get(seen.commit) is not Reach.HEAD}
        mine = [commit for commit in reversed(visited) if reach.get(commit) is Reach.HEAD]
        found = self._holding(off, (*((self._head,) if self._head else ()), *mine))
        lost = {rel: blob for rel, blob in off.items() if rel not in found and watched[rel].commit not in reach}
        others = [commit for commit in reversed(visited) if reach.get(commit) is Reach.REF]
        return found | self._holding(lost, others, at_tips=self._tips)


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
