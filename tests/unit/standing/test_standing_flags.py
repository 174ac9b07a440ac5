"""Needs review, stale, reported, disputed, under review; what a confirm clears; when something changes."""

from __future__ import annotations

import pytest

from cc_git.model.spine import Anchor
from tests.unit.standing.builder import World, day

OLD, NEW, NEWER = "1" * 40, "2" * 40, "3" * 40


@pytest.mark.parametrize("how", ["supersede", "archive", "reject", "revoke", "expire", "forget", "damage", "overrule"])
def test_what_depends_on_something_that_went_away_needs_review(how: str) -> None:
    world = World()
    world.record("a", subject="s", end=5 if how == "expire" else None)
    world.record("b", derived_from=["a"])
    if how == "supersede":
        world.record("c", supersedes=["a"])
    elif how in ("archive", "reject", "revoke"):
        world.rule("r1", how, "a")
    elif how == "forget":
        world.forget("a")
    elif how == "damage":
        world.record("a", says="other")
    elif how == "overrule":
        world.record("c", subject="s", by="user-explicit", attested=True)
    assert (world.stands("b"), world.verdict("b").flags) == ("current", {"needs-review"})


def test_a_doubt_reaches_everything_that_was_derived_however_far() -> None:
    world = World()
    world.record("a")
    world.record("b", derived_from=["a"])
    world.record("c", sources=[world.id_of("b")])
    world.record("d", derived_from=["c", "a"])
    world.record("e")
    assert {world.verdict(name).flags for name in "abcde"} == {frozenset()}
    world.rule("r1", "revoke", "a")
    assert [world.verdict(name).flags for name in "bcde"] == [{"needs-review"}] * 3 + [frozenset()]
    assert world.verdict("c").doubts == (f"{world.id_of('b')} needs-review",)
    assert len(world.verdict("d").doubts) == 2


def test_a_confirm_of_what_is_between_settles_what_is_behind_it() -> None:
    world = World()
    world.record("a")
    world.record("b", derived_from=["a"])
    world.record("c", derived_from=["b"])
    world.record("n", supersedes=["a"])
    world.rule("r1", "confirm", "b", evidence=world.verdict("b").doubts)
    assert [world.verdict(name).flags for name in "bc"] == [frozenset(), frozenset()]


def test_a_confirm_of_what_is_behind_settles_that_alone() -> None:
    world = World()
    world.record("a")
    world.record("b", derived_from=["a"])
    world.record("c", derived_from=["b"])
    world.record("d", derived_from=["c"])
    world.record("n", supersedes=["a"])
    world.rule("r1", "confirm", "c", evidence=world.verdict("c").doubts)
    assert [world.verdict(name).flags for name in "bcd"] == [{"needs-review"}, frozenset(), frozenset()]


def test_records_that_derive_from_each_other_are_doubted_once() -> None:
    world = World()
    world.record("a")
    world.record("b", derived_from=["a", "c"])
    world.record("c", derived_from=["b"])
    world.rule("r1", "revoke", "a")
    assert world.verdict("c").doubts == (f"{world.id_of('b')} needs-review",)
    assert world.verdict("b").doubts[1:] == (f"{world.id_of('c')} needs-review",)


def test_what_supersedes_its_own_premise_does_not_need_review() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"], derived_from=["a"])
    assert world.verdict("b").flags == frozenset()


def test_a_forgotten_or_damaged_source_needs_review() -> None:
    world = World()
    world.record("a", sources=[world.episode("e1", "agent-explicit"), world.episode("e2", "agent-explicit")])
    assert world.verdict("a").flags == frozenset()
    world.forget("e1")
    assert world.verdict("a").doubts == (f"{world.id_of('e1')} forgotten",)
    world.episode("e2", "agent-explicit", tags=("x",))
    assert len(world.verdict("a").doubts) == 2


def test_past_its_review_date_it_needs_review() -> None:
    world = World()
    world.record("a", review_by=day(12))
    assert [world.verdict("a", on=d).flags for d in (11, 12)] == [frozenset(), {"needs-review"}]


def test_a_confirm_clears_the_doubts_it_names_and_no_later_ones() -> None:
    world = World()
    world.record("a")
    world.record("b", derived_from=["a"], review_by=day(3))
    world.record("c", supersedes=["a"])
    doubts = world.verdict("b").doubts
    assert len(doubts) == 2
    world.rule("r1", "confirm", "b", evidence=doubts)
    assert (world.verdict("b").flags, world.verdict("b").doubts) == (frozenset(), ())
    world.rule("r2", "archive", "a")
    assert world.verdict("b").flags == {"needs-review"}


def test_a_confirm_of_other_bytes_or_of_too_little_authority_clears_nothing() -> None:
    for wrong in ({"saw": "f" * 40}, {"by": "agent-explicit"}):
        world = World()
        world.record("b", by="user-explicit", attested=True, review_by=day(3))
        world.rule("r1", "confirm", "b", evidence=world.verdict("b").doubts, **wrong)  # type: ignore[arg-type]
        assert world.verdict("b").flags == {"needs-review"}


def test_a_confirm_raises_nothing() -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit")
    world.record("a", by="agent-explicit")
    world.rule("r1", "confirm", "p", "a")
    assert (world.stands("p", "a"), world.verdict("a").authority) == ("proposed current", "agent-explicit")


def test_other_code_at_an_anchor_is_stale_until_confirmed_for_that_blob() -> None:
    world = World()
    world.record("a", anchors=(Anchor(path="src/a.py", blob=OLD), Anchor(path="src/b.py")))
    assert world.verdict("a").flags == frozenset()
    world.code = {"src/a.py": OLD}
    assert world.verdict("a").flags == frozenset()
    world.code = {"src/a.py": NEW}
    assert (world.verdict("a").flags, world.verdict("a").doubts) == ({"stale"}, (f"src/a.py {NEW}",))
    world.rule("r1", "confirm", "a", evidence=world.verdict("a").doubts)
    assert world.verdict("a").flags == frozenset()
    world.code = {"src/a.py": NEWER}
    assert world.verdict("a").flags == {"stale"}
    world.code = {}
    assert world.verdict("a").doubts == ("src/a.py gone",)


def test_a_reopened_decision_is_current_and_under_review_until_that_is_lifted() -> None:
    world = World()
    world.record("a")
    world.rule("r1", "reopen", "a")
    assert (world.stands("a"), world.verdict("a").flags) == ("current", {"under-review"})
    world.rule("r2", "confirm", "a", over=["r1"])
    assert world.verdict("a").flags == frozenset()


def test_a_proposal_that_contradicts_makes_it_disputed() -> None:
    world = World()
    world.record("a", "procedure", by="document")
    world.record("b", "procedure", by="agent-explicit", conflicts_with=["a"])
    assert (world.stands("a", "b"), world.verdict("a").flags) == ("current proposed", {"disputed"})


def test_only_what_may_be_used_is_flagged_for_review() -> None:
    world = World()
    world.record("a", review_by=day(3))
    world.rule("r1", "archive", "a")
    assert (world.verdict("a").flags, world.verdict("a").doubts) == (frozenset(), ())


# the next change
def test_until_is_the_next_instant_at_which_something_changes() -> None:
    world = World()
    world.record("a", end=20)
    world.record("b", start=15)
    world.record("c", review_by=day(17))
    world.rule("r1", "archive", "c", effective=30)
    assert [world.judge(on).until for on in (10, 15, 17, 20, 30)] == [day(15), day(17), day(20), day(30), None]


def test_what_can_change_nothing_any_more_is_no_next_change() -> None:
    world = World()
    world.record("a", end=20)
    world.rule("r1", "archive", "a")
    world.record("b", "procedure", by="agent-explicit", start=15, end=20)
    world.record("c", end=20)
    world.record("d", supersedes=["c"])
    assert world.judge().until is None


def test_a_revoked_successor_that_begins_later_is_a_next_change() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"], start=15)
    world.rule("r1", "archive", "b")
    assert world.judge().until == day(15)
    assert world.stands("a", on=15) == "superseded"
