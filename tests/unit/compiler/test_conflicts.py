"""A conflict of many sides is shown by two of them and a number; what restrains keeps its room."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.compiler.sides import SIDES
from cc_git.model.request import PacketFormat
from tests.unit.compiler.world import World, compiled, section_of, shown

MANY = 1000


def conflict_of(world: World, kind: str, number: int, **fields: Any) -> list[str]:
    ids = [world.record(kind, f"Side {n}", standing="conflicted", subject="s", **fields) for n in range(number)]
    world.clash(*ids)
    for place, one in enumerate(ids):
        world.verdicts[one] = world.verdicts[one].__class__(
            "conflicted", "user-explicit", by=(ids[place - 1],) if place % 2 else (ids[(place + 1) % number],)
        )
    return ids


@pytest.mark.parametrize("shown_as", ["markdown", "json", "xml"])
@pytest.mark.parametrize(("kind", "fields"), [("decision", {}), ("commitment", {}), ("permission", {"action": "push"})])
def test_a_thousand_records_of_one_subject_still_give_a_packet_that_says_so(
    kind: str, fields: dict[str, Any], shown_as: PacketFormat
) -> None:
    world = World()
    ids = conflict_of(world, kind, MANY, **fields)
    other = world.record("decision", "Another thing", subject="t")
    result = compiled(world, format=shown_as)
    items = shown(result)
    sides = [i for i in items if i in ids]
    assert len(sides) == 2
    assert other in items
    one, two = sides
    assert items[one].labels[0].startswith(f"CONFLICTED with {two[:3]}…{two[-6:]}, ")
    assert f"and {MANY - 1 - 6} more" in items[one].labels[0]
    (conflict,) = result.packet.conflicts
    assert (set(conflict.ids), conflict.more) == ({one, two}, MANY - 2)
    assert [row.number for row in result.packet.omitted if row.reason == "budget"] == [MANY - 2]
    if shown_as == "markdown":
        assert f" and {MANY - 2} more." in result.text


def test_the_two_that_are_shown_contradict_each_other() -> None:
    world = World()
    ids = conflict_of(world, "decision", 20)
    world.verdicts[ids[0]] = world.verdicts[ids[0]].__class__("conflicted", "user-explicit", by=(ids[7],))
    assert {i for i in shown(compiled(world)) if i in ids} == {ids[0], ids[7]}


def test_a_few_sides_are_all_shown() -> None:
    world = World()
    ids = conflict_of(world, "decision", SIDES)
    result = compiled(world)
    assert set(ids) <= shown(result).keys()
    assert [(len(c.ids), c.more) for c in result.packet.conflicts] == [(SIDES, 0)]


def test_restraints_and_what_is_required_keep_their_room_among_many_sides() -> None:
    world = World()
    ids = conflict_of(world, "permission", 30, action="push")
    denies = [
        world.record("permission", f"Never {n}", effect="deny", target=f"t{n}", standing="conflicted")
        for n in range(20)
    ]
    world.clashes.clear()
    world.clash(*ids, *denies)
    result = compiled(world, required=(ids[9],))
    items = section_of(result, "Relationships and permissions")
    assert {item.id for item in items} >= {*denies, ids[9]}
    assert len([item for item in items if item.id in ids]) <= 3
    assert len({item.id for item in items}) == len(items)
