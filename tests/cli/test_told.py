"""What a command did not do, or kept as it was, is said."""

from __future__ import annotations

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
