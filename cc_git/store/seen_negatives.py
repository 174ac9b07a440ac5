"""What takes away, wherever this clone has ever seen it: a grow-only set in the journal, one for each workspace.

The bytes lie in the journal, so a deleted branch or a pruned remote gives nothing back. One path may have been seen
with several contents (a damaged id): each counts, so each is kept. Kept as well is which of them the accepted branch
ever held: that it takes them back, or forgets that it had them (a rewritten branch, a history cut short), changes
nothing of what they took.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cc_git.errors import Damaged, LostRace
from cc_git.store.engine import FILE, Engine
from cc_git.store.journal import Journal
from cc_git.store.journal_form import SECONDS, WRITER
from cc_git.store.journal_pack import many_at_once
from cc_git.store.names import negatives_ref

_FILES, _ORIGINS, _ATTESTED = "files", "origins", "attested"
_TRIES = 5
_MANY = 8
"""From so many on they go into a pack: in a clone whose history took much away there are hundreds the first time."""


@dataclass(frozen=True, slots=True, order=True)
class SeenNegative:
    """One file that takes away, and where it was first seen; `branch` is a full ref name, `author` as Git has it.

    `attested`: the accepted branch held it at some time.
    """

    rel: str
    blob: str
    branch: str
    author: str
    attested: bool = False


class SeenNegatives:
    """The set of one workspace; all worktrees of the clone share it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._ref = negatives_ref(journal.place.prefix).name
        self._known: tuple[str, tuple[SeenNegative, ...]] | None = None

    def read(self) -> tuple[SeenNegative, ...]:
        """All of them, sorted by path; their bytes are read with `Journal.blob`."""
        engine = self._journal.engine
        tip = None if engine is None else self._journal.refs.read(self._ref)
        if engine is None or tip is None:
            return ()
        if self._known is None or self._known[0] != tip:
            self._known = (tip, tuple(sorted(_all(engine, engine.commit(tip).tree))))
        return self._known[1]

    def add(self, found: Sequence[tuple[SeenNegative, bytes]]) -> None:
        """Take in what is not known yet, or not as attested, with its bytes; the first sighting of a content stays the
        one that is told."""
        with self._journal.locked():
            for _ in range(_TRIES):
                known = {(one.rel, one.blob): one.attested for one in self.read()}
                new = [(one, data) for one, data in found if one.attested > known.get((one.rel, one.blob), -1)]
                if not new or self._added(new):
                    return
        raise LostRace("the set of negatives was changed by others again and again", hints=("run the command again",))

    def drop(self, gone: Callable[[str], bool]) -> None:
        """Take out what a person forgot, by its path; what it took away is held by endings from then on."""
        with self._journal.locked():
            left = [one for one in self.read() if not gone(one.rel)]
            if len(left) == len(self.read()):
                return
            engine = self._journal.writable()
            tip = self._journal.refs.read(self._ref)
            changes = {f"{section}/{one.rel}/{one.blob}": None for one in self.read() if gone(one.rel)
                       for section in (_FILES, _ORIGINS)}  # fmt: skip
            tree = engine.overlay(None if tip is None else engine.commit(tip).tree, changes) or engine.write_tree(())
            commit = engine.write_commit(tree, (), "negatives\n", WRITER, seconds=SECONDS)
            if not self._journal.refs.move(self._ref, commit, tip, durable=self._journal.durable):
                raise LostRace("the set of negatives was changed by others", hints=("run the command again",))

    def _added(self, new: list[tuple[SeenNegative, bytes]]) -> bool:
        journal, engine = self._journal, self._journal.writable()
        tip = journal.refs.read(self._ref)
        if len(new) < _MANY:
            commit = self._written(engine, tip, new)
        else:
            with many_at_once(engine, journal.own.journal):
                commit = self._written(engine, tip, new)
        return journal.refs.move(self._ref, commit, tip, durable=journal.durable)

    def _written(self, engine: Engine, tip: str | None, new: list[tuple[SeenNegative, bytes]]) -> str:
        changes: dict[str, tuple[int, str] | None] = {}
        known = {f"{one.rel}/{one.blob}" for one in self.read()}
        for one, data in new:
            if engine.write_blob(data) != one.blob:
                raise Damaged(f"the bytes of {one.rel} are not those of blob {one.blob}", hints=("git fsck",))
            where = f"{one.rel}/{one.blob}"
            if one.attested:
                changes[f"{_ATTESTED}/{where}"] = (FILE, one.blob)
            if where in known:
                continue
            origin = json.dumps([one.branch, one.author]).encode()
            changes[f"{_FILES}/{where}"] = (FILE, one.blob)
            changes[f"{_ORIGINS}/{where}"] = (FILE, engine.write_blob(origin))
        tree = engine.overlay(None if tip is None else engine.commit(tip).tree, changes)
        assert tree is not None
        return engine.write_commit(tree, (), "negatives\n", WRITER, seconds=SECONDS)


def _all(engine: Engine, tree: str) -> Iterable[SeenNegative]:
    origins = engine.files(tree)
    for path, blob in origins.items():
        section, _, rest = path.partition("/")
        if section == _FILES:
            branch, author = json.loads(engine.blob(origins[f"{_ORIGINS}/{rest}"]))
            attested = f"{_ATTESTED}/{rest}" in origins
            yield SeenNegative(rest.rpartition("/")[0], blob, branch, author, attested)
