"""What a compile chooses from. In memory or from the index: both must give the same answers, so the same packet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from cc_git.model.episode import Episode
from cc_git.model.filed import Filed
from cc_git.model.record import Record


class Card(NamedTuple):
    """The little of a record that eligibility, reservation and ranking need. Times are milliseconds since 1970.

    `standing` is `current` or `conflicted`, or `revoked` for a grant whose time would still run (shown as such).
    `duty` is the payload's field that decides a reservation: effect of a permission, mode of a commitment, severity
    of a failure, else "". `length` counts the record's terms as `terms.py` cuts them.
    """

    id: str
    rel: str
    blob: str
    kind: str
    title: str
    scope: tuple[str, str, str, str, str]
    sensitivity: str
    standing: str
    authority: str
    attested: bool
    flags: tuple[str, ...]
    by: tuple[str, ...]
    limited_by: tuple[str, ...]
    starts: int
    ends: int | None
    recorded: int
    due: int | None
    duty: str
    priority: int
    sources: tuple[str, ...]
    length: int


class Pool(Protocol):
    """Reads are lazy: only what is selected is decoded."""

    def cards(self) -> Sequence[Card]:
        """Every record that is current or conflicted, and every revoked grant whose time would still run; by id."""
        ...

    def excluded(self) -> Mapping[str, int]:
        """Standing → number of records left out for it."""
        ...

    def frequencies(self, terms: Collection[str]) -> Mapping[str, Mapping[str, int]]:
        """term → record id → how often it occurs there, over all of `cards()`."""
        ...

    def record(self, identifier: str) -> Filed[Record]: ...

    def recent_episodes(self, count: int) -> Sequence[Filed[Episode]]:
        """The newest episodes that are not forgotten or damaged, newest first."""
        ...
