"""The rules held against the rough model that the design was attacked with.

Every difference belongs to a named class (`differences`). Without any of them model and rules agree on every record of
every random world; each class is shown once, with what both say.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.standing import differences, model
from tests.unit.standing.builder import TODAY
from tests.unit.standing.differences import CLASSES, Change, common
from tests.unit.standing.worlds import NAMES, RULINGS, STRANGERS, Deed, Plot, chances, plots, record, ruling

KINDS = ("permission", "commitment", "decision", "belief", "user_model", "identity")


@pytest.fixture(scope="module")
def prototype(data: Path) -> ModuleType:
    folder = data.parent / "prototypes"
    if not (folder / "standing_model.py").is_file():
        pytest.skip(f"no model at {folder}")
    return model.load(folder)


def both(prototype: ModuleType, plot: Plot) -> dict[str, tuple[str, str]]:
    """Name → what the rules and what the model say."""
    world = plot.world()
    ours, theirs = world.judge().verdicts, model.standings(prototype, plot, TODAY)
    names = sorted(deed.name for deed in plot.deeds if deed.do == "record")
    return {name: (ours[world.id_of(name)].standing, theirs[name]) for name in names}


@st.composite
def dense_plots(draw: st.DrawFn) -> Plot:
    """Worlds of one kind in which records have enough authority, few limits in time and links to what is there."""
    return _dense(draw(chances()), draw(st.integers(0, 127)) | draw(st.integers(0, 127)))


def _dense(rnd: Random, left: int = 127) -> Plot:
    kinds = dict.fromkeys((*NAMES, *STRANGERS), rnd.choice(KINDS))
    deeds = []
    for place, name in enumerate(NAMES):
        deed = record(rnd, name, kinds[name])
        fields: dict[str, Any] = {"by": rnd.choice(["agent-explicit", "document", "user-explicit", "user-explicit"])}
        fields["attested"] = fields["by"] == "user-explicit" and rnd.random() < 0.8
        fields["supersedes"] = rnd.sample(NAMES[:place], min(place, rnd.choice([0, 1, 1, 2])))
        if rnd.random() < 0.8:
            fields |= {"start": 0, "end": None}
        deeds.append(Deed(deed.do, name, dict(deed.fields) | fields))
    deeds += [ruling(rnd, name) for name in RULINGS if rnd.random() < 0.6]
    return Plot(kinds, tuple(deed for place, deed in enumerate(deeds) if left >> place & 1))


@settings(max_examples=2500)
@given(plot=st.one_of(plots(KINDS, marks=False), dense_plots(), dense_plots()))
def test_without_the_named_differences_model_and_rules_agree(prototype: ModuleType, plot: Plot) -> None:
    said = both(prototype, common(plot))
    assert {name: pair for name, pair in said.items() if pair[0] != pair[1]} == {}


@settings(max_examples=1000)
@given(plot=st.one_of(plots(KINDS), dense_plots()))
def test_every_difference_is_gone_when_its_classes_are_taken_out(prototype: ModuleType, plot: Plot) -> None:
    blamed: list[Change] = []
    for change in CLASSES:
        said = both(prototype, plot)
        if all(ours == theirs for ours, theirs in said.values()):
            return
        changed = change(plot)
        if changed != plot:
            blamed.append(change)
        plot = changed
    assert blamed
    assert all(ours == theirs for ours, theirs in both(prototype, plot).values())


def test_what_is_left_in_common_is_no_trivial_world() -> None:
    counted: Counter[str] = Counter()
    for seed in range(800):
        world = common(_dense(Random(seed))).world()
        counted.update(verdict.standing for verdict in world.judge().verdicts.values())
    assert len([standing for standing, times in counted.items() if times > 10]) >= 12, counted
    assert min(counted["superseded"], counted["conflicted"], counted["overruled"]) > 30, counted


def r(name: str, kind: str = "decision", **given: Any) -> Deed:
    plain = {
        "says": "one", "by": "agent-explicit", "attested": False, "supersedes": [], "subject": None, "thread": "t",
        "start": 0, "end": None, "conflicts_with": [], "after": [], "derived_from": [], "sensitivity": "ordinary",
        "rests_on": "",
    }  # fmt: skip
    payload = {"commitment": {"payload": {"mode": "act"}}, "belief": {"payload": {"basis": "external"}}}.get(kind, {})
    return Deed("record", name, {"kind": kind} | plain | payload | given)


def u(name: str, verb: str, *targets: str, winner: str | None = None, **given: Any) -> Deed:
    plain = {"by": "user-explicit", "attested": True, "over": [], "evidence": (), "effective": None}
    return Deed("rule", name, plain | given | ({"winner": winner} if winner else {}), (verb, *targets))


def permission(name: str, effect: str = "allow", target: str = "*", **given: Any) -> Deed:
    person = {"by": "user-explicit", "attested": True}
    return r(name, "permission", **(person | {"payload": {"effect": effect, "target": target}} | given))


PERSON = {"by": "user-explicit", "attested": True}
REFRAIN = {"payload": {"mode": "refrain"}}
SHOWN: list[tuple[Change, list[Deed], dict[str, tuple[str, str]]]] = [
    (
        differences.beliefs_about_the_project,
        [
            r("a", "belief", subject="s", payload={"basis": "project"}, **PERSON),
            r("b", "belief", subject="s", says="two", payload={"basis": "project"}, by="document"),
        ],
        {"a": ("current", "overruled"), "b": ("overruled", "current")},
    ),
    (
        differences.what_records_rest_on,
        [r("a", by="document", rests_on="nothing")],
        {"a": ("proposed", "current")},
    ),
    (
        differences.what_records_rest_on,
        [r(name, by="document", rests_on="import", subject="s") for name in "ab"],
        {"a": ("current", "current"), "b": ("superseded", "current")},
    ),
    (differences.sensitive_records, [r("a", sensitivity="sensitive")], {"a": ("proposed", "current")}),
    (
        differences.forgotten_files,
        [r("a"), r("b", supersedes=["a"]), u("r1", "reject", "b"), Deed("forget", "r1")],
        {"a": ("current", "current"), "b": ("rejected", "rejected")},
    ),
    (differences.verbs_that_do_not_fit, [r("a"), u("r1", "complete", "a")], {"a": ("current", "completed")}),
    (differences.dreams, [r("a", by="dream"), u("r1", "reject", "a")], {"a": ("rejected", "proposed")}),
    (
        differences.restraints_by_inference,
        [r("a", "commitment", by="agent-inference", **REFRAIN)],
        {"a": ("current", "proposed")},
    ),
    (
        differences.rulings_between_agent_and_person,
        [r("a", **PERSON), u("r1", "reject", "a", by="agent-explicit", attested=False)],
        {"a": ("current", "rejected")},
    ),
    (
        differences.rulings_between_agent_and_person,
        [r("a"), r("b", supersedes=["a"], **PERSON), u("r1", "archive", "a", by="agent-explicit", attested=False)],
        {"a": ("archived", "archived"), "b": ("current", "archived")},
    ),
    (
        differences.rulings_between_agent_and_person,
        [r("a", "goal", **PERSON), u("r1", "complete", "a", by="agent-explicit", attested=False)],
        {"a": ("current", "completed")},
    ),
    (
        differences.observations_of_the_outside,
        [r("a", "belief", by="verified-observation"), u("r1", "archive", "a")],
        {"a": ("archived", "current")},
    ),
    (
        differences.several_scopes,
        [r("a", thread="*"), r("b", thread="t", says="two", supersedes=["a"])],
        {"a": ("current", "conflicted"), "b": ("current", "conflicted")},
    ),
    (
        differences.several_scopes,
        [permission("a", thread="*"), permission("d", "deny", thread="t")],
        {"a": ("current", "overruled"), "d": ("current", "current")},
    ),
    (
        differences.patterns,
        [permission("a", target="prod"), permission("b", "deny", target="p?*d")],
        {"a": ("overruled", "overruled"), "b": ("current", "current")},
    ),
    (
        differences.patterns,
        [permission("a", target="[p]rod"), permission("b", "deny", target="prod")],
        {"a": ("overruled", "current"), "b": ("current", "current")},
    ),
    (
        differences.links_to_what_is_not_here,
        [r("a", supersedes=["x"]), r("b", supersedes=["x"], says="two")],
        {"a": ("conflicted", "current"), "b": ("conflicted", "current")},
    ),
    (
        differences.cycles,
        # `b` has too little authority to supersede `a`, so there is no circle
        [r("a", supersedes=["b"], by="document"), r("b", supersedes=["a"])],
        {"a": ("current", "current"), "b": ("proposed", "proposed")},
    ),
    (
        differences.restraints_in_a_line,
        [r("a", "commitment", **REFRAIN), r("b", "commitment", supersedes=["a"], says="two")],
        {"a": ("current", "conflicted"), "b": ("proposed", "conflicted")},
    ),
    (
        differences.restraints_in_a_line,
        [
            r("a", "commitment"),
            r("b", "commitment", supersedes=["a"]),
            r("c", "commitment", supersedes=["b"], **REFRAIN),
            u("r1", "archive", "a"),
        ],
        {"a": ("archived", "archived"), "b": ("archived", "archived"), "c": ("current", "archived")},
    ),
    (
        differences.what_a_commitment_says,
        [r("a", "commitment", subject="s", **REFRAIN), r("b", "commitment", subject="s")],
        {"a": ("conflicted", "current"), "b": ("conflicted", "current")},
    ),
    (
        differences.declared_conflicts,
        [r("a"), r("g", "goal", says="two", conflicts_with=["a"])],
        {"a": ("conflicted", "current"), "g": ("conflicted", "current")},
    ),
    (
        differences.resolves_that_do_not_agree,
        [r("a"), u("r1", "resolve", "a", winner="x")],
        {"a": ("overruled", "current")},
    ),
    (
        differences.resolves_that_do_not_agree,
        [r("a"), r("b"), u("r1", "resolve", "b", winner="a"), u("r2", "reject", "a")],
        {"a": ("rejected", "rejected"), "b": ("current", "overruled")},
    ),
    (
        differences.accepted_and_rejected,
        [r("a"), u("r1", "accept", "a"), u("r2", "reject", "a"), u("r3", "archive", "a")],
        {"a": ("archived", "conflicted")},
    ),
    (
        differences.lifted_rulings,
        [
            r("a"),
            u("r1", "archive", "a"),
            u("r2", "reopen", "a", over=["r1"]),
            u("r3", "confirm", "a", over=["r2"]),
        ],
        {"a": ("archived", "current")},
    ),
    (
        differences.two_endings,
        [r("a"), r("b", supersedes=["a"]), u("r1", "revoke", "a"), u("r2", "archive", "b")],
        {"a": ("revoked", "revoked"), "b": ("revoked", "archived")},
    ),
    (
        differences.past_a_record_in_after,
        [
            r("a"),
            u("r1", "archive", "a"),
            r("b", supersedes=["a"], after=["r1"]),
            r("c", supersedes=["b"]),
        ],
        {"a": ("archived", "archived"), "b": ("superseded", "superseded"), "c": ("current", "archived")},
    ),
    (
        differences.too_little_authority_over_a_proposal,
        [r("a", **PERSON), r("b", by="agent-inference", supersedes=["a"]), r("c", says="two", supersedes=["b"])],
        {"a": ("current", "current"), "b": ("proposed", "proposed"), "c": ("proposed", "overruled")},
    ),
    (
        differences.conflicts_with_what_is_overruled,
        [r("a", subject="s"), r("b", subject="s", says="two"), r("c", subject="s", **PERSON)],
        {"a": ("current", "conflicted"), "b": ("overruled", "overruled"), "c": ("current", "current")},
    ),
]


@pytest.mark.parametrize(("change", "deeds", "said"), SHOWN, ids=lambda v: getattr(v, "__name__", ""))
def test_a_class_of_differences_shows_as_described(
    prototype: ModuleType, change: Change, deeds: list[Deed], said: dict[str, tuple[str, str]]
) -> None:
    kinds = {deed.name: deed.fields["kind"] for deed in deeds if deed.do == "record"}
    plot = Plot({"x": "decision", "y": "decision"} | kinds, tuple(deeds))
    assert both(prototype, plot) == said
    assert change(plot) != plot, "the class does not see its own example"


def test_every_class_is_shown() -> None:
    assert {change for change, _, _ in SHOWN} == set(CLASSES)
