"""The pool over values in memory: what an index must agree with, and what serves where there is no index."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property

from cc_git.compiler.cards import card_of, episode_card_of, is_carded, reach_of, sources_of
from cc_git.compiler.pool import EXCLUDED_NAMED, Card, EpisodeCard, Excluded
from cc_git.compiler.terms import bag_of
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed, Files
from cc_git.model.record import Record
from cc_git.model.verdict import Restraint, Standings, Verdict

_LOST = ("forgotten", "damaged")


class MemoryPool:
    """Cuts every carded record into terms when first asked for them, and keeps the result."""

    def __init__(self, files: Files, standings: Standings, now: datetime) -> None:
        self._files = files
        self._standings = standings
        self._now = now

    def cards(self) -> Sequence[Card]:
        return self._cards

    @cached_property
    def _carded(self) -> dict[str, Filed[Record]]:
        carded = {}
        for identifier in sorted(self._files.records):
            verdict = self._standings.of(identifier)
            filed = self._files.records[identifier][0]
            if verdict is not None and is_carded(filed.value, verdict, self._now):
                carded[identifier] = filed
        return carded

    @cached_property
    def _bags(self) -> dict[str, Mapping[str, int]]:
        return {identifier: bag_of(filed.value) for identifier, filed in self._carded.items()}

    @cached_property
    def _cards(self) -> tuple[Card, ...]:
        verdicts, present, lost = self._standings.verdicts, self._present, self._lost
        return tuple(
            card_of(
                filed,
                verdicts[identifier],
                length=sum(self._bags[identifier].values()),
                reach=reach_of(sources_of(filed.value), present, lost),
            )
            for identifier, filed in self._carded.items()
        )

    @cached_property
    def _present(self) -> frozenset[str]:
        return frozenset(self._files.records) | frozenset(self._files.episodes)

    @cached_property
    def _lost(self) -> frozenset[str]:
        judged = {i for i, verdict in self._standings.verdicts.items() if verdict.standing in _LOST}
        damaged = {i for i, variants in self._files.episodes.items() if len(variants) > 1}
        return self._files.tombstones | judged | damaged

    @cached_property
    def _postings(self) -> dict[str, dict[str, int]]:
        postings: dict[str, dict[str, int]] = {}
        for identifier, bag in self._bags.items():
            for term, number in bag.items():
                postings.setdefault(term, {})[identifier] = number
        return postings

    def excluded(self) -> Sequence[Excluded]:
        return self._excluded

    @cached_property
    def _excluded(self) -> tuple[Excluded, ...]:
        groups: dict[tuple[str, str], list[str]] = {}
        for identifier, variants in self._files.records.items():
            verdict = self._standings.of(identifier)
            if identifier not in self._carded and verdict is not None:
                groups.setdefault((verdict.standing, variants[0].value.kind), []).append(identifier)
        return tuple(
            Excluded(standing, kind, len(ids), tuple(sorted(ids, reverse=True)[:EXCLUDED_NAMED]))
            for (standing, kind), ids in sorted(groups.items())
        )

    def restraining(self) -> Sequence[Restraint]:
        return self._standings.restraining

    def frequencies(self, terms: Collection[str]) -> Mapping[str, Mapping[str, int]]:
        return {term: self._postings[term] for term in terms if term in self._postings}

    def record(self, identifier: str) -> Filed[Record]:
        return self._carded[identifier]

    def verdict(self, identifier: str) -> Verdict | None:
        return self._standings.of(identifier)

    @cached_property
    def _episodes(self) -> tuple[EpisodeCard, ...]:
        sound = (v[0] for i, v in self._files.episodes.items() if i not in self._lost)
        return tuple(sorted(map(episode_card_of, sound), key=lambda card: (card.recorded, card.id), reverse=True))

    def recent_episodes(self, count: int) -> Sequence[EpisodeCard]:
        return self._episodes[:count]

    def episode(self, identifier: str) -> Filed[Episode]:
        if identifier in self._lost:
            raise KeyError(identifier)
        return self._files.episodes[identifier][0]

    @cached_property
    def _citing(self) -> dict[str, list[tuple[str, str]]]:
        citing: dict[str, list[tuple[str, str]]] = {}
        for identifier in sorted(self._files.records):
            verdict = self._standings.of(identifier)
            if verdict is not None:
                for source in sources_of(self._files.records[identifier][0].value):
                    citing.setdefault(source, []).append((identifier, verdict.standing))
        return citing

    def behind(self, episodes: Collection[str]) -> Mapping[str, Sequence[tuple[str, str]]]:
        return {episode: tuple(self._citing[episode]) for episode in episodes if episode in self._citing}
