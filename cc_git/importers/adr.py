"""`import adr`: decision documents → episodes, decision records and rulings. Pure planning, no reading or writing.

The rules
- A document that is tracked at HEAD with these bytes counts as reviewed and goes into the workspace; any other goes to
  quarantine (`quarantine.py`) and is accepted from there.
- The natural key (`adr_known.py`) decides what is new: the latest text of a document is imported once, a changed
  document supersedes the record of its former text, a moved one that of its former place.
- accepted, or no status at all: the record stands. MADR makes the status optional, and a reviewed collection holds
  what was decided.
- proposed, draft, on hold, or a word nobody knows: the record has the authority of an inference and so is proposed.
  Where the former text had been in force, a ruling reopens it; where it had been proposed too, one rejects it, for it
  would stay on the list of proposals.
- rejected: a ruling rejects the record and all earlier texts of the document.
- superseded by a document of the import: that one's record supersedes it. Superseded by anything else, or deprecated:
  the record carries the end of its validity. No ruling: a ruling would have an id of its own in each clone, and one
  that ends a record ends its whole line; a time in the record merges and lets a later text stand again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cc_git.codec.files import encode
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.importers.adr_graph import Graph, read_graph
from cc_git.importers.adr_outcomes import gone, outcome
from cc_git.importers.adr_record import Dated, Setting, episode_for, record_for
from cc_git.importers.adr_rulings import rulings_for
from cc_git.importers.adr_succession import Document, NewDocument, Succession
from cc_git.importers.adr_values import NotAnAdr
from cc_git.importers.importing import BlobOf, ImportPlan
from cc_git.importers.known import Earlier, Known
from cc_git.importers.outcomes import Done, Outcome, counts_of
from cc_git.importers.quarantine import Kept, Manifest, Quarantine, Waiting, quarantined
from cc_git.importers.suspicion import signs_in
from cc_git.model.episode import Episode
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import LOCATOR_LIMIT, Value, forbidden_in_a_line
from cc_git.model.who import Who

NAME = "adr"


@dataclass(frozen=True)
class ImportRequest:
    """`gone`: source paths of earlier imports that are not in HEAD any more. `waiting`: what lies in quarantine.
    `blob_of` names bytes as Git does, in this repository's format. `accepts`: the quarantined import that this one
    carries over."""

    documents: tuple[Document, ...]
    not_read: tuple[NotAnAdr, ...]
    known: Known
    who: Who
    mint: Mint
    blob_of: BlobOf
    gone: frozenset[str] = frozenset()
    waiting: Mapping[tuple[str, str], Waiting] = field(default_factory=dict)
    scope: Scope = EVERYWHERE
    accepts: str | None = None


def plan_import(request: ImportRequest) -> ImportPlan:
    return _Planning(request).plan()


class _Planning:
    def __init__(self, request: ImportRequest) -> None:
        self.request = request
        self.setting = Setting(request.mint.now, request.who.actor, request.scope)
        self.outcomes: list[Outcome] = [outcome(skipped) for skipped in request.not_read]
        documents = [d for d in sorted(request.documents, key=lambda d: d.adr.path) if self._has_a_place(d)]
        self.graph: Graph = read_graph((d.adr for d in documents), request.known.by_path)
        read = {*(d.adr.path for d in request.documents), *(one.path for one in request.not_read)}
        self.folders = {path.rpartition("/")[0] for path in read}
        self.left = request.known.left(request.gone - read)
        self.new = {one.path: one for one in self._choose(documents)}
        self.links = Succession(self.new, self.graph, request.known)

    def plan(self) -> ImportPlan:
        direct: list[tuple[Episode, Record]] = []
        waiting: list[Kept] = []
        rulings: list[Ruling] = []
        for new in self.new.values():
            episode = episode_for(new.dated, new.episode, self.setting)
            record = self._record(new)
            if not new.document.reviewed:
                waiting.append(Kept(episode, record, signs=signs_in(episode.content)))
            else:
                direct.append((episode, record))
                blob = self.request.blob_of(encode(record))
                rulings += rulings_for(new, blob, self.request.mint, self.setting)
            done: Done = "quarantined" if not new.document.reviewed else "changed" if new.before else "imported"
            self.outcomes.append(outcome(new.document.adr, done, record.id, self.graph))
        moved = {earlier.path for new in self.new.values() for earlier in new.before}
        self.outcomes += [
            gone(path) for path in self.left if path not in moved and path.rpartition("/")[0] in self.folders
        ]
        outcomes = tuple(sorted(self.outcomes, key=lambda one: one.path))
        if not self.new:
            return ImportPlan(outcomes)
        held = quarantined(self._manifest(), waiting) if waiting else None
        values: tuple[Value, ...] = (*(e for e, _ in direct), *(r for _, r in direct), *rulings)
        return ImportPlan(outcomes, self._plan(values, outcomes, held), held)

    def _plan(self, values: tuple[Value, ...], outcomes: tuple[Outcome, ...], held: Quarantine | None) -> Plan:
        touched = [earlier.record for new in self.new.values() if new.document.reviewed for earlier in new.before]
        made = tuple(value.id for value in values)  # type: ignore[attr-defined]
        imports = (self.request.accepts, held.id if held else None)
        concerned = (*dict.fromkeys(touched), *(one for one in imports if one))
        operation = "accept" if self.request.accepts else "import"
        receipt = receipt_for(operation, made, concerned, self.setting.actor, self.request.mint, **counts_of(outcomes))
        return Plan(operation=operation, values=values, receipt=receipt)

    def _manifest(self) -> Manifest:
        now, actor = self.setting.now, self.setting.actor
        return Manifest(id=self.request.mint("im"), importer=NAME, actor=actor, recorded_at=now)

    def _has_a_place(self, document: Document) -> bool:
        path = document.adr.path
        if len(path) < LOCATOR_LIMIT - 5 and path == path.strip() and forbidden_in_a_line(path) is None:
            return True
        reason = "its path is too long or holds control characters, so nothing could refer to it"
        self.outcomes.append(outcome(NotAnAdr(path.encode("unicode_escape").decode(), reason, broken=True)))
        return False

    def _choose(self, documents: Iterable[Document]) -> list[NewDocument]:
        """The documents whose text is not here yet, with ids in the order of their paths."""
        chosen: list[tuple[Document, tuple[Earlier, ...], tuple[Earlier, ...]]] = []
        for document in documents:
            heads = self.request.known.heads(document.adr.path)
            waits = self.request.waiting.get((document.adr.path, document.blob))
            if len({one.key for one in heads}) == 1 and heads[0].blob == document.blob:
                self.outcomes.append(outcome(document.adr, "already here", heads[0].record, self.graph))
            elif waits and not document.reviewed:
                self.outcomes.append(outcome(document.adr, "already waiting", waits.record, self.graph, waits.id))
            else:
                origin = document.adr.path if heads else self._moved_from(document)
                before = heads or (self.request.known.heads(origin) if origin else ())
                chosen.append((document, before, self.request.known.of(origin) if origin else ()))
        episodes = sorted(self.request.mint("ep") for _ in chosen)
        records = sorted(self.request.mint("dec") for _ in chosen)
        return [
            NewDocument(document, self._dated(document), episode, record, before, line)
            for (document, before, line), episode, record in zip(chosen, episodes, records, strict=True)
        ]

    def _dated(self, document: Document) -> Dated:
        count = self.request.known.count(document.adr.path, document.blob) + 1
        return Dated(document.adr, document.blob, count, document.committed_at)

    def _moved_from(self, document: Document) -> str | None:
        """The former path of a document that was moved: gone from HEAD, with the same text, or the same name and title.

        The name alone is not enough: every collection begins with the same number 1.
        """
        heads = [head for path in self.left for head in self.request.known.heads(path)]
        name = document.adr.path.rpartition("/")[2]
        for head in heads:
            if head.blob == document.blob:
                return head.path
        alike = {h.path for h in heads if h.path.rpartition("/")[2] == name and h.title == document.adr.title}
        return alike.pop() if len(alike) == 1 else None

    def _record(self, new: NewDocument) -> Record:
        return record_for(
            new.dated,
            new.record,
            new.episode,
            self.setting,
            supersedes=self.links.supersedes(new),
            relations=self.links.relations(new),
            ended=self.links.is_over(new),
        )
