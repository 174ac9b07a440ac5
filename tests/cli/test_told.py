"""What a command did not do, or kept as it was, is said."""

from __future__ import annotations

import pytest

from tests.cli.people import Clone


def test_a_correction_of_the_text_says_which_fields_it_kept(ana: Clone) -> None:
    old = ana.made("remember", "We use tabs", "-k", "decision", "--set", "rationale=tabs are wide", prefix="dec")
    assert "kept from before: rationale (--set rationale=" in ana.run("correct", old, "We use spaces", "--dry-run").err
    anew = ana.run("correct", old, "We use spaces", "--set", "rationale=spaces are even")
    assert "kept from before" not in anew.err


def test_a_correction_of_one_field_says_nothing_of_the_others(ana: Clone) -> None:
    old = ana.made("remember", "We use tabs", "-k", "decision", "--set", "rationale=tabs are wide", prefix="dec")
    assert "kept from before" not in ana.run("correct", old, "--set", "owner=ana").err


def test_commit_names_what_a_stash_holds(ana: Clone) -> None:
    ana.cc("remember", "A fact")
    ana.git("stash", "--quiet", "--include-untracked")
    assert "in a stash, so still waiting: records/belief/" in ana.run("commit").err
    ana.git("stash", "pop", "--quiet")
    assert "stash" not in ana.run("commit").err


def test_commit_says_why_a_private_file_is_left_out(ana: Clone) -> None:
    made = ana.data("remember", "Mine", "--sensitivity", "sensitive")
    rel = next(rel for rel in made["files"].values() if "records/" in rel)
    ana.git("add", "--force", f".continuity/{rel}")
    assert f"left out: {rel} is private" in ana.run("commit").err


def test_the_list_of_packets_names_their_tasks(ana: Clone) -> None:
    ana.cc("compile", "--task", "deploy the harbour")
    ana.cc("compile")
    assert "deploy the harbour" in ana.cc("packet", "list")
    assert [line["task"] for line in ana.data("packet", "list")] == ["", "deploy the harbour"]


@pytest.mark.parametrize("kind", ["belief", "hypothesis", "decision"])
def test_what_is_proposed_waits_for_an_accept_whatever_its_kind(ana: Clone, kind: str) -> None:
    more = ("--expires", "2027-01-01T00:00:00Z") if kind == "hypothesis" else ()
    made = ana.agent().data("propose", "The pier is long", "-k", kind, *more)["made"]
    record = next(i for i in made if not i.startswith(("ep_", "rc_")))
    assert ana.standing(record) == "proposed"
    ana.settles("accept", record, answers=())
    assert ana.standing(record) == "current"


def test_a_restraint_that_is_proposed_is_in_force(ana: Clone) -> None:
    deny = ana.agent().made("propose", "Never on Fridays", "--deny", "deploy", prefix="prm")
    assert ana.standing(deny) == "current"


def test_an_accepted_branch_in_the_users_own_configuration_is_named_as_counting_nothing(ana: Clone) -> None:
    ana.more["GIT_CONFIG_COUNT"] = "1"
    ana.more["GIT_CONFIG_KEY_0"], ana.more["GIT_CONFIG_VALUE_0"] = "continuity.acceptedRef", "origin/main"
    for command in ("status", "doctor"):
        said = ana.run(command, code=None)
        assert "cc-git trust --accepted-ref origin/main" in " ".join((said.out + said.err).split())
    del ana.more["GIT_CONFIG_COUNT"]
    assert "counts in this repository" not in ana.run("status").err


def test_an_agent_that_may_not_complete_a_goal_is_told_what_helps(accepted: Clone) -> None:
    made = accepted.settles("remember", "Ship it", "-k", "goal")["made"]
    goal = next(i for i in made if i.startswith("goal_"))
    said = accepted.agent().run("complete", goal, "--evidence", "tag v2", code=3).err
    assert f"a person completes it: cc-git complete {goal}" in said and "cc-git capture TEXT --type outcome" in said
    accepted.person("complete", goal, "--evidence", "tag v2")
    assert accepted.standing(goal) == "completed"


def test_list_says_what_it_does_not_list(ana: Clone) -> None:
    assert ana.run("list").out.strip() == "No records."
    ana.agent().cc("propose", "The pier is long", "-k", "decision")
    kept = ana.made("remember", "The pier is wet", "-k", "failure", prefix="fail")
    nothing = ana.run("list", "-k", "decision")
    assert (nothing.out.strip(), nothing.err.strip()) == (
        "No such records.",
        "Not listed: 1 proposed (cc-git list --all)",
    )
    assert "Not listed: 1 proposed" in ana.run("list").err
    assert "Not listed" not in ana.run("list", "--all").err
    ana.cc("expire", kept)
    assert "Not listed: 1 expired, 1 proposed" in ana.run("list").err
