"""Revoked, completed, released, archived, expired: what a ruling ends, and how far it reaches."""

from __future__ import annotations

import pytest

from tests.unit.standing.builder import World

ENDINGS = [
    ("revoke", "revoked"),
    ("complete", "completed"),
    ("release", "released"),
    ("archive", "archived"),
    ("expire", "expired"),
]


@pytest.mark.parametrize(("verb", "standing"), ENDINGS)
def test_a_ruling_ends_what_it_names_and_everything_that_supersedes_it(verb: str, standing: str) -> None:
    world = World()
    world.record("a", "goal")
    world.record("b", "goal", supersedes=["a"])
    world.record("c", "goal", supersedes=["b"])
    world.rule("r1", verb, "a")
    assert world.stands("a", "b", "c") == " ".join([standing] * 3)


def test_it_does_not_reach_down() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.rule("r1", "archive", "b")
    assert world.stands("a", "b") == "superseded archived"


def test_a_record_that_names_the_ruling_in_after_is_not_reached() -> None:
    world = World()
    world.record("a", "goal")
    world.rule("r1", "complete", "a")
    world.record("b", "goal", supersedes=["a"], after=["r1"])
    world.record("c", "goal", supersedes=["b"])
    assert world.stands("a", "b", "c") == "completed superseded current"


def test_after_does_not_shield_from_a_ruling_on_itself_or_from_another() -> None:
    world = World()
    world.record("a", "goal")
    world.rule("r1", "complete", "a")
    world.rule("r2", "archive", "a")
    world.record("b", "goal", supersedes=["a"], after=["r1"])
    assert world.stands("b") == "archived"


def test_past_a_record_in_after_the_reach_goes_on_by_another_way() -> None:
    world = World()
    world.record("a", "goal")
    world.rule("r1", "complete", "a")
    world.record("b", "goal", supersedes=["a"], after=["r1"])
    world.record("c", "goal", supersedes=["a"])
    world.record("d", "goal", supersedes=["b", "c"])
    assert world.stands("b", "c", "d") == "superseded completed completed"


def test_a_proposal_in_between_shields_nobody() -> None:
    world = World()
    world.allow("a")
    world.rule("r1", "revoke", "a")
    world.allow("b", by="agent-explicit", supersedes=["a"], after=["r1"])
    world.allow("c", supersedes=["b"])
    assert world.stands("c") == "revoked"


def test_a_ruling_reaches_the_line_of_a_record_that_is_not_here() -> None:
    world = World()
    world.allow("b", supersedes=["a"])
    world.rule("r1", "revoke", world.id_of("a", "permission"), by="agent-explicit")
    assert world.stands("b") == "revoked"


def test_what_arrives_under_the_id_of_a_missing_record_does_not_undo_the_ending_of_its_line() -> None:
    for verb, by in (("revoke", "agent-explicit"), ("archive", "user-explicit")):
        world = World(kinds={"a": "permission"})
        world.allow("b", supersedes=["a"])
        world.rule("r1", verb, "a", by=by)
        before = world.stands("b")
        world.deny("a", target="elsewhere", by="agent-explicit")
        assert (before, world.stands("b")) == (f"{verb}d", f"{verb}d")


def test_a_new_grant_that_supersedes_nothing_revoked_stands() -> None:
    world = World()
    world.allow("a")
    world.rule("r1", "revoke", "a")
    world.allow("b")
    assert world.stands("a", "b") == "revoked current"


def test_an_agent_that_archives_its_own_record_does_not_end_a_persons_correction_of_it() -> None:
    world = World()
    world.record("a", by="agent-explicit")
    world.record("b", by="user-explicit", attested=True, supersedes=["a"])
    world.rule("r1", "archive", "a", by="agent-explicit")
    assert world.stands("a", "b") == "archived current"


def test_an_ending_of_the_line_can_be_lifted_at_a_later_record() -> None:
    world = World()
    world.record("a", "goal")
    world.record("b", "goal", supersedes=["a"])
    world.rule("r1", "complete", "a")
    world.rule("r2", "reopen", "b", over=["r1"])
    assert world.stands("a", "b") == "completed current"


def test_a_damaged_ruling_lifts_no_ending_of_a_line() -> None:
    world = World()
    world.record("a", "goal")
    world.record("b", "goal", supersedes=["a"])
    world.rule("r1", "complete", "a")
    for reason in ("one content", "another"):
        world.rule("r2", "reopen", "b", over=["r1"], reason=reason)
    assert world.stands("a", "b") == "completed completed"


def test_an_ending_that_only_a_cycle_would_lift_reaches_the_line() -> None:
    world = World()
    world.record("a", "goal")
    world.record("b", "goal", supersedes=["a"])
    world.rule("r1", "complete", "a", over=["r2"])
    world.rule("r2", "reopen", "a", over=["r1"])
    assert world.stands("a", "b") == "completed completed"


def test_a_revoke_of_the_line_cannot_be_lifted_at_a_later_record() -> None:
    world = World()
    world.allow("a")
    world.allow("b", supersedes=["a"])
    world.rule("r1", "revoke", "a")
    world.rule("r2", "accept", "b", over=["r1"])
    assert world.stands("b") == "revoked"


def test_archive_hides_and_never_un_supersedes() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.rule("r1", "archive", "a", "b")
    world.rule("r2", "reopen", "b", over=["r1"])
    assert world.stands("a", "b") == "archived current"


def test_revoked_comes_before_every_other_ending() -> None:
    world = World()
    world.record("a", "commitment", by="user-explicit", attested=True, end=3)
    world.rule("r1", "complete", "a")
    world.rule("r2", "archive", "a")
    world.rule("r3", "revoke", "a")
    assert world.stands("a") == "revoked"


# complete by an agent
def test_an_agent_completes_an_act_commitment_with_evidence_and_it_shows_as_claimed() -> None:
    world = World()
    world.record("c", "commitment", by="user-explicit", attested=True)
    world.rule("r1", "complete", "c", by="agent-explicit", evidence=["pull request 7"])
    assert (world.stands("c"), world.verdict("c").flags) == ("completed", {"claimed"})
    world.rule("r2", "complete", "c")
    assert (world.stands("c"), world.verdict("c").flags) == ("completed", frozenset())


@pytest.mark.parametrize(
    ("kind", "mode", "by", "evidence"),
    [
        ("commitment", "act", "agent-explicit", []),
        ("commitment", "act", "agent-inference", ["x"]),
        ("commitment", "refrain", "agent-explicit", ["x"]),
        ("goal", None, "agent-explicit", ["x"]),
    ],
)
def test_an_agent_completes_nothing_else_of_a_persons(
    kind: str, mode: str | None, by: str, evidence: list[str]
) -> None:
    world = World()
    world.record("c", kind, by="user-explicit", attested=True, payload={"mode": mode} if mode else {})
    world.rule("r1", "complete", "c", by=by, evidence=evidence)
    assert world.stands("c") == "current"


# by time
def test_valid_to_and_expires_at_are_half_open() -> None:
    world = World()
    world.record("a", start=2, end=5)
    assert [world.stands("a", on=d) for d in (1.9, 2, 4.9, 5)] == ["not-yet-valid", "current", "current", "expired"]


# ending files
def test_an_ending_file_ends_what_it_names_alone() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.record("c")
    world.ended("a", "c")
    assert world.stands("a", "b", "c") == "ended current ended"


# resolve
def test_the_loser_of_a_resolve_is_overruled_and_the_winner_current() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", subject="s")
    world.rule("r1", "resolve", "b", winner="a", by="agent-explicit")
    assert world.stands("a", "b") == "current overruled"
    assert world.judge().clashes == ()


@pytest.mark.parametrize("how", ["archive", "supersede", "expire", "damage", "remove"])
def test_what_lost_a_resolve_stays_so_when_the_winner_ends(how: str) -> None:
    world = World()
    world.record("a", subject="s", end=8 if how == "expire" else None)
    world.record("b", subject="s")
    world.rule("r1", "resolve", "b", winner="a")
    if how == "archive":
        world.rule("r2", "archive", "a")
    if how == "supersede":
        world.record("c", subject="s", supersedes=["a"])
    if how == "damage":
        world.record("a", says="other")
    if how == "remove":
        world.remove("a")
    assert world.stands("b") == "overruled"


def test_a_rejected_winner_gives_the_loser_back() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", subject="s")
    world.rule("r1", "resolve", "b", winner="a")
    world.rule("r2", "reject", "a")
    assert world.stands("a", "b") == "rejected current"


def test_resolves_that_contradict_leave_the_conflict() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", subject="s")
    world.rule("r1", "resolve", "b", winner="a")
    world.rule("r2", "resolve", "a", winner="b")
    assert world.stands("a", "b") == "conflicted conflicted"


def test_resolves_that_contradict_are_settled_by_the_higher_authority() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", subject="s")
    world.rule("r1", "resolve", "b", winner="a")
    world.rule("r2", "resolve", "a", winner="b", by="agent-explicit")
    assert world.stands("a", "b") == "current overruled"


def test_resolves_that_contradict_take_both_of_what_is_gated() -> None:
    world = World()
    world.allow("a", target="x")
    world.allow("b", target="y")
    world.rule("r1", "resolve", "b", winner="a")
    world.rule("r2", "resolve", "a", winner="b")
    assert world.stands("a", "b") == "overruled overruled"


def test_resolves_in_a_circle_leave_all_of_them_conflicted_although_nothing_else_clashes() -> None:
    world = World()
    for name in "abc":
        world.record(name)
    for number, (winner, loser) in enumerate([("a", "b"), ("b", "c"), ("c", "a")]):
        world.rule(f"r{number + 1}", "resolve", loser, winner=winner)
    assert world.stands("a", "b", "c") == "conflicted conflicted conflicted"
    assert [(c.ids, c.cause) for c in world.judge().clashes] == [
        (tuple(sorted(world.id_of(n) for n in "abc")), "rulings")
    ]
