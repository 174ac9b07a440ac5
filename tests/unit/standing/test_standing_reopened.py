"""What takes and what gives, to any depth of lifting: a restraint that was released and reopened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc_git.model.ruling import Ruling
from cc_git.standing.negative import is_negative
from tests.unit.standing.builder import World
from tests.unit.standing.worlds import NAMES, STRANGERS, Deed, Plot, chances, record, restraints, usable

RULINGS = ("r1", "r2", "r3", "r4", "r5")
LEFT: tuple[str, ...] = ("removed", "edited", "withered", "damaged", "taken back")


def promise(world: World, name: str = "c", **fields: Any) -> None:
    world.record(name, "commitment", payload={"mode": "refrain"}, **fields)


def reopened(by: str = "agent-explicit") -> World:
    """A promise to refrain that a person released and `by` reopened."""
    world = World()
    promise(world)
    world.rule("r1", "release", "c")
    world.rule("r2", "reopen", "c", by=by, over=["r1"])
    return world


def lose(world: World, name: str, how: str) -> None:
    """What becomes of a file without any person's word."""
    match how:
        case "removed":
            world.elsewhere(name)
        case "edited":
            world.elsewhere(name)
            world.rule(name, "confirm", "c", by="agent-explicit", reason="edited")
        case "withered":
            world.forget(name, attested=False)
        case "damaged":
            world.rule(name, "confirm", "c", by="agent-explicit", reason="another content")
        case "taken back":
            world.taken_back(name)


@pytest.mark.parametrize("by", ["agent-inference", "agent-explicit", "document", "user-explicit"])
def test_a_released_promise_is_reopened_at_once_by_anyone(by: str) -> None:
    world = World()
    promise(world, by="user-explicit", attested=True)
    world.rule("r1", "release", "c")
    assert world.stands("c") == "released"
    world.rule("r2", "reopen", "c", by=by, attested=False, over=["r1"])
    assert world.stands("c") == "current"


def test_a_dream_reopens_nothing() -> None:
    assert reopened("dream").stands("c") == "released"


@pytest.mark.parametrize("by", ["agent-explicit", "user-explicit"])
@pytest.mark.parametrize("how", LEFT)
def test_a_reopened_promise_holds_whatever_becomes_of_the_reopening(by: str, how: str) -> None:
    world = reopened(by)
    lose(world, "r2", how)
    assert world.stands("c") == "current"


@pytest.mark.parametrize("how", LEFT)
def test_a_deny_whose_release_was_lifted_holds_whatever_becomes_of_that(how: str) -> None:
    world = World()
    world.allow("p")
    world.deny("c")
    world.rule("r1", "release", "c")
    world.rule("r2", "accept", "c", over=["r1"])
    lose(world, "r2", how)
    assert world.stands("c", "p") == "current overruled"


@pytest.mark.parametrize("how", ["", *LEFT])
@pytest.mark.parametrize("over", [[], ["r2"]])
def test_a_person_releases_again_what_was_reopened(how: str, over: list[str]) -> None:
    world = reopened()
    if how:
        lose(world, "r2", how)
    world.rule("r3", "release", "c", over=over)
    assert world.stands("c") == "released"
    world.rule("r4", "reopen", "c", by="agent-explicit", over=["r3"])
    assert world.stands("c") == "current"
    lose(world, "r4", "removed")
    assert world.stands("c") == "current"


def test_a_person_lifts_a_reopening_and_the_release_is_back() -> None:
    world = reopened()
    world.rule("r3", "confirm", "c", over=["r2"], by="agent-explicit")
    assert world.stands("c") == "current"
    world.rule("r4", "confirm", "c", over=["r2"])
    assert world.stands("c") == "released"
    lose(world, "r4", "removed")
    assert world.stands("c") == "current"


def test_what_a_person_revoked_nobody_reopens() -> None:
    world = World()
    promise(world)
    world.rule("r1", "revoke", "c")
    world.rule("r2", "reopen", "c", over=["r1"])
    assert world.stands("c") == "revoked"


def test_a_grant_comes_back_by_no_reopening_of_an_agent_or_of_another_branch() -> None:
    for by, elsewhere in (("agent-explicit", False), ("user-explicit", True)):
        world = World()
        world.allow("p")
        world.rule("r1", "archive", "p")
        world.rule("r2", "accept", "p", by=by, over=["r1"])
        if elsewhere:
            world.elsewhere("r2")
        assert world.stands("p") == "archived"


def test_who_lifts_the_lifting_of_a_grants_ending_takes_it_away_for_good() -> None:
    world = World()
    world.allow("p")
    world.rule("r1", "archive", "p")
    world.rule("r2", "accept", "p", over=["r1"])
    world.rule("r3", "confirm", "p", over=["r2"])
    assert world.stands("p") == "archived"
    world.elsewhere("r3")
    assert world.stands("p") == "archived"
    world.rule("r4", "confirm", "p", over=["r3"])
    assert world.stands("p") == "current"
    world.elsewhere("r4")
    assert world.stands("p") == "archived"


def test_an_agent_that_reopens_a_deny_does_not_reopen_the_grant_that_superseded_it() -> None:
    world = World()
    world.deny("d")
    world.allow("p", supersedes=["d"])
    world.rule("r1", "archive", "d")
    assert world.stands("d", "p") == "archived archived"
    world.rule("r2", "confirm", "d", by="agent-explicit", over=["r1"])
    assert world.stands("d", "p") == "superseded archived"


def test_a_deny_that_a_reject_gave_back_holds_when_the_reject_is_only_seen() -> None:
    world = World()
    world.allow("q")
    world.deny("d")
    world.allow("p", "read", supersedes=["d"])
    world.rule("r1", "reject", "p")
    assert world.stands("d", "p", "q") == "current rejected overruled"
    world.elsewhere("r1")
    assert world.stands("d", "p", "q") == "current rejected overruled"


@pytest.mark.parametrize("lost", ["r2", "e"])
def test_a_deny_that_the_reject_of_a_winner_gave_back_holds_without_either(lost: str) -> None:
    world = World()
    world.deny("d", subject="s", target="x")
    world.deny("e", subject="s", target="y")
    world.rule("r1", "resolve", "d", winner="e")
    world.rule("r2", "reject", "e")
    assert world.stands("d") == "current"
    world.elsewhere(lost)
    assert world.stands("d") == ("conflicted" if lost == "r2" else "current"), "in force, beside the other"


def test_a_deny_holds_that_the_reject_of_a_narrower_one_gave_back_and_that_is_only_seen() -> None:
    world = World()
    world.deny("d", target="*")
    world.deny("e", target="prod", supersedes=["d"])
    world.rule("r1", "reject", "e")
    assert world.stands("d", "e") == "current rejected"
    world.elsewhere("r1")
    assert world.stands("d", "e") == "conflicted conflicted"
    world.rule("r2", "accept", "e", over=["r1"])
    assert world.stands("d", "e") == "superseded current"


@pytest.mark.parametrize("length", [2, 3])
def test_inside_a_cycle_of_over_nothing_gives(length: int) -> None:
    world = World()
    promise(world)
    names = [f"r{i}" for i in range(1, length + 1)]
    for name, lifted in zip(names, [*names[1:], names[0]], strict=True):
        world.rule(name, "release" if name == "r1" else "reopen", "c", over=[lifted])
    assert world.stands("c") == "current"


# forgetting
@pytest.mark.parametrize("seen_only", [False, True])
def test_forgetting_the_reopening_keeps_the_promise_and_a_person_releases_it_anew(seen_only: bool) -> None:
    world = reopened()
    if seen_only:
        world.elsewhere("c")
        world.elsewhere("r2")
    needed = world.endings("r2")
    assert needed == {world.id_of("r1")}
    world.seen = {rel: one for rel, one in world.seen.items() if one.filed.value.id != world.id_of("r2")}
    if not seen_only:
        world.remove("r2")
    world.forget("r2")
    world.ended(*needed)
    assert holds(world)
    world.rule("r3", "release", "c", saw=False)
    assert not holds(world)


def holds(world: World) -> bool:
    judged = world.judge()
    verdict = judged.verdicts.get(world.id_of("c", "commitment"))
    return bool(judged.restraining) if verdict is None else verdict.eligible


def test_a_reopening_on_another_branch_holds_until_a_person_dismisses_it() -> None:
    world = reopened()
    world.elsewhere("r2", "withholds")
    verdict = world.verdict("c")
    assert (verdict.standing, verdict.by) == ("current", (world.id_of("r2"),))
    assert verdict.reason == "reopened on another branch"


def test_a_deny_that_another_branch_reopens_withholds_the_grant_and_is_shown() -> None:
    world = World()
    world.allow("p")
    world.deny("d")
    world.rule("r1", "release", "d")
    world.rule("r2", "accept", "d", over=["r1"], attested=False)
    world.elsewhere("r2", "withholds")
    assert world.stands("d", "p") == "current overruled"
    assert "withheld" in world.verdict("p").flags


def test_an_ending_of_a_ruling_leaves_what_it_takes_and_takes_what_it_gives() -> None:
    world = World()
    world.record("p", "permission", by="agent-explicit")
    world.allow("q")
    world.rule("r1", "accept", "p")
    world.rule("r2", "archive", "q")
    assert world.stands("p", "q") == "current archived"
    world.ended("r1", "r2")
    assert world.stands("p", "q") == "proposed archived"


# against the rule as it is worded, link by link
@st.composite
def chains(draw: st.DrawFn) -> tuple[str, tuple[Deed, ...], frozenset[str]]:
    """Kind of the record, rulings that name each other in `over`, and those of them that were only seen."""
    rnd = draw(chances())
    deeds = []
    for name in RULINGS[: draw(st.integers(1, len(RULINGS)))]:
        person = rnd.random() < 0.6
        fields = {
            "by": "user-explicit" if person else "agent-explicit",
            "over": rnd.sample([r for r in RULINGS if r != name], rnd.choice([0, 1, 1, 1, 2])),
        }
        deeds.append(Deed("rule", name, fields, (rnd.choice(["release", "reopen", "reopen", "confirm"]), "c")))
    away = frozenset(deed.name for deed in deeds if rnd.random() < 0.3)
    return rnd.choice(["refrain", "act"]), tuple(deeds), away


def _worded(mode: str, deeds: Iterable[Deed], away: Iterable[str]) -> bool:
    """Whether the release is in force, by the words of `inforce`: sides are settled one by one until none is left."""
    rulings: Mapping[str, Deed] = {deed.name: deed for deed in deeds}
    away = set(away)
    whole = {name for name, deed in rulings.items() if deed.fields["by"] == "user-explicit" and name not in away}
    # an act commitment of a person is ended and given back by a person alone; only restraints are reached from anyone
    able = set(rulings) if mode == "refrain" else {n for n in rulings if rulings[n].fields["by"] == "user-explicit"}
    lifters = {name: {other for other in able if name in rulings[other].fields["over"]} for name in rulings}
    takes, gives, out_takes, out_gives = set[str](), set[str](), set[str](), set(rulings) - whole
    while True:
        new = (
            {n for n in able if n not in takes and lifters[n] <= out_gives},
            {n for n in able & whole if n not in gives and lifters[n] <= out_takes},
            {n for n in able if n not in out_takes and lifters[n] & gives},
            {n for n in able if n not in out_gives and lifters[n] & takes},
        )
        if not any(new):
            break
        for known, found in zip((takes, gives, out_takes, out_gives), new, strict=True):
            known |= found
    releasing = {n for n in able if rulings[n].targets[0] == "release"}
    # what was only seen lifts, but ends no act commitment
    return bool(releasing & gives) if mode == "refrain" else bool(releasing - out_takes - away)


@settings(max_examples=700)
@given(chains())
def test_a_web_of_rulings_stands_as_worded(case: tuple[str, tuple[Deed, ...], frozenset[str]]) -> None:
    mode, deeds, away = case
    world = World()
    world.record("c", "commitment", by="user-explicit", attested=True, payload={"mode": mode})
    for deed in deeds:
        deed.onto(world)
    for name in away:
        world.elsewhere(name)
    assert world.stands("c") == ("released" if _worded(mode, deeds, away) else "current")


# whatever is only seen still takes
@st.composite
def reopened_worlds(draw: st.DrawFn) -> Plot:
    """Few records and many rulings on them that name each other."""
    rnd = draw(chances())
    kind = rnd.choice(["permission", "commitment"])
    names = NAMES[: rnd.choice([1, 2, 2, 3])]
    deeds = [record(rnd, name, kind, simple=rnd.random() < 0.5) for name in names]
    deeds += [_ruling(rnd, name, names) for name in RULINGS]
    left = draw(st.integers(0, 511)) | draw(st.integers(0, 511))
    return Plot(dict.fromkeys((*NAMES, *STRANGERS), kind), tuple(d for n, d in enumerate(deeds) if left >> n & 1))


def _ruling(rnd: Random, name: str, names: Sequence[str]) -> Deed:
    verbs = ["release", "release", "reopen", "reopen", "accept", "confirm", "reject", "archive", "expire", "resolve"]
    verb = rnd.choice(verbs)
    person = rnd.random() < 0.7
    fields: dict[str, Any] = {
        "by": "user-explicit" if person else rnd.choice(["agent-explicit", "dream", "user-explicit"]),
        "attested": person,
        "over": rnd.sample([r for r in RULINGS if r != name], rnd.choice([0, 1, 1, 2])),
    }
    if verb == "resolve":
        fields["winner"] = rnd.choice(names)
    return Deed("rule", name, fields, (verb, *rnd.sample(names, rnd.randint(1, min(2, len(names))))))


@settings(max_examples=1000)
@given(reopened_worlds(), st.sets(st.sampled_from(RULINGS), min_size=1))
def test_no_restraint_and_no_taking_ends_when_rulings_leave_the_tree(plot: Plot, leaving: set[str]) -> None:
    before, after = plot.world(), plot.world()
    here = {filed.value.id for filed in after.filed if isinstance(filed.value, Ruling)}
    for name in leaving:
        if after.id_of(name) not in here:
            continue
        if is_negative(next(f.value for f in after.filed if getattr(f.value, "id", "") == after.id_of(name))):
            after.elsewhere(name)
        else:
            after.remove(name)
    assert restraints(before) <= restraints(after)
    assert usable(after) <= usable(before)
