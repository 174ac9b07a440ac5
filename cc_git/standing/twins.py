"""Twins: records that two clones imported from the same document.

Their source episodes have equal (document, locator, blob), the records equal kind, subject and scope. Then
 1. of those that are effective the one with the highest authority represents, the lowest id among equals; the others
    are superseded by it. Where none is effective, the lowest id is proposed and the others are superseded by it;
 2. a ruling that takes one away (ends it, rejects it, lets it lose a resolve) reaches all; what supersedes one
    supersedes all; each is judged by its own authority, as always;
 3. an accept reaches only the one it names, for one effective twin is enough.
Highest authority first, because otherwise an agent could push a person's record aside with a lower id. A restraint, and
a record without a subject, is a twin only of one that says the same. Records that share an episode come from one import
and are no twins of each other; where there are such, of the others only those that say the same are twins.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from cc_git.model.filed import Files
from cc_git.model.record import Record
from cc_git.standing.member import Member
from cc_git.standing.statement import statement
from cc_git.standing.world import World


def find_twins(world: World, files: Files) -> None:
    """Give every whole member that has twins all of its class, itself included, by id."""
    alike: dict[object, list[Member]] = {}
    if not world.documents:
        return
    for member in world.whole.values():
        record = member.record
        if not record.sources or not world.documents.issuperset(record.sources):
            continue
        if documents := _documents(record, files, world.buried):
            says = statement(record) if member.restrains or record.subject is None else None
            alike.setdefault((record.kind, record.subject, member.scope, documents, says), []).append(member)
    for group in alike.values():
        if len(group) > 1:
            for twins in _by_import(group):
                ordered = tuple(sorted(twins, key=lambda m: m.id))
                if len(ordered) > 1:
                    for member in ordered:
                        member.twins = ordered


def _by_import(group: list[Member]) -> Iterable[list[Member]]:
    if _are_apart(group):
        return [group]
    same: dict[object, list[Member]] = {}
    for member in group:
        same.setdefault(statement(member.record), []).append(member)
    return [alike for alike in same.values() if _are_apart(alike)]


def _are_apart(group: list[Member]) -> bool:
    """No episode is shared: each came with an import of its own."""
    episodes = [source for member in group for source in set(member.record.sources)]
    return len(episodes) == len(set(episodes))


def _documents(record: Record, files: Files, forgotten: Set[str]) -> frozenset[tuple[str, str]] | None:
    """Locator and blob of every source, or None where one is no document that can be read. `forgotten`: by a person,
    for else a tombstone that anybody wrote would give back what a ruling on the other twin took."""
    found = set()
    for source in record.sources:
        variants = files.episodes.get(source, ())
        if len(variants) != 1 or source in forgotten:
            return None
        origin = variants[0].value.source
        if origin.kind != "document" or origin.locator is None or origin.blob is None:
            return None
        found.add((origin.locator, origin.blob))
    return frozenset(found)


def represent(members: Iterable[Member]) -> None:
    """Let one of each class stand for the others; needs to be known who is effective."""
    for member in members:
        if not member.twins or member.twins[0] is not member:
            continue
        effective = [twin for twin in member.twins if twin.effective]
        waiting = [twin for twin in member.twins if not twin.effective and not twin.rejected_by]
        candidates = effective or waiting
        if not candidates:
            continue
        chosen = min(candidates, key=lambda twin: (-twin.level, twin.id))
        for twin in (*effective, *waiting):
            if twin is not chosen and not twin.contested_by:
                twin.twin_of = chosen.id
