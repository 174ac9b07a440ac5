"""The work in hand from the command line: tasks, focus, steps, and that nothing of it is lost."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from cc_git.store.play import PROGRAM
from tests.cli.people import NOW, Clone


def add(clone: Clone, title: str, *words: str) -> str:
    return str(clone.data("task", "add", title, *words)["tasks"][0]["id"])


def tasks(clone: Clone) -> dict[str, Any]:
    return {task["title"]: task for task in clone.data("task", "list", "--all")["tasks"]}


def test_a_task_is_begun_blocked_taken_up_again_and_done(ana: Clone) -> None:
    task = add(ana, "Paint the crane", "--priority", "2", "--note", "green")
    assert ana.data("task", "start", task)["focus"] == task
    blocked = ana.data("task", "block", task, "no paint")["tasks"][0]
    assert (blocked["state"], blocked["reason"]) == ("blocked", "no paint")
    assert ana.data("task", "start", task)["tasks"][0]["reason"] is None
    done = ana.data("task", "done", task, "--because", "it is green")
    assert (done["tasks"][0]["state"], done["focus"]) == ("done", None)
    assert ana.data("task", "list")["tasks"] == []
    shown = ana.data("task", "show", task)["task"]
    assert (shown["reason"], shown["note"], shown["priority"]) == ("it is green", "green", 2)


def test_what_waits_for_another_is_not_done_before_it(ana: Clone) -> None:
    whole = add(ana, "Renew the pier")
    part = add(ana, "Drive the piles", "--parent", whole)
    after = add(ana, "Lay the planks", "--parent", whole, "--depends-on", part)
    said = ana.run("task", "done", whole, code=3)
    assert "waits for" in said.err and "Drive the piles" in said.err
    ana.run("task", "done", after, code=3)
    ana.run("task", "drop", whole, code=3)
    for one in (part, after, whole):
        ana.cc("task", "done", one)
    assert {task["state"] for task in tasks(ana).values()} == {"done"}


def test_when_the_focus_is_done_the_focus_is_what_it_was_a_part_of(ana: Clone) -> None:
    whole = add(ana, "Renew the pier")
    part = add(ana, "Drive the piles", "--parent", whole)
    ana.cc("task", "start", part)
    ana.cc("step", "Hire the rig")
    done = ana.data("task", "done", part)
    assert (done["focus"], done["next_step"]) == (whole, None)
    assert any("Hire the rig" in note for note in done["notes"]), "a step that is let go is told"


@pytest.mark.parametrize("way", ["depends", "parent", "mixed", "self"])
def test_no_task_waits_for_itself(ana: Clone, way: str) -> None:
    one = add(ana, "One")
    two = add(ana, "Two", *(("--parent", one) if way == "mixed" else ("--depends-on", one)))
    if way == "parent":
        ana.cc("task", "edit", two, "--independent-of", one, "--parent", one)
        words = ("edit", one, "--parent", two)
    elif way == "self":
        words = ("block", one, "never", "--on", one)
    else:
        words = ("edit", two if way == "mixed" else one, "--depends-on", one if way == "mixed" else two)
    before = tasks(ana)
    assert "would wait for itself" in ana.run("task", *words, code=2).err
    assert tasks(ana) == before


def test_a_subtask_serves_the_goal_of_its_parent_also_when_that_changes(ana: Clone) -> None:
    goal = ana.made("remember", "A safe harbour", "-k", "goal", prefix="goal")
    other = ana.made("remember", "A rich harbour", "-k", "goal", prefix="goal")
    whole = add(ana, "Renew the pier", "--goal", goal)
    add(ana, "Drive the piles", "--parent", add(ana, "Piles", "--parent", whole))
    ana.run("task", "add", "Sell the piles", "--parent", whole, "--goal", other, code=2)
    assert {task["goal"] for task in tasks(ana).values()} == {goal}
    ana.cc("task", "edit", whole, "--goal", other)
    assert {task["goal"] for task in tasks(ana).values()} == {other}


def test_priority_one_is_first_and_what_waits_is_last(ana: Clone) -> None:
    low = ana.made("remember", "Some day", "-k", "goal", "--set", "priority=9", prefix="goal")
    high = ana.made("remember", "At once", "-k", "goal", "--set", "priority=1", prefix="goal")
    add(ana, "Of the low goal", "--goal", low)
    add(ana, "Of the high goal", "--goal", high)
    first = add(ana, "Urgent", "--priority", "1")
    add(ana, "After it", "--priority", "1", "--depends-on", first)
    add(ana, "Not at all", "--priority", "9")
    found = ana.data("next")
    order = [one["title"] for one in found["candidates"]]
    assert order == ["Urgent", "Of the high goal", "Of the low goal", "Not at all", "After it"]
    assert found["recommended"]["title"] == "Urgent"
    assert found["recommended"]["factors"] == {"state": 800, "priority": 1000, "goal": 500, "unblocks": 200}
    assert found["candidates"][-1]["waits_for"] == [first]


def test_without_a_task_to_work_on_the_gaps_are_next(ana: Clone) -> None:
    assert "cc-git task add" in " ".join(ana.data("next")["guidance"])
    ana.cc("remember", "Second", "-k", "goal", "--set", "priority=2")
    ana.cc("remember", "First", "-k", "goal", "--set", "priority=1")
    ana.cc("question", "add", "Who owns the rig?")
    blocked = add(ana, "Ask around")
    ana.cc("task", "block", blocked, "nobody answers")
    found = [(one["type"], one["title"]) for one in ana.data("next")["candidates"]]
    assert found == [("question", "Who owns the rig?"), ("goal", "First"), ("goal", "Second"), ("task", "Ask around")]


def test_questions_steps_and_what_came_back(ana: Clone) -> None:
    ana.cc("question", "add", "Who owns the rig?")
    ana.cc("question", "add", "When is low tide?")
    ana.cc("question", "add", "Who owns the rig?")
    assert [q["text"] for q in ana.data("question", "list")] == ["Who owns the rig?", "When is low tide?"]
    ana.cc("question", "answer", "1", "The port")
    ana.run("question", "answer", "3", "What?", code=2)
    ana.cc("step", "Call the port")
    ana.cc("returned", "The rig broke")
    ana.cc("focus", "--project-line", "A new pier by May")
    state = ana.data("focus")
    assert (state["next_step"], state["returned"], state["project_line"]) == (
        "Call the port", ["The rig broke"], "A new pier by May"
    )  # fmt: skip
    assert [q["answer"] for q in state["questions"]] == ["The port", None]
    ana.cc("returned", "--clear")
    ana.cc("step", "--clear")
    state = ana.data("focus")
    assert (state["next_step"], state["returned"]) == (None, [])


def test_an_update_made_for_an_older_state_is_refused_and_the_newer_is_shown(ana: Clone) -> None:
    task = add(ana, "Paint the crane")
    version = ana.data("task", "list")["version"]
    ana.cc("task", "start", task, "--seen", str(version))
    ana.cc("step", "Buy paint")
    said = ana.run("step", "Buy planks", "--seen", str(version), code=5)
    assert "Buy paint" in said.err and "Paint the crane" in said.err and f"version {version + 2}" in said.err
    error = json.loads(ana.run("step", "Buy planks", "--seen", str(version), "--json", code=5).out)["error"]
    assert error["kind"] == "conflict" and "Buy paint" in error["why"]
    assert ana.data("focus")["next_step"] == "Buy paint"
    ana.cc("step", "Buy planks", "--seen", str(version + 2))


def test_changes_at_the_same_time_are_all_kept(ana: Clone) -> None:
    add(ana, "First")
    running = [
        subprocess.Popen([*PROGRAM, "task", "add", f"Task {n}"], cwd=ana.top, env=ana.environ, stdout=subprocess.PIPE)
        for n in range(6)
    ]
    assert [one.wait() for one in running] == [0] * 6
    for one in running:
        one.communicate()
    state = ana.data("focus")
    assert {task["title"] for task in state["tasks"]} == {"First", *(f"Task {n}" for n in range(6))}
    assert state["version"] == 7


def test_a_dry_run_and_a_change_of_nothing_write_nothing(ana: Clone) -> None:
    task = add(ana, "Paint the crane")
    before = ana.data("focus")
    plan = ana.data("task", "start", task, "--dry-run")
    assert plan["tasks"][0]["state"] == "in-progress" and plan["dry_run"] and plan["changed"]
    assert not ana.data("step", "--clear")["changed"]
    assert ana.data("focus") == before


def test_the_work_in_hand_outlives_clean_stash_and_reset(ana: Clone) -> None:
    add(ana, "Paint the crane")
    ana.cc("step", "Buy paint")
    before = ana.data("focus")
    file = ana.top / ".continuity" / "private" / "working-context.json"
    for words in (("clean", "-fdxq"), ("stash", "-aq"), ("reset", "--hard", "-q")):
        ana.git(*words, code=None)
        assert ana.data("focus") == before
    ana.git("stash", "drop", code=None)
    file.unlink(missing_ok=True)
    assert ana.data("focus") == before and file.exists()


def test_each_worktree_has_its_own_work_in_hand(ana: Clone) -> None:
    add(ana, "Paint the crane")
    ana.git("worktree", "add", "-q", "../beside")
    beside = Clone(ana.top.parent / "beside")
    assert beside.data("focus")["tasks"] == []
    add(beside, "Oil the crane")
    assert list(tasks(ana)) == ["Paint the crane"] and list(tasks(beside)) == ["Oil the crane"]


def test_a_working_context_of_a_newer_version_is_not_written_over(ana: Clone) -> None:
    add(ana, "Paint the crane")
    file = ana.top / ".continuity" / "private" / "working-context.json"
    newer = file.read_text().replace('"version": 1', '"version": 1,\n  "later": "kept"')
    file.unlink()
    ana.top.joinpath(".git/continuity/journal.git").rename(ana.top / "journal.away")
    file.write_text(newer)
    ana.cc("step", "Buy paint")
    assert '"later": "kept"' in file.read_text(), "what a newer version knows is kept"


def test_the_same_command_at_the_same_instant_shows_the_same(ana: Clone) -> None:
    for n in range(3):
        add(ana, f"Task {n}", "--now", NOW)
    assert ana.cc("next", "--now", NOW) == ana.cc("next", "--now", NOW)


def test_packets_show_where_the_work_stands_and_turn_stale_with_it(ana: Clone) -> None:
    task = add(ana, "Paint the crane")
    add(ana, "Oil the winch")
    ana.cc("task", "start", task)
    ana.cc("step", "Buy green paint")
    ana.cc("question", "add", "Which green?")
    said = ana.cc("resume")
    for text in ("## Work in hand", "Paint the crane", "Oil the winch", "Buy green paint", "Which green?"):
        assert text in said
    assert ana.data("packet", "verify")["state"] == "valid"
    ana.cc("question", "answer", "1", "The dark one")
    assert ana.data("packet", "verify", code=1)["reasons"] == ["the working context changed"]


def test_forgetting_reaches_every_text_of_the_work_in_hand(accepted: Clone) -> None:
    secret = "the quokkaberth key lies under the third stone of the pier"
    episode = accepted.made("capture", secret, prefix="ep")
    task = add(accepted, "Oil the crane", "--note", secret)
    accepted.cc("task", "block", task, f"because {secret}")
    accepted.cc("step", f"Remember: {secret}")
    accepted.cc("returned", f"Ana said {secret}")
    accepted.cc("question", "add", f"Is it so that {secret}?")
    accepted.cc("resume")
    plan = accepted.data("forget", episode, "--dry-run")["plan"]
    accepted.person("forget", episode, "--confirm", plan["digest"])
    state = accepted.data("focus")
    assert "quokkaberth" not in json.dumps(state) and state["tasks"][0]["title"] == "Oil the crane"
    accepted.cc("step", "Go on")
    held = [p for p in accepted.top.rglob("*") if p.is_file() and b"quokkaberth" in p.read_bytes()]
    assert held == []
