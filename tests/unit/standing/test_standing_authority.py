"""Who stands behind a record, how far its sources carry that, and what needs a person."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.model.policy import NEEDS, Policy
from cc_git.model.spine import Relation, Source
from tests.unit.standing.builder import World, document, ident

KINDS_NEED = [(kind, need) for kind, need in NEEDS.items()]
LADDER_UP = [
    "dream", "agent-inference", "agent-explicit", "document", "verified-observation", "user-implicit", "user-explicit",
]  # fmt: skip


@pytest.mark.parametrize(("kind", "need"), KINDS_NEED)
@pytest.mark.parametrize("by", LADDER_UP)
def test_each_kind_stands_from_its_least_authority_on(kind: str, need: str, by: str) -> None:
    world = World()
    world.record("a", kind, by=by, attested=by == "user-explicit")
    enough = by != "dream" and LADDER_UP.index(by) >= LADDER_UP.index(need)
    assert world.stands("a") == ("current" if enough else "proposed")


@pytest.mark.parametrize("kind", ["permission", "identity", "relationship"])
def test_a_gated_kind_that_claims_a_user_without_attestation_is_proposed(kind: str) -> None:
    world = World()
    world.record("a", kind, by="user-explicit")
    assert world.stands("a") == "proposed"
    assert world.verdict("a").reason == "needs an attested person"


def test_an_unattested_user_model_stands_as_reported() -> None:
    world = World()
    world.record("a", "user_model", by="user-explicit")
    assert (world.stands("a"), world.verdict("a").flags) == ("current", {"reported"})


def test_an_attested_word_is_not_reported() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True)
    assert (world.verdict("a").attested, world.verdict("a").flags) == (True, frozenset())


def test_attestation_of_other_bytes_is_worth_nothing() -> None:
    world = World()
    world.allow("p", target="staging")
    world.remove("p")
    world.allow("p", target="*", attested=False)
    assert world.stands("p") == "proposed"


def test_attestation_of_what_claims_no_user_raises_nothing() -> None:
    world = World()
    world.record("a", "permission", by="agent-explicit", attested=True)
    assert (world.stands("a"), world.verdict("a").attested) == ("proposed", False)


@pytest.mark.parametrize(
    ("claim", "episode", "source", "carried"),
    [
        ("user-explicit", "user-explicit", Source(kind="user"), "user-explicit"),
        ("user-explicit", "user-implicit", Source(kind="user"), "user-implicit"),
        ("user-implicit", "user-explicit", Source(kind="user"), "user-implicit"),
        ("user-explicit", "user-explicit", Source(kind="agent"), "agent-inference"),
        ("user-explicit", "agent-explicit", Source(kind="user"), "agent-inference"),
        ("verified-observation", "verified-observation", Source(kind="tool", locator="ci/7"), "verified-observation"),
        ("verified-observation", "agent-explicit", Source(kind="system", locator="log"), "verified-observation"),
        ("verified-observation", "verified-observation", Source(kind="tool"), "agent-inference"),
        ("verified-observation", "user-explicit", Source(kind="user"), "agent-inference"),
        ("document", "document", document(), "document"),
        ("document", "document", Source(kind="document"), "agent-inference"),
        ("document", "agent-explicit", Source(kind="agent", locator="docs/x.md"), "agent-inference"),
        ("agent-explicit", "dream", Source(kind="agent"), "agent-explicit"),
    ],
)
def test_authority_is_no_higher_than_its_source_carries(claim: str, episode: str, source: Source, carried: str) -> None:
    world = World()
    episode_id = world.episode("e1", episode, source)
    world.record("a", "belief", by=claim, sources=[episode_id])
    assert world.verdict("a").authority == carried


def test_a_claim_without_any_source_counts_as_inference() -> None:
    world = World()
    world.record("a", "belief", by="user-explicit", attested=True, sources=[])
    world.record("b", by="document", sources=["docs/adr/1.md"])
    assert world.verdict("a").authority == "agent-inference"
    assert (world.stands("b"), world.verdict("b").reason) == (
        "proposed",
        "its sources carry no more than agent-inference",
    )


def test_one_source_that_carries_is_enough() -> None:
    world = World()
    sources = [world.episode("e1", "agent-explicit"), world.episode("e2", "user-explicit")]
    world.record("a", by="user-explicit", attested=True, sources=sources)
    assert world.verdict("a").attested


def test_what_a_person_confirmed_here_needs_no_episode() -> None:
    world = World()
    world.record("p", "permission", by="user-explicit", attested=True, sources=[])
    world.confirmed, world.accepted = world.accepted, set()
    assert world.stands("p") == "current"


def test_a_source_that_is_not_in_this_branch_leaves_the_claim_reported() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True, sources=[ident("e1", "ep")])
    world.record("p", "permission", by="user-explicit", attested=True, sources=[ident("e1", "ep")])
    assert (world.stands("a", "p"), world.verdict("a").flags) == ("current proposed", {"reported"})


def _arrives(world: World, episode: str, **fields: Any) -> None:
    """An episode that nobody attested, whatever it claims."""
    world.episode(episode, **fields)
    world.accepted.discard(world.filed[-1].blob)


def test_an_episode_that_arrives_under_the_named_id_makes_nothing_a_persons() -> None:
    world = World()
    world.allow("p", sources=[ident("e1", "ep")])
    world.record("c", "commitment", by="agent-inference", payload={"mode": "refrain"})
    world.record(
        "z", "commitment", by="user-explicit", attested=True, sources=[ident("e1", "ep")], supersedes=["c"],
        payload={"mode": "act"},
    )  # fmt: skip
    _arrives(world, "e1")
    assert world.stands("p", "c", "z") == "proposed current proposed"
    world.accepted.add(world.filed[-1].blob)
    assert world.stands("p", "c", "z") == "current superseded current"


def test_what_only_an_episode_of_nobody_carries_is_reported() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True, sources=[ident("e1", "ep")])
    _arrives(world, "e1")
    assert (world.stands("a"), world.verdict("a").authority) == ("current", "user-explicit")
    assert (world.verdict("a").attested, world.verdict("a").flags) == (False, {"reported"})


def test_one_attested_episode_among_others_is_enough() -> None:
    for order in (("e1", "e2"), ("e2", "e1")):
        world = World()
        _arrives(world, "e1")
        world.episode("e2")
        world.allow("p", sources=[world.id_of(e) for e in order])
        assert world.stands("p") == "current"


def test_a_forgotten_source_carries_nothing() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True, sources=[world.episode("e1")])
    assert world.verdict("a").authority == "user-explicit"
    world.forget("e1")
    assert (world.stands("a"), world.verdict("a").authority) == ("proposed", "agent-inference")


def test_a_second_content_of_the_source_does_not_lower_an_attested_record() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True, sources=[world.episode("e1")])
    world.episode("e1", "agent-explicit", tags=("other",))
    assert (world.stands("a"), world.verdict("a").attested) == ("current", True)


def test_for_a_belief_about_the_outside_an_observation_outranks_the_user() -> None:
    for basis, standing in (("external", "overruled current"), ("user", "current overruled")):
        world = World()
        said = {"payload": {"basis": basis}, "subject": "s"}
        world.record("a", "belief", by="user-explicit", attested=True, **said)
        world.record("b", "belief", by="verified-observation", **said)
        assert world.stands("a", "b") == standing


def test_an_unattested_user_ranks_just_below_an_attested_one() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True, subject="s")
    world.record("b", by="user-explicit", subject="s")
    world.record("c", by="user-implicit", subject="s")
    assert world.stands("a", "b", "c") == "current overruled overruled"
    world.remove("a")
    assert world.stands("b", "c") == "current overruled"


# what is gated for its content
@pytest.mark.parametrize("sensitivity", ["sensitive", "restricted"])
def test_what_is_sensitive_needs_an_attested_person(sensitivity: str) -> None:
    world = World()
    world.record("a", by="agent-explicit", sensitivity=sensitivity)
    world.record("b", by="user-explicit", sensitivity=sensitivity)
    world.record("c", by="user-explicit", attested=True, sensitivity=sensitivity)
    assert world.stands("a", "b", "c") == "proposed proposed current"


def test_sensitivity_is_no_lower_than_the_sources() -> None:
    world = World()
    world.record("a", by="agent-explicit", sources=[world.episode("e1", sensitivity="sensitive")])
    world.record("b", by="agent-explicit", sources=[world.episode("e2", sensitivity="limited")])
    assert (world.stands("a", "b"), world.verdict("b").sensitivity) == ("proposed current", "limited")


def _refrain(world: World, *sources: str, **fields: Any) -> None:
    world.record("c", "commitment", by="agent-explicit", payload={"mode": "refrain"}, sources=sources, **fields)


def test_no_episode_that_arrives_puts_a_restraint_above_the_ceiling() -> None:
    secret = {"by": "agent-explicit", "sensitivity": "restricted"}
    absent, second = World(), World()
    _refrain(absent, ident("e1", "ep"))
    _arrives(absent, "e1", **secret)
    _refrain(second, second.episode("e1", "agent-explicit"))
    _arrives(second, "e1", **secret)
    for world in (absent, second):
        assert (world.stands("c"), world.verdict("c").sensitivity) == ("current", "ordinary")


def test_an_attested_source_raises_the_sensitivity_of_a_restraint() -> None:
    world = World()
    _refrain(world, world.episode("e1", sensitivity="limited"))
    assert world.verdict("c").sensitivity == "limited"


def test_a_record_that_arrives_does_not_raise_a_restraint_that_rests_on_it() -> None:
    world = World()
    _refrain(world, ident("b"))
    world.record("b", by="agent-explicit", sensitivity="restricted")
    assert world.verdict("c").sensitivity == "ordinary"


def test_a_person_may_say_that_it_is_less_sensitive_than_its_source() -> None:
    world = World()
    source = world.episode("e1", sensitivity="sensitive")
    world.record("a", by="user-explicit", attested=True, sources=[source])
    world.record("b", by="agent-explicit", sources=[source])
    world.rule("r1", "accept", "b")
    assert [world.verdict(n).sensitivity for n in ("a", "b")] == ["ordinary", "ordinary"]
    assert world.stands("b") == "current"


# dreams
def test_a_dream_is_never_effective_by_itself_or_by_an_accept_alone() -> None:
    world = World()
    world.record("a", "hypothesis", by="dream")
    world.record("b", "hypothesis", by="dream")
    world.record("d", "permission", by="dream", payload={"effect": "deny", "action": "x"})
    world.rule("r1", "accept", "b")
    assert world.stands("a", "b", "d") == "proposed proposed proposed"


def test_a_dream_goes_on_through_a_waking_review_and_an_accept() -> None:
    world = World()
    review = ident("w1", "wr")
    world.record("a", by="dream", relations=[Relation(rel="reviewed-in", to=review)])
    world.record("b", by="dream")
    world.rule("r1", "accept", "a")
    world.rule("r2", "accept", "b", sources=(review,))
    assert world.stands("a", "b") == "current current"


def test_a_dream_rules_nothing() -> None:
    world = World()
    world.allow("p")
    world.record("a", "hypothesis", by="agent-inference")
    world.rule("r1", "revoke", "p", "a", by="dream")
    assert world.stands("p", "a") == "current current"


# policy
def test_a_policy_in_the_tree_cannot_loosen_what_is_gated() -> None:
    world = World(policy=Policy(needs={"permission": "agent-explicit"}))
    world.record("p", "permission", by="agent-explicit")
    assert world.stands("p") == "proposed"


def test_the_accepted_policy_can_loosen_what_is_gated() -> None:
    loose = Policy(needs={"permission": "agent-explicit"})
    for tree in (Policy(), loose):
        world = World(policy=tree, accepted_policy=loose)
        world.record("p", "permission", by="agent-explicit")
        assert world.stands("p") == "current"


def test_a_policy_in_the_tree_can_tighten_what_the_accepted_one_loosened() -> None:
    world = World(
        policy=Policy(needs={"permission": "user-explicit"}),
        accepted_policy=Policy(needs={"permission": "agent-explicit"}),
    )
    world.record("p", "permission", by="agent-explicit")
    assert world.stands("p") == "proposed"


@pytest.mark.parametrize(("need", "standing"), [("user-explicit", "proposed"), ("agent-inference", "current")])
def test_a_policy_in_the_tree_decides_about_what_is_not_gated(need: str, standing: str) -> None:
    world = World(policy=Policy(needs={"decision": need}))
    world.record("a", by="agent-explicit" if need == "user-explicit" else "agent-inference")
    assert world.stands("a") == standing


def test_a_tightened_policy_does_not_lift_a_restraint() -> None:
    world = World(policy=Policy(needs={"commitment": "user-explicit"}))
    world.record("c", "commitment", by="agent-inference", payload={"mode": "refrain"})
    assert world.stands("c") == "current"
