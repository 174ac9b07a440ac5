"""Accept, reject, the blobs they saw, and rulings that contradict or lift each other."""

from __future__ import annotations

import pytest

from cc_git.model.policy import Policy
from cc_git.standing.tables import VERB_KINDS
from tests.unit.standing.builder import World


def test_an_attested_accept_makes_a_proposed_permission_current() -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit")
    world.rule("r1", "accept", "p")
    verdict = world.verdict("p")
    assert (verdict.standing, verdict.authority, verdict.attested) == ("current", "user-explicit", True)
    assert verdict.by == (world.id_of("r1"),)


@pytest.mark.parametrize("by", ["agent-explicit", "user-implicit", "user-explicit"])
def test_an_unattested_accept_of_a_permission_has_no_effect(by: str) -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit")
    world.rule("r1", "accept", "p", by=by, attested=False)
    assert world.stands("p") == "proposed"


@pytest.mark.parametrize("saw", [False, "f" * 40])
def test_an_accept_that_did_not_see_these_bytes_has_no_effect(saw: bool | str) -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit")
    world.rule("r1", "accept", "p", saw=saw)
    assert world.stands("p") == "proposed"


def test_a_merge_that_attests_the_bytes_of_a_proposal_does_not_make_it_current() -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit", attested=True)
    world.record("q", "procedure", by="agent-explicit", attested=True)
    assert world.stands("p", "q") == "proposed proposed"


def test_a_record_stands_with_the_higher_of_its_own_and_its_accepts_authority() -> None:
    world = World()
    world.record("a", by="agent-explicit")
    world.record("b", by="user-explicit", attested=True)
    world.rule("r1", "accept", "a", by="user-explicit")
    world.rule("r2", "accept", "b", by="user-explicit", attested=False)
    assert [(world.verdict(n).authority, world.verdict(n).attested) for n in "ab"] == [("user-explicit", True)] * 2


def test_an_accept_needs_the_authority_of_the_kind() -> None:
    world = World()
    world.record("a", "procedure", by="agent-explicit")
    world.rule("r1", "accept", "a", by="agent-explicit")
    assert world.stands("a") == "proposed"
    world.rule("r2", "accept", "a", by="document")
    assert world.stands("a") == "current"


def test_an_accept_is_judged_target_by_target() -> None:
    world = World()
    world.record("a", "procedure", by="agent-explicit")
    world.record("p", "permission", by="agent-explicit")
    world.rule("r1", "accept", "a", "p", by="user-implicit")
    assert world.stands("a", "p") == "current proposed"


def test_a_reject_takes_an_effective_record_away() -> None:
    world = World()
    world.record("a", by="agent-explicit")
    world.rule("r1", "reject", "a", by="agent-explicit")
    assert world.stands("a") == "rejected"


@pytest.mark.parametrize("verb", ["reject", "revoke", "archive", "expire", "complete", "release", "reopen"])
def test_a_ruling_needs_at_least_the_authority_of_its_target(verb: str) -> None:
    world = World()
    world.record("a", "goal", by="user-explicit", attested=True)
    world.rule("r1", verb, "a", by="user-explicit", attested=False)
    assert (world.stands("a"), world.verdict("a").flags) == ("current", frozenset())


@pytest.mark.parametrize(("verb", "standing"), [("reject", "rejected"), ("archive", "archived")])
def test_an_agent_cannot_reject_or_archive_what_is_gated_even_where_it_has_the_authority(
    verb: str, standing: str
) -> None:
    world = World(accepted_policy=Policy(needs={"identity": "agent-explicit"}))
    world.record("i", "identity", by="agent-explicit")
    world.rule("r1", verb, "i", by="user-implicit")
    assert world.stands("i") == "current"
    world.rule("r2", verb, "i")
    assert world.stands("i") == standing


def test_a_ruling_needs_the_authority_of_the_accept_as_well() -> None:
    world = World()
    world.record("a", by="agent-explicit")
    world.rule("r1", "accept", "a")
    world.rule("r2", "archive", "a", by="agent-explicit")
    world.rule("r3", "reject", "a", by="agent-explicit")
    assert world.stands("a") == "current"


def test_an_accept_that_arrives_does_not_undo_a_revoke() -> None:
    world = World()
    world.record("a", by="agent-explicit")
    world.rule("r1", "revoke", "a", by="agent-explicit")
    world.rule("r2", "accept", "a")
    assert world.stands("a") == "revoked"


def test_accept_and_reject_of_equal_authority_are_conflicted() -> None:
    world = World()
    world.record("a", "procedure", by="agent-explicit")
    world.rule("r1", "accept", "a")
    world.rule("r2", "reject", "a")
    assert world.stands("a") == "conflicted"
    (clash,) = world.judge().clashes
    assert (clash.ids, clash.cause) == ((world.id_of("a"),), "rulings")


@pytest.mark.parametrize("kind", ["permission", "identity", "relationship"])
def test_accept_and_reject_of_equal_authority_leave_what_is_gated_rejected(kind: str) -> None:
    world = World()
    world.record("a", kind, by="agent-explicit")
    world.rule("r1", "accept", "a")
    world.rule("r2", "reject", "a")
    assert world.stands("a") == "rejected"


def test_a_higher_reject_beats_an_accept_and_a_lower_one_loses() -> None:
    for rejecter, standing in (("user-explicit", "rejected"), ("agent-explicit", "current")):
        world = World()
        world.record("a", "procedure", by="agent-explicit")
        world.rule("r1", "accept", "a", by="document")
        world.rule("r2", "reject", "a", by=rejecter)
        assert world.stands("a") == standing


def test_a_contested_successor_gives_nothing_back() -> None:
    world = World()
    world.record("a", "procedure", by="document")
    world.record("b", "procedure", by="agent-explicit", supersedes=["a"])
    world.rule("r1", "accept", "b")
    world.rule("r2", "reject", "b")
    assert world.stands("a", "b") == "superseded conflicted"


# over
def test_a_ruling_is_lifted_by_one_that_names_it_in_over() -> None:
    world = World()
    world.record("g", "goal")
    world.rule("r1", "complete", "g")
    assert world.stands("g") == "completed"
    world.rule("r2", "reopen", "g", over=["r1"])
    assert world.stands("g") == "current"


def test_without_over_a_completed_goal_stays_completed() -> None:
    world = World()
    world.record("g", "goal")
    world.rule("r1", "complete", "g")
    world.rule("r2", "reopen", "g")
    world.rule("r3", "accept", "g")
    assert world.stands("g") == "completed"


def test_over_needs_no_lower_authority() -> None:
    world = World()
    world.record("g", "goal", by="agent-explicit")
    world.rule("r1", "complete", "g", by="user-explicit")
    world.rule("r2", "reopen", "g", by="agent-explicit", over=["r1"])
    assert world.stands("g") == "completed"


def test_a_lifted_lifter_lifts_nothing() -> None:
    world = World()
    world.record("g", "goal")
    world.rule("r1", "complete", "g")
    world.rule("r2", "reopen", "g", over=["r1"])
    world.rule("r3", "archive", "g", over=["r2"])
    world.rule("r4", "reopen", "g", over=["r3"])
    assert world.stands("g") == "current"


@pytest.mark.parametrize("length", [2, 3])
def test_a_cycle_of_over_lifts_nothing(length: int) -> None:
    world = World()
    world.record("g", "goal")
    names = [f"r{i}" for i in range(1, length + 1)]
    for name, lifted in zip(names, [*names[1:], names[0]], strict=True):
        world.rule(name, "complete" if name == "r1" else "reopen", "g", over=[lifted])
    assert world.stands("g") == "completed"


def test_a_revoke_cannot_be_lifted() -> None:
    world = World()
    world.allow("p")
    world.rule("r1", "revoke", "p", by="agent-inference")
    world.rule("r2", "accept", "p", over=["r1"])
    world.rule("r3", "archive", "p", over=["r1"])
    assert world.stands("p") == "revoked"


def test_over_on_another_target_lifts_nothing() -> None:
    world = World()
    world.record("g", "goal")
    world.record("h", "goal")
    world.rule("r1", "complete", "g")
    world.rule("r2", "reopen", "h", over=["r1"])
    assert world.stands("g") == "completed"


# time and form
def test_a_ruling_takes_effect_from_its_instant_on() -> None:
    world = World()
    world.record("a")
    world.rule("r1", "archive", "a", effective=12)
    assert [world.stands("a", on=d) for d in (11.9, 12)] == ["current", "archived"]


def test_a_revoke_without_an_instant_is_effective_whatever_the_clock() -> None:
    world = World()
    world.allow("p", start=-100)
    world.rule("r1", "revoke", "p")
    assert world.stands("p", on=-50) == "revoked"


def test_a_verb_that_does_not_fit_the_kind_has_no_effect() -> None:
    for verb, kinds in VERB_KINDS.items():
        if "failure" not in kinds:
            world = World()
            world.record("a", "failure")
            world.rule("r1", verb, "a")
            assert world.stands("a") == "current", verb


def test_a_ruling_with_two_contents_gives_nothing_and_takes_in_any_of_them() -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit")
    world.allow("q")
    world.rule("r1", "accept", "p")
    world.rule("r2", "revoke", "q", reason="one")
    assert world.stands("p", "q") == "current revoked"
    world.rule("r1", "accept", "p", reason="two")
    world.rule("r2", "confirm", "q", by="agent-explicit")
    assert world.stands("p", "q") == "proposed revoked"


def test_what_a_damaged_accept_had_superseded_stays_superseded() -> None:
    world = World()
    world.allow("a", target="*")
    world.record("b", "permission", by="agent-explicit", supersedes=["a"], payload={"target": "staging"})
    world.rule("r1", "accept", "b")
    assert world.stands("a", "b") == "superseded current"
    world.rule("r1", "archive", "b", by="agent-explicit")
    assert world.stands("a", "b") == "superseded proposed"


def test_what_a_damaged_ruling_lifts_stays_lifted_where_that_takes_away_and_not_where_it_gives() -> None:
    world = World()
    world.record("a")
    world.record("b", "procedure")
    world.rule("r1", "archive", "a")
    world.rule("r2", "confirm", "a", over=["r1"])
    world.rule("r3", "accept", "b")
    world.rule("r4", "confirm", "b", over=["r3"])
    assert world.stands("a", "b") == "current proposed"
    for name, target, over in (("r2", "a", "r1"), ("r4", "b", "r3")):
        world.rule(name, "confirm", target, over=[over], reason="another content")
    assert world.stands("a", "b") == "archived proposed"


def test_a_damaged_side_of_a_cycle_of_over_does_not_let_the_other_side_lift() -> None:
    world = World()
    world.record("a")
    world.record("b")
    world.rule("r1", "resolve", "b", winner="a", over=["r2"])
    world.rule("r2", "accept", "b", over=["r1"])
    assert world.stands("b") == "overruled"
    world.rule("r1", "reopen", "a", by="agent-explicit")
    assert world.stands("b") == "overruled"


def test_damaging_an_accept_does_not_end_a_conflict_of_grants() -> None:
    world = World(kinds={"y": "permission"})
    world.allow("a", target="*", supersedes=["y"])
    world.record("b", "permission", by="agent-explicit", supersedes=["y"], payload={"target": "prod"})
    world.rule("r1", "accept", "b")
    assert world.stands("a", "b") == "conflicted conflicted"
    world.rule("r1", "accept", "b", by="agent-explicit")
    world.deny("y", "elsewhere", by="agent-explicit")
    assert world.stands("a", "b") == "conflicted proposed"


@pytest.mark.parametrize(("kind", "by"), [("belief", "agent-inference"), ("decision", "user-explicit")])
def test_what_is_only_put_forward_stands_and_supersedes_by_an_accept_alone(kind: str, by: str) -> None:
    world = World()
    world.record("a", kind)
    world.record("b", kind, by=by, attested=True, supersedes=["a"], proposal=True)
    assert world.stands("a", "b") == "current proposed"
    world.rule("r1", "accept", "b")
    assert world.stands("a", "b") == "superseded current"


def test_a_restraint_that_is_only_put_forward_restrains_all_the_same() -> None:
    world = World()
    world.record("d", "permission", by="agent-inference", payload={"effect": "deny", "action": "deploy"}, proposal=True)
    assert world.stands("d") == "current"
