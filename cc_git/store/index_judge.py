"""Asking the rules about parts of a snapshot, and keeping of the answers what a packet needs.

The rules are asked about several parts at once: about many that no passing of time can change, and about few that it
can, so that little is asked again when an instant has come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from cc_git.compiler.cards import card_of, episode_card_of, is_carded, millis, reach_of, sources_of
from cc_git.compiler.pool import Card, EpisodeCard
from cc_git.compiler.terms import bag_of
from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.attestation import SeenNegative as Negative
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed, Files, gather
from cc_git.model.policy import Policy
from cc_git.model.record import Record
from cc_git.model.value import Value
from cc_git.model.verdict import Clash, Standings, Verdict, Whence
from cc_git.store.index_facts import Facts
from cc_git.store.index_form import verdict_from, without_collecting
from cc_git.store.index_links import Holders, parts
from cc_git.store.index_question import Rules
from cc_git.store.loader import Read, read_object
from cc_git.store.negative_acts import Item

_MANY, _FEW = 1000, 40
"""Records in one question to the rules."""

Forced = Mapping[Item, Negative]
"""What only the clone has seen."""

_EVIDENCE = frozenset({"episode", "tombstone", "ending"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Ghost(NamedTuple):
    """A restraint in force without a whole record (`verdict.Restraint`), but for its content and where it was seen."""

    rel: str
    blob: str
    verdict: Verdict
    whence: Whence


def ghosts_from(plain: Mapping[str, Iterable[tuple[Any, ...]]]) -> dict[str, tuple[Ghost, ...]]:
    return {
        identifier: tuple(Ghost(rel, blob, verdict_from(row), whence) for rel, blob, row, whence in rows)
        for identifier, rows in plain.items()
    }


class Timed(NamedTuple):
    """Ids judged together that time can change: all from `valid_until` on (milliseconds) must be judged again. `until`
    is what the rules say themselves (microseconds; None: nothing comes)."""

    valid_until: int
    until: int | None
    ids: tuple[str, ...]


@dataclass
class Outcome:
    """What the rules said, for some or all ids. None takes back what an earlier outcome said of an id."""

    verdicts: dict[str, Verdict | None] = field(default_factory=dict)
    cards: dict[str, Card | None] = field(default_factory=dict)
    bags: dict[str, Mapping[str, int]] = field(default_factory=dict)
    episodes: dict[str, EpisodeCard | None] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    timed: list[Timed] = field(default_factory=list)
    ghosts: dict[str, tuple[Ghost, ...]] = field(default_factory=dict)
    """By the id of the record; empty takes back."""


@dataclass(frozen=True)
class Ground:
    """Everything beside the files that the rules ask. `attest` gives the attestations for some files."""

    rules: Rules
    policy: Policy
    attest: Callable[[Iterable[Item]], Attestations]
    forced: Forced
    now: datetime
    code: Mapping[str, str]


class Judging:
    """`holders` finds files by token, over the whole snapshot and what only the clone has seen. `values` are those that
    were decoded already (they are used up); the others are read again."""

    def __init__(self, ground: Ground, read: Read, holders: Holders, values: dict[Item, Value]) -> None:
        self._ground = ground
        self._read = read
        self._holders = holders
        self._values = values
        self.unusable: dict[Item, Facts] = {}
        """What was only sketched and turned out not to be a record."""

    def judge(self, facts: list[Facts]) -> Outcome:
        """The verdicts on whole parts of the snapshot."""
        outcome = Outcome()
        with without_collecting():
            for group in self._groups(facts):
                self._ask(group, outcome)
        return outcome

    def _groups(self, facts: list[Facts]) -> Iterator[list[Facts]]:
        now = millis(self._ground.now)
        still: list[Facts] = []
        moving: list[Facts] = []
        for part in parts(facts, self._holders):
            moves = any(time > now for one in part for time in one.times)
            group, most = (moving, _FEW) if moves else (still, _MANY)
            group += part
            if len(group) >= most:
                yield list(group)
                group.clear()
        yield from (group for group in (still, moving) if group)

    def _ask(self, group: list[Facts], outcome: Outcome) -> None:
        ground = self._ground
        files, negatives, items = self._files(group)
        standings = ground.rules(files, ground.policy, ground.attest(items), negatives, ground.now, code=ground.code)
        outcome.clashes += standings.clashes
        coming = min((time for one in group for time in one.times if time > millis(ground.now)), default=None)
        if coming is not None:
            ids = tuple(sorted({one.id for one in group} - {""}))
            outcome.timed.append(Timed(coming, _micros(standings.until), ids))
        for restraint in standings.restraining:
            identifier, filed = restraint.filed.value.id, restraint.filed
            ghost = Ghost(filed.rel, filed.blob, restraint.verdict, restraint.whence)
            outcome.ghosts[identifier] = (*outcome.ghosts.get(identifier, ()), ghost)
        self._note(group, files, standings, outcome)
        for one in group:
            # A part is judged once; its values would only take room.
            if one.sort != "episode":
                self._values.pop((one.rel, one.blob), None)

    def _files(self, group: list[Facts]) -> tuple[Files, Negatives, set[Item]]:
        """The group's values with the episodes that it rests on, what only the clone has seen, and all their blobs.

        What was only sketched is seen here for the first time as it is.
        """
        forced = self._ground.forced
        seen: dict[Item, Negative] = {}
        present: dict[Item, None] = {}
        for one in group:
            for beside in (one, *(near for cited in one.cites for near in self._evidence(cited))):
                item = (beside.rel, beside.blob)
                if item in forced:
                    seen[item] = forced[item]
                else:
                    present[item] = None
        filed = []
        for rel, blob in present:
            value = self._value(rel, blob)
            if value is not None:
                filed.append(Filed(rel, blob, value))
        for place, one in enumerate(group):
            item = (one.rel, one.blob)
            if one.sort == "record" and item in present and item in self.unusable:
                group[place] = self.unusable[item]
        named = {f"{rel}@{blob}": negative for (rel, blob), negative in seen.items()}
        return gather(filed), Negatives(named), {*present, *seen}

    def _evidence(self, cited: str) -> Iterator[Facts]:
        """Episodes of this id, and marks on it. (Records that are cited are tied, so they are in the group.)"""
        return (one for one in self._holders(f"i:{cited}") if one.id == cited and one.sort in _EVIDENCE)

    def _value(self, rel: str, blob: str) -> Value | None:
        known = self._values.get((rel, blob))
        if known is not None:
            return known
        value = read_object(rel, blob, self._read)
        if isinstance(value, Fault):
            self.unusable[(rel, blob)] = Facts(rel, blob, "fault", "")
            return None
        return value

    def _note(self, group: list[Facts], files: Files, standings: Standings, outcome: Outcome) -> None:
        for identifier in {one.id for one in group}:
            if identifier in files.records:
                self._note_record(files.records[identifier][0], files, standings, outcome)
            elif identifier in files.episodes:
                lost = self._is_lost(identifier, standings)
                outcome.episodes[identifier] = None if lost else episode_card_of(files.episodes[identifier][0])

    def _note_record(self, filed: Filed[Record], files: Files, standings: Standings, outcome: Outcome) -> None:
        record = filed.value
        verdict = outcome.verdicts[record.id] = standings.verdicts[record.id]
        if not is_carded(record, verdict, self._ground.now):
            return
        cites = sources_of(record)
        present = [
            cited
            for cited in cites
            if cited in files.records or any(self._stands(one) for one in self._evidence(cited))
        ]
        lost = [cited for cited in cites if self._is_lost(cited, standings)]
        bag = outcome.bags[record.id] = bag_of(record)
        outcome.cards[record.id] = card_of(
            filed, verdict, length=sum(bag.values()), reach=reach_of(cites, present, lost)
        )

    def _stands(self, one: Facts) -> bool:
        return one.sort == "episode" and (one.rel, one.blob) not in self._ground.forced

    def _is_lost(self, identifier: str, standings: Standings) -> bool:
        """Forgotten or damaged."""
        verdict = standings.of(identifier)
        if verdict is not None and verdict.standing in ("forgotten", "damaged"):
            return True
        episodes = set()
        for one in self._holders(f"i:{identifier}"):
            if one.id != identifier:
                continue
            negative = self._ground.forced.get((one.rel, one.blob))
            if one.sort == "tombstone" and (negative is None or negative.force == "counts"):
                return True
            if one.sort == "episode":
                episodes.add(one.blob)
        return len(episodes) > 1


def _micros(when: datetime | None) -> int | None:
    return None if when is None else (when - _EPOCH) // timedelta.resolution
