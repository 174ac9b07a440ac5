"""Checkpoints: work that travels, between machines and agents, and that nothing loses or delivers twice."""

from __future__ import annotations

from typing import Any

from tests.cli.people import Clone, World
from tests.cli.test_working import add, tasks

OPUS, OTHER = "claude-code/opus", "codex"


def share(clone: Clone) -> None:
    clone.commit("Checkpoint")
    clone.git("push", "--quiet", "origin", "HEAD")


def frozen(clone: Clone, *words: str) -> str:
    return str(clone.data("checkpoint", *words)["made"][0])


def lines(clone: Clone) -> dict[str, bool]:
    return {line["checkpoint"]: line["own"] for line in clone.data("focus")["lines"]}


def test_on_a_fresh_clone_the_agents_own_checkpoint_is_the_work_and_anothers_is_offered(
    ana: Clone, world: World
) -> None:
    mine = ana.agent(OPUS)
    task = add(mine, "Paint the crane")
    mine.cc("task", "start", task)
    mine.cc("step", "Buy green paint")
    made = frozen(mine)
    assert not mine.data("checkpoint")["changed"], "there is nothing new to freeze"
    share(ana)
    fresh = world.clone("ben").agent(OPUS)
    state = fresh.data("focus")
    assert (state["focus"], state["next_step"], state["taken"], state["lines"]) == (task, "Buy green paint", made, [])
    assert "Buy green paint" in fresh.cc("resume")
    assert fresh.data("packet", "verify")["state"] == "valid"
    other = Clone(fresh.top).agent(OTHER)
    assert other.data("focus")["tasks"] == [] and lines(other) == {made: False}
    said = other.cc("resume")
    assert "hand-off" in said and "Buy green paint" in said and f"--from cp…{made[-6:]}" in said
    assert "Buy green paint" in other.cc("resume", "--from", made)
    assert (other.data("focus")["focus"], lines(other)) == (task, {})
    other.cc("task", "done", task, "--because", "it is green")
    after = frozen(other)
    listed = {one["id"]: one["what"] for one in other.data("checkpoint", "--list")}
    assert listed == {after: "goes on here", made: "superseded"}
    assert "superseded" in other.run("resume", "--from", made, code=3).err
    share(other)
    ana.git("pull", "--quiet")
    state = mine.data("focus")
    assert (state["taken"], state["focus"], state["lines"]) == (after, None, []), "nothing here was newer"
    assert mine.data("show", made)["id"] == made, "what is superseded stays readable"


def test_what_changed_here_is_not_replaced_by_what_went_on_elsewhere(ana: Clone, world: World) -> None:
    task = add(ana, "Paint the crane")
    frozen(ana)
    share(ana)
    ben = world.clone("ben")
    ben.agent(OTHER).cc("resume", "--from", ana.data("checkpoint", "--list")[0]["id"])
    ben.agent(OTHER).cc("task", "done", task)
    after = frozen(ben.agent(OTHER))
    share(ben)
    ana.cc("task", "block", task, "no paint")
    ana.git("pull", "--quiet")
    assert lines(ana) == {after: False}
    listed = ana.data("task", "list")
    assert [one["state"] for one in listed["tasks"]] == ["blocked"]
    assert [(one["task"]["state"], one["actor"]) for one in listed["elsewhere"]] == [("done", f"agent:{OTHER}")]
    assert f"done in cp…{after[-6:]}" in ana.cc("resume"), "both states are shown"
    ana.cc("resume", "--from", after)
    assert tasks(ana)["Paint the crane"]["state"] == "blocked", "it stays as it is here until somebody says otherwise"
    both = ana.data("checkpoint", "--list")
    assert [one["what"] for one in both if one["id"] == after] == ["goes on here"]
    newest = frozen(ana)
    assert [one["id"] for one in ana.data("checkpoint", "--list") if one["what"] != "superseded"] == [newest]


def test_two_branches_each_add_a_task_to_one_goal_and_after_the_merge_both_are_there(ana: Clone) -> None:
    goal = ana.made("remember", "A safe harbour", "-k", "goal", prefix="goal")
    first = add(ana, "Renew the pier", "--goal", goal)
    frozen(ana)
    ana.commit()
    ana.git("worktree", "add", "-q", "-b", "side", "../side")
    side = Clone(ana.top.parent / "side")
    left = add(ana, "Drive the piles", "--parent", first)
    ana.cc("step", "Hire the rig")
    ours = frozen(ana)
    ana.commit("Ours")
    assert side.data("focus")["tasks"][0]["id"] == first
    right = add(side, "Light the pier", "--parent", first)
    side.cc("task", "start", right)
    theirs = frozen(side)
    side.commit("Theirs")
    ana.git("merge", "--quiet", "-m", "Both", "side")
    assert lines(ana) == {theirs: True}
    found = ana.data("task", "list", "--goal", goal)
    assert {one["id"] for one in found["tasks"]} | {one["task"]["id"] for one in found["elsewhere"]} == {
        first, left, right
    }  # fmt: skip
    assert {one["title"] for one in ana.data("next")["candidates"]} == {
        "Renew the pier", "Drive the piles", "Light the pier"
    }  # fmt: skip
    fresh = Clone(ana.top.parent / "fresh")
    ana.git("clone", "--quiet", str(ana.top), str(fresh.top))
    state = fresh.data("focus")
    assert (state["taken"], lines(fresh)) == (theirs, {ours: True}), "the newer, and the other line is named"
    assert "Hire the rig" in fresh.cc("resume")
    fresh.cc("resume", "--from", ours)
    assert {one["id"] for one in fresh.data("focus")["tasks"]} == {first, left, right}
    united = frozen(fresh)
    assert [one["id"] for one in fresh.data("checkpoint", "--list") if one["what"] != "superseded"] == [united]


def test_a_task_that_only_another_line_has_is_taken_up_by_naming_it(ana: Clone) -> None:
    theirs = ana.agent(OTHER)
    whole = add(theirs, "Renew the pier")
    part = add(theirs, "Drive the piles", "--parent", whole)
    frozen(theirs)
    ana.git("worktree", "add", "-q", "../beside")
    ana.commit()
    beside = Clone(ana.top.parent / "beside")
    beside.git("merge", "--quiet", "main", code=None)
    mine = beside.agent(OPUS)
    assert mine.data("focus")["tasks"] == []
    assert mine.data("task", "show", part)["elsewhere"][0]["actor"] == f"agent:{OTHER}"
    mine.cc("task", "start", part)
    assert {one["id"]: one["state"] for one in mine.data("focus")["tasks"]} == {whole: "ready", part: "in-progress"}


def test_on_a_branch_without_the_newest_checkpoint_the_older_one_is_no_line_of_its_own(ana: Clone) -> None:
    add(ana, "Paint the crane")
    frozen(ana)
    ana.commit("One")
    ana.git("branch", "before")
    ana.cc("step", "Buy paint")
    frozen(ana)
    ana.commit("Two")
    before = ana.data("focus")
    ana.git("switch", "--quiet", "before")
    state = ana.data("focus")
    assert (state["lines"], state["next_step"]) == ([], "Buy paint") and state == before


def test_forgetting_a_text_leaves_the_checkpoint_without_it_and_one_line(accepted: Clone) -> None:
    secret = "the quokkaberth key lies under the third stone of the pier"
    episode = accepted.made("capture", secret, prefix="ep")
    add(accepted, "Oil the crane", "--note", secret)
    first = frozen(accepted)
    accepted.commit()
    digest = accepted.data("forget", episode, "--dry-run")["plan"]["digest"]
    accepted.person("forget", episode, "--confirm", digest)
    state = accepted.data("focus")
    assert state["lines"] == [] and "quokkaberth" not in str(state)
    accepted.cc("step", "Go on")
    (after,) = (c for c in accepted.data("checkpoint")["made"])
    left: list[Any] = [one for one in accepted.data("checkpoint", "--list") if one["what"] != "superseded"]
    assert [one["id"] for one in left] == [after] and first in left[0]["supersedes"]


def test_what_is_private_stays_here_when_the_work_travels(accepted: Clone) -> None:
    accepted.person("remember", "Bo is ill", "-k", "goal", "--sensitivity", "sensitive", answers=("y",))
    goal = accepted.data("list", "--kind", "goal")[0]["id"]
    task = add(accepted, "Rota for May", "--goal", goal, "--same-line")
    made = accepted.data("checkpoint")
    file = (accepted.top / ".continuity" / made["files"][made["made"][0]]).read_text()
    assert not made["private"] and goal not in file and "Rota for May" in file
    assert any(goal[-6:] in note for note in made["notes"])
    assert accepted.data("focus")["tasks"][0]["goal"] == goal, "here it is still known"
    assert not accepted.data("checkpoint")["changed"]
    named = accepted.data("trigger", "add", "Somebody asked", "--goal", goal, "--task", task)
    assert named["private"] and named["files"][named["made"][0]].startswith("private/")
    accepted.git("add", "-A")
    accepted.git("commit", "-m", "All of it")
    assert goal not in accepted.git("ls-tree", "-r", "--name-only", "HEAD")
    assert accepted.git("grep", "-c", goal, "HEAD", code=None) == ""
