"""Keeping alive the snapshots that valid packets name, so that a packet can be compared with what it was made from.

A snapshot is kept as what lies over a commit of the user's: the commit's id, and path → blob of the rest. That costs
what differs, not what there is. When the commit is about to be lost (nothing reaches it any more), `Kept.base` tells,
and the snapshot can be kept once more without a base, whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cc_git.errors import LostRace
from cc_git.store.engine import FILE, GITLINK
from cc_git.store.journal import Journal
from cc_git.store.journal_form import SECONDS, WRITER
from cc_git.store.names import kept_ref

_BASE, _OVER = "base", "over"
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """The snapshot is the workspace's tree in commit `base` (None: nothing) with `over` (path → blob) laid over it."""

    base: str | None
    over: Mapping[str, str]


class KeptTrees:
    """The kept snapshots of one workspace, by the id of their tree."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._ref = kept_ref(journal.place.prefix).name

    def read(self, tree: str) -> Kept | None:
        engine, top = self._journal.engine, self._tree()
        entry = None if engine is None or top is None else engine.entry(top, tree)
        if engine is None or entry is None:
            return None
        base, over = engine.entry(entry.oid, _BASE), engine.entry(entry.oid, _OVER)
        return Kept(None if base is None else base.oid, {} if over is None else engine.files(over.oid))

    def names(self) -> frozenset[str]:
        engine, top = self._journal.engine, self._tree()
        return frozenset() if engine is None or top is None else frozenset(e.name for e in engine.tree(top))

    def keep(self, tree: str, kept: Kept) -> None:
        """Keep a snapshot; the blobs of `kept.over` are in the journal (`Journal.put`, under the same lock)."""
        changes: dict[str, tuple[int, str] | None] = {tree: None}
        changes |= {f"{tree}/{_OVER}/{rel}": (FILE, blob) for rel, blob in kept.over.items()}
        if kept.base is not None:
            changes[f"{tree}/{_BASE}"] = (GITLINK, kept.base)
        self._change(changes)

    def drop(self, trees: Iterable[str]) -> None:
        """Let go of snapshots; those that are not kept are passed over. `Journal.prune_now` frees the disk."""
        gone = self.names() & frozenset(trees)
        if gone:
            self._change(dict.fromkeys(gone))

    def _tree(self) -> str | None:
        engine = self._journal.engine
        tip = None if engine is None else self._journal.refs.read(self._ref)
        return None if engine is None or tip is None else engine.commit(tip).tree

    def _change(self, changes: Mapping[str, tuple[int, str] | None]) -> None:
        with self._journal.locked():
            engine = self._journal.writable()
            for _ in range(_TRIES):
                tip = self._journal.refs.read(self._ref)
                tree = engine.overlay(None if tip is None else engine.commit(tip).tree, changes)
                commit = engine.write_commit(tree or engine.write_tree(()), (), "kept\n", WRITER, seconds=SECONDS)
                if self._journal.refs.move(self._ref, commit, tip, durable=self._journal.durable):
                    return
        raise LostRace("the kept snapshots were changed by others again and again", hints=("run the command again",))
