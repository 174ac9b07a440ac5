"""Searching what a workspace remembers: records of every standing, episodes and rulings, by words.

The order is BM25 over all files of the snapshot, in integers, ties by the newer and then the id. It is the same with
and without the index, which only knows sooner which files have a word.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from cc_git.compiler.cards import millis
from cc_git.compiler.terms import terms
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.verdict import Verdict
from cc_git.store.cache import Cache, LayeredCache
from cc_git.store.index_base import Base, BaseLost
from cc_git.store.index_bring import bring
from cc_git.store.index_facts import SEARCHED
from cc_git.store.index_pool import Known
from cc_git.store.index_question import Question
from cc_git.store.loader import read_object
from cc_git.store.search_words import Bag, BaseWords, bag_of_value, bags_of

_K1, _B, _UNIT = 1.2, 0.75, 1000


@dataclass(frozen=True)
class Wanted:
    """`kinds` are record kinds, `episode` and `ruling`, `standings` those of records; empty: all. Forgotten and damaged
    things are found only when their standing is asked for."""

    text: str
    kinds: frozenset[str] = frozenset()
    standings: frozenset[str] = frozenset()
    limit: int | None = 20


class Hit(NamedTuple):
    filed: Filed[Record] | Filed[Episode] | Filed[Ruling]
    verdict: Verdict | None
    score: int

    @property
    def kind(self) -> str:
        value = self.filed.value
        return value.kind if isinstance(value, Record) else "episode" if isinstance(value, Episode) else "ruling"


Place = tuple[str, str] | int
"""Path and blob of a file, or its number in the base of the index."""


@dataclass
class _Matches:
    """Statistics over all files, and of those that have one of the words their length and counts."""

    files: int = 0
    length: int = 0
    found: dict[Place, tuple[int, dict[str, int]]] = field(default_factory=dict)
    base: Base | None = None

    def note(self, place: Place, length: int, term: str, count: int) -> None:
        known = self.found.get(place)
        if known is None:
            self.found[place] = (length, {term: count})
        else:
            known[1][term] = count

    def count(self, rel: str, blob: str, bag: Bag, asked: Collection[str]) -> None:
        length = sum(bag.values())
        self.files += 1
        self.length += length
        for term in asked:
            if term in bag:
                self.note((rel, blob), length, term, bag[term])

    def item(self, place: Place) -> tuple[str, str]:
        """Path and blob; may raise `BaseLost`."""
        if isinstance(place, tuple):
            return place
        assert self.base is not None
        one = self.base.facts(place)
        return one.rel, one.blob


def search(question: Question, wanted: Wanted, cache: Cache | None) -> list[Hit]:
    """The best matches, best first. A text without a word that counts matches nothing."""
    asked = tuple(dict.fromkeys(terms(wanted.text)))
    if not asked:
        return []
    known = Known(question, cache)
    if cache is not None:
        with suppress(BaseLost):
            matches = _from_index(question, asked, LayeredCache(cache))
            if matches is not None:
                return _hits(question, wanted, known, matches)
    return _hits(question, wanted, known, _from_files(question, asked))


def _hits(question: Question, wanted: Wanted, known: Known, matches: _Matches) -> list[Hit]:
    hits: list[Hit] = []
    for place, score in sorted(_scores(matches).items(), key=lambda item: item[1], reverse=True):
        if wanted.limit is not None and len(hits) >= wanted.limit and score < hits[-1].score:
            break
        hit = _hit(question, known, *matches.item(place), score)
        if hit is not None and _is_wanted(hit, wanted, forgotten=known.is_forgotten(hit.filed.value.id)):
            hits.append(hit)
    hits.sort(key=_best_first)
    return hits[: wanted.limit]


def _best_first(hit: Hit) -> tuple[int, int, str]:
    return -hit.score, -millis(hit.filed.value.recorded_at), hit.filed.value.id


def _from_files(question: Question, asked: Collection[str]) -> _Matches:
    matches = _Matches()
    for rel, blob in question.files().items():
        value = read_object(rel, blob, question.read)
        if isinstance(value, Record | Episode | Ruling):
            matches.count(rel, blob, bag_of_value(value), asked)
    return matches


def _from_index(question: Question, asked: Collection[str], cache: Cache) -> _Matches | None:
    """None where the index cannot help; may raise `BaseLost`."""
    state = bring(question, cache)
    if state is None:
        return None
    judged = state.judged
    base = judged.base
    words = BaseWords(base, cache, question.read)
    gone = {number: base.facts(number) for rel in judged.layer.gone for number in base.numbers_at(rel)}
    matches = _Matches(
        base.searched - sum(one.sort in SEARCHED for one in gone.values()),
        words.length - sum(words.lengths[number] for number in gone),
        base=base,
    )
    for term in asked:
        for number, count in words.words(term):
            if number not in gone:
                matches.note(number, words.lengths[number], term, count)
    over = [one for one in judged.layer.facts if one.sort in SEARCHED]
    bags = bags_of(over, question.read, cache)
    for one in over:
        matches.count(one.rel, one.blob, bags[one.rel], asked)
    return matches


def _scores(matches: _Matches) -> dict[Place, int]:
    having = Counter(term for _, counts in matches.found.values() for term in counts)
    mean = max(1.0, matches.length / max(1, matches.files))
    rarity = {term: math.log(1 + (matches.files - n + 0.5) / (n + 0.5)) for term, n in having.items()}
    return {
        place: sum(
            round(_UNIT * rarity[term] * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * length / mean)))
            for term, count in counts.items()
        )
        for place, (length, counts) in matches.found.items()
    }


def _hit(question: Question, known: Known, rel: str, blob: str, score: int) -> Hit | None:
    value = read_object(rel, blob, question.read)
    if isinstance(value, Record):
        return Hit(Filed(rel, blob, value), known.verdict(value.id), score)
    if isinstance(value, Episode):
        return Hit(Filed(rel, blob, value), None, score)
    return Hit(Filed(rel, blob, value), None, score) if isinstance(value, Ruling) else None


def _is_wanted(hit: Hit, wanted: Wanted, *, forgotten: bool) -> bool:
    if wanted.kinds and hit.kind not in wanted.kinds:
        return False
    standing = None if hit.verdict is None else hit.verdict.standing
    if wanted.standings:
        return standing in wanted.standings
    return standing not in ("forgotten", "damaged") and not forgotten
