"""The present snapshot in ordinary work: waiting, committed, edited, and where reflogs say little."""

from __future__ import annotations

import pytest

from cc_git.codec import paths
from cc_git.store.edits import edits
from cc_git.store.git import Git, Ran
from cc_git.store.observe import observe
from cc_git.store.present import EditedAt, Where, Workspace

from .histories.memory import an_episode
from .histories.worktree import Worktree, class_of


def test_new_record_waits_and_a_commit_takes_it_in(work: Worktree):
    rel = work.remember()
    assert class_of(work.look(), rel) == "waiting"
    work.commit()
    assert class_of(work.look(), rel) == "committed"
    assert work.memory.state().pending == {}


def test_nothing_moved_starts_no_process_and_writes_nothing(work: Worktree):
    work.remember()
    work.look()
    state = work.memory.state()
    asked: list[tuple[str, ...]] = []

    class Counting(Git):
        def run(self, *words: str, **options: object) -> Ran:
            asked.append(words)
            return super().run(*words, **options)  # type: ignore[arg-type]

    with work.memory.command() as sources:
        journal = sources.journal.engine
        assert journal is not None
        before = journal.refs()
        observe(type(sources)(sources.place, sources.engine, Counting(sources.place), sources.journal, sources.judge))
        assert journal.refs() == before
    assert asked == []
    assert work.memory.state() == state


def test_commit_then_checkout_with_no_command_between_is_elsewhere(work: Worktree):
    rel = work.remember()
    work("checkout", "-qb", "side")
    work.commit()
    work("checkout", "-q", "main")
    present = work.look()
    assert class_of(present, rel) == "elsewhere"
    assert not work.file(rel).exists()
    work("checkout", "-q", "side")
    assert class_of(work.look(), rel) == "committed"


def test_commit_on_a_detached_head_that_was_left_is_stranded_and_can_be_restored(work: Worktree):
    rel, data = work.memory.remember(work.rng)
    work("checkout", "-q", "--detach")
    work.commit()
    work("checkout", "-q", "main")
    assert class_of(work.look(), rel) == "stranded"
    work("reflog", "expire", "--expire=now", "--all")
    work("gc", "-q", "--prune=now")
    assert class_of(work.look(), rel) == "stranded"
    assert work.memory.restore(rel).rel == rel
    assert work.file(rel).read_bytes() == data
    assert class_of(work.look(), rel) == "waiting"


def test_without_reflogs_a_commit_that_a_branch_keeps_is_found_by_its_tip(work: Worktree):
    work("config", "core.logAllRefUpdates", "false")
    (work.top / ".git" / "logs" / "HEAD").unlink()
    rel = work.remember()
    work("checkout", "-qb", "side")
    work.commit()
    work("checkout", "-q", "main")
    assert class_of(work.look(), rel) == "elsewhere"


def test_without_reflogs_a_commit_that_nothing_keeps_leaves_the_record_waiting(work: Worktree):
    work("config", "core.logAllRefUpdates", "false")
    (work.top / ".git" / "logs" / "HEAD").unlink()
    rel = work.remember()
    work("checkout", "-q", "--detach")
    work.commit()
    work("checkout", "-q", "main")
    assert class_of(work.look(), rel) == "waiting"
    assert work.file(rel).exists()


def test_rewritten_reflog_is_read_from_its_beginning(work: Worktree):
    rel = work.remember()
    work.look()
    work("reflog", "expire", "--expire=now", "--all")
    work("checkout", "-q", "--detach")
    work.commit()
    work("checkout", "-q", "main")
    assert class_of(work.look(), rel) == "stranded"


def test_edited_immutable_file_is_named_and_its_committed_bytes_stay_in(work: Worktree):
    rel, data = work.memory.remember(work.rng)
    work.commit()
    work.look()
    work.file(rel).write_bytes(data + b"\n")
    with work.memory.command() as sources:
        present = observe(sources)
        assert [(e.rel, e.at) for e in edits(sources, present)] == [(rel, EditedAt.ON_DISK)]
        assert sources.engine.blob(present.entries[rel].oid) == data
        work("add", "-A")
        assert [(e.rel, e.at) for e in edits(sources, present)] == [(rel, EditedAt.STAGED)]
    work("commit", "-qm", "edit")
    present = work.look()
    assert [(e.rel, e.at) for e in present.edited] == [(rel, EditedAt.COMMITTED)]
    assert class_of(present, rel) == "committed"


def test_touched_file_is_no_edit(work: Worktree):
    rel = work.remember()
    work.commit()
    data = work.file(rel).read_bytes()
    work.file(rel).unlink()
    work.file(rel).write_bytes(data)
    with work.memory.command() as sources:
        assert edits(sources, observe(sources)) == ()


def test_edited_waiting_file_counts_with_the_journals_bytes(work: Worktree):
    rel, data = work.memory.remember(work.rng)
    work.file(rel).write_bytes(b"torn")
    with work.memory.command() as sources:
        present = observe(sources)
        assert [(e.rel, e.at) for e in edits(sources, present)] == [(rel, EditedAt.ON_DISK)]
        assert sources.journal.blob(present.entries[rel].oid) == data
    assert work.file(rel).read_bytes() == b"torn"


@pytest.mark.parametrize("torn", [b"", b"\xff", b'format = "cc-git/9"\n', b"<<<<<<< ours\n"])
def test_invalid_untracked_file_is_named_and_left_alone(work: Worktree, torn: bytes):
    rel, _ = an_episode(work.rng)
    work.file(rel).parent.mkdir(parents=True, exist_ok=True)
    work.file(rel).write_bytes(torn)
    present = work.look()
    assert [fault.rel for fault in present.faults] == [rel]
    assert class_of(present, rel) is None
    assert work.file(rel).read_bytes() == torn


def test_documents_count_as_they_lie_on_disk(work: Worktree):
    text = b'format = "cc-git/1"\n# a comment\n'
    work.file(paths.WORKSPACE_FILE).write_bytes(text)
    present = work.look()
    entry = present.entries[paths.WORKSPACE_FILE]
    assert (entry.where, present.loose[entry.oid]) == (Where.DRAFT, text)
    assert present.workspace is Workspace.READABLE


def test_workspace_file_with_conflict_markers_is_broken_and_records_are_kept(work: Worktree):
    rel = work.remember()
    work.file(paths.WORKSPACE_FILE).write_text("<<<<<<< ours\n=======\n>>>>>>> theirs\n")
    work("clean", "-qfd")
    present = work.look()
    assert present.workspace is Workspace.BROKEN
    assert present.workspace_fault is not None
    assert present.workspace_fault.code == "conflict-markers"
    assert present.put_back == (rel,)
