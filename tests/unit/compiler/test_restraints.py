"""Whoever is shown what is permitted is shown what restrains it, wherever that lies, or is told that it is not."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.compiler.restraints import FETCHED
from cc_git.model.policy import Workspace
from cc_git.model.scope import Scope
from tests.unit.compiler.world import World, compiled, section_of, shown

BRANCH = "refs/remotes/origin/x"
ORIGINS: dict[str, tuple[dict[str, Any], str]] = {
    "damaged": ({"whence": "damaged"}, "in force: one of several contents of a damaged id"),
    "lost": ({"lost": True, "branch": "refs/heads/main"}, "in force: removed from this tree"),
    "made here": ({}, "in force: seen on this clone, not in this tree"),
    "elsewhere": ({"branch": BRANCH}, f"in force: only on {BRANCH}"),
    "withholding": (
        {"whence": "withholds", "branch": BRANCH},
        f"only on {BRANCH}: in force until a person dismisses it",
    ),
}


@pytest.mark.parametrize("effect", ["deny", "refrain"])
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_restraint_without_a_whole_record_is_reserved_and_says_where_it_comes_from(origin: str, effect: str) -> None:
    fields, label = ORIGINS[origin]
    world = World()
    made = world.ghost(effect, "Never", content="Not on Fridays.", **fields)
    result = compiled(world)
    item = shown(result)[made]
    assert (item.standing, item.text, item.blob) == ("current", "Not on Fridays.", world.ghosts[0].filed.blob)
    assert label in item.labels
    assert made in result.reserved


def test_a_grant_comes_with_the_restraint_that_is_not_in_this_tree() -> None:
    world = World()
    deny = world.ghost("deny", "Never main", action="push", target="origin/main", lost=True)
    allow = world.record("permission", "Push", target="origin/*", verdict={"limited_by": (deny,)})
    result = compiled(world)
    assert [item.id for item in section_of(result, "Relationships and permissions")] == [deny, allow]
    assert [label for label in shown(result)[allow].labels if "limited" in label] == [f"limited by prm…{deny[-6:]}"]


def test_each_content_of_one_id_is_shown() -> None:
    world = World()
    made = world.record("permission", "Push", action="push")
    for title in ("Never main", "Never tags"):
        world.ghost("deny", title, id=made, target=title.split()[1], whence="damaged")
    result = compiled(world)
    items = [item for item in result.packet.items() if item.id == made]
    assert [item.title for item in items] == [*sorted(("Never main", "Never tags"), key=_blobs(world)), "Push"]
    assert len({(item.id, item.blob) for item in items}) == 3
    assert {item.form for item in items} == {"full"}
    assert [item.id for item in compiled(world, budget=400).packet.items()] == [made] * 3


def _blobs(world: World) -> Any:
    return {ghost.filed.value.title: ghost.filed.blob for ghost in world.ghosts}.__getitem__


@pytest.mark.parametrize("ghost", [False, True])
def test_above_the_ceiling_a_restraint_is_shown_without_its_text(ghost: bool) -> None:
    world = World()
    about = {"content": "Secret text", "action": "push", "target": "origin/main", "conditions": ("Secret too",)}
    if ghost:
        deny = world.ghost("deny", "Secret title", sensitivity="sensitive", actor="human:secret", **about)
    else:
        deny = world.record("permission", "Secret title", effect="deny", sensitivity="sensitive", **about)
    allow = world.record("permission", "Push", target="origin/*", verdict={"limited_by": (deny,)})
    result = compiled(world)
    item = shown(result)[deny]
    assert (item.form, item.title, item.text, item.actor) == ("line", "", "", "")
    assert item.facts == ("deny push → origin/main",)
    assert "sensitive: content not shown" in item.labels
    assert "ecret" not in result.text
    assert "limited by" in " ".join(shown(result)[allow].labels)
    assert "NOT USABLE" not in result.text
    assert result.packet.warnings == ()


def test_a_promise_above_the_ceiling_is_shown_with_what_it_is_due() -> None:
    world = World()
    made = world.record("commitment", "Secret", mode="refrain", due="before the audit", sensitivity="sensitive")
    item = shown(compiled(world))[made]
    assert (item.title, item.facts[0]) == ("", "refrain")
    assert "before the audit" in item.facts[1]


@pytest.mark.parametrize(
    ("fields", "warning"),
    [
        ({"sensitivity": "restricted"}, "above this packet's ceiling"),
        ({"whence": "forgotten"}, "of forgotten records"),
    ],
)
def test_a_grant_whose_restraint_may_not_be_shown_is_not_usable(fields: dict[str, Any], warning: str) -> None:
    world = World()
    deny = world.ghost("deny", "Secret", action="push", target="origin/secret", **fields)
    other = world.record("permission", "Fetch", action="fetch")
    allow = world.record("permission", "Push", target="origin/*", verdict={"limited_by": (deny,)})
    result = compiled(world)
    assert set(shown(result)) == {allow, other}
    assert shown(result)[allow].labels == ("NOT USABLE: limited by a restraint that is not shown in this packet",)
    assert shown(result)[other].labels == ()
    assert "ecret" not in result.text
    assert deny[-6:] not in result.text
    (said,) = result.packet.warnings
    assert said.startswith("1 restraints in force are ")
    assert warning in said


def test_a_restricted_restraint_of_the_tree_makes_its_grant_not_usable_too() -> None:
    world = World()
    deny = world.record("permission", "Secret rule", effect="deny", sensitivity="restricted")
    allow = world.record("permission", "Push", verdict={"limited_by": (deny,)})
    result = compiled(world)
    assert set(shown(result)) == {allow}
    assert "NOT USABLE" in " ".join(shown(result)[allow].labels)
    assert "Secret rule" not in result.text
    assert shown(compiled(world, ceiling="restricted")).keys() == {deny, allow}


def test_a_grant_that_something_limits_which_nobody_can_show_is_not_usable() -> None:
    world = World()
    deny = world.record("permission", "Old", effect="deny", standing="superseded")
    allow = world.record("permission", "Push", verdict={"limited_by": (deny,)})
    assert "NOT USABLE" in shown(compiled(world))[allow].labels[0]


def test_whoever_may_push_a_branch_does_not_fill_the_packet() -> None:
    world = World()
    fetched = [
        world.ghost("deny", f"Never {n}", action=f"a{n}", whence="withholds", branch=BRANCH) for n in range(1000)
    ]
    allow = world.record("permission", "Push", verdict={"limited_by": tuple(fetched[500:])})
    free = world.record("permission", "Fetch", action="fetch")
    result = compiled(world)
    items = shown(result)
    assert set(items) == {allow, free, *fetched[500 : 500 + FETCHED]}
    assert "NOT USABLE: limited by 492 restraints that are not shown in this packet" in items[allow].labels
    assert items[free].labels == ()
    assert result.packet.warnings == ("992 more restraints are on other branches only, not shown (cc-git review)",)


def test_a_wide_grant_gives_way_to_a_restraint_that_is_not_in_this_tree() -> None:
    world = World()
    here = Scope(project="a")
    deny = world.ghost("deny", "Not here", scope=here, lost=True)
    allow = world.record("permission", "Push", verdict={"limited_by": (deny,), "yields_to": (deny,)})
    inside = compiled(world, scope=here)
    assert (set(shown(inside)), inside.verdicts) == ({deny}, {allow: "yields"})
    outside = compiled(world)
    assert set(shown(outside)) == {deny, allow}
    assert "holds only in project=a" in shown(outside)[deny].labels


@pytest.mark.parametrize("ghost", [False, True])
@pytest.mark.parametrize(
    ("scope", "asked", "heard"),
    [
        ({"project": "other"}, {}, True),
        ({"project": "demo"}, {}, True),
        ({"project": "other"}, {"project": "other"}, True),
        ({"project": "other"}, {"project": "demo"}, False),
        ({"project": "other", "thread": "t"}, {"project": "other"}, True),
        ({"thread": "t"}, {"project": "demo"}, True),
        ({"thread": "t"}, {"thread": "u"}, False),
    ],
)
def test_the_workspace_s_scope_hides_no_restraint(
    scope: dict[str, str], asked: dict[str, str], heard: bool, ghost: bool
) -> None:
    world = World()
    about: dict[str, Any] = {"scope": Scope(**scope)}
    made = world.ghost("refrain", "No", **about) if ghost else world.record("commitment", "No", mode="refrain", **about)
    inputs = {"workspace": Workspace(scope=Scope(project="demo"))}
    items = shown(compiled(world, inputs=inputs, scope=Scope(**asked)))
    assert (made in items) == heard
    question = {"project": "demo"} | asked
    if heard:
        inside = all(question.get(name) == value for name, value in scope.items())
        assert any(label.startswith("holds only in") for label in items[made].labels) == (not inside)
