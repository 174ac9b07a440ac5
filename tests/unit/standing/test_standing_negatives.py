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


@pytest.mark.parametrize("by_accept", [True, False])
def test_what_an_accepted_permission_superseded_stays_superseded_when_the_branch_takes_it_back(by_accept: bool) -> None:
    world = World()
    world.allow("p", target="*")
    world.allow("q", target="prod", supersedes=["p"], by="agent-explicit" if by_accept else "user-explicit")
    if by_accept:
        world.rule("r1", "accept", "q")
    assert world.stands("p", "q") == "superseded current"
    taken = ["q", "r1"] if by_accept else ["q"]
    world.taken_back(*taken)
    assert world.stands("p", "q") == "superseded proposed"
    for name in taken:
        world.elsewhere(name)
    assert world.stands("p") == "superseded"


def test_a_record_that_was_taken_back_with_its_source_still_takes() -> None:
    world = World()
    world.allow("p")
    world.allow("q", target="prod", supersedes=["p"], sources=[world.episode("e1")])
    world.taken_back("q")
    world.remove("e1")
    world.elsewhere("q")
    assert world.stands("p") == "superseded"


def test_what_a_person_was_never_bound_to_takes_nothing_for_being_seen() -> None:
    world = World()
    world.allow("p")
    world.allow("q", target="prod", supersedes=["p"], by="user-explicit", attested=False)
    world.rule("r1", "accept", "q", attested=False)
    world.elsewhere("q")
    world.elsewhere("r1")
    assert world.stands("p") == "current"


@pytest.mark.parametrize("lapsed", [True, False])
@pytest.mark.parametrize("verb", ["expire", "archive", "release", "reject", "revoke"])
def test_any_ruling_that_takes_a_grant_away_does_so_from_elsewhere(verb: str, lapsed: bool) -> None:
    world = World()
    world.allow("p")
    world.rule("r1", verb, "p")
    standing = world.stands("p")
    if lapsed:
        world.taken_back("r1")
        assert world.stands("p") == standing
    world.elsewhere("r1")
    assert world.stands("p") == standing != "current"


def test_a_resolve_seen_elsewhere_takes_from_the_loser_and_gives_the_winner_nothing() -> None:
    world = World()
    world.allow("p", target="x", subject="s")
    world.allow("q", target="y", subject="s")
    world.rule("r1", "resolve", "q", winner="p")
    assert world.stands("p", "q") == "current overruled"
    world.elsewhere("r1")
    assert world.stands("p", "q") == "conflicted overruled"


def test_a_revoke_elsewhere_of_one_side_of_a_conflict_gives_the_other_nothing() -> None:
    world = World()
    world.allow("p", target="x", subject="s")
    world.allow("q", target="y", subject="s")
    world.rule("r1", "revoke", "q")
    assert world.stands("p", "q") == "current revoked"
    world.elsewhere("r1")
    assert world.stands("p", "q") == "conflicted revoked"


def test_a_reject_elsewhere_gives_back_no_grant() -> None:
    world = World()
    world.allow("p", target="*")
    world.allow("q", target="prod", supersedes=["p"])
    world.rule("r1", "reject", "q")
    assert world.stands("p", "q") == "current rejected"
    world.elsewhere("r1")
    assert world.stands("p", "q") == "superseded rejected"


def test_an_expire_elsewhere_reaches_nothing_but_grants() -> None:
    world = World()
    for name, kind in (("a", "decision"), ("b", "commitment")):
        world.record(name, kind)
    world.deny("d")
    world.rule("r1", "expire", "a", "b", "d")
    world.elsewhere("r1")
    assert world.stands("a", "b", "d") == "current current current"


@pytest.mark.parametrize("verb", ["release", "expire", "archive", "revoke"])
def test_a_restraint_seen_elsewhere_ends_by_what_was_seen_elsewhere_too(verb: str) -> None:
    world = World()
    world.allow("p")
    world.deny("d")
    world.rule("r1", verb, "d")
    world.elsewhere("d")
    assert world.stands("p") == "current"
    world.elsewhere("r1")
    assert world.stands("p") == "current"
    world.taken_back("r1")
    assert world.stands("p") == "overruled"


def test_what_was_taken_back_lifts_no_restraint() -> None:
    world = World()
    world.deny("d")
    world.rule("r1", "revoke", "d")
    assert world.stands("d") == "revoked"
    world.taken_back("r1")
    assert world.stands("d") == "current"
