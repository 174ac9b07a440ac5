"""Restraint from anyone, release by a person."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.standing.builder import World

WEAK = ["agent-inference", "agent-explicit", "document", "verified-observation", "user-implicit"]
LIFTING = ["revoke", "release", "expire", "archive", "reject", "complete"]


@pytest.mark.parametrize("by", WEAK)
def test_a_deny_and_a_refrain_take_effect_from_any_authority_but_a_dream(by: str) -> None:
    world = World()
    world.deny("d", by=by)
    world.record("c", "commitment", by=by, payload={"mode": "refrain"})
    assert world.stands("d", "c") == "current current"


def test_a_deny_without_any_source_takes_effect() -> None:
    world = World()
    world.deny("d", by="user-explicit", attested=False, sources=[])
    assert world.stands("d") == "current"


# a clock that is ahead keeps nothing waiting that takes away
AHEAD: dict[str, Any] = {"start": None, "recorded": 400}


def test_a_restraint_holds_at_once_whatever_clock_wrote_it() -> None:
    world = World()
    world.allow("p")
    world.deny("d", by="agent-explicit", **AHEAD)
    world.record("c", "commitment", payload={"mode": "refrain"}, **AHEAD)
    assert world.stands("d", "c", "p") == "current current overruled"
    assert world.judge().until is None


def test_a_restraint_that_says_from_when_it_holds_waits_for_it() -> None:
    world = World()
    world.deny("d", by="agent-explicit", start=20, recorded=400)
    assert (world.stands("d"), world.stands("d", on=20)) == ("not-yet-valid", "current")


def test_a_permission_supersedes_at_once_whatever_clock_wrote_it() -> None:
    world = World()
    world.allow("p", target="*")
    world.allow("q", target="staging", supersedes=["p"], **AHEAD)
    assert world.stands("p", "q") == "superseded not-yet-valid"
    world.allow("s", target="*")
    world.allow("t", target="staging", supersedes=["s"], start=20)
    assert world.stands("s", "t") == "current not-yet-valid"


@pytest.mark.parametrize(("verb", "standing"), [("revoke", "revoked"), ("reject", "rejected")])
def test_a_ruling_waits_for_no_clock_that_wrote_it(verb: str, standing: str) -> None:
    world = World()
    world.allow("p")
    world.rule("r1", verb, "p", recorded=400)
    assert world.stands("p") == standing


@pytest.mark.parametrize("by", WEAK)
def test_a_revoke_of_a_grant_takes_effect_from_any_authority_but_a_dream(by: str) -> None:
    world = World()
    world.allow("p")
    world.rule("r1", "revoke", "p", by=by)
    assert world.stands("p") == "revoked"


def test_a_revoke_counts_whatever_bytes_it_saw() -> None:
    world = World()
    world.allow("p")
    world.rule("r1", "revoke", "p", by="agent-explicit", saw="f" * 40)
    assert world.stands("p") == "revoked"


@pytest.mark.parametrize("verb", LIFTING)
@pytest.mark.parametrize("by", ["agent-explicit", "user-implicit", "user-explicit"])
def test_nobody_but_an_attested_person_lifts_a_restraint(verb: str, by: str) -> None:
    world = World()
    world.deny("d", by="agent-inference")
    world.record("c", "commitment", by="agent-inference", payload={"mode": "refrain"})
    world.rule("r1", verb, "d", "c", by=by, attested=False, evidence=["seen"])
    assert world.stands("d", "c") == "current current"


@pytest.mark.parametrize(
    ("verb", "standing"),
    [
        ("revoke", "revoked"),
        ("release", "released"),
        ("expire", "expired"),
        ("archive", "archived"),
        ("reject", "rejected"),
    ],
)
def test_an_attested_person_lifts_a_restraint(verb: str, standing: str) -> None:
    world = World()
    world.deny("d")
    world.rule("r1", verb, "d")
    assert world.stands("d") == standing


def test_a_release_of_other_bytes_lifts_nothing() -> None:
    world = World()
    world.deny("d")
    world.rule("r1", "release", "d", saw="f" * 40)
    assert world.stands("d") == "current"


def test_a_damaged_release_lifts_nothing_and_a_damaged_revoke_counts() -> None:
    for verb, standing in (("release", "current"), ("revoke", "revoked")):
        world = World()
        world.deny("d")
        world.rule("r1", verb, "d")
        world.rule("r1", verb, "d", reason="another", attested=False)
        assert world.stands("d") == standing


def test_a_restraint_is_superseded_only_by_what_an_attested_person_stands_behind() -> None:
    world = World()
    world.deny("d", target="*", by="agent-explicit")
    world.deny("e", target="prod", by="agent-explicit", supersedes=["d"])
    assert world.stands("d", "e") == "conflicted conflicted"
    world.rule("r1", "accept", "e")
    assert world.stands("d", "e") == "superseded current"


def test_a_deny_of_an_agent_denies_what_it_names_and_supersedes_no_grant_of_a_person() -> None:
    world = World()
    world.allow("p", target="*")
    world.deny("d", target="prod", by="agent-explicit", supersedes=["p"])
    assert world.stands("p", "d") == "current current"
    assert world.verdict("p").limited_by == (world.id_of("d"),)


def test_an_allow_that_supersedes_a_deny_without_a_person_is_proposed() -> None:
    world = World()
    world.deny("d", by="agent-explicit")
    world.allow("p", by="agent-explicit", supersedes=["d"])
    world.record("c", "commitment", by="agent-explicit", payload={"mode": "refrain"})
    world.record("g", "commitment", by="agent-explicit", payload={"mode": "act"}, supersedes=["c"])
    assert world.stands("d", "p", "c", "g") == "current proposed current proposed"


def test_an_attested_person_supersedes_a_deny_only_by_naming_it() -> None:
    world = World()
    world.deny("d", by="agent-explicit")
    world.allow("x", by="agent-explicit", supersedes=["d"])
    world.allow("p", supersedes=["x"])
    assert world.stands("d", "p") == "current overruled"
    world.remove("p")
    world.allow("p", supersedes=["x", "d"])
    assert world.stands("d", "p") == "superseded current"


def test_a_restraint_is_never_overruled_by_higher_authority() -> None:
    world = World()
    world.record("c", "commitment", by="agent-inference", payload={"mode": "refrain"}, subject="s")
    world.record("g", "commitment", by="user-explicit", attested=True, subject="s")
    assert world.stands("c", "g") == "current current"


def test_a_restraint_loses_a_resolve_only_by_an_attested_person() -> None:
    for attested, standing in ((False, "conflicted conflicted"), (True, "current overruled")):
        world = World()
        world.deny("d", subject="s", by="agent-explicit", target="a")
        world.deny("e", subject="s", by="agent-explicit", target="b")
        world.rule("r1", "resolve", "e", winner="d", attested=attested)
        assert world.stands("d", "e") == standing


def test_an_ending_file_does_not_lift_a_restraint() -> None:
    world = World()
    world.deny("d")
    world.ended("d")
    assert world.stands("d") == "current"


def test_a_released_restraint_comes_back_when_the_release_is_lifted() -> None:
    world = World()
    world.deny("d")
    world.rule("r1", "release", "d")
    world.rule("r2", "accept", "d", over=["r1"])
    assert world.stands("d") == "current"


def test_a_release_reaches_a_restraint_that_corrects_the_released_one_but_none_beyond() -> None:
    world = World()
    world.deny("a", by="agent-explicit", target="1")
    world.deny("b", by="agent-explicit", target="2", supersedes=["a"])
    world.deny("c", by="agent-explicit", target="3", supersedes=["b"])
    world.rule("r1", "release", "a")
    assert world.stands("a", "b", "c") == "released released current"
