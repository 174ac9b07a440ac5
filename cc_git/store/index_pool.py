"""What stands in a snapshot and the pool to compile from: from the index where it helps, else from the files.

Both ways give the same answers. If a piece of the index turns out to be lost or damaged between two questions, the rest
is answered from the files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import TypeVar

from cc_git.compiler.memory_pool import MemoryPool
from cc_git.compiler.pool import Card, EpisodeCard, Excluded, Pool
from cc_git.errors import Damaged
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.model.verdict import Clash, Restraint, Standings, Verdict
from cc_git.store import index_form as form
from cc_git.store.cache import Cache
from cc_git.store.index_base import BaseLost
from cc_git.store.index_bring import bring
from cc_git.store.index_facts import Facts
from cc_git.store.index_layer import Judged
from cc_git.store.index_question import Question
from cc_git.store.index_restraints import restraints_of
from cc_git.store.index_state import State
from cc_git.store.loader import Loaded, load, read_object

_T = TypeVar("_T")


class Known:
    """The answers to one question. `cache` is the index, or None to go without."""

    def __init__(self, question: Question, cache: Cache | None) -> None:
        self._question = question
        self._cache = cache

    @cached_property
    def _state(self) -> State | None:
        return None if self._cache is None else bring(self._question, self._cache)

    @cached_property
    def loaded(self) -> Loaded:
        """Every file of the snapshot as values: slow where there are many."""
        question = self._question
        blobs = {rel: entry.oid for rel, entry in question.snapshot.entries.items()}
        return load(blobs, question.read, forgotten=question.negatives.forgotten)

    @cached_property
    def _judged(self) -> Standings:
        """Judged from the files, all of them."""
        question, files = self._question, self.loaded.files
        blobs = [(rel, entry.oid) for rel, entry in question.snapshot.entries.items()]
        negatives = question.negatives.value
        blobs += ((one.filed.rel, one.filed.blob) for one in negatives.seen.values())
        anchors = {a.path for variants in files.records.values() for f in variants for a in f.value.anchors}
        judged = question.rules(
            files,
            question.workspace.policy,
            question.attest(blobs),
            negatives,
            question.now,
            code=question.code(sorted(anchors)),
        )
        return replace(judged, clashes=form.in_order(judged.clashes))

    def _ask(self, index: Callable[[State], _T], files: Callable[[], _T]) -> _T:
        if self._state is not None:
            try:
                return index(self._state)
            except BaseLost:
                self.__dict__["_state"] = None
        return files()

    @cached_property
    def standings(self) -> Standings:
        """What every record counts as."""
        return self._ask(
            lambda state: Standings(state.judged.all_verdicts(), self.clashes, self.until, self.restraining),
            lambda: self._judged,
        )

    @property
    def restraining(self) -> tuple[Restraint, ...]:
        """The restraints in force that no whole record holds."""
        return self._ask(lambda state: restraints_of(state.judged, self._question), lambda: self._judged.restraining)

    @property
    def clashes(self) -> tuple[Clash, ...]:
        return self._ask(lambda state: form.in_order(state.judged.clashes), lambda: self._judged.clashes)

    @property
    def until(self) -> datetime | None:
        """The next instant at which a standing changes without a new file."""
        return self._ask(lambda state: state.until, lambda: self._judged.until)

    def verdict(self, identifier: str) -> Verdict | None:
        return self._ask(lambda state: state.judged.verdict(identifier), lambda: self._judged.of(identifier))

    def is_forgotten(self, identifier: str) -> bool:
        """A tombstone that counts names it, and it is no restraint that only a person's would take."""
        verdict = self.verdict(identifier)
        if verdict is not None:
            return verdict.standing == "forgotten"
        if identifier in self._question.negatives.forgotten:
            return True
        return self._ask(
            lambda state: any(
                one.sort == "tombstone" and one.id == identifier for one in state.judged.holders(f"i:{identifier}")
            ),
            lambda: identifier in self.loaded.files.tombstones,
        )

    def rulings_on(self, identifier: str) -> tuple[Ruling, ...]:
        """The rulings of the snapshot that name an id, whatever it is of: also of what has no standing (a trigger)."""
        found = self._ask(
            lambda state: [(f.blob, f.rel) for f in state.judged.holders(f"i:{identifier}") if f.sort == "ruling"],
            lambda: [(f.blob, f.rel) for same in self.loaded.files.rulings.values() for f in same],
        )
        once = dict(sorted(found, reverse=True))
        values = (read_object(once[blob], blob, self._question.read) for blob in sorted(once))
        return tuple(v for v in values if isinstance(v, Ruling) and identifier in (*v.targets, *v.over))

    @cached_property
    def pool(self) -> Pool:
        return self._ask(lambda state: IndexPool(state.judged, self._question, self._from_files), self._from_files)

    def _from_files(self) -> Pool:
        return MemoryPool(self.loaded.files, self._judged, self._question.now)


class IndexPool:
    """A pool over a judged snapshot in the index. `fallback` makes one from the files, should the index be lost."""

    def __init__(self, judged: Judged, question: Question, fallback: Callable[[], Pool]) -> None:
        self._judged = judged
        self._question = question
        self._fallback = fallback
        self._instead: Pool | None = None

    def _ask(self, index: Callable[[], _T], instead: Callable[[Pool], _T]) -> _T:
        if self._instead is None:
            try:
                return index()
            except BaseLost:
                self._instead = self._fallback()
        return instead(self._instead)

    def cards(self) -> Sequence[Card]:
        return self._ask(lambda: self._judged.cards, lambda pool: pool.cards())

    def excluded(self) -> Sequence[Excluded]:
        return self._ask(lambda: tuple(self._judged.layer.excluded), lambda pool: pool.excluded())

    def restraining(self) -> Sequence[Restraint]:
        return self._ask(lambda: restraints_of(self._judged, self._question), lambda pool: pool.restraining())

    def frequencies(self, terms: Collection[str]) -> Mapping[str, Mapping[str, int]]:
        return self._ask(
            lambda: {term: found for term in dict.fromkeys(terms) if (found := self._judged.words(term))},
            lambda pool: pool.frequencies(terms),
        )

    def record(self, identifier: str) -> Filed[Record]:
        cards = self.cards()
        place = bisect_left(cards, identifier, key=lambda card: card.id)
        if place == len(cards) or cards[place].id != identifier:
            raise KeyError(identifier)
        card = cards[place]
        value = self._value(card.rel, card.blob)
        assert isinstance(value, Record)
        return Filed(card.rel, card.blob, value)

    def verdict(self, identifier: str) -> Verdict | None:
        return self._ask(lambda: self._judged.verdict(identifier), lambda pool: pool.verdict(identifier))

    def recent_episodes(self, count: int) -> Sequence[EpisodeCard]:
        return self._ask(
            lambda: tuple(islice(self._judged.episodes(), count)), lambda pool: pool.recent_episodes(count)
        )

    def episode(self, identifier: str) -> Filed[Episode]:
        return self._ask(lambda: self._episode(identifier), lambda pool: pool.episode(identifier))

    def _episode(self, identifier: str) -> Filed[Episode]:
        found = _lowest(one for one in self._of(identifier) if one.sort == "episode")
        if found is None or self._is_lost(identifier):
            raise KeyError(identifier)
        value = self._value(found.rel, found.blob)
        assert isinstance(value, Episode)
        return Filed(found.rel, found.blob, value)

    def _of(self, identifier: str) -> list[Facts]:
        return [one for one in self._judged.holders(f"i:{identifier}") if one.id == identifier]

    def _is_lost(self, identifier: str) -> bool:
        here = self._of(identifier)
        forgotten = identifier in self._question.negatives.forgotten or any(one.sort == "tombstone" for one in here)
        return forgotten or len({one.blob for one in here if one.sort == "episode"}) > 1

    def behind(self, episodes: Collection[str]) -> Mapping[str, Sequence[tuple[str, str]]]:
        return self._ask(
            lambda: {e: found for e in episodes if (found := self._citing(e))}, lambda pool: pool.behind(episodes)
        )

    def _citing(self, episode: str) -> Sequence[tuple[str, str]]:
        citing: list[tuple[str, str]] = []
        for identifier in sorted({one.id for one in self._judged.holders(f"c:{episode}")}):
            representing = _lowest(one for one in self._of(identifier) if one.sort == "record")
            verdict = self._judged.verdict(identifier)
            if representing is not None and episode in representing.cites and verdict is not None:
                citing.append((identifier, verdict.standing))
        return tuple(citing)

    def _value(self, rel: str, blob: str) -> Value:
        value = read_object(rel, blob, self._question.read)
        if isinstance(value, Fault):
            raise Damaged(str(value), hints=("git fsck",))
        return value


def _lowest(facts: Iterable[Facts]) -> Facts | None:
    """The file that represents an id with several: the one with the lowest path."""
    return min(facts, key=lambda one: one.rel, default=None)
