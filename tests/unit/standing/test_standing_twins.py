"""The same document imported in two clones."""

from __future__ import annotations

import pytest

from tests.unit.standing.builder import World, document


def _twins(world: World, *names: str, subject: str | None = "adr-1", blob: str = "a" * 40, **fields: object) -> None:
    for name in names:
        episode = world.episode(f"e{ord(name)}", "document", document(blob=blob), tags=(name,))
        fields.setdefault("by", "document")
        world.record(name, sources=[episode], subject=subject, **fields)  # type: ignore[arg-type]


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
    _twins(world, "b", says="honest")
    world.rule("r1", "accept", "b")
    _twins(world, "a", says="forged")
    assert world.stands("a", "b") == "superseded current"


def test_a_restraint_is_a_twin_only_of_what_says_the_same() -> None:
    world = World()
    for name, target in (("a", "prod"), ("b", "*"), ("c", "*")):
        episode = world.episode(f"e{ord(name)}", "document", document(), tags=(name,))
        world.deny(name, target=target, says=target, by="document", sources=[episode], subject="s")
    assert world.stands("a", "b", "c") == "conflicted conflicted superseded"


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
