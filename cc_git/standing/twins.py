"""Twins: records that two clones imported from the same document.

Their source episodes have equal (document, locator, blob), and the records equal kind, subject and scope and say the
same. Another text under the name of the same document is no twin but another record of that subject: nothing that
arrives stands in the place of what was imported by just naming its source. Then
 1. of those that stand one represents the others, which are superseded by it. It is no weaker and no more sensitive
    than they are; among equals it begins first, or has the lowest id;
 2. where none is effective, one is proposed and represents the others in the same way, but none that begins earlier;
 3. a ruling that takes one away (ends it, rejects it, lets it lose a resolve) reaches all; what supersedes one
    supersedes all; each is judged by its own authority, as always;
 4. an accept reaches only the one it names, for one effective twin is enough.
A restraint has no twins: each restrains by itself, so that none can be put in the place of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from datetime import datetime

from cc_git.model.authority import SENSITIVITIES
from cc_git.model.filed import Files
from cc_git.model.record import Record
from cc_git.standing.findings import stands
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
        if member.restrains or not record.sources or not world.documents.issuperset(record.sources):
            continue
        if documents := _documents(record, files, world.buried):
            alike.setdefault((record.kind, member.scope, documents, _says(record)), []).append(member)
    for group in alike.values():
        if len(group) > 1:
            ordered = tuple(sorted(group, key=lambda m: m.id))
            for member in ordered:
                member.twins = ordered


def _says(record: Record) -> tuple[object, ...]:
    """The statement, and what else a record tells about it that another must not hide or add: a ruling in `after`
    would keep what ends the line from all that lies above."""
    beside = record.subject, record.conflicts_with, record.derived_from, record.review_by, record.anchors, record.after
    return statement(record), *beside


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


def represent(world: World, now: datetime) -> None:
    """Let one of each class stand for the others; needs to be known which of them stand."""
    for member in world.whole.values():
        if not member.twins or member.twins[0] is not member:
            continue
        effective = [twin for twin in member.twins if twin.effective]
        waiting = [twin for twin in member.twins if not (twin.effective or twin.rejected_by or twin.contested_by)]
        standing = [twin for twin in effective if stands(twin, world, now)]
        for candidates, represented in ((standing, effective), (effective or waiting, waiting)):
            heads = _heads(candidates, now)
            for twin in represented:
                by = _covering(twin, heads, now)
                twin.twin_of = by.id if by is not None and by is not twin else None


def _heads(candidates: Iterable[Member], now: datetime) -> list[Member]:
    """Those that no other candidate can represent, the strongest first."""
    heads: list[Member] = []
    # the earlier start first, so that which of them it is does not change with the hour
    for member in sorted(candidates, key=lambda m: (*_claims(m), m.starts, m.id)):
        if _covering(member, heads, now) is None:
            heads.append(member)
    return heads


def _covering(member: Member, heads: Iterable[Member], now: datetime) -> Member | None:
    """The first that in nothing is weaker, more sensitive or later."""
    own = _claims(member)
    for head in heads:
        no_weaker = all(theirs <= mine for theirs, mine in zip(_claims(head), own, strict=True))
        if no_weaker and head.starts <= max(member.starts, now):
            return head
    return None


def _claims(member: Member) -> tuple[int, int, int]:
    """The lower the stronger."""
    return -member.level, -member.weight, SENSITIVITIES.index(member.sensitivity)
