"""Negative authority is global: what counts wherever it was seen, and what only withholds."""

from __future__ import annotations

import pytest

from tests.unit.standing.builder import World


@pytest.mark.parametrize(("force", "standing"), [("counts", "revoked"), ("withholds", "overruled")])
def test_a_revoke_seen_elsewhere(force: str, standing: str) -> None:
    world = World()
    world.allow("p")
    world.rule("r1", "revoke", "p", by="agent-explicit")
    world.elsewhere("r1", force)
    verdict = world.verdict("p")
    assert (verdict.standing, verdict.by, verdict.eligible) == (standing, (world.id_of("r1"),), False)
    assert verdict.flags == (frozenset({"withheld"}) if force == "withholds" else frozenset())


@pytest.mark.parametrize("force", ["counts", "withholds"])
def test_a_reject_a_deny_and_a_supersession_seen_elsewhere_take_away(force: str) -> None:
    world = World()
    world.allow("p", "read")
    world.allow("q", "write")
    world.allow("s", "deploy")
    world.rule("r1", "reject", "p")
    world.elsewhere("r1", force)
    world.deny("d", "write", by="agent-explicit")
    world.elsewhere("d", force)
    world.allow("t", "deploy", "staging", supersedes=["s"])
    world.elsewhere("t", force)
    standings = ["rejected", "overruled", "superseded"] if force == "counts" else ["overruled"] * 3
    assert [world.verdict(n).standing for n in "pqs"] == standings
    assert world.verdict("q").by == (world.id_of("d"),)


def test_a_deny_seen_elsewhere_cuts_into_a_wider_allow() -> None:
    for force in ("counts", "withholds"):
        world = World()
        world.allow("p", target="*")
        world.deny("d", target="prod", by="agent-explicit")
        world.elsewhere("d", force)
        verdict = world.verdict("p")
        assert (verdict.standing, verdict.limited_by) == ("current", (world.id_of("d"),))
        assert "limited" in verdict.flags


def test_a_hostile_branch_full_of_tombstones_only_withholds() -> None:
    world = World()
    names = ["a", "b", "p", "d"]
    world.record("a")
    world.record("b", supersedes=["a"])
    world.allow("p", "read")
    world.deny("d", "write")
    world.allow("q", "write")
    for name in names:
        world.forget(name)
        world.elsewhere(world.id_of(name), "withholds")
    assert world.stands("a", "b", "p", "d", "q") == "superseded overruled overruled current overruled"
    assert [n for n in "abpdq" if "withheld" in world.verdict(n).flags] == ["b", "p"]


def test_what_another_branch_gives_back_is_not_given() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.rule("r1", "reject", "b")
    world.elsewhere("r1", "withholds")
    assert world.stands("a", "b") == "superseded overruled"


def test_a_grant_seen_elsewhere_is_no_grant() -> None:
    world = World()
    world.allow("p")
    world.elsewhere("p")
    assert world.judge().verdicts == {}


def test_an_accept_seen_elsewhere_grants_nothing() -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit")
    world.rule("r1", "accept", "p")
    world.elsewhere("r1")
    assert world.stands("p") == "proposed"


def test_a_release_seen_elsewhere_lifts_nothing() -> None:
    world = World()
    world.deny("d")
    world.rule("r1", "release", "d")
    world.elsewhere("r1")
    assert world.stands("d") == "current"


def test_a_deny_seen_elsewhere_and_released_here_denies_nothing() -> None:
    world = World()
    world.allow("p")
    world.deny("d")
    world.rule("r1", "release", "d")
    world.elsewhere("d")
    assert world.stands("p") == "current"


def test_a_deny_that_was_edited_into_an_allow_still_denies() -> None:
    world = World()
    world.deny("d", target="prod")
    world.elsewhere("d")
    world.allow("d", target="prod")
    assert world.stands("d") == "overruled"


def test_what_stands_in_the_snapshot_itself_is_not_counted_twice() -> None:
    world = World()
    world.allow("p")
    world.rule("r1", "revoke", "p")
    world.elsewhere("r1")
    world.rule("r1", "revoke", "p")
    assert (world.stands("p"), world.verdict("p").by) == ("revoked", (world.id_of("r1"),))


def test_an_ending_seen_elsewhere_counts() -> None:
    world = World()
    world.record("a")
    world.ended("a")
    world.elsewhere(world.id_of("a"))
    assert world.stands("a") == "ended"


def test_withholding_ends_with_its_time() -> None:
    world = World()
    world.allow("p")
    world.rule("r1", "revoke", "p", effective=20)
    world.elsewhere("r1", "withholds")
    assert world.stands("p") == "current"
    assert world.judge().until is not None
    assert world.stands("p", on=20) == "overruled"
