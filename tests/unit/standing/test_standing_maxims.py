"""The three maxims, attacked with random worlds.

Model prose proposes; it never grants. Restraint from anyone, release by a person. Nothing that takes away is ever
undone by something that merely arrives.
"""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from cc_git.model.record import Record
from tests.unit.standing.builder import World
from tests.unit.standing.worlds import (
    NAMES,
    RULINGS,
    Deed,
    Plot,
    arrivals,
    chances,
    eligible,
    persons,
    plots,
    record,
    restraints,
    ruling,
    usable,
)

MANY = settings(max_examples=2000)
SOME = settings(max_examples=700)
AWAY = {"revoked", "superseded", "completed", "released", "archived", "ended", "expired", "rejected"}


@st.composite
def worlds_and_arrivals(
    draw: st.DrawFn, *, agent: bool, known_ids: bool, kinds: tuple[str, ...] | None = None
) -> tuple[Plot, tuple[Deed, ...]]:
    plot = draw(plots(kinds) if kinds else plots())
    return plot, draw(arrivals(plot, agent=agent, known_ids=known_ids))


def _takes_over(deed: Deed, plot: Plot) -> bool:
    """The one limit of the maxims, named in `lines`: a person's record that supersedes what is not here supersedes,
    past it, whatever is named by the proposal that arrives under that id."""
    named = {n for known in plot.deeds if known.do == "record" for n in known.fields["supersedes"]}
    return deed.do == "record" and deed.name in named and bool(deed.fields["supersedes"])


# model prose proposes; it never grants
@MANY
@given(worlds_and_arrivals(agent=True, known_ids=True, kinds=("permission",)))
def test_files_of_agents_never_make_an_allow_usable(case: tuple[Plot, tuple[Deed, ...]]) -> None:
    plot, more = case
    more = tuple(deed for deed in more if not _takes_over(deed, plot))
    assert usable(plot.world(*more)) <= usable(plot.world())


@MANY
@given(worlds_and_arrivals(agent=True, known_ids=True))
def test_files_of_agents_never_make_anything_gated_eligible(case: tuple[Plot, tuple[Deed, ...]]) -> None:
    plot, more = case
    assert _gated(plot.world(*more)) <= _gated(plot.world())


@SOME
@given(plots())
def test_without_any_person_nothing_gated_is_current(plot: Plot) -> None:
    world = plot.world()
    world.accepted.clear()
    assert _gated(world) == set()


# restraint from anyone, release by a person
@MANY
@given(worlds_and_arrivals(agent=True, known_ids=False, kinds=("permission", "commitment")))
def test_files_of_agents_never_lift_a_restraint(case: tuple[Plot, tuple[Deed, ...]]) -> None:
    plot, more = case
    assert restraints(plot.world()) <= restraints(plot.world(*more))


@MANY
@given(worlds_and_arrivals(agent=True, known_ids=False))
def test_files_of_agents_never_displace_what_a_person_stands_behind(case: tuple[Plot, tuple[Deed, ...]]) -> None:
    plot, more = case
    kept = persons(plot.world())
    more = tuple(deed for deed in more if not _may_displace(deed, plot))
    assert kept <= persons(plot.world(*more))


def _may_displace(deed: Deed, plot: Plot) -> bool:
    """What the design lets an agent do to a person's record, and the one limit."""
    if deed.do == "ended" or (deed.do == "rule" and deed.targets[0] == "complete" and deed.fields["evidence"]):
        return True
    # an agent's own record, or the line it stands in, may be revoked by an agent although a person accepted it
    if deed.do == "rule" and deed.targets[0] == "revoke":
        return any(known.do == "rule" and known.targets[0] == "accept" for known in plot.deeds)
    return _takes_over(deed, plot)


@SOME
@given(plots(("permission", "commitment")))
def test_without_any_person_every_restraint_of_its_time_holds(plot: Plot) -> None:
    world = plot.world()
    world.accepted.clear()
    judged = world.judge().verdicts
    for filed in world.filed:
        record = filed.value
        if isinstance(record, Record) and record.restrains and record.authority != "dream":
            assert judged[record.id].standing in ("current", "conflicted", "forgotten", "not-yet-valid", "expired")


# nothing that takes away is ever undone by something that merely arrives
@MANY
@given(worlds_and_arrivals(agent=False, known_ids=True))
def test_a_revocation_survives_any_further_file(case: tuple[Plot, tuple[Deed, ...]]) -> None:
    plot, more = case
    before, after = plot.world().judge().verdicts, plot.world(*more).judge().verdicts
    revoked = {i for i, v in before.items() if v.standing == "revoked"}
    assert not revoked & {i for i, v in after.items() if v.eligible}


@MANY
@given(worlds_and_arrivals(agent=True, known_ids=True))
def test_what_was_superseded_or_ended_is_not_given_back_by_an_agent(case: tuple[Plot, tuple[Deed, ...]]) -> None:
    plot, more = case
    before, after = plot.world(), plot.world(*more)
    judged = before.judge().verdicts
    # what is only overruled is back when what overruled it is ended by whoever may
    away = {i for i, v in judged.items() if v.standing in AWAY or v.reason == "lost a resolve"}
    held = {i for i in away if _is_a_persons(before, i)}
    assert not held & {i for i in eligible(after.judge()) if not _restrains(before, i)}


@MANY
@given(plots(), st.sampled_from(NAMES + RULINGS))
def test_forgetting_brings_nothing_back(plot: Plot, name: str) -> None:
    world = plot.world()
    identifier = world.id_of(name)
    before = world.judge().verdicts
    was_usable = usable(world)
    needed = world.endings(name)
    world.filed = [f for f in world.filed if f.value.id != identifier]  # type: ignore[attr-defined]
    world.forget(identifier)
    world.ended(*needed)
    after = world.judge().verdicts
    back = {i for i, v in after.items() if v.eligible and not before[i].eligible and not _restrains(world, i)}
    assert back == set()
    assert usable(world) <= was_usable
    for i in usable(world):
        assert set(before[i].limited_by) <= set(after[i].limited_by)


@MANY
@given(plots())
def test_time_alone_brings_nothing_ended_back(plot: Plot) -> None:
    world = plot.world()
    # a ruling that lifts or gives from a later instant on is somebody's word, not time alone
    if any(d.do == "rule" and d.fields["effective"] for d in plot.deeds):
        return
    early, late = world.judge(10).verdicts, world.judge(40).verdicts
    assert not {i for i, v in early.items() if v.standing in AWAY and late[i].standing == "current"}


@SOME
@given(plots(("permission",)), chances())
def test_a_negative_takes_the_same_wherever_it_was_seen(plot: Plot, rnd: random.Random) -> None:
    negative = rnd.choice([ruling(rnd, "r9", verbs=("revoke", "reject")), record(rnd, "x", "permission")])
    here, elsewhere, withheld = plot.world(negative), plot.world(negative), plot.world(negative)
    name = negative.name
    elsewhere.elsewhere(name)
    withheld.elsewhere(name, "withholds")
    # an allow that is not in this branch clashes with nothing here
    judged = here.judge().verdicts
    apart = {here.id_of(name), *(i for i, v in judged.items() if v.standing == "conflicted")}
    assert usable(elsewhere) - apart <= usable(here)
    assert usable(withheld) <= usable(elsewhere)
    assert restraints(plot.world()) <= restraints(withheld)
    assert eligible(withheld.judge()) <= eligible(plot.world().judge())


# the order of files, and saying a thing twice
@SOME
@given(plots(), st.randoms(use_true_random=False), st.data())
def test_the_order_in_which_files_are_read_does_not_matter(plot: Plot, rnd: random.Random, data: st.DataObject) -> None:
    more = data.draw(arrivals(plot, agent=False, known_ids=True))
    world = plot.world(*more)
    judged = world.judge()
    rnd.shuffle(world.filed)
    assert world.judge() == judged


@SOME
@given(plots(), st.data())
def test_the_same_file_at_two_paths_counts_once(plot: Plot, data: st.DataObject) -> None:
    world = plot.world()
    if world.filed:
        judged = world.judge()
        again = data.draw(st.sampled_from(world.filed))
        world.filed.append(type(again)(f"private/{again.rel}", again.blob, again.value))
        assert world.judge() == judged


@SOME
@given(plots(ruled=False, marks=False, simple=True, kinds=("decision", "belief", "user_model")))
def test_a_line_never_vanishes_by_superseding(plot: Plot) -> None:
    standings = [v.standing for v in plot.world().judge().verdicts.values()]
    assert not standings or set(standings) - {"superseded", "overruled"}


@MANY
@given(plots(("decision", "user_model"), marks=False))
def test_no_two_current_heads_of_one_line_say_different_things(plot: Plot) -> None:
    world = plot.world()
    judged = world.judge().verdicts
    current = [d for d in plot.deeds if d.do == "record" and judged[world.id_of(d.name)].standing == "current"]
    for one in current:
        for other in current:
            same = all(one.fields[k] == other.fields[k] for k in ("kind", "thread", "subject"))
            differ = any(one.fields[k] != other.fields[k] for k in ("says", "end"))
            assert not (same and differ and _line(one, plot) & _line(other, plot))


def _line(deed: Deed, plot: Plot) -> set[str]:
    """The deed's name and every name it supersedes, over any number of links of its kind."""
    by_name = {d.name: d for d in plot.deeds if d.do == "record" and d.fields["kind"] == deed.fields["kind"]}
    seen, ways = {deed.name}, [deed.name]
    while ways:
        for name in by_name[ways.pop()].fields["supersedes"]:
            if name in by_name and name not in seen:
                seen.add(name)
                ways.append(name)
    return seen


def _gated(world: World) -> set[str]:
    judged = world.judge().verdicts
    return {
        f.value.id
        for f in world.filed
        if isinstance(f.value, Record)
        and judged[f.value.id].eligible
        and not f.value.restrains
        and (f.value.kind in ("permission", "identity", "relationship") or f.value.sensitivity == "sensitive")
    }


def _restrains(world: World, identifier: str) -> bool:
    return any(f.value.restrains for f in world.filed if isinstance(f.value, Record) and f.value.id == identifier)


def _is_a_persons(world: World, identifier: str) -> bool:
    return all(f.blob in world.accepted for f in world.filed if f.value.id == identifier)  # type: ignore[attr-defined]
