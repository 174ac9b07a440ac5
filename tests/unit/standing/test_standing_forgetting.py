"""Forgotten beats everything, and forgetting never widens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cc_git.model.filed import gather
from cc_git.standing.forgetting import without
from tests.unit.standing.builder import World, document


def test_forgotten_beats_everything() -> None:
    world = World()
    world.record("a")
    world.record("a", says="two contents")
    world.rule("r1", "revoke", "a")
    world.forget("a")
    assert world.stands("a") == "forgotten"


def test_a_tombstone_that_the_clone_has_seen_counts() -> None:
    world = World()
    world.record("a")
    world.forget("a")
    world.elsewhere(world.id_of("a"))
    assert world.stands("a") == "forgotten"


def _forget(world: World, *names: str) -> tuple[World, set[str]]:
    """The world after forgetting, without and with the endings that are needed."""
    ids = frozenset(world.id_of(n) for n in names)
    needed = world.endings(*names)
    left = World(world.policy)
    left.__dict__.update(world.__dict__)
    left.filed = [f for f in world.filed if f.value.id not in ids]  # type: ignore[attr-defined]
    left.forget(*ids)
    assert without(world.files, ids) == replace(gather(left.filed), graves={})
    return left, needed


def test_what_a_forgotten_successor_had_superseded_needs_an_ending() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    left, needed = _forget(world, "b")
    assert (left.stands("a"), needed) == ("current", {world.id_of("a")})
    left.ended("a")
    assert left.stands("a") == "ended"


@pytest.mark.parametrize("verb", ["revoke", "reject", "archive", "complete", "expire"])
def test_what_a_forgotten_ruling_had_taken_away_needs_an_ending(verb: str) -> None:
    world = World()
    world.record("a", "goal")
    world.record("b", "goal", supersedes=["a"])
    world.rule("r1", verb, "b")
    assert world.endings("r1") == {world.id_of("b")}


def test_an_allow_that_a_forgotten_deny_had_denied_or_cut_needs_an_ending() -> None:
    world = World()
    world.allow("p", target="prod")
    world.allow("q", target="*")
    world.allow("s", target="staging")
    world.deny("d", target="prod")
    assert world.endings("d") == {world.id_of("p"), world.id_of("q")}


def test_a_conflict_that_ends_by_forgetting_one_side_gives_no_allow_back() -> None:
    world = World()
    world.allow("p", target="x", subject="s")
    world.allow("q", target="y", subject="s")
    world.record("a", subject="s")
    world.record("b", subject="s")
    assert (world.endings("q"), world.endings("b")) == ({world.id_of("p")}, set())


def test_what_lost_a_resolve_that_is_forgotten_needs_an_ending() -> None:
    world = World()
    world.allow("p", target="x", subject="s")
    world.allow("q", target="y", subject="s")
    world.rule("r1", "resolve", "q", winner="p")
    # without the resolve both would be conflicted: `p` is no wider than it was, `q` is
    assert world.endings("r1") == {world.id_of("q")}


def test_a_restraint_that_comes_back_needs_none() -> None:
    world = World()
    world.deny("d")
    world.rule("r1", "release", "d")
    assert world.endings("r1") == set()


def test_what_waits_for_its_time_counts_as_coming_back() -> None:
    world = World()
    world.allow("p", start=20)
    world.rule("r1", "revoke", "p")
    assert world.endings("r1") == {world.id_of("p")}


def test_a_successor_that_has_not_begun_is_looked_at_when_it_would_have() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"], start=20)
    world.record("c")
    world.rule("r1", "archive", "c", effective=15)
    assert world.endings("b", "r1") == {world.id_of("a"), world.id_of("c")}


def test_a_forgotten_source_gives_back_what_its_record_had_superseded() -> None:
    world = World()
    world.record("a", by="user-implicit")
    world.record("b", by="user-explicit", sources=[world.episode("e1")], supersedes=["a"])
    left, needed = _forget(world, "e1")
    assert (left.stands("a", "b"), needed) == ("current proposed", {world.id_of("a")})


def test_less_sensitive_than_before_is_wider() -> None:
    world = World()
    world.record("a", sources=[world.episode("e1", sensitivity="limited"), world.evidence("agent-explicit")])
    assert world.endings("e1") == {world.id_of("a")}


def test_several_objects_are_forgotten_together() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.record("c", supersedes=["b"])
    assert world.endings("c") == {world.id_of("b")}
    assert world.endings("b", "c") == {world.id_of("a")}
    assert world.endings("a", "b", "c") == set()


def test_what_comes_back_through_an_ending_is_found_as_well() -> None:
    # without `c`, `b` would come back; with an ending for it, nothing else does
    world = World()
    world.record("a", subject="s")
    world.record("b", subject="s", by="user-implicit")
    world.record("c", supersedes=["b"], subject="s", by="user-implicit")
    assert world.stands("a", "b", "c") == "overruled superseded current"
    assert world.endings("c") == {world.id_of("a"), world.id_of("b")}


def test_forgotten_bytes_still_take_until_they_are_gone() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.record("c")
    world.rule("r1", "archive", "c")
    world.forget("b", "r1")
    assert world.stands("a", "b", "c") == "superseded forgotten archived"


def test_a_forgotten_accept_grants_no_more() -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit")
    world.rule("r1", "accept", "p")
    world.forget("r1")
    assert world.stands("p") == "proposed"


@pytest.mark.parametrize("kind", ["permission", "commitment"])
def test_a_tombstone_that_nobody_is_bound_to_lifts_no_restraint(kind: str) -> None:
    world = World()
    payload = {"effect": "deny", "action": "deploy"} if kind == "permission" else {"mode": "refrain"}
    world.record("d", kind, payload=payload)
    world.forget("d", attested=False)
    assert world.stands("d") == "current"
    world.forget("d")
    assert world.stands("d") == "forgotten"


def test_a_tombstone_that_nobody_is_bound_to_frees_no_side_of_a_conflict() -> None:
    world = World()
    world.allow("p", target="x", subject="s")
    world.allow("q", target="y", subject="s")
    world.forget("p", attested=False)
    assert world.stands("p", "q") == "forgotten conflicted"


def test_a_deny_that_only_the_clone_has_seen_ends_by_a_tombstone_that_a_person_is_bound_to() -> None:
    world = World()
    world.allow("p")
    world.deny("d")
    world.elsewhere("d")
    world.forget("d", attested=False)
    assert world.stands("p") == "overruled"
    world.forget("d")
    assert world.stands("p") == "current"


def test_an_allow_under_the_id_of_a_deny_is_forgotten_by_any_tombstone() -> None:
    world = World()
    world.deny("d", target="prod")
    world.elsewhere("d")
    world.allow("d", target="prod")
    world.forget("d", attested=False)
    assert world.stands("d") == "forgotten"


def test_what_rested_on_a_source_with_a_tombstone_of_nobodys_still_takes() -> None:
    world = World()
    world.allow("p")
    world.allow("q", target="prod", supersedes=["p"], sources=[world.episode("e1")])
    assert world.stands("p", "q") == "superseded current"
    world.forget("e1", attested=False)
    assert world.stands("p", "q") == "superseded proposed"


def test_twins_stay_twins_when_anybody_writes_a_tombstone_for_their_source() -> None:
    world = World()
    for name, source in (("p", "e1"), ("q", "e2")):
        episode = world.episode(source, "document", document())
        world.record(name, "procedure", says="same", by="document", sources=[episode], subject="s")
    world.rule("r1", "revoke", "p")
    assert world.stands("p", "q") == "revoked revoked"
    world.forget("e2", attested=False)
    assert "current" not in world.stands("p", "q")
