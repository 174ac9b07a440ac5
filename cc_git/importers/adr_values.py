"""What an architecture decision record says, as values; nothing here reads a file or knows the model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from cc_git.importers.outcomes import Note


class AdrStatus(StrEnum):
    """The state that the document claims for its decision.

    `ABSENT`: the document says nothing about it, which MADR allows. `UNKNOWN`: it says something that is in no
    table of ours, so nobody may build on it without a look.
    """

    PROPOSED = "proposed"
    DRAFT = "draft"
    ON_HOLD = "on hold"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"
    ABSENT = "absent"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class AdrLink:
    """A pointer from one document to another, as written.

    `target` is an address from the Markdown (`0003-use-x.md`, a URL) or `ADR-<number>`; it is resolved against a
    collection, never followed. `relation` is a word of `adr_links.RELATIONS` or `links-to`.
    """

    relation: str
    target: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Adr:
    """One document, read. Texts are Markdown as written, without HTML comments, and may be empty."""

    path: str
    number: int | None
    slug: str
    title: str
    status: AdrStatus
    status_text: str
    status_date: date | None
    date: date | None
    deciders: tuple[str, ...]
    context: str
    drivers: str
    decision: str
    chosen: str
    rationale: str
    options: tuple[str, ...]
    alternatives: tuple[str, ...]
    consequences: str
    confirmation: str
    reopen_when: str
    technical_story: str
    tags: tuple[str, ...]
    links: tuple[AdrLink, ...]
    text: str
    """The whole document, with LF line ends and without a byte order mark."""
    warnings: tuple[Note, ...]

    def targets(self, relation: str) -> tuple[str, ...]:
        return tuple(link.target for link in self.links if link.relation == relation)

    @property
    def superseded_by(self) -> tuple[str, ...]:
        return self.targets("superseded-by")

    @property
    def supersedes(self) -> tuple[str, ...]:
        return self.targets("supersedes")


@dataclass(frozen=True, slots=True)
class NotAnAdr:
    """A file of the folder that is not imported, and why. `broken` files were meant to be read and could not be."""

    path: str
    reason: str
    broken: bool = False
