"""Lines of work at the command line: what is missing, the reasoning in order, and which hypothesis is first."""

from __future__ import annotations

import json
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.cli.people import Clone, World
from tests.cli.test_relate import hypothesis, task


def missing(clone: Clone, *words: str) -> list[str]:
    said = clone.run("check", "--task", *words, "--json", code=None)
    found = [one["what"] for one in json.loads(said.out)["data"]["missing"]]
    assert said.code == (1 if found else 0)
    return found


def thread(clone: Clone, *words: str) -> Any:
    return clone.data("thread", *words)


def steps(clone: Clone, *words: str) -> list[tuple[str, str, str]]:
    return [(one["part"], one["id"], one["how"]) for one in thread(clone, *words)["steps"]]


@pytest.fixture
def work(ana: Clone) -> str:
    goal = ana.made("remember", "A safe pier", "-k", "goal", prefix="goal")
    made = task(ana, "Survey the piles", "--goal", goal)
    ana.cc("task", "start", made)
    return made


def test_a_line_is_closed_step_by_step(ana: Clone, work: str) -> None:
    assert missing(ana) == ["state", "hypothesis", "evidence", "decision", "conclusion"]
    rot = hypothesis(ana, "The piles rot", "--relate", f"about:{work}")
    assert missing(ana) == ["state", "evidence", "decision", "conclusion"]
    ana.cc("capture", "A diver saw holes", "--type", "observation", "--relate", f"supports:{rot}")
    assert missing(ana) == ["state", "decision", "conclusion"]
    steel = ana.made("remember", "Use steel", "-k", "decision", "--relate", f"decides:{rot}", prefix="dec")
    assert missing(ana) == ["state", "conclusion"]
    ana.cc("remember", "The pier needs forty steel piles", "--relate", f"resolves:{work}")
    assert missing(ana) == ["state"]
    ana.cc("task", "done", work)
    assert missing(ana, work) == []
    assert "nothing is missing, the line can be closed" in ana.cc("check", "--task", work)
    ana.cc("revoke", steel, "--reason", "no steel to be had")
    assert missing(ana, work) == ["decision"]


def test_each_gap_says_the_command_that_helps(ana: Clone, work: str) -> None:
    said = ana.run("check", "--task", code=1).out
    for help_ in (
        f"cc-git task done tsk…{work[-6:]}",
        "-k hypothesis",
        "--type observation",
        "-k decision",
        "resolves:",
    ):
        assert help_ in said


def test_what_contradicts_supports_nothing(ana: Clone, work: str) -> None:
    rot = hypothesis(ana, "The piles rot", "--relate", f"about:{work}")
    ana.cc("capture", "They are dry", "--type", "observation", "--relate", f"contradicts:{rot}")
    assert "evidence" in missing(ana)


def test_a_part_that_is_open_keeps_the_line_open(ana: Clone, work: str) -> None:
    part = task(ana, "Hire a diver", "--parent", work)
    rot = hypothesis(ana, "The piles rot", "--relate", f"about:{part}")
    assert ("hypothesis", rot, "") in steps(ana)
    assert f"it waits for tsk…{part[-6:]}" in ana.run("check", "--task", code=1).out


def test_a_decision_may_itself_close_the_line(ana: Clone, work: str) -> None:
    ana.cc("remember", "Leave the pier as it is", "-k", "decision", "--relate", f"resolves:{work}")
    assert missing(ana) == ["state", "hypothesis", "evidence"]


def test_decisions_that_clash_close_nothing(ana: Clone, work: str) -> None:
    more = ("-k", "decision", "--subject", "piles", "--relate", f"decides:{work}")
    for text in ("Use steel", "Use oak"):
        ana.cc("remember", text, *more)
    assert missing(ana).count("decision") == 2
    assert "cc-git resolve dec…" in ana.run("check", "--task", code=1).out


def test_the_thread_has_everything_of_the_line_once_in_order_and_nothing_else(ana: Clone, work: str) -> None:
    worms = hypothesis(ana, "Worms eat them", "--confidence", "0.2", "--relate", f"about:{work}")
    rot = hypothesis(ana, "The piles rot", "--confidence", "0.9", "--relate", f"about:{work}")
    hypothesis(ana, "It will rain")
    holes = ana.made("capture", "A diver saw holes", "--relate", f"supports:{rot}", prefix="ep")
    note = ana.made("capture", "The tide is low", "--relate", f"about:{work}", prefix="ep")
    steel = ana.made("remember", "Use steel", "-k", "decision", "--relate", f"decides:{rot}", prefix="dec")
    oak = ana.made("correct", steel, "Use oak", prefix="dec")
    end = ana.made("remember", "Forty piles", "--relate", f"resolves:{work}", prefix="blf")
    archived = ana.data("archive", worms)["made"][0]
    found = steps(ana)
    goal = found[0][1]
    assert goal.startswith("goal_")
    assert found == [
        ("goal", goal, ""),
        ("task", work, ""),
        ("hypothesis", rot, ""),
        ("evidence", holes, "supports"),
        ("decision", steel, "decides"),
        ("decision", oak, "decides"),
        ("hypothesis", worms, ""),
        ("evidence", note, "about"),
        ("conclusion", end, "resolves"),
        ("ruling", archived, "archive"),
    ]
    states = {one["id"]: (one["state"], one["stands"]) for one in thread(ana)["steps"]}
    assert states[steel] == ("superseded", False) and states[oak] == ("current", True)
    assert states[worms] == ("archived", False)


def test_the_timeline_goes_by_commits_and_what_waits_is_last(ana: Clone, work: str) -> None:
    first = hypothesis(ana, "The piles rot", "--relate", f"about:{work}")
    ana.cc("checkpoint")
    ana.commit("one")
    ana.cc("task", "block", work, "no diver")
    second = ana.made("capture", "Holes", "--relate", f"supports:{first}", prefix="ep")
    ana.cc("checkpoint")
    ana.commit("two")
    third = ana.made("capture", "More holes", "--relate", f"supports:{first}", prefix="ep")
    one, two = ana.git("rev-parse", "HEAD~1"), ana.git("rev-parse", "HEAD")
    events = [(e["what"], e["id"], e["commit"], e["state"]) for e in thread(ana)["timeline"]]
    assert [event for event in events if event[1] in (first, second, third, work)] == [
        ("hypothesis", first, one, ""),
        ("task in-progress", work, one, ""),
        ("evidence", second, two, ""),
        ("task blocked", work, two, ""),
        ("evidence", third, None, "waits"),
    ]


def test_a_shallow_clone_says_that_its_history_is_cut(world: World, ana: Clone, work: str) -> None:
    hypothesis(ana, "The piles rot", "--relate", f"about:{work}")
    ana.cc("checkpoint")
    ana.commit()
    ana.git("commit", "-q", "--allow-empty", "-m", "more")
    ana.git("push", "-q", "origin", "HEAD")
    ben = world.clone("ben", "--depth=1")
    assert thread(ben, work)["cut"] is True
    assert "history is cut short in this clone" in ben.cc("thread", work)
    assert {e["id"] for e in thread(ben, work)["timeline"]} == {e["id"] for e in thread(ana, work)["timeline"]}


def test_both_sides_evidence_is_there_after_a_merge(world: World, ana: Clone, work: str) -> None:
    rot = hypothesis(ana, "The piles rot", "--relate", f"about:{work}")
    ana.cc("checkpoint")
    ana.commit()
    ana.git("push", "-q", "origin", "HEAD")
    ben = world.clone("ben")
    holes = ana.made("capture", "Holes", "--relate", f"supports:{rot}", prefix="ep")
    dry = ben.made("capture", "Dry", "--relate", f"contradicts:{rot}", prefix="ep")
    for one in (ana, ben):
        one.commit()
    ben.git("fetch", "-q", str(ana.top), "HEAD")
    ben.git("merge", "-q", "--no-edit", "FETCH_HEAD")
    assert {step[1:] for step in steps(ben, work) if step[0] == "evidence"} == {
        (holes, "supports"),
        (dry, "contradicts"),
    }


def test_what_is_above_the_ceiling_is_counted_and_judged_and_not_shown(ana: Clone, work: str) -> None:
    rot = hypothesis(ana, "The piles rot", "--relate", f"about:{work}")
    ana.cc("capture", "The mayor knew", "--type", "observation", "--sensitivity", "sensitive",
           "--relate", f"supports:{rot}")  # fmt: skip
    assert "evidence" not in missing(ana)
    shown = ana.run("thread")
    assert "mayor" not in shown.out and "1 left out: above the ceiling" in shown.err
    data = thread(ana)
    assert data["left_out"] == 1 and data["hypotheses"][0]["evidence"] == []
    assert "mayor" in ana.cc("thread", "--ceiling", "sensitive")


def test_stored_text_makes_no_markup(ana: Clone) -> None:
    title = "# [x](http://evil) ![p](http://evil/p.png) <img src=x> `code` **b**"
    made = task(ana, title)
    ana.cc("question", "add", "## What\n- <script>?")
    blocks = MarkdownIt("commonmark").enable("table").parse(ana.cc("thread", made))
    spans = [span for block in blocks for span in block.children or ()]
    assert {span.type for span in spans} <= {"text", "text_special", "softbreak"}
    assert {block.tag for block in blocks} <= {"h1", "h2", "p", "ul", "li", ""}
    assert "# [x](http://evil)" in "".join(span.content for span in spans)


def test_without_a_task_it_is_said_what_to_do(ana: Clone) -> None:
    for words in (("thread",), ("check", "--task")):
        assert "there is no task at hand" in ana.run(*words, code=2).err
    assert "exclude each other" in ana.run("check", "--task", "x", "--staged", code=2).err
    for more in (("--format", "github"), ("--fail-on", "never")):
        assert "for what must not be merged" in ana.run("check", "--task", *more, code=2).err


def test_hypotheses_are_ranked_with_their_factors(ana: Clone) -> None:
    worms = hypothesis(ana, "Worms eat them", "--confidence", "0.2")
    rot = hypothesis(
        ana, "The piles rot", "--confidence", "0.9", "--set", "impact=high", "--set", "cost_to_validate=low"
    )
    ana.cc("capture", "Holes", "--type", "observation", "--relate", f"supports:{rot}")
    said = ana.cc("hypothesis", "rank")
    assert said.index(rot[-6:]) < said.index(worms[-6:]) and "cost (0.5)" in said
    first, second = ana.data("hypothesis", "rank")
    assert (first["id"], second["id"]) == (rot, worms) and first["unsaid"] == []
    ana.cc("relate", worms, "merged-into", rot)
    (only,) = ana.data("hypothesis", "rank")
    assert only["merged"] == [worms]


def test_what_became_of_a_merged_hypothesis_is_in_the_thread(ana: Clone, work: str) -> None:
    worms, rot = hypothesis(ana, "Worms eat them"), hypothesis(ana, "The piles rot", "--relate", f"about:{work}")
    ana.cc("relate", worms, "merged-into", rot)
    assert ("hypothesis", worms, "merged-into") in steps(ana)
