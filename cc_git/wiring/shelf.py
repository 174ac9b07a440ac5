"""The runbooks of the snapshot at hand: which can be used, which a person is bound to, which text of each holds.

A guardrail or policy restrains, and a document is edited in place. So where its present bytes bind nobody, and bytes
that bind somebody are known for its path, these hold until a person says otherwise: to loosen one, or to archive it,
takes a person. A procedure counts with what is in the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from cc_git.codec import paths
from cc_git.errors import UsageFault
from cc_git.model.authority import Sensitivity
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.model.runbook import Runbook
from cc_git.model.value import Value
from cc_git.runbooks.selection import Shelved
from cc_git.store.head_tree import HeadTree
from cc_git.store.loader import duplicates, read_object
from cc_git.wiring.session import Session

RESTRAINING = frozenset({"guardrail", "policy"})
_HELD = "the file was changed since: this is the text that a person attested"


@dataclass(frozen=True)
class OnShelf:
    """`book` is what holds. `blob` are the file's bytes, and `attested` says whether a person is bound to what holds;
    `held`: it is an earlier text than the file's."""

    rel: str
    blob: str
    book: Runbook
    attested: bool
    held: bool = False

    @property
    def name(self) -> str:
        return paths.runbook_name(self.rel)

    @property
    def shelved(self) -> Shelved:
        sensitivity: Sensitivity = "sensitive" if paths.is_private(self.rel) else "ordinary"
        return Shelved(self.book, self.name, self.attested, _HELD if self.held else "", sensitivity)


@dataclass(frozen=True)
class Shelf:
    """Sorted by path. `faults` are files of runbooks that cannot be used; what holds of one may be on the shelf."""

    books: tuple[OnShelf, ...]
    faults: tuple[Fault, ...]

    @property
    def shelved(self) -> tuple[Shelved, ...]:
        return tuple(one.shelved for one in self.books)


def shelf_of(session: Session) -> Shelf:
    places = runbook_places(session)
    filed: list[Filed[Value]] = []
    faults: list[Fault] = []
    for rel, blob in sorted(places.items()):
        value = read_object(rel, blob, session.read)
        if isinstance(value, Fault):
            faults.append(value)
        elif isinstance(value, Runbook) and not _forgotten(session, value.id):
            filed.append(Filed(rel, blob, value))
    faults += duplicates(filed)
    twice = {fault.rel for fault in faults}
    attested = session.attestations.among(places.items())
    books = [
        OnShelf(one.rel, one.blob, one.value, attested.holds(one.blob))
        for one in _once(filed)
        if one.rel not in twice and isinstance(one.value, Runbook)
    ]
    ids = frozenset(one.book.id for one in books if one.attested)
    known = {one.rel: _with_what_holds(session, one, ids) for one in books}
    for fault in faults:
        holds = _attested_text(session, fault.rel)
        if holds is not None and holds.kind in RESTRAINING and holds.id not in ids:
            own = attested.holds(places[fault.rel])
            known[fault.rel] = OnShelf(fault.rel, places[fault.rel], holds, True, held=not own)
    faults += _on_disk(session)
    return Shelf(tuple(known[rel] for rel in sorted(known)), tuple(sorted(faults, key=lambda fault: fault.rel)))


def unattested(session: Session) -> tuple[Filed[Runbook], ...]:
    """The files of active runbooks that nobody is bound to, and those that would put away what a person is bound to."""
    found = []
    for one in shelf_of(session).books:
        value = read_object(one.rel, one.blob, session.read)
        if isinstance(value, Runbook) and (one.held or (not one.attested and value.state == "active")):
            found.append(Filed(one.rel, one.blob, value))
    return tuple(found)


def runbook_places(session: Session) -> Mapping[str, str]:
    """Path → blob of every runbook that is in, private ones too; no other folder is read."""
    seen = session.seen
    committed = HeadTree(session.engine, seen.tree).below(paths.RUNBOOKS)
    found = {rel: blob for rel, blob in committed.items() if rel not in seen.hidden}
    found |= {rel: entry.oid for rel, entry in seen.added.items() if paths.folder_of(rel) == paths.RUNBOOKS}
    return {rel: blob for rel, blob in found.items() if not rel.rpartition("/")[2].startswith(".")}


def find_runbook(session: Session, named: str) -> OnShelf:
    """The runbook of this name, or the one whose id begins or ends so. Raises UsageFault."""
    shelf = shelf_of(session)
    found = [one for one in shelf.books if one.name == named.removesuffix(".toml")]
    if not found:
        found = [one for one in shelf.books if one.book.id in _ids(shelf, named)]
    if len(found) == 1:
        return found[0]
    if found:
        said = ", ".join(f"{one.name} ({short(one.book.id)})" for one in found)
        raise UsageFault(f"{named} names {len(found)} runbooks", why=said)
    fault = next((f for f in shelf.faults if paths.runbook_name(f.rel) == named), None)
    if fault is not None:
        raise UsageFault(f"the runbook {named} cannot be used", why=str(fault), hints=(f"cc-git runbook edit {named}",))
    raise UsageFault(f"there is no runbook {named}", hints=("cc-git runbook list",))


def _on_disk(session: Session) -> list[Fault]:
    """Files whose text on disk cannot be read: the text before goes on counting, where there is one."""
    if session.asked.at is not None:
        return []
    return [fault for fault in session.present.faults if paths.folder_of(fault.rel) == paths.RUNBOOKS]


def _ids(shelf: Shelf, named: str) -> tuple[str, ...]:
    try:
        return IdPart(named).among(one.book.id for one in shelf.books)
    except ValueError:
        return ()


def _forgotten(session: Session, identifier: str) -> bool:
    """A tombstone is known for it, whoever wrote that."""
    mark = paths.tombstone_path(identifier)
    entries = session.seen.entries
    if mark in entries or paths.private(mark) in entries:
        return True
    return any(paths.public(sighting.rel) == mark for sighting in session.elsewhere.sightings)


def _once(filed: Iterable[Filed[Value]]) -> list[Filed[Value]]:
    """The same bytes at two paths are one runbook."""
    first: dict[str, Filed[Value]] = {}
    for one in filed:
        first.setdefault(one.blob, one)
    return list(first.values())


def _with_what_holds(session: Session, one: OnShelf, ids: Collection[str]) -> OnShelf:
    """`ids` are attested in a file of theirs: what was moved to another file holds there."""
    if one.attested:
        return one
    holds = _attested_text(session, one.rel)
    if holds is None or holds.kind not in RESTRAINING or holds.state != "active":
        return one
    if holds.id != one.book.id and holds.id in ids:
        return one
    return replace(one, book=holds, attested=True, held=True)


def _attested_text(session: Session, rel: str) -> Runbook | None:
    """The latest text of this file that a person is bound to and that can still be read."""
    for known in session.attestations.of_path(rel):
        value = read_object(rel, known, session.read)
        if isinstance(value, Runbook) and not _forgotten(session, value.id):
            return value
    return None
