"""Conflicted, overruled, split, layered."""

from __future__ import annotations

import pytest

from cc_git.model.verdict import Clash
from cc_git.standing import narrower_overrides
from tests.unit.standing.builder import World


def test_two_corrections_of_one_record_are_conflicted_until_somebody_rules() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.record("c", supersedes=["a"])
    assert world.stands("a", "b", "c") == "superseded conflicted conflicted"
    assert world.judge().clashes == (Clash((world.id_of("b"), world.id_of("c")), "line"),)
    assert world.verdict("b").by == (world.id_of("c"),)
    world.rule("r1", "resolve", "c", winner="b")
    assert world.stands("b", "c") == "current overruled"


def test_a_common_ancestor_counts_although_it_is_not_here() -> None:
    world = World()
    world.record("b", supersedes=["a"])
    world.record("c", supersedes=["a"])
    assert world.stands("b", "c") == "conflicted conflicted"


def test_a_common_ancestor_counts_over_any_number_of_links() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"])
    world.record("c", supersedes=["b"])
    world.record("d", supersedes=["a"])
    world.record("e", supersedes=["d"])
    assert world.stands("c", "e") == "conflicted conflicted"


def test_the_same_statement_twice_is_no_conflict() -> None:
    world = World()
    world.record("a")
    world.record("b", supersedes=["a"], says="same")
    world.record("c", supersedes=["a"], says="same")
    assert world.stands("b", "c") == "current current"


def test_grants_that_end_at_different_times_say_different_things() -> None:
    world = World()
    world.allow("a", subject="s", says="x", end=20)
    world.allow("b", subject="s", says="x")
    assert world.stands("a", "b") == "conflicted conflicted"


def test_one_subject_and_one_scope_clash() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", subject="s")
    world.record("c", subject="t")
    world.record("d", "goal", subject="s")
    assert world.stands("a", "b", "c", "d") == "conflicted conflicted current current"
    assert world.judge().clashes[0].cause == "subject"


def test_one_subject_in_scopes_that_do_not_meet_is_no_conflict() -> None:
    world = World()
    world.record("a", subject="s", thread="t")
    world.record("b", subject="s", thread="u")
    assert world.stands("a", "b") == "current current"


def test_scopes_that_cross_clash() -> None:
    from cc_git.model.scope import Scope

    world = World()
    world.record("a", subject="s")
    world.record("b", subject="s")
    # one holds for a user in every project, the other in one project for every user
    first, second = (world.remove("b").value, world.remove("a").value)
    world._file(first.model_copy(update={"scope": Scope(user="u")}), False)
    world._file(second.model_copy(update={"scope": Scope(project="p")}), False)
    assert world.stands("a", "b") == "conflicted conflicted"


def test_different_subjects_of_one_line_are_a_split() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", supersedes=["a"], subject="t")
    world.record("c", supersedes=["a"], subject="u")
    assert world.stands("a", "b", "c") == "superseded current current"


def test_a_declared_conflict_holds_whatever_the_subjects_and_kinds() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", subject="t", conflicts_with=["a"])
    world.record("g", "goal", conflicts_with=["a"])
    assert world.stands("a", "b", "g") == "conflicted conflicted conflicted"
    assert world.judge().clashes[0].cause == "declared"


def test_of_unequal_authority_the_higher_is_current_and_the_lower_overruled() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True, subject="s")
    world.record("b", by="agent-explicit", subject="s")
    assert world.stands("a", "b") == "current overruled"
    assert world.verdict("b").by == (world.id_of("a"),)
    assert world.verdict("a").flags == {"disputed"}
    assert world.judge().clashes == ()


def test_what_a_higher_one_overrules_is_not_conflicted_with_its_equals() -> None:
    world = World()
    world.record("a", by="user-explicit", attested=True, subject="s")
    world.record("b", subject="s")
    world.record("c", subject="s")
    world.record("d", subject="t", conflicts_with=["b"])
    assert world.stands("a", "b", "c", "d") == "current overruled overruled current"


def test_the_later_one_does_not_win() -> None:
    world = World()
    world.record("a", subject="s", start=1)
    world.record("b", subject="s", start=9)
    assert world.stands("a", "b") == "conflicted conflicted"


@pytest.mark.parametrize("how", ["archive", "reject", "expire", "future", "propose"])
def test_what_does_not_stand_clashes_with_nothing(how: str) -> None:
    world = World()
    world.record("a", subject="s")
    times = {"expire": {"end": 5}, "future": {"start": 20}}.get(how, {})
    world.record("b", subject="s", by="agent-inference" if how == "propose" else "agent-explicit", **times)
    if how in ("archive", "reject"):
        world.rule("r1", how, "b")
    assert world.stands("a") == "current"


def test_a_clash_of_two_causes_is_told_once_and_groups_are_joined() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", supersedes=["a"], subject="s")
    world.record("c", supersedes=["a"], subject="s", conflicts_with=["b"])
    assert [c.cause for c in world.judge().clashes] == ["line"]


def test_an_agent_that_revokes_one_side_of_a_conflict_does_not_let_the_other_grant_stand() -> None:
    world = World()
    world.allow("p", target="x", subject="s")
    world.allow("q", target="y", subject="s")
    world.rule("r1", "revoke", "q", by="agent-explicit")
    assert world.stands("p", "q") == "conflicted revoked"
    world.rule("r2", "resolve", "q", winner="p")
    assert world.stands("p", "q") == "current revoked"


def test_a_person_that_revokes_one_side_of_a_conflict_lets_the_other_stand() -> None:
    world = World()
    world.allow("p", target="x", subject="s")
    world.allow("q", target="y", subject="s")
    world.rule("r1", "revoke", "q")
    assert world.stands("p", "q") == "current revoked"


# layers
def test_a_narrower_scope_does_not_clash_and_overrides_at_a_question_inside_it() -> None:
    world = World()
    world.record("a", subject="s")
    world.record("b", subject="s", thread="t")
    judged = world.judge()
    a, b = world.id_of("a"), world.id_of("b")
    assert world.stands("a", "b") == "current current"
    assert narrower_overrides(judged.verdicts, [a, b]) == {a: (b,)}
    assert narrower_overrides(judged.verdicts, [a]) == {}


def test_a_narrower_scope_of_lower_authority_gives_way() -> None:
    world = World()
    world.record("a", subject="s", by="user-explicit", attested=True)
    world.record("b", subject="s", thread="t", by="agent-explicit")
    a, b = world.id_of("a"), world.id_of("b")
    assert narrower_overrides(world.judge().verdicts, [a, b]) == {b: (a,)}


def test_a_narrower_correction_overrides_without_a_subject() -> None:
    world = World()
    world.record("a")
    world.record("b", thread="t", supersedes=["a"])
    a, b = world.id_of("a"), world.id_of("b")
    assert world.stands("a", "b") == "current current"
    assert narrower_overrides(world.judge().verdicts, [a, b]) == {a: (b,)}


def test_a_restraint_never_gives_way_to_a_narrower_one() -> None:
    world = World()
    world.deny("d", subject="s", target="*")
    world.deny("e", subject="s", target="prod", thread="t")
    world.record("c", "commitment", subject="s", payload={"mode": "refrain"})
    world.record("g", "commitment", subject="s", payload={"mode": "act"}, thread="t")
    assert narrower_overrides(world.judge().verdicts, [world.id_of(n) for n in "decg"]) == {}


def test_many_that_give_way_to_the_same_share_one_tuple() -> None:
    world = World()
    for number in range(200):
        world.record(f"{number:03}", says=f"says {number}", subject="s", thread="t" if number % 2 else "*")
    verdicts = world.judge().verdicts.values()
    assert len({id(verdict.yields_to) for verdict in verdicts if verdict.yields_to}) == 1


def test_heads_over_several_bottoms_clash_with_those_they_share_one_with() -> None:
    world = World()
    for name, below in (("m", "ax"), ("n", "bx"), ("p", "ay"), ("q", "z")):
        world.record(name, supersedes=below)
    clashes = {name: world.verdict(name).by for name in "mnpq"}
    assert clashes == {
        "m": (world.id_of("n"), world.id_of("p")), "n": (world.id_of("m"),), "p": (world.id_of("m"),), "q": (),
    }  # fmt: skip
