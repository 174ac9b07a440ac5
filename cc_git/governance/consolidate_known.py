"""What new episodes are compared with: records that stand, wait or will stand, and what earlier consolidations did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from cc_git.governance.alike import Near, Words, words_of
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.episode import Episode
from cc_git.model.filed import Files
from cc_git.model.ids import prefix_of
from cc_git.model.receipt import Receipt
from cc_git.model.record import Record
from cc_git.model.verdict import Standing, Standings
from cc_git.standing.tables import levels_of

OPERATION = "consolidate"
ACTOR = "agent:cc-git/consolidate"
Moment = tuple[datetime, str]
"""Episodes and what follows from them, in order."""
_MOST = 3
_LIVE: frozenset[Standing] = frozenset({"current", "conflicted", "proposed", "not-yet-valid"})


@dataclass(frozen=True)
class Entry:
    """A record with its words. `weight`: the authority with which it stands; of one that waits, its evidence's."""

    record: Record
    weight: Authority
    sensitivity: Sensitivity
    words: Words
    waits: bool

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def since(self) -> Moment:
        """What was put forward from an episode is as old as that."""
        put_forward = self.record.actor == ACTOR and self.record.sources
        return self.record.starts, self.record.sources[-1] if put_forward else ""

    def is_older(self, episode: Episode) -> bool:
        return self.since <= (episode.starts, episode.id)


class Known:
    """Grows with every proposal of the run, so that the next episode is compared with that as well. An episode sees of
    the proposals those of older ones alone: so it sees the same whether they were made in this run or in one before."""

    def __init__(self, files: Files, standings: Standings) -> None:
        self.taken = {*files.records, *files.tombstones}
        self.cited: dict[str, list[str]] = {}
        self.entries: dict[str, Entry] = {}
        self.rejected: dict[tuple[str, Words], str] = {}
        self._gone: dict[str, Moment] = {}
        """Since when a later proposal would replace an earlier one."""
        self._near: dict[str, Near] = {}
        self._same: dict[tuple[str, Words, datetime | None], list[str]] = {}
        self._subject: dict[str, list[Entry]] = {}
        for identifier in sorted(files.records):
            record, verdict = files.records[identifier][0].value, standings.verdicts[identifier]
            for source in record.sources:
                self.cited.setdefault(source, []).append(identifier)
            if verdict.standing in _LIVE:
                waits = verdict.standing == "proposed"
                weight = _evidence(record, files) if waits else verdict.authority
                sensitivity = highest(record.sensitivity, verdict.sensitivity)
                self._add(Entry(record, weight, sensitivity, _words(record), waits))
            elif verdict.standing == "rejected":
                self.rejected[record.kind, _words(record)] = identifier
        for entry in [*self.entries.values()]:
            if entry.waits:
                self._give_way(entry)

    def _add(self, entry: Entry) -> None:
        record = entry.record
        self.entries[record.id] = entry
        self._near.setdefault(record.kind, Near()).add(record.id, entry.words)
        self._same.setdefault((record.kind, entry.words, record.ends), []).append(record.id)
        if record.subject is not None:
            self._subject.setdefault(record.subject, []).append(entry)

    def propose(self, record: Record, weight: Authority) -> None:
        self.taken.add(record.id)
        self._add(Entry(record, weight, record.sensitivity, _words(record), waits=True))
        self._give_way(self.entries[record.id])

    def same(self, kind: str, words: Words, episode: Episode) -> list[Entry]:
        return self._seen(self._same.get((kind, words, episode.valid_to), ()), episode)

    def about(self, episode: Episode) -> list[Entry]:
        return self._seen((entry.id for entry in self.ever_about(episode.subject)), episode)

    def ever_about(self, subject: str | None) -> list[Entry]:
        """Also what later proposals would replace."""
        return self._subject.get(subject, []) if subject is not None else []

    def near(self, kind: str, words: Words, episode: Episode) -> tuple[str, ...]:
        """Ids of at most three records whose text is much like this one, the nearest first."""
        found = self._near[kind].to(words) if kind in self._near else ()
        seen = {entry.id for entry in self._seen(found, episode) if entry.record.scope.meets(episode.scope)}
        return tuple(i for i in found if i in seen)[:_MOST]

    def _seen(self, identifiers: Iterable[str], episode: Episode) -> list[Entry]:
        """What stands first, then by id: in the same order whenever it was found."""
        now = (episode.starts, episode.id)
        found = (self.entries[i] for i in identifiers if i not in self._gone or self._gone[i] > now)
        put_forward = (entry for entry in found if not (entry.waits and entry.since[1] and entry.since > now))
        return sorted(put_forward, key=lambda entry: (entry.waits, entry.id))

    def _give_way(self, entry: Entry) -> None:
        """A proposal that a later one would replace is compared with no more."""
        for old in entry.record.supersedes:
            if old in self.entries and self.entries[old].waits:
                self._gone[old] = min(self._gone.get(old, entry.since), entry.since)


def consolidations(files: Files) -> list[Receipt]:
    found = [variants[0].value for variants in files.receipts.values()]
    mine = [receipt for receipt in found if receipt.operation == OPERATION]
    return sorted(mine, key=lambda receipt: (receipt.recorded_at, receipt.id))


def considered(files: Files) -> set[str]:
    """The episodes that a consolidation has dealt with, on whichever branch it ran."""
    return {i for receipt in consolidations(files) for i in receipt.touched if prefix_of(i) == "ep"}


def in_order(files: Files) -> list[Episode]:
    """Sound episodes that nobody forgot, as they happened."""
    sound = [v[0].value for i, v in files.episodes.items() if len(v) == 1 and i not in files.tombstones]
    return sorted(sound, key=lambda episode: (episode.starts, episode.id))


def _words(record: Record) -> Words:
    return words_of(record.content or record.title)


def _evidence(record: Record, files: Files) -> Authority:
    said = (v[0].value.authority for s in record.sources if len(v := files.episodes.get(s, ())) == 1)
    return max((record.authority, *said), key=levels_of(record).__getitem__)
