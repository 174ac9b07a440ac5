"""What has changed since a base was written, and both together as one judged snapshot."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cc_git.compiler.pool import EXCLUDED_NAMED, Card, EpisodeCard, Excluded
from cc_git.model.verdict import Clash, Verdict
from cc_git.store import index_form as form
from cc_git.store.index_base import Base, Group, kind_of, newest
from cc_git.store.index_facts import Facts, tokens_of
from cc_git.store.index_judge import Ghost, Outcome, Timed, ghosts_from


@dataclass
class Layer:
    """`gone` are paths whose file in the base counts no more. In `outcome` None takes back what the base says of an id;
    its `clashes` and `timed` groups are complete, as is `excluded`. `was` is where the base counts an excluded id."""

    facts: list[Facts] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    outcome: Outcome = field(default_factory=Outcome)
    excluded: list[Excluded] = field(default_factory=list)
    was: dict[str, Group | None] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.gone) + len(self.facts) + len(self.outcome.verdicts)

    def plain(self) -> dict[str, Any]:
        """As the index spells it."""
        outcome = self.outcome
        return {
            "facts": [tuple(one) for one in self.facts],
            "gone": list(self.gone),
            "verdicts": {i: None if v is None else form.verdict_row(v) for i, v in outcome.verdicts.items()},
            "cards": {i: None if card is None else tuple(card) for i, card in outcome.cards.items()},
            "bags": {i: dict(bag) for i, bag in outcome.bags.items()},
            "episodes": {i: None if card is None else tuple(card) for i, card in outcome.episodes.items()},
            "clashes": form.clash_rows(outcome.clashes),
            "timed": [tuple(group) for group in outcome.timed],
            "ghosts": form.ghost_rows(outcome.ghosts),
            "excluded": [tuple(group) for group in self.excluded],
            "was": self.was,
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Layer:
        return cls(
            form.facts_from(plain["facts"]),
            set(plain["gone"]),
            Outcome(
                {i: None if row is None else form.verdict_from(row) for i, row in plain["verdicts"].items()},
                {i: None if row is None else Card(*row) for i, row in plain["cards"].items()},
                plain["bags"],
                {i: None if row is None else EpisodeCard(*row) for i, row in plain["episodes"].items()},
                form.clashes_from(plain["clashes"]),
                [Timed(*group) for group in plain["timed"]],
                ghosts_from(plain["ghosts"]),
            ),
            [Excluded(*group) for group in plain["excluded"]],
            plain["was"],
        )


class Judged:
    """A base under a layer. Every answer may raise `BaseLost`."""

    def __init__(self, base: Base, layer: Layer) -> None:
        self.base = base
        self.layer = layer

    @cached_property
    def _over(self) -> dict[str, list[Facts]]:
        held: dict[str, list[Facts]] = {}
        for one in self.layer.facts:
            for token in tokens_of(one):
                held.setdefault(token, []).append(one)
        return held

    def holders(self, token: str) -> list[Facts]:
        """The files of the snapshot that hold a token."""
        gone = self.layer.gone
        return [*(one for one in self.base.holders(token) if one.rel not in gone), *self._over.get(token, ())]

    def facts_at(self, rel: str) -> Facts | None:
        return next((one for one in self.holders(f"r:{rel}") if one.rel == rel), None)

    def all_facts(self) -> list[Facts]:
        gone = self.layer.gone
        return [*(one for one in self.base.all_facts() if one.rel not in gone), *self.layer.facts]

    def verdict(self, identifier: str) -> Verdict | None:
        verdicts = self.layer.outcome.verdicts
        return verdicts[identifier] if identifier in verdicts else self.base.verdict(identifier)

    def all_verdicts(self) -> dict[str, Verdict]:
        return _laid(self.base.all_verdicts(), self.layer.outcome.verdicts)

    @property
    def clashes(self) -> list[Clash]:
        return self.layer.outcome.clashes

    @property
    def timed(self) -> list[Timed]:
        return self.layer.outcome.timed

    @cached_property
    def ghosts(self) -> dict[str, tuple[Ghost, ...]]:
        """By id, in order; the contents of one id in the order of their blobs."""
        over = {**self.base.ghosts, **self.layer.outcome.ghosts}
        return {identifier: over[identifier] for identifier in sorted(over) if over[identifier]}

    @cached_property
    def cards(self) -> list[Card]:
        """Sorted by id."""
        over = self.layer.outcome.cards
        if not over:
            return self.base.cards
        kept = [card for card in self.base.cards if card.id not in over]
        kept += (card for card in over.values() if card is not None)
        # What was kept is in order already, which the sort makes use of.
        kept.sort(key=_id_of)
        return kept

    def words(self, term: str) -> dict[str, int]:
        """Record id → count, over all cards."""
        outcome = self.layer.outcome
        found = self.base.words(term)
        if outcome.cards:
            for identifier in outcome.cards:
                found.pop(identifier, None)
            for identifier, bag in outcome.bags.items():
                if term in bag:
                    found[identifier] = bag[term]
        return found

    def all_bags(self) -> dict[str, Mapping[str, int]]:
        over = self.layer.outcome
        base = {i: bag for i, bag in self.base.all_bags().items() if i not in over.cards}
        return {**base, **over.bags}

    def episodes(self) -> Iterator[EpisodeCard]:
        """Newest first."""
        over = self.layer.outcome.episodes
        own = sorted((card for card in over.values() if card is not None), key=newest, reverse=True)
        kept = (card for card in self.base.episodes() if card.id not in over)
        return heapq.merge(kept, own, key=newest, reverse=True)

    # excluded
    def group_of(self, identifier: str) -> Group | None:
        """Where an id is counted that has a verdict and no card."""
        verdict = self.verdict(identifier)
        return None if verdict is None or self._has_card(identifier) else (verdict.standing, kind_of(identifier))

    def _has_card(self, identifier: str) -> bool:
        over = self.layer.outcome.cards
        return over[identifier] is not None if identifier in over else identifier in self._base_cards

    @cached_property
    def _base_cards(self) -> frozenset[str]:
        return frozenset(card.id for card in self.base.cards)

    def count_excluded(self) -> list[Excluded]:
        """By standing, then kind."""
        out: dict[Group, set[str]] = {}
        come: dict[Group, list[str]] = {}
        for identifier, was in self.layer.was.items():
            if was is not None:
                out.setdefault(was, set()).add(identifier)
            now = self.group_of(identifier)
            if now is not None:
                come.setdefault(now, []).append(identifier)
        counted = []
        for group in sorted({*self.base.excluded, *come}):
            number, first = self.base.excluded.get(group, (0, []))
            removed, added = out.get(group, set()), come.get(group, [])
            number += len(added) - len(removed)
            if number:
                ids = self._highest(group, first, removed, added)
                counted.append(Excluded(*group, number, tuple(ids)))
        return counted

    def _highest(self, group: Group, first: list[str], removed: set[str], added: Iterable[str]) -> list[str]:
        kept = [identifier for identifier in first if identifier not in removed]
        if removed and len(kept) < EXCLUDED_NAMED:
            kept = [identifier for identifier in self.base.excluded_ids(group) if identifier not in removed]
        return sorted((*kept[:EXCLUDED_NAMED], *added), reverse=True)[:EXCLUDED_NAMED]


def _id_of(card: Card) -> str:
    return card.id


def _laid(base: dict[str, Verdict], over: Mapping[str, Verdict | None]) -> dict[str, Verdict]:
    for identifier, verdict in over.items():
        if verdict is None:
            base.pop(identifier, None)
        else:
            base[identifier] = verdict
    return base
