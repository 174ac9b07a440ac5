"""Superseded: by whom, from when, through what, and what gives it back."""

from __future__ import annotations

import pytest

from tests.unit.standing.builder import World


def test_a_correction_supersedes() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    assert (world.stands("a", "b"), world.verdict("a").by) == ("superseded current", (world.id_of("b"),))


def test_it_is_superseded_from_the_successors_valid_from_on() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"], start=12)
    assert world.stands("a", "b", on=11) == "current not-yet-valid"
    assert world.stands("a", "b", on=12) == "superseded current"


def test_a_successor_of_lower_authority_is_itself_proposed() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True)
    world.record("b", by="user-explicit", supersedes=["a"])
    assert world.stands("a", "b") == "current proposed"
    assert world.verdict("b").by == (world.id_of("a"),)


def test_what_supersedes_such_a_proposal_is_proposed_as_well_and_an_equal_reaches_past_both() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True)
    world.record("b", supersedes=["a"])
    world.record("c", supersedes=["b"])
    assert world.stands("a", "b", "c") == "current proposed proposed"
    world.record("d", by="user-explicit", attested=True, supersedes=["c"])
    assert world.stands("a", "b", "c", "d") == "superseded proposed proposed current"


def test_a_successor_needs_the_authority_of_an_accepted_record() -> None:
    world = World()
    world.record("a", by="agent-explicit")
    world.rule("r1", "accept", "a")
    world.record("b", by="agent-explicit", supersedes=["a"])
    assert world.stands("a", "b") == "current proposed"
    world.rule("r2", "accept", "b")
    assert world.stands("a", "b") == "superseded current"


def test_a_proposal_supersedes_nothing() -> None:
    world = World()
    world.record("a", "procedure", by="document")
    world.record("b", "procedure", by="agent-explicit", supersedes=["a"])
    assert world.stands("a", "b") == "current proposed"


def test_the_reach_goes_through_proposals() -> None:
    world = World()
    world.record("a", "procedure", by="document")
    world.record("b", "procedure", by="agent-explicit", supersedes=["a"])
    world.record("c", "procedure", by="agent-explicit", supersedes=["b"])
    world.record("d", "procedure", by="document", supersedes=["c"])
    assert world.stands("a", "b", "c", "d") == "superseded proposed proposed current"


def test_the_reach_goes_through_what_was_rejected_damaged_or_has_not_begun() -> None:
    for how in ("rejected", "damaged", "not-yet-valid"):
        world = World()
        world.record("a")
        world.record("b", supersedes=["a"], start=20 if how == "not-yet-valid" else 0)
        world.record("c", supersedes=["b"])
        if how == "rejected":
            world.rule("r1", "reject", "b")
        if how == "damaged":
            world.record("b", says="other")
        assert world.stands("a", "c") == "superseded current", how


def test_the_reach_stops_at_an_effective_record_of_narrower_scope() -> None:
    world = World()
    world.record("a")
    world.record("b", thread="t", supersedes=["a"])
    world.record("c", supersedes=["b"], says="c")
    assert world.stands("a", "b", "c") == "conflicted superseded conflicted"


@pytest.mark.parametrize(
    ("new", "old", "standing"),
    [("*", "t", "superseded"), ("t", "t", "superseded"), ("t", "*", "current"), ("u", "t", "current")],
)
def test_it_supersedes_only_equal_or_narrower_scope(new: str, old: str, standing: str) -> None:
    world = World()
    world.record("a", thread=old)
    world.record("b", thread=new, supersedes=["a"])
    assert world.stands("a") == standing


def test_it_supersedes_only_its_own_kind() -> None:
    world = World()
    world.record("a", "goal")
    world.record("b", supersedes=[world.id_of("a")])
    assert world.stands("a", "b") == "current current"


@pytest.mark.parametrize("verb", ["archive", "expire", "revoke"])
def test_what_was_superseded_stays_so_when_its_successor_ends(verb: str) -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.rule("r1", verb, "b")
    assert world.stands("a") == "superseded"


def test_what_was_superseded_stays_so_when_its_successor_expires_or_is_damaged() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"], end=5)
    world.record("x")
    world.record("y", supersedes=["x"])
    world.record("y", says="edited")
    assert world.stands("a", "b", "x", "y") == "superseded expired superseded damaged"


def test_only_a_rejected_successor_gives_it_back() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.rule("r1", "reject", "b")
    assert world.stands("a", "b") == "current rejected"


@pytest.mark.parametrize("length", [2, 3, 4])
def test_inside_a_cycle_nothing_is_superseded(length: int) -> None:
    world = World()
    names = "abcd"[:length]
    for number, name in enumerate(names):
        world.record(name, supersedes=[names[(number + 1) % length]], says=name)
    assert world.stands(*names) == " ".join(["conflicted"] * length)


def test_what_comes_after_a_cycle_supersedes_it() -> None:
    world = World()
    world.record("a", supersedes=["b"])
    world.record("b", supersedes=["a"])
    world.record("c", supersedes=["a", "b"])
    assert world.stands("a", "b", "c") == "superseded superseded current"


def test_a_cycle_of_different_subjects_is_conflicted_and_no_split() -> None:
    world = World()
    world.allow("a", supersedes=["b"], subject="s", target="x")
    world.allow("b", supersedes=["a"], subject="t", target="y")
    assert world.stands("a", "b") == "conflicted conflicted"


def test_a_cycle_closed_by_a_proposal_that_names_a_younger_record_is_none() -> None:
    # `b` names an id that is not here; an agent writes a record under it that names the successor of `b`
    world = World()
    world.allow("b", supersedes=["a"])
    world.allow("c", supersedes=["b"])
    assert world.stands("b", "c") == "superseded current"
    world.allow("a", by="agent-explicit", supersedes=["c"])
    assert world.stands("a", "b", "c") == "proposed superseded current"


def test_a_long_line_is_walked_without_recursion() -> None:
    world = World()
    names = [f"{i:03x}" for i in range(1500)]
    for number, name in enumerate(names):
        world.record(name, supersedes=names[max(number - 1, 0) : number])
    judged = world.judge().verdicts
    assert [judged[world.id_of(n)].standing for n in names] == ["superseded"] * 1499 + ["current"]


def test_what_was_reached_past_a_record_that_had_not_begun_is_not_back_when_that_one_begins() -> None:
    world = World()
    world.record("a", thread="one")
    world.record("b", thread="two", start=20, end=30, supersedes=["a"])
    world.record("c", supersedes=["b"])
    assert [world.stands("a", on=on) for on in (10, 25, 40)] == ["superseded"] * 3
