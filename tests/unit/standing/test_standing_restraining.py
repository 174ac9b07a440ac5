"""Restraints in force that no whole record holds are named with their content and where they come from."""

from __future__ import annotations

import pytest

from tests.unit.standing.builder import World

BRANCH = "refs/remotes/origin/x"


def ghosts(world: World) -> list[tuple[str, str, str]]:
    return [(one.filed.value.id, one.whence, one.branch) for one in world.judge().restraining]


def test_a_whole_restraint_is_not_among_them() -> None:
    world = World()
    world.deny("d")
    assert ghosts(world) == []


@pytest.mark.parametrize("force", ["counts", "withholds"])
def test_a_deny_that_was_only_seen_is(force: str) -> None:
    world = World()
    deny = world.deny("d", says="never", by="agent-explicit")
    world.elsewhere("d", force)
    assert ghosts(world) == [(deny, force, BRANCH)]
    (found,) = world.judge().restraining
    assert (found.filed.value.title, found.verdict.standing) == ("never", "current")


def test_each_restraining_content_of_a_damaged_id_is() -> None:
    world = World()
    deny = world.deny("d", target="x")
    world.deny("d", target="y")
    world.allow("d")
    assert ghosts(world) == [(deny, "damaged", "")] * 2


def test_a_commitment_to_refrain_is() -> None:
    world = World(kinds={"c": "commitment"})
    promise = world.record("c", "commitment", payload={"mode": "refrain"})
    world.record("c", "commitment", payload={"mode": "act"})
    assert ghosts(world) == [(promise, "damaged", "")]


def test_a_forgotten_one_is_named_as_such() -> None:
    world = World()
    deny = world.deny("d")
    world.forget("d")
    assert ghosts(world) == [(deny, "forgotten", "")]


def test_one_that_a_person_lifted_that_is_over_or_that_has_not_begun_is_not() -> None:
    for fields in ({"end": 5}, {"start": 20}, {"by": "dream"}):
        world = World()
        world.deny("d", **fields)
        world.elsewhere("d")
        assert ghosts(world) == []
    world = World()
    world.deny("d")
    world.rule("r1", "revoke", "d", attested=True)
    world.elsewhere("d")
    assert ghosts(world) == []


def test_what_another_branch_forgets_or_revokes_stays_a_whole_restraint() -> None:
    world = World()
    world.deny("d")
    world.forget("d")
    world.elsewhere(world.id_of("d"), "withholds")
    assert world.stands("d") == "current"
    assert ghosts(world) == []
