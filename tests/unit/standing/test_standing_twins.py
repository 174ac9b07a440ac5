"""The same document imported in two clones."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.model.spine import Anchor
from tests.unit.standing.builder import World, day, document


def _twins(world: World, *names: str, subject: str | None = "adr-1", blob: str = "a" * 40, **fields: object) -> None:
    for name in names:
        episode = world.episode(f"e{ord(name)}", "document", document(blob=blob), tags=(name,))
        said = {"by": "document", "says": "same"} | fields
        world.record(name, sources=[episode], subject=subject, **said)  # type: ignore[arg-type]


def test_the_lowest_id_represents_and_the_others_are_superseded() -> None:
    world = World()
    _twins(world, "a", "b", "c")
    assert world.stands("a", "b", "c") == "current superseded superseded"
    assert (world.verdict("b").by, world.verdict("b").reason) == ((world.id_of("a"),), "twin")
    assert world.judge().clashes == ()


@pytest.mark.parametrize("other", [{"blob": "b" * 40}, {"subject": "adr-2"}])
def test_another_version_or_subject_is_no_twin(other: dict[str, str]) -> None:
    world = World()
    _twins(world, "a")
    _twins(world, "b", **other)
    assert world.verdict("b").reason != "twin"


def test_two_records_of_one_import_are_no_twins() -> None:
    world = World()
    episode = world.episode("e1", "document", document())
    world.record("a", sources=[episode], by="document", subject="s")
    world.record("b", sources=[episode], by="document", subject="s")
    assert world.stands("a", "b") == "conflicted conflicted"


def test_a_correction_that_keeps_the_document_as_a_source_is_no_twin() -> None:
    world = World()
    _twins(world, "a")
    said = world.episode("e1")
    world.record("z", sources=[said, world.id_of("e97")], by="user-explicit", subject="adr-1", supersedes=["a"])
    assert world.stands("a", "z") == "superseded current"


def test_people_who_say_the_same_twice_are_no_twins() -> None:
    world = World()
    world.record("a", says="same", by="user-explicit", sources=[world.episode("e1")])
    world.record("b", says="same", by="user-explicit", sources=[world.episode("e2", tags=("x",))])
    assert world.stands("a", "b") == "current current"


@pytest.mark.parametrize(("verb", "standing"), [("archive", "archived"), ("expire", "expired"), ("reject", "rejected")])
def test_a_ruling_that_takes_one_away_reaches_all(verb: str, standing: str) -> None:
    for named in "abc":
        world = World()
        _twins(world, "a", "b", "c")
        world.rule("r1", verb, named)
        assert world.stands("a", "b", "c") == " ".join([standing] * 3)


def test_what_supersedes_one_supersedes_all_and_is_reached_by_what_ends_any() -> None:
    for named in "ab":
        world = World()
        _twins(world, "a", "b")
        world.record("c", by="document", supersedes=[named])
        assert world.stands("a", "b", "c") == "superseded superseded current"
        world.rule("r1", "archive", "b" if named == "a" else "a")
        assert world.stands("a", "b", "c") == "archived archived archived"


def test_a_resolve_that_one_lost_reaches_all() -> None:
    for named in "ab":
        world = World()
        _twins(world, "a", "b")
        world.record("c", by="document", subject="adr-1")
        assert world.stands("a", "b", "c") == "conflicted superseded conflicted"
        world.rule("r1", "resolve", named, winner="c")
        assert world.stands("c") == "current"
        assert "current" not in world.stands("a", "b")


def test_a_resolve_that_one_won_is_lost_by_none() -> None:
    world = World()
    _twins(world, "a", "b")
    world.record("c", by="document", subject="adr-1")
    world.rule("r1", "resolve", "c", winner="b")
    assert world.stands("a", "b", "c") == "current superseded overruled"


def test_waiting_twins_are_one_proposal_and_one_accept_is_enough() -> None:
    world = World()
    _twins(world, "a", "b", by="agent-inference")
    assert world.stands("a", "b") == "proposed superseded"
    world.rule("r1", "accept", "b")
    assert world.stands("a", "b") == "superseded current"
    world.rule("r2", "accept", "a")
    assert world.stands("a", "b") == "current superseded"


def test_an_accept_of_one_and_a_reject_of_the_other_contradict() -> None:
    world = World()
    _twins(world, "a", "b", by="agent-inference")
    world.rule("r1", "accept", "a")
    world.rule("r2", "reject", "b")
    assert world.stands("a", "b") == "conflicted rejected"


def test_a_twin_of_lower_authority_does_not_push_a_persons_record_aside() -> None:
    world = World()
    _twins(world, "b")
    world.rule("r1", "accept", "b")
    _twins(world, "a")
    assert world.stands("a", "b") == "superseded current"


def test_another_text_of_the_same_document_is_no_twin_but_a_conflict() -> None:
    world = World()
    _twins(world, "b", says="We use PostgreSQL")
    _twins(world, "a", says="We use something else")
    assert world.stands("a", "b") == "conflicted conflicted"
    world.rule("r1", "reject", "a")
    assert world.stands("a", "b") == "rejected current"


@pytest.mark.parametrize(
    "other",
    [{"conflicts_with": ["z"]}, {"derived_from": ["z"]}, {"review_by": day(5)}, {"anchors": (Anchor(path="main.c"),)}],
)
def test_what_a_record_tells_beside_its_text_is_not_hidden_behind_another(other: dict[str, Any]) -> None:
    world = World()
    _twins(world, "b", **other)
    _twins(world, "a")
    assert world.stands("a", "b") == "current current"


# a representative covers what it stands for
@pytest.mark.parametrize("start", [5, 20])
def test_what_has_not_begun_represents_nothing_that_has(start: float) -> None:
    world = World()
    _twins(world, "b")
    _twins(world, "a", start=start)
    assert world.stands("a", "b", on=1) == "superseded current"
    assert world.judge(on=1).until == day(start)
    assert world.stands("a", "b", on=30) == "superseded current"


def test_a_proposal_that_begins_later_does_not_stand_for_one_that_begins_now() -> None:
    world = World()
    _twins(world, "b", by="agent-inference")
    _twins(world, "a", by="agent-inference", start=20)
    assert world.stands("a", "b") == "superseded proposed"


@pytest.mark.parametrize(("end", "standing"), [(5, "expired"), (20, "current")])
def test_what_ends_earlier_is_no_twin(end: float, standing: str) -> None:
    world = World()
    _twins(world, "b", subject=None)
    _twins(world, "a", subject=None, end=end)
    assert world.stands("a", "b") == f"{standing} current"


def test_what_is_more_sensitive_does_not_stand_for_what_is_less() -> None:
    world = World()
    _twins(world, "b")
    _twins(world, "a", sensitivity="limited")
    assert world.stands("a", "b") == "superseded current"


def test_what_is_ended_represents_nothing_that_was_taken_up_again() -> None:
    world = World()
    _twins(world, "a", "b")
    world.rule("r1", "archive", "a")
    world.rule("r2", "reopen", "b", over=["r1"])
    assert world.stands("a", "b") == "archived current"


# restraints have no twins
def _deny(world: World, name: str, **fields: Any) -> None:
    episode = world.episode(f"e{ord(name)}", "document", document(), tags=(name,))
    world.deny(name, says="Frozen", sources=[episode], subject="s", **{"by": "document"} | fields)


@pytest.mark.parametrize("other", [{"start": 20}, {"end": 5}, {"sensitivity": "sensitive"}, {}])
def test_no_restraint_is_put_in_the_place_of_another(other: dict[str, Any]) -> None:
    world = World()
    world.allow("p")
    _deny(world, "b")
    _deny(world, "a", **other)
    assert world.stands("b", "p") == "current overruled"


def test_who_lifts_one_restraint_lifts_no_other_that_says_the_same() -> None:
    for verb in ("revoke", "release", "archive"):
        world = World()
        _deny(world, "a")
        _deny(world, "b")
        world.rule("r1", verb, "a")
        assert world.stands("b") == "current"


def test_without_a_subject_only_equal_statements_are_twins() -> None:
    world = World()
    _twins(world, "a", "b", subject=None, says="same")
    _twins(world, "c", subject=None, says="other")
    assert world.stands("a", "b", "c") == "current superseded current"


def test_forgetting_one_twin_does_not_bring_the_other_back() -> None:
    world = World()
    _twins(world, "a", "b")
    assert world.endings("a") == {world.id_of("b")}


def test_an_ending_reaches_all_twins() -> None:
    world = World()
    _twins(world, "a", "b")
    world.ended("b")
    assert world.stands("a", "b") == "ended ended"


def test_nobody_brings_a_line_back_with_a_twin_that_names_its_ending_in_after() -> None:
    world = World()
    world.record("z")
    _twins(world, "a", by="agent-inference", supersedes=["z"])
    world.record("c", supersedes=["a"])
    world.rule("r1", "archive", "z")
    assert world.stands("c") == "archived"
    _twins(world, "b", after=["r1"])
    assert world.stands("c") == "archived"
