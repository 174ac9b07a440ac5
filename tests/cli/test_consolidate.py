"""Consolidation at the command line: proposals that wait, receipts that remember, and what a crash leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import Any

import pytest

from cc_git.store.play import PROGRAM
from tests.cli.people import Clone, World


def captured(clone: Clone, text: str, type_: str = "assertion", *words: str) -> str:
    return clone.made("capture", text, "--type", type_, *words, prefix="ep")


def proposals(clone: Clone) -> dict[str, str]:
    """Path → bytes of what consolidations put forward."""
    folder = clone.top / ".continuity"
    texts = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("records/**/*.toml")}
    return {rel: text for rel, text in texts.items() if "proposal = true" in text}


def test_what_is_put_forward_waits_until_a_person_accepts_it(accepted: Clone) -> None:
    old = accepted.made(
        "remember", "Deploys go out on Tuesdays", "-k", "decision", "--subject", "Deploy day", prefix="dec"
    )
    said = captured(accepted, "Deploys go out on Mondays", "decision", "--subject", "Deploy day")
    belief = captured(accepted.agent(), "The cache is cold after a restart")
    done = accepted.agent().data("consolidate")
    found = {one["sort"]: one for one in done["findings"] if one["sort"] != "no-change"}
    assert found["supersede"]["records"] == [old] and found["supersede"]["episodes"] == [said]
    assert found["add"]["episodes"] == [belief]
    new, cold = found["supersede"]["proposal"]["id"], found["add"]["proposal"]["id"]
    assert [accepted.standing(i) for i in (old, new, cold)] == ["current", "proposed", "proposed"]
    accepted.person("accept", new)
    assert [accepted.standing(i) for i in (old, new)] == ["superseded", "current"]
    accepted.cc("reject", cold)
    assert accepted.data("consolidate")["earlier"] == {
        "accepted": 1, "rejected": 1, "waiting": 0, "conflicted": 0, "forgotten": 0,
    }  # fmt: skip


def test_a_second_run_and_another_clone_find_nothing_new(world: World, ana: Clone) -> None:
    captured(ana, "Port 80")
    first = ana.data("consolidate")
    ana.commit()
    ana.git("push", "--quiet", "origin", "HEAD")
    before = proposals(ana)
    ben = world.clone("ben")
    for clone in (ana, ben):
        again = clone.data("consolidate")
        assert (again["findings"], again["receipts"]) == ([], [])
        assert again["last_episode"] == first["last_episode"]
        assert proposals(clone) == before
    assert ana.git("status", "--porcelain") == ""


def test_two_clones_that_consolidate_apart_merge_into_one_set_of_proposals(world: World, ana: Clone) -> None:
    captured(ana, "Port 80")
    captured(ana, "Ship on Fridays", "decision", "--subject", "ship-day")
    ana.commit()
    ana.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    for clone, now in ((ana, "2027-01-01"), (ben, "2027-02-02")):
        clone.cc("consolidate", "--now", now)
        clone.commit()
    assert proposals(ana) == proposals(ben) and len(proposals(ana)) == 2
    ana.git("push", "--quiet", "origin", "HEAD")
    ben.git("pull", "--quiet", "--no-rebase", "--no-edit")
    assert proposals(ben) == proposals(ana)


def test_a_dry_run_says_the_same_and_writes_nothing(ana: Clone) -> None:
    captured(ana, "Port 80")
    tree = sorted((ana.top / ".continuity").rglob("*"))
    planned = ana.data("consolidate", "--dry-run")
    assert sorted((ana.top / ".continuity").rglob("*")) == tree
    done = ana.data("consolidate")
    assert planned["findings"] == done["findings"] and planned["receipts"] == [] != done["receipts"]


def test_what_is_sensitive_stays_private_with_the_receipt_that_names_it(ana: Clone) -> None:
    secret = captured(ana, "Ana is on leave", "assertion", "--sensitivity", "sensitive")
    captured(ana, "Port 80")
    ana.cc("consolidate")
    ana.commit()
    tracked = ana.git("grep", "-l", "-e", secret, "-e", "on leave", "HEAD", code=None)
    assert tracked == ""
    private = ana.top / ".continuity" / "private"
    assert [rel for rel in proposals(ana) if rel.startswith("private/")]
    assert any(secret in path.read_text() for path in (private / "receipts").rglob("*.toml"))


def test_the_report_is_markdown_and_quotes_no_markup_of_a_title(ana: Clone) -> None:
    captured(ana, "Port 80 <!-- hidden --> **loud**")
    captured(ana, "Deploy freely", "permission")
    said = ana.cc("consolidate")
    assert said.startswith("# Consolidation\n") and "## add\n" in said and "## deferred\n" in said
    assert "**loud**" not in said and "<!--" not in said


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_to_the_same_proposals(world: World, ana: Clone) -> None:
    for i in range(12):
        captured(ana, f"Fact number {i} of this place", ("assertion", "decision", "action")[i % 3])
    ana.commit()
    ana.git("push", "--quiet", "origin", "HEAD")
    whole = world.clone("ben")
    whole.cc("consolidate")
    for milliseconds in range(60, 900, 120):
        running = subprocess.Popen(
            [*PROGRAM, "consolidate"],
            cwd=ana.top,
            env=ana.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(milliseconds / 1000)
        if running.poll() is None:
            os.kill(running.pid, signal.SIGKILL)
        running.wait()
        ana.cc("status")
        found: Any = proposals(ana)
        assert found in ({}, proposals(whole)), "one write is there whole, or not at all"
    ana.cc("consolidate")
    assert proposals(ana) == proposals(whole)
    assert len(ana.data("consolidate")["findings"]) == 0
