"""The words of every record, episode and ruling of a base: made at the first search, kept as sealed lists.

FTS5 is not used: its lists carry no checksum, so a flipped byte could hide a hit without anybody noticing, and a
damaged index must give slower answers, never different ones.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from cc_git.compiler.terms import TITLE_WEIGHT, bag_of, terms
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.store import index_form as form
from cc_git.store.cache import Cache
from cc_git.store.index_base import Base, BaseLost, open_base
from cc_git.store.index_facts import SEARCHED, Facts
from cc_git.store.index_form import token_hash
from cc_git.store.loader import Read, read_object

WORDS, LENGTHS, BAGS = "text-words", "text-lengths", "text-bags"
KINDS = (WORDS, LENGTHS, BAGS)
_PARTS = 64

Bag = Mapping[str, int]


def bag_of_value(value: Value) -> Bag:
    """term → weighted count of anything that is searched."""
    match value:
        case Record():
            return bag_of(value)
        case Episode():
            bag = Counter(terms(value.content))
            for term in terms(" \n".join(value.tags)):
                bag[term] += TITLE_WEIGHT
            return bag
        case Ruling():
            return Counter(terms(value.reason))
    return {}


def bag_at(rel: str, blob: str, read: Read) -> Bag | None:
    """Empty for what cannot be read; None for what is not in this clone, and may arrive."""
    value = read_object(rel, blob, read)
    if isinstance(value, Fault):
        return None if value.code == "missing" else {}
    return bag_of_value(value)


def bags_of(facts: Iterable[Facts], read: Read, cache: Cache) -> dict[str, Bag]:
    """Path → bag of the files that lie over a base; kept by blob."""
    found: dict[str, Bag] = {}
    new: dict[str, bytes] = {}
    for one in facts:
        payload = cache.get(BAGS, f"{one.sort} {one.blob}")
        if payload is None:
            bag = bag_at(one.rel, one.blob, read)
            found[one.rel] = bag or {}
            if bag is not None:
                new[f"{one.sort} {one.blob}"] = form.dump(dict(bag))
        else:
            found[one.rel] = form.load(payload)
    if new:
        cache.put(BAGS, new)
    return found


class BaseWords:
    """A file of the base is named by its number there; one that is not searched has the length 0."""

    def __init__(self, base: Base, cache: Cache, read: Read) -> None:
        self._base = base
        self._cache = cache
        payload = cache.get(LENGTHS, base.name)
        self.lengths: array[int] = self._make(read) if payload is None else array("I", payload)

    @property
    def length(self) -> int:
        """Of all files together."""
        return sum(self.lengths)

    def words(self, term: str) -> Iterator[tuple[int, int]]:
        """(number of the file, count) of one term."""
        yield from _pairs(self._part(self._base.name, token_hash(term) % _PARTS).get(term))

    def _part(self, name: str, number: int) -> dict[str, tuple[bytes, bytes]]:
        payload = self._cache.get(WORDS, f"{name}/{number}")
        if payload is None:
            raise BaseLost(WORDS)
        return form.load(payload)  # type: ignore[no-any-return]

    def _make(self, read: Read) -> array[int]:
        facts = self._base.all_facts()
        made = _Lists(len(facts))
        known = self._carry_over(facts, made)
        for number, one in enumerate(facts):
            if one.sort in SEARCHED and number not in known:
                made.add(number, bag_at(one.rel, one.blob, read) or {})
        name = self._base.name
        self._cache.put(WORDS, {f"{name}/{n}": form.dump(part) for n, part in enumerate(made.parts())})
        self._cache.put(LENGTHS, {name: made.lengths.tobytes()})
        return made.lengths

    def _carry_over(self, facts: list[Facts], made: _Lists) -> set[int]:
        """Take over what the base before this one knew; the numbers of the files that it knew."""
        before = None if self._base.before is None else open_base(self._cache, self._base.before)
        payload = None if before is None else self._cache.get(LENGTHS, before.name)
        if before is None or payload is None:
            return set()
        lengths = array("I", payload)
        place = {(one.rel, one.blob): number for number, one in enumerate(facts) if one.sort in SEARCHED}
        try:
            moved = {old: place.get((one.rel, one.blob)) for old, one in enumerate(before.all_facts())}
            parts = [self._part(before.name, number) for number in range(_PARTS)]
        except BaseLost:
            return set()
        for part in parts:
            for term, lists in part.items():
                for old, count in _pairs(lists):
                    new = moved[old]
                    if new is not None:
                        made.note(new, term, count)
        for old, new in moved.items():
            if new is not None:
                made.lengths[new] = lengths[old]
        return {new for new in moved.values() if new is not None}


class _Lists:
    """Lists of words in the making, for a number of files."""

    def __init__(self, files: int) -> None:
        self.lengths = array("I", bytes(4 * files))
        self._numbers: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}

    def add(self, number: int, bag: Bag) -> None:
        self.lengths[number] = sum(bag.values())
        for term, count in bag.items():
            self.note(number, term, count)

    def note(self, number: int, term: str, count: int) -> None:
        numbers = self._numbers.get(term)
        if numbers is None:
            numbers, self._counts[term] = array("I"), array("I")
            self._numbers[term] = numbers
        numbers.append(number)
        self._counts[term].append(count)

    def parts(self) -> list[dict[str, tuple[bytes, bytes]]]:
        parts: list[dict[str, tuple[bytes, bytes]]] = [{} for _ in range(_PARTS)]
        for term, numbers in self._numbers.items():
            parts[token_hash(term) % _PARTS][term] = (numbers.tobytes(), self._counts[term].tobytes())
        return parts


def _pairs(lists: tuple[bytes, bytes] | None) -> Iterable[tuple[int, int]]:
    return () if lists is None else zip(array("I", lists[0]), array("I", lists[1]), strict=True)
