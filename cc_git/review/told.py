"""What the next agent will be told differently: the packets for one task on both sides, compared item by item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from cc_git.model.packet import Item, Packet, Unfit
from cc_git.review.changes import FieldChange
from cc_git.review.fields import as_text

_COMPARED = ("title", "form", "standing", "authority", "attested", "facts", "labels", "text")
_LAID_OUT = "form"


@dataclass(frozen=True, slots=True)
class ToldItem:
    """`fields` are empty for what enters or leaves."""

    how: Literal["told newly", "told no more", "told differently"]
    section: str
    id: str
    kind: str
    title: str
    fields: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Size:
    """`used` is None where what must be in the packet does not fit into `budget`; then `needed` would do."""

    used: int | None
    budget: int
    unit: str
    items: int
    needed: int | None = None


@dataclass(frozen=True)
class Told:
    """`task` and the sizes on both sides; `omitted` are the reasons for which another number was left out."""

    task: str
    before: Size
    after: Size
    items: tuple[ToldItem, ...] = ()
    omitted: tuple[FieldChange, ...] = ()
    packets: dict[str, Packet | None] = field(default_factory=dict)


def told_differently(before: Packet | Unfit, after: Packet | Unfit) -> Told:
    old, new = _items(before), _items(after)
    items = [_one("told newly", new[key]) for key in new if key not in old]
    items += [_one("told no more", old[key]) for key in old if key not in new]
    items += [one for key in new if key in old for one in _differs(old[key], new[key])]
    known = [packet for packet in (after, before) if isinstance(packet, Packet)]
    return Told(
        task=known[0].task if known else "",
        before=_size(before),
        after=_size(after),
        items=tuple(items),
        omitted=tuple(_omitted(before, after)),
        packets={
            "before": before if isinstance(before, Packet) else None,
            "after": after if isinstance(after, Packet) else None,
        },
    )


def _items(packet: Packet | Unfit) -> dict[tuple[str, str, str], tuple[str, Item]]:
    """By what tells an item apart: an id, and for what has none its title; a restraint beside its record by content."""
    if isinstance(packet, Unfit):
        return {}
    return {
        (item.id or item.title, item.kind, item.blob): (section.name, item)
        for section in packet.sections
        for item in section.items
    }


def _one(how: Literal["told newly", "told no more"], placed: tuple[str, Item]) -> ToldItem:
    section, item = placed
    return ToldItem(how, section, item.id, item.kind, item.title)


def _differs(old: tuple[str, Item], new: tuple[str, Item]) -> Iterator[ToldItem]:
    section, item = new
    names = [*_COMPARED, *dict.fromkeys((*dict(old[1].fields), *dict(item.fields)))]
    if old[1].form != item.form:
        # The short form leaves texts out; that they are not there says nothing but this.
        names = [name for name in _COMPARED if name in (_LAID_OUT, "standing", "attested", "labels")]
    fields = tuple(
        FieldChange(name, before, after)
        for name in names
        if (before := _field(old[1], name)) != (after := _field(item, name))
    )
    if fields:
        yield ToldItem("told differently", section, item.id, item.kind, item.title, fields)


def _field(item: Item, name: str) -> str:
    own = dict(item.fields)
    return as_text(own[name]) if name in own else as_text(getattr(item, name)) if name in _COMPARED else ""


def _size(packet: Packet | Unfit) -> Size:
    if isinstance(packet, Unfit):
        return Size(None, packet.budget, packet.unit, 0, packet.needed)
    return Size(packet.used, packet.budget, packet.unit, len(tuple(packet.items())))


def _omitted(before: Packet | Unfit, after: Packet | Unfit) -> Iterator[FieldChange]:
    old, new = (
        {} if isinstance(p, Unfit) else {one.reason: str(one.number) for one in p.omitted} for p in (before, after)
    )
    for reason in sorted(old.keys() | new.keys()):
        if old.get(reason) != new.get(reason):
            yield FieldChange(reason, old.get(reason), new.get(reason, "0"))
