"""What a compile chooses from. In memory or from the index: both must give the same answers, so the same packet.

`tests/unit/compiler/pool_contract.py` is the contract as tests: every implementation runs it. Build cards with
`cards.card_of` and count terms with `terms.bag_of`, so that no implementation has its own reading of a record.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from cc_git.model.episode import Episode
from cc_git.model.filed import Filed
from cc_git.model.record import Record
from cc_git.model.verdict import Restraint, Verdict

EXCLUDED_NAMED = 5
"""How many ids an `Excluded` names at most."""


class Card(NamedTuple):
    """The little of a record that eligibility, reservation and ranking need. Times are milliseconds since 1970.

    `standing` is `current` or `conflicted`; or, for a grant whose time would still run and that is shown as not in
    force, `revoked` or (with the flag `withheld`) `overruled`. `sensitivity` is the higher of the record's and the
    verdict's; `authority`, `attested`, `flags` (sorted), `by`, `limited_by` and `yields_to` are the verdict's.
    `duty` is the payload's field that decides a reservation: effect of a permission, mode of a commitment, severity
    of a failure, else "". `priority` is a goal's, else 0. `sources` are the ids named in `sources` or `derived_from`
    (locators that are no ids are left out), `anchors` the paths. `length` is the sum of the record's `terms.bag_of`.
    `reach` says whether the sources can be reached: "" all, `absent` some are not in this snapshot, `gone` all are
    forgotten or damaged.
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
    yields_to: tuple[str, ...]
    starts: int
    ends: int | None
    recorded: int
    due: int | None
    duty: str
    priority: int
    sources: tuple[str, ...]
    anchors: tuple[str, ...]
    length: int
    reach: str


class EpisodeCard(NamedTuple):
    """The little of an episode that decides whether it may be shown. Times are milliseconds since 1970."""

    id: str
    rel: str
    blob: str
    type: str
    scope: tuple[str, str, str, str, str]
    sensitivity: str
    authority: str
    starts: int
    ends: int | None
    recorded: int


class Excluded(NamedTuple):
    """Records of one kind that one standing keeps out; `ids` names the highest few ids, highest first."""

    standing: str
    kind: str
    number: int
    ids: tuple[str, ...]


class Pool(Protocol):
    """Reads are lazy: only what is selected is decoded. All answers are about one snapshot with its private tier."""

    def cards(self) -> Sequence[Card]:
        """Every record for which `cards.is_carded` holds, by id."""
        ...

    def excluded(self) -> Sequence[Excluded]:
        """Every record that is not among `cards()`, counted; by standing, then kind."""
        ...

    def restraining(self) -> Sequence[Restraint]:
        """The restraints in force that no whole record holds, in the order of their keys."""
        ...

    def frequencies(self, terms: Collection[str]) -> Mapping[str, Mapping[str, int]]:
        """term → record id → its count in `terms.bag_of`, over all of `cards()`. Terms without a record may lack."""
        ...

    def record(self, identifier: str) -> Filed[Record]:
        """The record of a card. Raises KeyError for any other id."""
        ...

    def verdict(self, identifier: str) -> Verdict | None:
        """What any record of the snapshot counts as, also one that is not among `cards()`; None where unknown."""
        ...

    def recent_episodes(self, count: int) -> Sequence[EpisodeCard]:
        """The newest episodes that are neither forgotten nor damaged, by `recorded` then id, newest first."""
        ...

    def episode(self, identifier: str) -> Filed[Episode]:
        """The episode of an episode card. Raises KeyError for any other id."""
        ...

    def behind(self, episodes: Collection[str]) -> Mapping[str, Sequence[tuple[str, str]]]:
        """episode id → (record id, standing) of each record that names it in `sources` or `derived_from`, by id.

        Records of every standing count. Episodes that no record names may lack.
        """
        ...
