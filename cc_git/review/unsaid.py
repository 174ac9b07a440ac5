"""What was forgotten is not said again: a comparison names it by its id.

A forge keeps what is posted, and so does whoever reads. It does not matter which side has the tombstone, nor whether
the content is on one of them still, or again.
"""

from __future__ import annotations

from dataclasses import replace

from cc_git.model.ids import short
from cc_git.review.changes import RecordChange, Replaced, Review, RulingChange, Shift
from cc_git.review.told import Told

FORGOTTEN = "(forgotten)"


def unsaid(review: Review, gone: frozenset[str]) -> Review:
    """The review without any text of the ids that are gone."""
    if not gone:
        return review
    return replace(
        review,
        shifts=tuple(_shift(one, gone) for one in review.shifts),
        sensitivity=tuple(replace(o, title=FORGOTTEN) if o.id in gone else o for o in review.sensitivity),
        records=tuple(_record(one, gone) for one in review.records),
        rulings=tuple(_ruling(one, gone) for one in review.rulings),
        conflicts=tuple(
            replace(o, titles=tuple(FORGOTTEN if i in gone else t for i, t in zip(o.ids, o.titles, strict=True)))
            for o in review.conflicts
        ),
        evidence=tuple(replace(o, text=FORGOTTEN) if o.id in gone else o for o in review.evidence),
        runbooks=tuple(replace(o, title=FORGOTTEN, fields=()) if o.id in gone else o for o in review.runbooks),
    )


def untold(told: Told, gone: frozenset[str]) -> Told:
    """The same of packets; those are left out that hold what is gone."""
    items = tuple(replace(one, title=FORGOTTEN, fields=()) if one.id in gone else one for one in told.items)
    packets = {
        side: None if packet and gone.intersection(packet.selected) else packet for side, packet in told.packets.items()
    }
    return replace(told, items=items, packets=packets)


def _shift(one: Shift, gone: frozenset[str]) -> Shift:
    if one.instead_id in gone:
        one = replace(one, instead=f"{FORGOTTEN} ({short(one.instead_id)})")
    return replace(one, what=FORGOTTEN, title=FORGOTTEN) if one.id in gone else one


def _record(one: RecordChange, gone: frozenset[str]) -> RecordChange:
    one = replace(one, replaces=tuple(_replaced(old, gone) for old in one.replaces))
    return replace(one, title=FORGOTTEN, fields=(), replaces=()) if one.id in gone else one


def _replaced(old: Replaced, gone: frozenset[str]) -> Replaced:
    return replace(old, title=FORGOTTEN, fields=()) if old.id in gone else old


def _ruling(one: RulingChange, gone: frozenset[str]) -> RulingChange:
    targets = tuple(replace(t, title=FORGOTTEN) if t.id in gone else t for t in one.targets)
    return replace(one, targets=targets, reason=FORGOTTEN if one.id in gone and one.reason else one.reason)
