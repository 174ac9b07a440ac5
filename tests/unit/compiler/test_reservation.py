"""Room is reserved before any ranking; what is reserved degrades, and is never cut silently."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cc_git.compiler.compile import compile_whole
from cc_git.model.packet import Unfit
from cc_git.model.request import Request
from tests.unit.compiler.world import NOW, World, compiled, identifier, section_of, shown

LONG = "A sentence that takes its room in every packet. " * 12


def bound() -> tuple[World, list[str]]:
    """One of each reserved class, each with a long text, and the ids in their order of claim."""
    world = World()
    failure = world.record("failure", "Trap", severity="high", recovery=LONG)
    later = world.record("commitment", "Later", content=LONG, due=NOW + timedelta(days=9))
    sooner = world.record("commitment", "Sooner", content=LONG, due=NOW + timedelta(days=1))
    someday = world.record("commitment", "Someday", content=LONG)
    revoked = world.record(
        "permission", "Gone", content=LONG, standing="revoked", action="deploy", verdict={"by": (identifier("ru", 5),)}
    )
    allow = world.record("permission", "May", content=LONG, action="push", target="origin/*")
    deny = world.record("permission", "Never", content=LONG, effect="deny", action="network")
    return world, [deny, allow, revoked, sooner, later, someday, failure]


def test_reserved_items_are_in_full_where_there_is_room() -> None:
    world, ids = bound()
    result = compiled(world, budget=4000)
    assert {identifier: item.form for identifier, item in shown(result).items()} == dict.fromkeys(ids, "full")
    assert result.reserved == set(ids)


def test_reserved_items_degrade_to_one_line_with_effect_target_and_due() -> None:
    world, ids = bound()
    needed = compile_whole(world.inputs(), Request(budget=1), NOW)
    assert isinstance(needed, Unfit)
    result = compiled(world, budget=needed.needed)
    assert {identifier: item.form for identifier, item in shown(result).items()} == dict.fromkeys(ids, "line")
    lines = [line for line in result.text.splitlines() if line.startswith("- ")]
    assert [line.split(" (")[0] for line in lines] == [
        '- act, due 2026-12-01T12:00:00Z: "Sooner"',
        '- act, due 2026-12-09T12:00:00Z: "Later"',
        '- act: "Someday"',
        '- deny network → \\*: "Never"',
        '- allow push → origin/\\*: "May"',
        '- allow deploy → \\*: "Gone"',
        '- severity high: "Trap"',
    ]
    assert "REVOKED by ru…000005: not permitted" in lines[5]
    assert all(identifier[-6:] in result.text for identifier in ids)


def test_with_less_room_the_outcome_names_what_is_missing_and_the_budget_that_suffices() -> None:
    world, ids = bound()
    full = compile_whole(world.inputs(), Request(budget=1), NOW)
    assert isinstance(full, Unfit)
    assert list(full.missing) == ids
    close = compile_whole(world.inputs(), Request(budget=full.needed - 1), NOW)
    assert close == Unfit((ids[-1],), full.needed, full.needed - 1, "tokens")
    assert set(shown(compiled(world, budget=full.needed))) == set(ids)


def test_a_frame_that_does_not_fit_is_said_without_missing_ids() -> None:
    world = World()
    outcome = compile_whole(world.inputs(), Request(budget=10), NOW)
    assert isinstance(outcome, Unfit)
    assert outcome.missing == ()
    assert compiled(world, budget=outcome.needed).packet.sections == ()


def test_a_refrain_is_a_restraint_and_comes_before_what_is_due() -> None:
    world = World()
    act = world.record("commitment", "Act", due=NOW)
    refrain = world.record("commitment", "Refrain", mode="refrain")
    assert [item.id for item in section_of(compiled(world), "Commitments")] == [refrain, act]


@pytest.mark.parametrize("severity", ["high", "catastrophic"])
def test_a_failure_of_high_consequence_is_reserved(severity: str) -> None:
    world = World()
    made = world.record("failure", "Trap", severity=severity)
    assert made in compiled(world).reserved


def test_a_failure_of_low_consequence_is_ranked() -> None:
    world = World()
    made = world.record("failure", "Trap", severity="low")
    result = compiled(world)
    assert made not in result.reserved
    assert made in shown(result)


def test_a_required_record_has_its_room_whatever_its_rank() -> None:
    world = World()
    wanted = world.record("belief", "Off the task", content=LONG)
    for n in range(30):
        world.record("decision", f"Index rebuild {n}", content=LONG)
    assert wanted not in shown(compiled(world, task="index rebuild", budget=600))
    assert wanted in shown(compiled(world, task="index rebuild", budget=600, required=(wanted,)))


def test_reserved_texts_leave_most_of_the_room_to_the_task() -> None:
    world = World()
    for n in range(20):
        world.record("commitment", f"Duty {n}", content=LONG)
    matching = world.record("decision", "Rebuild the index", content=LONG)
    result = compiled(world, task="rebuild the index", budget=2000)
    assert shown(result)[matching].form == "full"
    forms = [item.form for item in section_of(result, "Commitments")]
    assert forms == sorted(forms)
    assert set(forms) == {"full", "line"}


def test_room_that_nobody_wants_goes_to_reserved_texts() -> None:
    world = World()
    made = world.record("commitment", "Duty", content=LONG)
    needed = compile_whole(world.inputs(), Request(budget=1), NOW)
    assert isinstance(needed, Unfit)
    full = compiled(world).packet.used
    assert shown(compiled(world, budget=full + 60))[made].form == "full"
    assert shown(compiled(world, budget=full - 20))[made].form == "line"


def test_both_sides_of_a_reserved_conflict_are_reserved_side_by_side() -> None:
    world = World()
    one = world.record("permission", "Push A", standing="conflicted", action="push")
    other = world.record("permission", "Fetch", action="fetch")
    two = world.record("permission", "Push B", standing="conflicted", action="push")
    world.clash(one, two)
    result = compiled(world)
    order = [item.id for item in section_of(result, "Relationships and permissions")]
    assert abs(order.index(one) - order.index(two)) == 1
    assert {one, two, other} <= result.reserved
    assert all("not usable until resolved" in " ".join(shown(result)[i].labels) for i in (one, two))


def test_a_line_says_that_a_grant_has_conditions_and_until_when_it_holds() -> None:
    world = World()
    made = world.record("permission", "Push", conditions=(LONG,), valid_to=NOW + timedelta(days=1), confidence=0.5)
    line = shown(compiled(world, budget=300))[made]
    assert (line.form, line.facts) == ("line", ("allow push → *", "until 2026-12-01T12:00:00Z"))
    assert "under conditions that had no room here" in line.labels
    full = shown(compiled(world))[made]
    assert full.facts == ("allow push → *", "until 2026-12-01T12:00:00Z", "confidence 0.5")
    assert full.labels == ()
