"""Deny beats allow wherever scope, action and target overlap."""

from __future__ import annotations

import pytest

from cc_git.standing import narrower_overrides
from tests.unit.standing.builder import World


@pytest.mark.parametrize("by", ["agent-inference", "user-explicit"])
def test_an_allow_inside_a_deny_is_overruled_and_the_deny_not_conflicted(by: str) -> None:
    world = World()
    world.allow("p", target="prod", subject="s")
    world.deny("d", target="prod", subject="s", by=by)
    assert world.stands("p", "d") == "overruled current"
    assert (world.verdict("p").by, world.verdict("p").reason) == ((world.id_of("d"),), "denied")


@pytest.mark.parametrize(
    ("allowed", "denied", "outcome"),
    [
        (("deploy", "prod"), ("deploy", "*"), "overruled"),
        (("deploy", "prod-eu"), ("de*", "prod-*"), "overruled"),
        (("deploy", "prod-[ab]"), ("deploy", "prod-?"), "overruled"),
        (("deploy", "*"), ("deploy", "prod"), "limited"),
        (("deploy", "prod-*"), ("deploy", "*-db"), "limited"),
        (("de*", "prod"), ("*oy", "prod"), "limited"),
        (("deploy", "prod-[a-f]"), ("deploy", "prod-[f-z]"), "limited"),
        (("deploy", "prod-[a-e]"), ("deploy", "prod-[f-z]"), "apart"),
        (("deploy", "a*"), ("deploy", "b*"), "apart"),
        (("read", "prod"), ("deploy", "*"), "apart"),
    ],
)
def test_how_a_deny_meets_an_allow(allowed: tuple[str, str], denied: tuple[str, str], outcome: str) -> None:
    world = World()
    world.allow("p", *allowed)
    world.deny("d", *denied)
    verdict = world.verdict("p")
    assert verdict.standing == ("overruled" if outcome == "overruled" else "current")
    assert ("limited" in verdict.flags) == (outcome == "limited")
    assert verdict.limited_by == ((world.id_of("d"),) if outcome == "limited" else ())


def test_a_deny_in_another_scope_leaves_the_allow() -> None:
    world = World()
    world.allow("p", thread="t")
    world.deny("d", thread="u")
    assert (world.stands("p"), world.verdict("p").limited_by) == ("current", ())


def test_a_deny_in_a_narrower_scope_limits_and_wins_at_a_question_inside_it() -> None:
    world = World()
    world.allow("p")
    world.deny("d", thread="t")
    p, d = world.id_of("p"), world.id_of("d")
    verdict = world.verdict("p")
    assert (verdict.standing, verdict.limited_by) == ("current", (d,))
    assert narrower_overrides(world.judge().verdicts, [p, d]) == {p: (d,)}


def test_a_deny_with_conditions_only_limits() -> None:
    world = World()
    world.allow("p", target="prod")
    world.deny("d", target="prod", conditions=("on Fridays",))
    assert (world.stands("p"), world.verdict("p").flags) == ("current", {"limited"})


@pytest.mark.parametrize("how", ["release", "expire", "future", "dream"])
def test_a_deny_that_is_not_in_effect_denies_nothing(how: str) -> None:
    world = World()
    world.allow("p")
    times = {"expire": {"end": 5}, "future": {"start": 20}}.get(how, {})
    world.deny("d", by="dream" if how == "dream" else "user-explicit", **times)
    if how == "release":
        world.rule("r1", "release", "d")
    assert (world.stands("p"), world.verdict("p").limited_by) == ("current", ())


def test_a_deny_in_conflict_with_another_deny_still_denies() -> None:
    world = World()
    world.allow("p", target="x")
    world.deny("d", target="x", subject="s")
    world.deny("e", target="y", subject="s")
    assert world.stands("p", "d", "e") == "overruled conflicted conflicted"


@pytest.mark.parametrize("how", ["damage", "forget"])
def test_a_deny_that_was_damaged_or_forgotten_denies_as_long_as_its_bytes_are_there(how: str) -> None:
    world = World()
    world.allow("p")
    world.deny("d")
    if how == "damage":
        world.allow("d", by="agent-explicit")
    else:
        world.forget("d")
    assert world.stands("p", "d") == f"overruled {'damaged' if how == 'damage' else 'forgotten'}"


def test_a_conflicted_allow_is_conflicted_and_not_current() -> None:
    world = World()
    world.allow("p", target="x", subject="s")
    world.allow("q", target="y", subject="s")
    assert world.stands("p", "q") == "conflicted conflicted"
