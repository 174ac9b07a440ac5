"""Origin from the command line: which acts open a line, what is inherited, and what a message does."""

from __future__ import annotations

import json

import pytest

from tests.cli.people import Clone
from tests.cli.test_working import add


def traced(clone: Clone, *words: str) -> list[tuple[str, str, list[str]]]:
    return [(one["how"], one["trigger"], one["path"]) for one in clone.data("origin", *words)["origins"]]


def triggers(clone: Clone, *words: str) -> dict[str, str]:
    return {one["summary"]: one["id"] for one in clone.data("trigger", "list", *words)}


def test_a_goal_three_subtasks_and_an_ok_later_the_origin_is_the_same_and_a_hard_constraint_opens_a_new_one(
    ana: Clone,
) -> None:
    goal = ana.made("remember", "A safe harbour", "-k", "goal", prefix="goal")
    (first,) = triggers(ana).values()
    assert traced(ana, goal) == [("direct", first, [])]
    whole = add(ana, "Renew the pier", "--goal", goal)
    part = add(ana, "Drive the piles", "--parent", whole)
    last = add(ana, "Lay the planks", "--parent", whole, "--depends-on", part)
    ana.cc("task", "start", last)
    assert list(triggers(ana).values()) == [first], "none of them opens a line of its own"
    assert traced(ana) == [("inherited", first, [goal])]
    answer = ana.data("trigger", "consider", "好的，继续", "--keep")
    assert (answer["answer"], answer["why"]) == ("inherit", "continuity")
    assert [one["trigger"] for one in answer["origins"]] == [first]
    said = ana.data("trigger", "consider", "ok, but never use creosote on the piles", "--keep")
    assert (said["answer"], said["why"], said["phrase"]) == ("create", "constraint", "never")
    (new,) = said["kept"]["made"]
    assert traced(ana) == [("direct", new, []), ("inherited", first, [goal])]
    assert traced(ana, part) == [("inherited", first, [goal])], "the constraint was set for the task in focus"
    packet = ana.cc("resume")
    assert "Direct, user-prompt" in packet and f"Inherited through goal…{goal[-6:]}" in packet
    other = ana.made("remember", "Lights", "-k", "goal", "--set", f"parent={goal}", prefix="goal")
    assert traced(ana, other)[1] == ("inherited", first, [goal]), "a sub-goal has its own, and its parent's behind it"


def test_a_task_at_the_top_opens_a_line_and_what_continues_does_not(ana: Clone) -> None:
    top = add(ana, "Renew the pier", "--note", "before May")
    (made,) = triggers(ana).values()
    shown = ana.data("trigger", "show", made)
    assert (shown["task_ids"], shown["text"], shown["kind"]) == ([top], "before May", "user-prompt")
    assert len(shown["fingerprint"]) == 64
    add(ana, "Drive the piles", "--parent", top)
    add(ana, "Lay the planks", "--depends-on", top)
    add(ana, "continue")
    add(ana, "Not its own", "--same-line")
    assert triggers(ana) == {"Renew the pier": made}
    add(ana.agent(), "Check the tide", "--parent", top, "--opens-line")
    assert ana.data("trigger", "show", triggers(ana)["Check the tide"])["kind"] == "agent-prompt"


def test_a_correction_opens_nothing_and_the_new_goal_comes_from_where_the_old_one_came(ana: Clone) -> None:
    goal = ana.made("remember", "A safe harbour", "-k", "goal", prefix="goal")
    (first,) = triggers(ana).values()
    new = ana.made("correct", goal, "A safe and dry harbour", prefix="goal")
    ana.cc("propose", "Perhaps a marina", "-k", "goal")
    assert list(triggers(ana).values()) == [first]
    assert traced(ana, new) == [("inherited", first, [goal])]


def test_limits_are_told_with_what_helps(ana: Clone) -> None:
    said = ana.run("trigger", "add", "x" * 121, code=2)
    assert "121 characters" in said.err and "at most 120" in said.err and "--text" in said.err
    said = ana.run("trigger", "add", "x", "--text", "y" * 2001, code=2)
    assert "2001 characters" in said.err and "at most 2000" in said.err and "cc-git capture" in said.err
    assert ana.data("trigger", "list") == []
    ana.cc("trigger", "add", "x" * 120, "--text", "y" * 2000)


def test_a_long_message_keeps_its_first_line_as_summary_and_the_whole_as_text(ana: Clone) -> None:
    text = "I want a report of all berths\nby size and by price"
    (made,) = ana.data("trigger", "consider", text, "--keep", "--kind", "issue-trigger")["kept"]["made"]
    shown = ana.data("trigger", "show", made)
    assert (shown["summary"], shown["text"], shown["kind"]) == (text.splitlines()[0], text, "issue-trigger")
    again = ana.data("trigger", "consider", text)
    assert (again["answer"], again["why"], again["origins"][0]["trigger"]) == ("inherit", "repeated", made)


def test_considering_writes_nothing_unless_it_is_to_be_kept(ana: Clone) -> None:
    before = ana.data("focus")
    assert ana.data("trigger", "consider", "I want a report of all berths")["answer"] == "create"
    ana.cc("trigger", "consider", "I want a report of all berths", "--keep", "--dry-run")
    assert ana.data("focus") == before and triggers(ana) == {}


def test_a_projects_own_phrases_count(ana: Clone) -> None:
    assert ana.data("trigger", "consider", "dale gas nomás")["answer"] == "create"
    file = ana.top / ".continuity" / "workspace.toml"
    file.write_text(file.read_text() + '\n[signals]\ncontinuity = ["dale gas", "nomás"]\n')
    assert ana.data("trigger", "consider", "dale gas nomás")["answer"] == "inherit"


def test_an_archived_trigger_is_the_origin_of_nothing_and_stays_readable(ana: Clone) -> None:
    task = add(ana, "Renew the pier")
    (made,) = triggers(ana).values()
    ana.cc("trigger", "add", "It must be oak", "--task", task)
    ana.cc("trigger", "archive", made, "--reason", "superseded by events")
    assert triggers(ana) == {"It must be oak": triggers(ana)["It must be oak"]}
    assert set(triggers(ana, "--all")) == {"It must be oak", "Renew the pier"}
    assert [one for _, one, _ in traced(ana, task)] == [triggers(ana)["It must be oak"]]
    ana.run("trigger", "archive", made, code=3)
    assert "unattested" not in ana.cc("audit", code=None), "it needs nobody's word"
    assert ana.data("trigger", "show", made)["archived"]
    for file in (ana.top / ".git" / "continuity").glob("index.sqlite*"):
        file.unlink()
    assert set(triggers(ana)) == {"It must be oak"}, "with no index too"


def test_a_private_goals_trigger_is_private_and_its_words_stay_under_the_ceiling(accepted: Clone) -> None:
    accepted.person("remember", "Bo comes back to work", "-k", "goal", "--sensitivity", "sensitive", answers=("y",))
    goal = accepted.data("list", "--kind", "goal")[0]["id"]
    (made,) = accepted.data("trigger", "list")
    assert made["file"].startswith("private/")
    accepted.cc("focus", goal)
    assert "Bo comes back" not in accepted.cc("resume")
    assert "Bo comes back" in accepted.cc("resume", "--ceiling", "sensitive")


def test_forgetting_a_goal_takes_the_trigger_that_was_made_of_it(accepted: Clone) -> None:
    text = "the quokkaberth key is to be found under the third stone"
    made = accepted.data("remember", text, "-k", "goal")["made"]
    goal, episode = (next(i for i in made if i.startswith(p)) for p in ("goal", "ep"))
    plan = accepted.data("forget", goal, episode, "--dry-run")["plan"]
    assert {one["id"][:2] for one in plan["remove"]} == {"go", "ep", "tr"}
    accepted.person("forget", goal, episode, "--confirm", plan["digest"])
    assert accepted.data("trigger", "list", "--all") == []
    held = [p for p in accepted.top.rglob("*") if p.is_file() and b"quokkaberth" in p.read_bytes()]
    assert held == []


@pytest.mark.parametrize("words", [("add", "Something"), ("consider", "I want a report of all berths", "--keep")])
def test_a_lost_update_is_refused_and_leaves_no_trigger(ana: Clone, words: tuple[str, ...]) -> None:
    ana.cc("step", "Buy paint")
    error = json.loads(ana.run("trigger", *words, "--seen", "0", "--json", code=5).out)["error"]
    assert "Buy paint" in error["why"]
    assert triggers(ana) == {}
