"""What a newly imported document takes the place of, whether it is over itself, and what else it points to.

Nothing reviewed may name what is still in quarantine, and nothing in quarantine may end what is reviewed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from cc_git.importers.adr_graph import Graph
from cc_git.importers.adr_record import OPEN, Dated
from cc_git.importers.adr_values import Adr, AdrStatus
from cc_git.importers.known import Earlier, Known
from cc_git.model.spine import Relation


@dataclass(frozen=True)
class Document:
    """A file that was read. `adr.path` is its path from the top of the repository, or from outside of it the folder's
    name and the path below. `reviewed`: tracked at HEAD with exactly the bytes of `blob`."""

    adr: Adr
    blob: str
    reviewed: bool
    committed_at: datetime | None = None


@dataclass(frozen=True)
class NewDocument:
    """A document that gets a record. `before` are the records of its former text, `all_before` those of all texts."""

    document: Document
    dated: Dated
    episode: str
    record: str
    before: tuple[Earlier, ...]
    all_before: tuple[Earlier, ...]

    @property
    def path(self) -> str:
        return self.document.adr.path

    @property
    def status(self) -> AdrStatus:
        return self.document.adr.status

    def may_name(self, other: NewDocument) -> bool:
        return other.document.reviewed or not self.document.reviewed


@dataclass(frozen=True)
class Succession:
    """The new documents of one import, by path, with the graph of the collection and what was there before."""

    new: Mapping[str, NewDocument]
    graph: Graph
    known: Known

    def supersedes(self, one: NewDocument) -> tuple[str, ...]:
        found = {earlier.record for earlier in one.before}
        for old in self.graph.predecessors(one.path):
            there = self.new.get(old)
            if there is None:
                found |= {earlier.record for earlier in self.known.heads(old)}
            elif one.may_name(there):
                found.add(there.record)
            else:
                found |= {earlier.record for earlier in there.before}
        return tuple(sorted(found))

    def is_over(self, one: NewDocument) -> bool:
        """The document says that its decision is over, and no record that is written now says so instead."""
        if one.status is AdrStatus.DEPRECATED:
            return True
        successors = self.graph.successors.get(one.path, frozenset())
        if any(_takes_the_place(self.new[path], one) for path in successors if path in self.new):
            return False
        if one.status is AdrStatus.SUPERSEDED:
            return True
        return any(self._is_in_force(path) for path in successors if path not in self.new)

    def relations(self, one: NewDocument) -> tuple[Relation, ...]:
        pointers = list(self.graph.pointers.get(one.path, ()))
        if self.is_over(one):
            pointers += [("superseded-by", path) for path in sorted(self.graph.successors.get(one.path, ()))]
        found: dict[tuple[str, str], None] = {}
        for relation, target in pointers:
            there = self.new.get(target)
            heads = self.known.heads(target)
            identifier = there.record if there and one.may_name(there) else heads[0].record if heads else None
            if identifier:
                found[(relation, identifier)] = None
        return tuple(Relation(rel=relation, to=identifier) for relation, identifier in found)

    def _is_in_force(self, path: str) -> bool:
        """A successor that was imported before: its record cannot name the new record, so its word has to do."""
        return any(earlier.authority == "document" for earlier in self.known.heads(path))


def _takes_the_place(successor: NewDocument, one: NewDocument) -> bool:
    return successor.status not in OPEN | {AdrStatus.REJECTED} and one.may_name(successor)
