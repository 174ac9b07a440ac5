"""The hooks after a commit, checkout, merge and rebase: one line where something needs a look, and nothing is changed.
Trailers, where somebody asked for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.people import Clone, World
from tests.cli.test_two_people import _both_correct

LOOK = "cc-git: needs a look: "


@pytest.fixture
def hooked(ana: Clone) -> Clone:
    ana.cc("hooks", "install")
    return ana


def everything_of_ours(clone: Clone) -> dict[str, bytes]:
    """The journal and what is on disk below the workspace; the index is a cache."""
    home = clone.top / ".git/continuity"
    files = [*(home / "journal.git").rglob("*"), *(clone.top / ".continuity").rglob("*"), home / "waiting"]
    return {str(file): file.read_bytes() for file in files if file.is_file() and "negatives" not in str(file)}


def test_all_is_silent_where_all_is_well(hooked: Clone) -> None:
    hooked.cc("remember", "Tabs", "-k", "decision")
    (hooked.top / "code.c").write_text("one\n")
    said = hooked.git("commit", "-am", "x")
    said += hooked.git("switch", "-c", "side")
    hooked.cc("remember", "Spaces", "-k", "decision")
    (hooked.top / "code.c").write_text("two\n")
    said += hooked.git("commit", "-am", "y") + hooked.git("switch", "main")
    said += hooked.git("merge", "side") + hooked.git("rebase", "side")
    assert "cc-git" not in said


def test_a_conflict_that_a_merge_brought_is_named(hooked: Clone, world: World) -> None:
    _both_correct(hooked, world)
    hooked.cc("status")
    said = hooked.git("merge", "--no-edit", "origin/ben")
    assert f"{LOOK}1 conflict" in said and "(cc-git status)" in said
    assert f"{LOOK}1 conflict" in hooked.git("switch", "-c", "side", "HEAD~1") + hooked.git("switch", "main")


def test_what_was_forgotten_and_comes_back_is_named_and_stays_for_the_next_command(accepted: Clone) -> None:
    made = accepted.made("remember", "The old berth list", "-k", "decision", prefix="dec")
    accepted.commit()
    accepted.git("branch", "before")
    accepted.person("forget", made, answers=("y",))
    accepted.commit()
    accepted.cc("hooks", "install")
    file = next(path for path in accepted.git("ls-files").splitlines() if made in path and "records" in path)
    accepted.git("checkout", "before", "--", file)
    said = accepted.git("commit", "-m", "It is back")
    assert f"{LOOK}1 forgotten file that is here again" in said
    assert (accepted.top / file).read_bytes()
    accepted.cc("status")
    assert not (accepted.top / file).read_bytes()


def test_a_packet_that_no_longer_holds_is_named(hooked: Clone, world: World) -> None:
    made = hooked.made("remember", "Tabs", "-k", "decision", prefix="dec")
    hooked.commit()
    hooked.git("push", "-q", "origin", "HEAD")
    ben = world.clone("ben")
    ben.cc("revoke", made)
    ben.commit()
    ben.git("push", "-q", "origin", "HEAD")
    hooked.cc("compile", "--task", "tabs")
    assert f"{LOOK}1 packet that no longer holds" in hooked.git("pull", "--no-rebase", "--no-edit")


def test_nothing_is_changed(hooked: Clone) -> None:
    hooked.cc("remember", "Tabs", "-k", "decision")
    hooked.commit()
    by_hand = hooked.top / ".continuity/records/note.txt"
    by_hand.write_text("x")
    before = everything_of_ours(hooked)
    hooked.git("switch", "-qc", "side")
    hooked.git("add", "-f", str(by_hand))
    hooked.git("commit", "-qm", "x")
    hooked.git("switch", "-q", "main")
    hooked.git("merge", "-q", "side")
    assert everything_of_ours(hooked) == before


@pytest.mark.parametrize("name", ["post-commit", "post-checkout", "post-merge", "post-rewrite", "prepare-commit-msg"])
def test_no_fault_of_ours_changes_what_git_does(hooked: Clone, name: str) -> None:
    script = hooked.top / f".git/continuity/hooks/{name}"
    lines = script.read_text().splitlines(keepends=True)
    script.write_text("".join("python=/bin/false\n" if line.startswith("python=") else line for line in lines))
    hooked.git("config", "continuity.trailers", "true")
    for number, branch in enumerate(("main", "side")):
        if branch == "side":
            hooked.git("switch", "-qc", branch)
        hooked.cc("remember", f"Rule {number}", "-k", "decision")
        (hooked.top / "code.c").write_text(f"{number}\n")
        hooked.git("commit", "-qam", "x")
    hooked.git("switch", "-q", "main")
    hooked.git("merge", "-q", "side")
    hooked.git("rebase", "-q", "side")


def test_trailers_are_written_where_somebody_asked_and_once(hooked: Clone) -> None:
    (hooked.top / "code.c").write_text("one\n")
    hooked.cc("remember", "Tabs", "-k", "decision")
    hooked.git("commit", "-qam", "plain")
    assert "Continuity-Record" not in hooked.git("log", "-1", "--format=%B")
    hooked.git("config", "continuity.trailers", "true")
    made = hooked.made("remember", "Spaces", "-k", "decision", prefix="dec")
    (hooked.top / "code.c").write_text("two\n")
    hooked.git("commit", "-qam", "asked", "-m", "Signed-off-by: Ana <ana@example.org>")
    message = hooked.git("log", "-1", "--format=%B")
    assert message.splitlines()[-1] == f"Continuity-Record: {made}" and "Signed-off-by" in message
    hooked.git("commit", "-q", "--amend", "--no-edit")
    assert hooked.git("log", "-1", "--format=%B") == message


def test_a_worktree_that_is_added_is_looked_at(hooked: Clone, world: World, tmp_path: Path) -> None:
    _both_correct(hooked, world)
    hooked.git("merge", "-q", "--no-edit", "origin/ben")
    assert f"{LOOK}1 conflict" in hooked.git("worktree", "add", str(tmp_path / "linked"), "-b", "linked")


def test_an_amend_that_drops_a_record_is_told_and_one_that_keeps_all_is_not(hooked: Clone) -> None:
    made = hooked.made("remember", "Tabs", "-k", "decision", prefix="dec")
    (hooked.top / "code.c").write_text("one\n")
    hooked.git("add", "code.c")
    hooked.git("commit", "-q", "-m", "x")
    hooked.cc("status")
    assert "cc-git" not in hooked.git("commit", "--amend", "-m", "reworded")
    (hooked.top / "code.c").write_text("two\n")
    assert "cc-git" not in hooked.git("commit", "-a", "--amend", "--no-edit")
    hooked.cc("status")
    file = next(path for path in hooked.git("ls-files").splitlines() if made in path)
    own = hooked.top / ".git/hooks/post-rewrite"
    hooked.cc("hooks", "uninstall")
    own.write_text("#!/bin/sh\ncat >pairs\n")
    own.chmod(0o755)
    hooked.cc("hooks", "install")
    hooked.git("rm", "-q", file)
    assert f"{LOOK}1 record that no branch holds" in hooked.git("commit", "--amend", "--no-edit")
    assert len((hooked.top / "pairs").read_text().split()) == 2
    hooked.cc("restore", made)
    assert hooked.standing(made) == "current"
