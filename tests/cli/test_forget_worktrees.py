"""Forgetting and the other worktrees of the clone: their copies are named, never eligible, and swept by their next
command, on whatever branch they are; what nobody's command would sweep goes at once."""

from __future__ import annotations

import subprocess

import pytest

from cc_git.codec.files import encode
from cc_git.codec.paths import path_of, tombstone_path
from cc_git.model.working_context import WorkingContext
from tests.cli.forgetting import objects_of
from tests.cli.people import Clone

TEXT = "The north gate opens at six in the morning"
WORDS = b"north gate opens"


@pytest.fixture
def side(accepted: Clone) -> Clone:
    """A linked worktree on a branch of its own, made before anything is forgotten."""
    accepted.git("worktree", "add", "--quiet", "-b", "side", "../side")
    return Clone(accepted.top.parent / "side")


def _files(clone: Clone) -> list[str]:
    folder = clone.top / ".continuity"
    return [str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and WORDS in p.read_bytes()]


def _journal(clone: Clone) -> list[str]:
    common = clone.git("rev-parse", "--path-format=absolute", "--git-common-dir")
    return [oid for oid, data in objects_of(f"{common}/continuity/journal.git") if WORDS in data]


def _receipts(clone: Clone, operation: str) -> list[str]:
    texts = [path.read_text() for path in (clone.top / ".continuity" / "receipts").rglob("*.toml")]
    return [text for text in texts if f'operation = "{operation}"' in text]


def test_a_committed_copy_on_another_branch_is_named_and_swept_by_the_next_command_there(
    accepted: Clone, side: Clone
) -> None:
    one = accepted.made("remember", TEXT, "-k", "decision", prefix="dec")
    accepted.commit()
    side.git("merge", "--quiet", "main")
    said = accepted.person("forget", one, answers=("y",))
    assert "side" in said and "cc-git status" in said
    (receipt,) = _receipts(accepted, "forget")
    assert "worktree side: 2" in receipt
    assert path_of(one) in _files(side), "it is in somebody's hands until they work there"
    assert TEXT not in side.cc("list") + side.cc("compile")
    assert _files(side) == []
    assert (side.top / ".continuity" / path_of(one)).stat().st_size == 0
    assert (side.top / ".continuity" / tombstone_path(one)).exists()
    assert len(_receipts(side, "sweep")) == 1
    side.commit("Empty it here")
    accepted.commit("Forget")
    side.git("merge", "--quiet", "--no-edit", "main")
    state = side.data("status")
    assert (state["emptied"], state["forgotten"], state["faults"]) == ([], [], [])
    assert len(_receipts(side, "sweep")) == 1
    assert "worktree" not in {p["kind"] for p in accepted.data("forget", "--residue", one)["held"]["places"]}


def test_a_copy_that_waits_there_is_swept_by_the_next_command_and_from_the_journal(
    accepted: Clone, side: Clone
) -> None:
    one = side.made("remember", TEXT, "-k", "decision", prefix="dec")
    accepted.person("forget", one, answers=("y",))
    (receipt,) = _receipts(accepted, "forget")
    assert "worktree side: 2" in receipt and "beside" not in receipt
    assert TEXT not in side.cc("list") + side.cc("compile")
    assert _files(side) == [] and _journal(side) == []
    assert not (side.top / ".continuity" / path_of(one)).exists()


def test_what_repeats_it_there_is_in_the_plan_and_swept_there(accepted: Clone, side: Clone) -> None:
    one = accepted.made("capture", TEXT, prefix="ep")
    quoting = side.made("remember", f"We know: {TEXT}", "-k", "decision", prefix="dec")
    private = side.made("remember", f"A secret: {TEXT}", "-k", "belief", "--sensitivity", "sensitive", prefix="blf")
    plan = accepted.data("forget", one, "--dry-run")["plan"]
    assert {quoting, private} <= {line["id"] for line in plan["remove"]}
    accepted.person("forget", one, answers=("y",))
    assert TEXT not in side.cc("compile", "--ceiling", "sensitive") + side.cc("list")
    assert _files(side) == [] and _journal(side) == []
    assert (side.top / ".continuity" / "private" / tombstone_path(private)).exists()


def test_the_work_in_hand_there_is_named_and_left(accepted: Clone, side: Clone) -> None:
    one = accepted.made("capture", TEXT, prefix="ep")
    side.cc("status")
    context = side.top / ".continuity" / "private" / "working-context.json"
    context.parent.mkdir(exist_ok=True)
    context.write_bytes(encode(WorkingContext(version=1, next_step=TEXT)))
    side.cc("status")
    said = accepted.person("forget", one, answers=("y",))
    assert "forget --match" in said
    (receipt,) = _receipts(accepted, "forget")
    assert "beside side: 1" in receipt
    side.person("forget", "--match", TEXT, answers=("y",))
    assert _journal(accepted) == [] and _files(side) == []


def test_a_commit_there_before_any_command_does_not_take_it_along(accepted: Clone, side: Clone) -> None:
    accepted.cc("hooks", "install")
    one = side.made("remember", TEXT, "-k", "decision", prefix="dec")
    accepted.person("forget", one, answers=("y",))
    side.git("commit", "--quiet", "--allow-empty", "-m", "Work")
    assert path_of(one) not in side.git("ls-tree", "-r", "--name-only", "HEAD")
    assert TEXT not in side.cc("list")
    assert _files(side) == []


def test_what_the_journal_of_another_worktree_keeps_of_the_past_goes_at_once(accepted: Clone, side: Clone) -> None:
    one = side.made("remember", TEXT, "-k", "decision", prefix="dec")
    side.commit()
    accepted.git("merge", "--quiet", "side")
    accepted.git("push", "--quiet", "origin", "HEAD")
    side.cc("remember", "Something else that waits on the side")
    assert _journal(accepted) != []
    accepted.person("forget", one, answers=("y",))
    assert _journal(accepted) == []
    assert "Something else that waits" in side.cc("list")


def test_what_waited_in_a_worktree_that_is_gone_goes_at_once(accepted: Clone, side: Clone) -> None:
    one = side.made("remember", TEXT, "-k", "decision", prefix="dec")
    kept = side.made("remember", "The pier is short", "-k", "decision", prefix="dec")
    accepted.git("worktree", "remove", "--force", "../side")
    quoting = accepted.made("remember", "Nothing of it", "-k", "belief", prefix="blf")
    accepted.person("forget", one, answers=("y",))
    assert _journal(accepted) == []
    accepted.cc("restore", "--removed-worktrees")
    assert {line["id"] for line in accepted.data("list")} == {kept, quoting}


def test_a_copy_that_quotes_in_a_worktree_that_is_gone_is_in_the_plan(accepted: Clone, side: Clone) -> None:
    one = accepted.made("capture", TEXT, prefix="ep")
    quoting = side.made("remember", f"We know: {TEXT}", "-k", "decision", prefix="dec")
    accepted.git("worktree", "remove", "--force", "../side")
    plan = accepted.data("forget", one, "--dry-run")["plan"]
    assert quoting in {line["id"] for line in plan["remove"]}
    accepted.person("forget", one, answers=("y",))
    assert _journal(accepted) == []


def test_a_checkout_of_a_past_commit_is_left_as_it_is_and_nothing_of_it_is_eligible(accepted: Clone) -> None:
    one = accepted.made("remember", TEXT, "-k", "decision", prefix="dec")
    accepted.commit()
    accepted.person("forget", one, answers=("y",))
    accepted.commit("Forget")
    accepted.git("checkout", "--quiet", "HEAD~1")
    assert TEXT not in accepted.cc("list") + accepted.cc("compile")
    assert accepted.git("status", "--porcelain") == ""
    accepted.git("switch", "--quiet", "main")
    assert _files(accepted) == []


def test_what_an_agent_forgot_of_its_own_is_not_eligible_in_another_worktree(accepted: Clone, side: Clone) -> None:
    agent = accepted.agent()
    one = agent.made("remember", TEXT, "-k", "belief", prefix="blf")
    accepted.commit()
    side.git("merge", "--quiet", "main")
    digest = agent.data("forget", one, "--dry-run")["plan"]["digest"]
    agent.cc("forget", one, "--confirm", digest)
    assert TEXT not in side.cc("list") + side.cc("compile")


def test_a_revocation_that_was_forgotten_is_not_kept_again_from_a_branch_that_has_it(accepted: Clone) -> None:
    accepted.person("remember", "Deploys are fine", "--allow", "deploy", answers=("y",))
    (grant,) = accepted.offered()
    ruling = accepted.made("revoke", grant, "--reason", TEXT, prefix="ru")
    accepted.commit()
    accepted.git("branch", "old")
    accepted.person("forget", ruling, answers=("y",))
    accepted.commit("Forget")
    assert _journal(accepted) == []
    accepted.git("switch", "--quiet", "old")
    assert accepted.offered() == set()
    assert _journal(accepted) == [] and TEXT not in accepted.cc("log")
    accepted.commit("Empty it here")
    accepted.git("switch", "--quiet", "main")
    assert accepted.offered() == set() and _journal(accepted) == []


def test_a_confirmation_without_its_tombstone_sweeps_nothing(accepted: Clone, side: Clone) -> None:
    """Killed between the person's yes and the note that decides it."""
    one = accepted.made("remember", TEXT, "-k", "decision", prefix="dec")
    accepted.commit()
    mark = f'format = "cc-git/1"\nid = "{one}"\n'
    blob = subprocess.run(
        ["git", "hash-object", "--stdin"], input=mark, capture_output=True, text=True, check=True, cwd=accepted.top
    ).stdout.strip()
    line = (
        f'{{"workspace": ".continuity", "rel": "{tombstone_path(one)}", "blob": "{blob}", '
        '"who": "human:ana", "when": "2026-11-30T12:00:00+00:00"}\n'
    )
    with (accepted.top / ".git" / "continuity" / "confirmed").open("a") as file:
        file.write(line)
    assert TEXT in accepted.cc("list")
