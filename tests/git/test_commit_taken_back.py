"""What we added to the index goes out of it again when its commit is not made, and only then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cc_git.store.added_note import AddedNote, read_note, write_note
from cc_git.store.committing_process import Process, git_above, process, runs, words_of
from cc_git.store.journal_state import ReflogPosition

from .twins import Twins, look_script, make_twins


@pytest.fixture
def twins(tmp_path: Path) -> Twins:
    """The user's change is staged; two records wait."""
    made = make_twins(tmp_path)
    made.ours.write("code.c", "changed\n")
    made.ours.run("add", "code.c")
    return made


@pytest.fixture
def failed(twins: Twins) -> Twins:
    """A commit was stopped by its editor after our hook had added the records."""
    assert twins.ours.run("commit", GIT_EDITOR="false") != 0
    assert _staged(twins) == set(twins.waiting)
    return twins


def _staged(twins: Twins) -> set[str]:
    listed = twins.ours.ask("diff", "--cached", "--name-only", "--diff-filter=A").splitlines()
    return {path.removeprefix(".continuity/") for path in listed}


def _note(twins: Twins) -> AddedNote | None:
    return read_note(twins.ours.top / ".git")


def test_the_next_command_takes_out_exactly_what_was_added(failed: Twins) -> None:
    failed.ours.write("new.c", "the user's own\n")
    failed.ours.run("add", "new.c")
    index = failed.ours.ask("ls-files", "-s").splitlines()
    failed.memory.look()
    ours = [f".continuity/{rel}" for rel in failed.waiting]
    assert failed.ours.ask("ls-files", "-s").splitlines() == [
        line for line in index if line.partition("\t")[2] not in ours
    ]
    assert {rel: (failed.ours.top / ".continuity" / rel).read_bytes() for rel in failed.waiting} == failed.waiting
    assert _note(failed) is None


def test_an_entry_that_the_user_changed_stays_staged(failed: Twins) -> None:
    mine, other = failed.waiting
    failed.ours.write(f".continuity/{mine}", "the user's own\n")
    failed.ours.run("add", f".continuity/{mine}")
    failed.memory.look()
    assert _staged(failed) == {mine}
    assert other in failed.memory.look().waiting


def test_what_the_user_stages_after_it_was_taken_out_stays_staged(failed: Twins) -> None:
    failed.memory.look()
    failed.ours.run("add", ".continuity")
    failed.memory.look()
    assert _staged(failed) == set(failed.waiting)


@pytest.mark.parametrize("form", [("-m", "Memory"), ("-a", "-m", "Memory")], ids=" ".join)
def test_a_commit_with_nothing_else_staged_takes_what_git_status_shows(failed: Twins, form: tuple[str, ...]) -> None:
    failed.ours.run("checkout", "HEAD", "--", "code.c")
    failed.ours.run("add", ".continuity")
    assert failed.ours.run("commit", *form) == 0, failed.ours.said
    assert _staged(failed) == set()
    listed = failed.ours.ask("show", "--format=", "--name-only", "HEAD").splitlines()
    assert set(listed) == {f".continuity/{rel}" for rel in failed.waiting}
    assert failed.memory.look().waiting == ()
    assert _note(failed) is None


def test_records_that_are_alone_in_a_commit_that_is_stopped_too_are_taken_out(failed: Twins) -> None:
    failed.ours.run("checkout", "HEAD", "--", "code.c")
    assert failed.ours.run("commit", GIT_EDITOR="false") != 0
    assert set(failed.memory.look().waiting) == set(failed.waiting)
    assert _staged(failed) == set()


@pytest.mark.parametrize("form", ["--amend", "--allow-empty"])
def test_a_reworded_and_an_empty_commit_go_without_what_was_left(failed: Twins, form: str) -> None:
    failed.ours.run("checkout", "HEAD", "--", "code.c")
    assert failed.ours.run("commit", form, "-m", "x") == 0
    assert set(failed.memory.look().waiting) == set(failed.waiting)


def test_entries_stay_while_the_editor_is_open(twins: Twins) -> None:
    """A command of ours in an editor's terminal: the commit's tree is fixed and the index has to match it."""
    look = look_script(twins.memory, twins.ours.top.parent)
    assert twins.ours.run("commit", GIT_EDITOR=f"sh -c '{look} && echo x >\"$1\"' -") == 0, twins.ours.said
    assert twins.ours.ask("status", "--porcelain") == ""
    assert len(twins.ours.ask("show", "--format=", "--name-only", "HEAD").splitlines()) == 3
    twins.memory.look()
    assert twins.ours.ask("status", "--porcelain") == ""
    assert _note(twins) is None


def test_entries_of_a_commit_that_a_later_switch_left_are_not_touched(twins: Twins) -> None:
    twins.ours.run("switch", "-qc", "topic")
    assert twins.ours.run("commit", "-qm", "x") == 0
    twins.ours.run("reset", "-q", "--soft", "HEAD~1")
    twins.memory.look()
    assert _staged(twins) == set(twins.waiting), "a soft reset keeps the commit's content staged"


def test_without_a_reflog_a_commit_that_holds_them_settles_the_note(twins: Twins) -> None:
    twins.ours.run("config", "core.logAllRefUpdates", "false")
    (twins.ours.top / ".git" / "logs" / "HEAD").unlink()
    assert twins.ours.run("commit", "-qm", "x") == 0
    twins.memory.look()
    assert twins.ours.ask("status", "--porcelain") == ""
    assert _note(twins) is None


def test_entries_that_come_back_staged_from_a_stash_are_taken_out(failed: Twins) -> None:
    failed.ours.run("stash")
    failed.memory.look()
    failed.ours.run("stash", "pop")
    assert _staged(failed) == set(failed.waiting)
    failed.memory.look()
    assert _staged(failed) == set()
    assert _note(failed) is None


def test_a_hard_reset_takes_files_and_not_memory(failed: Twins) -> None:
    failed.ours.run("reset", "-q", "--hard")
    present = failed.memory.look()
    assert set(present.waiting) == set(failed.waiting)
    assert {rel: (failed.ours.top / ".continuity" / rel).read_bytes() for rel in failed.waiting} == failed.waiting
    assert failed.ours.ask("diff", "--cached", "--name-only") == ""


def test_while_git_holds_the_index_everything_stays_for_the_next_command(failed: Twins) -> None:
    lock = failed.ours.top / ".git" / "index.lock"
    lock.write_bytes(b"")
    failed.memory.look()
    assert _staged(failed) == set(failed.waiting)
    lock.unlink()
    failed.memory.look()
    assert _staged(failed) == set()


def test_a_note_that_cannot_be_read_takes_nothing_out(failed: Twins) -> None:
    (failed.ours.top / ".git" / "continuity" / "added").write_text("{")
    failed.memory.look()
    assert _staged(failed) == set(failed.waiting)


def test_a_note_survives_writing_and_reading(tmp_path: Path) -> None:
    note = AddedNote({"a/\udcff\n": "0" * 40}, ReflogPosition(3, "x"), Process(7, "8"))
    write_note(tmp_path, note)
    assert read_note(tmp_path) == note


def test_a_process_is_told_from_a_later_one_with_its_number() -> None:
    here = process(os.getpid())
    assert here is not None
    assert runs(here)
    assert not runs(Process(here.number, "another start"))
    assert any("python" in word for word in words_of(here))
    assert git_above(os.getpid()) is None or runs(here)
