"""A whole judged snapshot in the index: written once, then read in the pieces that a question needs.

What lies over it (`index_state.Layer`) says what has changed since. Every piece is one payload of the cache; if one is
missing or damaged `BaseLost` is raised, and whoever asked goes on without the index.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any

from cc_git.compiler.pool import Card, EpisodeCard
from cc_git.model.ids import KIND_OF_PREFIX, prefix_of
from cc_git.model.verdict import Clash, Verdict
from cc_git.store import index_form as form
from cc_git.store.cache import Cache
from cc_git.store.index_facts import SEARCHED, Facts, tokens_of
from cc_git.store.index_form import token_hash
from cc_git.store.index_judge import Ghost, Outcome, Timed, ghosts_from

HEAD, CARDS = "base", "base-cards"
LINKS, FACTS, VERDICTS, WORDS, EPISODES, EXCLUDED = (
    "base-links", "base-facts", "base-verdicts", "base-words", "base-episodes", "base-excluded",
)  # fmt: skip
KINDS = (HEAD, CARDS, LINKS, FACTS, VERDICTS, WORDS, EPISODES, EXCLUDED)
_FACTS_IN_CHUNK, _EPISODES_IN_CHUNK = 128, 128
_FIRST_IDS = 64
"""Ids of a group of excluded records that are in the head; the others are read when these do not suffice."""

Group = tuple[str, str]
"""Standing and kind."""


class BaseLost(Exception):
    """A piece of the base is not there any more, or not as it was written."""


def _parts(files: int) -> int:
    return 1 if files < 500 else 16 if files < 8000 else 256


def payloads(name: str, facts: list[Facts], outcome: Outcome, *, before: str | None) -> dict[str, dict[str, bytes]]:
    """Kind → key → payload of a base. `outcome` is whole: nothing in it is None. `before` is the base that this one
    was made from."""
    parts = _parts(len(facts))
    verdicts = {i: v for i, v in outcome.verdicts.items() if v is not None}
    cards = [card for _, card in sorted(outcome.cards.items()) if card is not None]
    episodes = sorted((e for e in outcome.episodes.values() if e is not None), key=newest, reverse=True)
    excluded: dict[Group, list[str]] = {}
    for identifier, verdict in verdicts.items():
        if outcome.cards.get(identifier) is None:
            excluded.setdefault((verdict.standing, kind_of(identifier)), []).append(identifier)
    for ids in excluded.values():
        ids.sort(reverse=True)
    head = {
        "files": len(facts),
        "searched": sum(one.sort in SEARCHED for one in facts),
        "before": before,
        "parts": parts,
        "cards": len(cards),
        "episodes": len(episodes),
        "timed": [tuple(group) for group in outcome.timed],
        "clashes": form.clash_rows(outcome.clashes),
        "ghosts": form.ghost_rows(outcome.ghosts),
        "excluded": {group: (len(ids), ids[:_FIRST_IDS]) for group, ids in excluded.items()},
        "anchors": sorted({path for one in facts for path in one.anchors}),
    }
    return {
        LINKS: _links(name, facts, parts),
        FACTS: {
            f"{name}/{n}": zlib.compress(form.dump([tuple(one) for one in some]), 1)
            for n, some in enumerate(form.chunks(facts, _FACTS_IN_CHUNK))
        },
        VERDICTS: _in_parts(name, {i: form.verdict_row(v) for i, v in verdicts.items()}, parts),
        CARDS: {name: form.dump(form.Sharing().rows(cards))},
        WORDS: _words(name, [outcome.bags[card.id] for card in cards], parts),
        EPISODES: {
            f"{name}/{n}": form.dump(form.Sharing().rows(some))
            for n, some in enumerate(form.chunks(episodes, _EPISODES_IN_CHUNK))
        },
        EXCLUDED: {f"{name}/{'/'.join(group)}": form.dump(ids) for group, ids in excluded.items()},
        HEAD: {name: form.dump(head)},
    }


def _links(name: str, facts: list[Facts], parts: int) -> dict[str, bytes]:
    links: list[dict[int, list[int]]] = [{} for _ in range(parts)]
    for number, one in enumerate(facts):
        for token in set(tokens_of(one)):
            hashed = token_hash(token)
            links[hashed % parts].setdefault(hashed, []).append(number)
    return {f"{name}/{n}": form.dump(part) for n, part in enumerate(links)}


def _in_parts(name: str, values: Mapping[str, Any], parts: int) -> dict[str, bytes]:
    split: list[dict[str, Any]] = [{} for _ in range(parts)]
    for key, value in values.items():
        split[token_hash(key) % parts][key] = value
    return {f"{name}/{n}": form.dump(part) for n, part in enumerate(split)}


def _words(name: str, bags: list[Mapping[str, int]], parts: int) -> dict[str, bytes]:
    places: dict[str, array[int]] = {}
    counts: dict[str, array[int]] = {}
    for place, bag in enumerate(bags):
        for term, count in bag.items():
            if term not in places:
                places[term], counts[term] = array("I"), array("I")
            places[term].append(place)
            counts[term].append(count)
    return _in_parts(name, {term: (places[term].tobytes(), counts[term].tobytes()) for term in places}, parts)


def kind_of(identifier: str) -> str:
    return KIND_OF_PREFIX[prefix_of(identifier)]


def newest(card: EpisodeCard) -> tuple[int, str]:
    return card.recorded, card.id


class Base:
    """Made by `open_base`."""

    def __init__(self, cache: Cache, name: str, head: Mapping[str, Any]) -> None:
        self._cache = cache
        self.name = name
        self._head = head
        self._read: dict[tuple[str, str], Any] = {}

    def _piece(self, kind: str, key: str, *, packed: bool = False) -> Any:
        found = self._read.get((kind, key))
        if found is None:
            payload = self._cache.get(kind, key)
            if payload is None:
                raise BaseLost(f"{kind} {key}")
            found = self._read[(kind, key)] = form.load(zlib.decompress(payload) if packed else payload)
        return found

    @property
    def files(self) -> int:
        return int(self._head["files"])

    @property
    def searched(self) -> int:
        """How many of them search looks at."""
        return int(self._head["searched"])

    @property
    def before(self) -> str | None:
        """The base that this one was made from, which may be gone."""
        return self._head["before"]  # type: ignore[no-any-return]

    @property
    def anchors(self) -> Collection[str]:
        """Repository paths that records are anchored to."""
        return self._head["anchors"]  # type: ignore[no-any-return]

    @cached_property
    def timed(self) -> list[Timed]:
        return [Timed(*group) for group in self._head["timed"]]

    @cached_property
    def clashes(self) -> list[Clash]:
        return form.clashes_from(self._head["clashes"])

    @cached_property
    def ghosts(self) -> dict[str, tuple[Ghost, ...]]:
        return ghosts_from(self._head["ghosts"])

    # files
    def holders(self, token: str) -> list[Facts]:
        return [one for number in self._numbers(token) if token in tokens_of(one := self.facts(number))]

    def numbers_at(self, rel: str) -> list[int]:
        """The numbers of the files at a path."""
        return [number for number in self._numbers(f"r:{rel}") if self.facts(number).rel == rel]

    def _numbers(self, token: str) -> Collection[int]:
        hashed = token_hash(token)
        found: Collection[int] = self._piece(LINKS, f"{self.name}/{hashed % self._head['parts']}").get(hashed, ())
        return found

    def facts(self, number: int) -> Facts:
        chunk, place = divmod(number, _FACTS_IN_CHUNK)
        return Facts(*self._piece(FACTS, f"{self.name}/{chunk}", packed=True)[place])

    def all_facts(self) -> list[Facts]:
        found: list[Facts] = []
        for chunk in range(-(-self.files // _FACTS_IN_CHUNK)):
            found += form.facts_from(self._piece(FACTS, f"{self.name}/{chunk}", packed=True))
        return found

    # verdicts
    def verdict(self, identifier: str) -> Verdict | None:
        key = f"{self.name}/{token_hash(identifier) % self._head['parts']}"
        row = self._piece(VERDICTS, key).get(identifier)
        return None if row is None else form.verdict_from(row)

    def all_verdicts(self) -> dict[str, Verdict]:
        found: dict[str, Verdict] = {}
        for n in range(self._head["parts"]):
            for identifier, row in self._piece(VERDICTS, f"{self.name}/{n}").items():
                found[identifier] = form.verdict_from(row)
        return found

    @property
    def excluded(self) -> Mapping[Group, tuple[int, list[str]]]:
        """Group → how many, and the first ids, highest first."""
        return self._head["excluded"]  # type: ignore[no-any-return]

    def excluded_ids(self, group: Group) -> list[str]:
        """All of them, highest first."""
        number, first = self.excluded.get(group, (0, []))
        return first if number <= len(first) else self._piece(EXCLUDED, f"{self.name}/{'/'.join(group)}")

    # cards and words
    @cached_property
    def cards(self) -> list[Card]:
        """Sorted by id."""
        payload = self._cache.get(CARDS, self.name)
        if payload is None:
            raise BaseLost(CARDS)
        with form.without_collecting():
            return form.cards_from(form.load(payload))

    @cached_property
    def _card_ids(self) -> list[str]:
        return [card.id for card in self.cards]

    def words(self, term: str) -> dict[str, int]:
        """Record id → count of one term, over the base's cards."""
        found = self._piece(WORDS, f"{self.name}/{token_hash(term) % self._head['parts']}").get(term)
        if found is None:
            return {}
        places, counts = array("I", found[0]), array("I", found[1])
        return dict(zip(map(self._card_ids.__getitem__, places), counts, strict=True))

    def all_bags(self) -> dict[str, dict[str, int]]:
        ids = self._card_ids
        bags: dict[str, dict[str, int]] = {identifier: {} for identifier in ids}
        for n in range(self._head["parts"]):
            for term, (places, counts) in self._piece(WORDS, f"{self.name}/{n}").items():
                for place, count in zip(array("I", places), array("I", counts), strict=True):
                    bags[ids[place]][term] = count
        return bags

    def episodes(self) -> Iterator[EpisodeCard]:
        """Newest first; read as far as it is asked."""
        for chunk in range(-(-self._head["episodes"] // _EPISODES_IN_CHUNK)):
            yield from form.episodes_from(self._piece(EPISODES, f"{self.name}/{chunk}"))


def open_base(cache: Cache, name: str) -> Base | None:
    payload = cache.get(HEAD, name)
    return None if payload is None else Base(cache, name, form.load(payload))
