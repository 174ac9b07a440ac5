"""Two branches go on with one goal and one hypothesis; Git's own merge unites them, and nobody's part is lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.people import Clone, World
from tests.cli.test_checkpoints import frozen, lines
from tests.cli.test_relate import hypothesis, links
from tests.cli.test_working import add

OPUS, OTHER = "claude-code/opus", "codex"


def said_of(clone: Clone, task: str) -> set[str]:
    """Every state that the list of tasks shows of one, here and in other lines."""
    found = clone.data("task", "list", "--all")
    here = [one["state"] for one in found["tasks"] if one["id"] == task]
    return {*here, *(one["task"]["state"] for one in found["elsewhere"] if one["task"]["id"] == task)}


class Branches:
    """Ana's agent on main and another on a branch of a clone of it, both from one checkpoint."""

    def __init__(self, world: World, ana: Clone, other: str) -> None:
        self.ours = ana.agent(OPUS)
        self.goal = self.ours.made("remember", "A safe harbour", "-k", "goal", prefix="goal")
        self.rot = hypothesis(self.ours, "The piles rot")
        self.shared = add(self.ours, "Survey the piles", "--goal", self.goal, "--hypothesis", self.rot)
        frozen(self.ours)
        self._push("Begin", self.ours)
        self.theirs = world.clone("ben").agent(other)
        self.theirs.git("switch", "-qc", "side")
        if other != OPUS:
            (line,) = self.theirs.data("focus")["lines"]
            self.theirs.cc("resume", "--from", line["checkpoint"])

    def _push(self, message: str, clone: Clone) -> None:
        clone.commit(message)
        clone.git("push", "-q", "origin", "HEAD")

    def go_on(self) -> dict[str, Any]:
        """Each adds a task to the goal, moves the one that both have, and says something of the hypothesis."""
        ours, theirs, made = self.ours, self.theirs, {}
        made["ours"] = add(ours, "Drive new piles", "--goal", self.goal)
        made["holes"] = ours.made("capture", "A diver saw holes", "--type", "observation", "--relate",
                                  f"supports:{self.rot}", prefix="ep")  # fmt: skip
        ours.cc("task", "start", self.shared)
        made["our checkpoint"] = frozen(ours)
        self._push("Ours", ours)
        made["theirs"] = add(theirs, "Light the pier", "--goal", self.goal)
        made["dry"] = theirs.made("capture", "They are dry", "--relate", f"contradicts:{self.rot}", prefix="ep")
        made["worms"] = hypothesis(theirs, "Worms eat them")
        theirs.cc("hypothesis", "merge", made["worms"], "--into", self.rot)
        theirs.cc("task", "block", self.shared, "the water is cold")
        made["their checkpoint"] = frozen(theirs)
        self._push("Theirs", theirs)
        return made

    def merge(self) -> None:
        self.ours.git("fetch", "-q")
        self.ours.git("merge", "-q", "--no-edit", "origin/side")


@pytest.mark.parametrize("other", [OPUS, OTHER])
def test_after_the_merge_both_tasks_both_states_and_both_links_are_there(world: World, ana: Clone, other: str) -> None:
    both = Branches(world, ana, other)
    made = both.go_on()
    both.merge()
    ours = both.ours
    assert ours.git("status", "--porcelain") == ""
    found = ours.data("task", "list", "--goal", both.goal)
    assert {one["id"] for one in found["tasks"]} | {one["task"]["id"] for one in found["elsewhere"]} == {
        both.shared, made["ours"], made["theirs"],
    }  # fmt: skip
    assert said_of(ours, both.shared) == {"in-progress", "blocked"}
    packet = ours.cc("resume")
    assert f"blocked in cp…{made['their checkpoint'][-6:]}" in packet, "both states are shown"
    assert {(made["holes"], "supports", both.rot), (made["dry"], "contradicts", both.rot),
            (made["worms"], "merged-into", both.rot)} <= links(ours)  # fmt: skip
    shown = ours.data("hypothesis", "show", both.rot)
    assert {(one["id"], one["supports"]) for one in shown["weighed"]["evidence"]} == {
        (made["holes"], True), (made["dry"], False),
    }  # fmt: skip
    assert shown["verdict"]["standing"] == "current" and not ours.data("list", "--standing", "conflicted")
    ours.cc("resume", "--from", made["their checkpoint"])
    assert {one["id"] for one in ours.data("focus")["tasks"]} == {both.shared, made["ours"], made["theirs"]}
    united = frozen(ours)
    assert [one["id"] for one in ours.data("checkpoint", "--list") if one["what"] != "superseded"] == [united]


def test_of_two_checkpoints_of_one_agent_a_fresh_clone_resumes_the_newer_and_names_the_other(
    world: World, ana: Clone
) -> None:
    both = Branches(world, ana, OPUS)
    made = both.go_on()
    both.merge()
    both.ours.git("push", "-q", "origin", "HEAD")
    fresh = world.clone("cleo").agent(OPUS)
    state = fresh.data("focus")
    assert (state["taken"], lines(fresh)) == (made["their checkpoint"], {made["our checkpoint"]: True})
    packet = fresh.cc("resume")
    assert f"--from cp…{made['our checkpoint'][-6:]}" in packet and f"cp…{made['our checkpoint'][-6:]}" in packet
    assert {one["title"] for one in fresh.data("next")["candidates"]} == {
        "Survey the piles", "Drive new piles", "Light the pier",
    }  # fmt: skip
    assert said_of(fresh, both.shared) == {"in-progress", "blocked"}
    stranger = world.clone("dora").agent("gemini")
    assert stranger.data("focus")["tasks"] == [] and set(lines(stranger).values()) == {False}
    assert set(lines(stranger)) == {made["our checkpoint"], made["their checkpoint"]}
