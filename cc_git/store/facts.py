"""Gathers the facts that the rules of `classify.py` ask, and asks Git no more than the case needs.

Where nothing is new no process is started: HEAD, its tree, the refs and the reflog are read in process, and the disk is
listed against HEAD's tree. The git program is asked for the index only when an unknown file lies on disk
(`diff-index --cached`, which skips whole folders by the index's own cache of trees), for the settings of stashes and
sparse checkout only when a file of ours is missing. Files are read only where they are unknown or edited by people:
whether an immutable file was edited on disk changes nothing in the snapshot and is asked on demand (`edits.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cc_git.codec import paths
from cc_git.model.fault import Fault, too_large
from cc_git.store.accepted import find_accepted
from cc_git.store.engine import Engine, TooLarge
from cc_git.store.git import Git
from cc_git.store.graves import Graves, entombed
from cc_git.store.head_tree import HeadTree
from cc_git.store.holders import Holders, tips_of
from cc_git.store.index_entries import staged
from cc_git.store.journal import Journal
from cc_git.store.journal_state import JournalState, Watched
from cc_git.store.place import Place
from cc_git.store.position import Moves, moves_of_head
from cc_git.store.present import Workspace
from cc_git.store.present_facts import Facts, Found
from cc_git.store.private_away import scratch_outside
from cc_git.store.sparse import excluded
from cc_git.store.stashes import stashed
from cc_git.store.trees import object_id
from cc_git.store.underway import underway
from cc_git.store.unknown_files import Disk, Judge, Lying
from cc_git.store.user_index import EMPTY_TREE

_TRIES = 3
_CHANGING = "index changing"


@dataclass(frozen=True)
class Sources:
    """Where the facts come from: one opened worktree and workspace."""

    place: Place
    engine: Engine
    git: Git
    journal: Journal
    judge: Judge


@dataclass(frozen=True)
class Sight:
    """The facts, HEAD's files, the bytes that were read from disk (by blob id), what ails `workspace.toml`, and whether
    HEAD is on a branch."""

    facts: Facts
    head: HeadTree
    loose: Mapping[str, bytes]
    workspace_fault: Fault | None
    on_branch: bool


def gather(sources: Sources, state: JournalState) -> Sight:
    """One look at everything. While another program changes the index or HEAD under it, it looks again."""
    for _ in range(_TRIES):
        before = _signature(sources)
        sight = _Gathering(sources, state, before).sight()
        if _signature(sources) == before:
            return sight
    return replace(sight, facts=replace(sight.facts, underway=(*sight.facts.underway, _CHANGING)))


@dataclass(frozen=True)
class _Signature:
    head: str | None
    underway: tuple[str, ...]
    index: tuple[int, int, int] | None


def _signature(sources: Sources) -> _Signature:
    place = sources.place
    try:
        about = (place.git_dir / "index").stat()
        index: tuple[int, int, int] | None = (about.st_ino, about.st_size, about.st_mtime_ns)
    except OSError:
        index = None
    return _Signature(sources.engine.head()[1], underway(place.git_dir) if place.top else (), index)


class _Gathering:
    def __init__(self, sources: Sources, state: JournalState, signature: _Signature) -> None:
        self.sources, self.state, self.signature = sources, state, signature
        engine, place = sources.engine, sources.place
        self.head_commit = signature.head
        self.tips = tips_of(engine)
        self.holders = Holders(engine, place.prefix, self.head_commit, self.tips)
        self.tree = self.holders.files(self.head_commit) if self.head_commit else HeadTree(engine, None)
        self.head = self.tree.for_lookups(len(state.pending) + len(state.watch))

    def sight(self) -> Sight:
        state, place = self.state, self.sources.place
        lying = self._lying()
        missing = self._missing(lying)
        moves = moves_of_head(place, self.sources.git, state.position)
        digest = self._digest()
        moved = moves.position != state.position or digest != state.tips
        holding = self._holding(moves, missing, moved=moved)
        missing = [rel for rel in missing if rel not in holding]
        workspace, workspace_fault = self._workspace(lying, holding)
        forgotten = self._forgotten(lying)
        facts = Facts(
            state=state,
            head_commit=self.head_commit,
            head=self.head,
            found=None if place.top is None else self._found(lying),
            workspace=workspace,
            position=moves.position,
            tips=digest,
            underway=self.signature.underway,
            holders=holding,
            stashed=self._stashed(missing),
            excluded=excluded(place, self.sources.git, missing) if missing else frozenset(),
            tombstones=forgotten,
            entombed=entombed(self.tree, forgotten),
            tracked_private=frozenset(self.tree.below(paths.PRIVATE_DIR)),
            empty_blob=object_id("blob", b"", self.sources.engine.object_format),
        )
        facts = self._with_history(facts, moves, moved=moved)
        loose = {file.blob: file.data for file in lying.values() if file.data is not None}
        return Sight(facts, self.tree, loose, workspace_fault, self.sources.engine.head()[0] is not None)

    def _forgotten(self, lying: Mapping[str, Lying]) -> frozenset[str]:
        state, sources = self.state, self.sources
        beside = (*state.pending.items(), *state.private.items(), *((rel, file.blob) for rel, file in lying.items()))
        engine, place = sources.engine, sources.place
        graves = Graves(engine, place, lambda: find_accepted(engine, place, sources.git.own_config))
        there = graves.bound((*self.tree.below(paths.TOMBSTONES).items(), *beside))
        return there | graves.of_clone(sources.journal.engine, engine)

    def _lying(self) -> dict[str, Lying]:
        directory = self.sources.place.directory
        if directory is None:
            return {}
        disk = Disk(directory, self.sources.engine.object_format, self.sources.judge)
        return disk.lying(self.tree, {**self.state.pending, **self.state.private})

    def _found(self, lying: Mapping[str, Lying]) -> dict[str, Found]:
        known = self.state.pending.keys() | self.state.private.keys()
        unknown = [rel for rel, file in lying.items() if not file.fault and rel not in known and rel not in self.head]
        in_index: frozenset[str] = frozenset()
        if unknown:
            base = self.head_commit or EMPTY_TREE[self.sources.engine.object_format]
            in_index = staged(self.sources.git, self.sources.place, base)
        return {rel: Found(file.blob, file.fault, rel in in_index) for rel, file in lying.items()}

    def _missing(self, lying: Mapping[str, Lying]) -> list[str]:
        if self.signature.underway or self.sources.place.top is None:
            return []
        kept = (*self.state.pending, *self.state.private)
        return [rel for rel in kept if rel not in lying and rel not in self.head]

    def _stashed(self, missing: list[str]) -> frozenset[str]:
        if not missing:
            return frozenset()
        place = self.sources.place
        held = stashed(place, self.sources.engine, self.sources.git, missing)
        private = [rel for rel in missing if paths.is_private(rel)]
        if private and scratch_outside(place) is not None:
            held |= frozenset(private)
        return held

    def _workspace(self, lying: Mapping[str, Lying], holding: Mapping[str, str]) -> tuple[Workspace, Fault | None]:
        rel = paths.WORKSPACE_FILE
        if rel in lying:
            fault = lying[rel].fault
        elif rel in self.state.pending and rel not in self.head and rel not in holding:
            fault = self.sources.judge(rel, self.sources.journal.blob(self.state.pending[rel]))
        elif rel in self.head:
            fault = self._fault_in_head(rel)
        else:
            return Workspace.ABSENT, None
        return (Workspace.READABLE if fault is None else Workspace.BROKEN), fault

    def _fault_in_head(self, rel: str) -> Fault | None:
        try:
            return self.sources.judge(rel, self.sources.engine.blob(self.head[rel]))
        except TooLarge as found:
            return too_large(rel, found.size)

    def _digest(self) -> str:
        """Of all ref tips and HEAD (which moves without a trace where reflogs are switched off)."""
        digest = hashlib.sha256(f"HEAD {self.head_commit}\n".encode())
        for name, oid in sorted(self.tips.items()):
            digest.update(f"{name} {oid}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _holding(self, moves: Moves, missing: list[str], *, moved: bool) -> dict[str, str]:
        pending = self.state.pending
        asked = pending if moved else [rel for rel in missing if rel in pending]
        unseen = {rel: pending[rel] for rel in asked if rel not in self.head}
        return self.holders.of_pending(unseen, moves.commits) if unseen else {}

    def _with_history(self, facts: Facts, moves: Moves, *, moved: bool) -> Facts:
        state, head, holders = self.state, self.head, self.holders
        watch = dict(state.watch)
        for rel, blob in state.pending.items():
            holder = self.head_commit if rel in head else facts.holders.get(rel)
            if holder is not None:
                watch[rel] = Watched(holder, blob)
        published, anchors = frozenset[str](), dict[str, str]()
        if moved and watch:
            published = holders.published({rel: seen.blob for rel, seen in watch.items()})
            kept = {rel: seen for rel, seen in watch.items() if rel not in published}
            anchors = holders.anchors(kept, moves.commits)
        outside = [rel for rel in watch if rel not in head and rel not in published]
        reach = holders.reach({anchors.get(rel, watch[rel].commit) for rel in outside})
        return replace(facts, published=published, anchors=anchors, reach=reach)
