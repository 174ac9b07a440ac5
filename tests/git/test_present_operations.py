"""The present snapshot when operations stop, records are taken out, and branches have no workspace."""

from __future__ import annotations

from pathlib import Path
from random import Random

from cc_git.codec import paths
from cc_git.store.present import Workspace

from .histories.memory import Memory, an_episode
from .histories.worktree import Run, Worktree, class_of


def stopped_merge(work: Worktree) -> str:
    """A merge of somebody else's branch that stops in the code; the path of their record."""
    base = work("rev-parse", "HEAD")
    work("checkout", "-qb", "theirs")
    rel, data = an_episode(work.rng)
    work.file(rel).parent.mkdir(parents=True, exist_ok=True)
    work.file(rel).write_bytes(data)
    (work.top / "code.c").write_text("theirs\n")
    work("add", "code.c", f".continuity/{rel}")
    work("commit", "-qm", "theirs")
    work("checkout", "-q", "main")
    assert work("rev-parse", "HEAD") == base
    (work.top / "code.c").write_text("ours\n")
    work("commit", "-qam", "ours")
    work.git(work.top, "merge", "-q", "theirs", check=False)
    assert (work.top / ".git" / "MERGE_HEAD").exists()
    return rel


def test_command_in_the_middle_of_a_stopped_merge_then_abort(work: Worktree):
    mine = work.remember()
    theirs = stopped_merge(work)
    present = work.look()
    assert class_of(present, theirs) == "guest"
    assert present.underway == ("merge",)
    during = work.remember()
    work("merge", "--abort")
    present = work.look()
    assert class_of(present, theirs) is None
    assert {mine, during} <= set(present.waiting)
    assert theirs not in work.memory.state().pending
    assert not work.file(theirs).exists()


def test_waiting_file_is_not_put_back_in_the_middle_of_an_operation(work: Worktree):
    rel = work.remember()
    stopped_merge(work)
    work.file(rel).unlink()
    assert class_of(work.look(), rel) == "waiting"
    assert not work.file(rel).exists()
    work("merge", "--abort")
    assert work.look().put_back == (rel,)
    assert work.file(rel).exists()


def test_file_that_a_running_checkout_wrote_is_not_adopted(work: Worktree):
    """While git holds the index, files of the branch it goes to lie on disk and are in no index yet."""
    rel, data = an_episode(work.rng)
    work.file(rel).parent.mkdir(parents=True, exist_ok=True)
    work.file(rel).write_bytes(data)
    lock = work.top / ".git" / "index.lock"
    lock.touch()
    assert class_of(work.look(), rel) == "guest"
    assert rel not in work.memory.state().pending
    lock.unlink()
    assert class_of(work.look(), rel) == "waiting"


def test_staged_record_of_somebody_else_is_a_guest_without_any_operation(work: Worktree):
    theirs = stopped_merge(work)
    work("merge", "--abort")
    work("checkout", "-q", "theirs", "--", paths.WORKSPACE_DIR)
    assert class_of(work.look(), theirs) == "guest"
    work("reset", "-q", "--hard")
    assert class_of(work.look(), theirs) is None


def test_reverted_record_is_withdrawn_and_named(work: Worktree):
    rel = work.remember()
    work.commit()
    work("revert", "--no-edit", "HEAD")
    present = work.look()
    assert class_of(present, rel) == "withdrawn"
    work("revert", "--no-edit", "HEAD")
    assert class_of(work.look(), rel) == "committed"


def test_removed_record_is_withdrawn_after_the_commit_and_not_before(work: Worktree):
    rel = work.remember()
    work.commit()
    work("rm", "-q", f".continuity/{rel}")
    assert class_of(work.look(), rel) == "committed"
    work("commit", "-qm", "remove")
    assert class_of(work.look(), rel) == "withdrawn"


def test_record_removed_from_the_index_alone_is_a_guest_and_never_put_back(work: Worktree):
    rel = work.remember()
    work.commit()
    work("rm", "-q", "--cached", f".continuity/{rel}")
    assert class_of(work.look(), rel) == "committed"
    work("commit", "-qm", "untrack")
    assert class_of(work.look(), rel) == "guest"
    assert rel not in work.memory.state().pending
    work("clean", "-qfd")
    assert class_of(work.look(), rel) == "withdrawn"
    work("checkout", "-q", "HEAD~1")
    assert class_of(work.look(), rel) == "committed"


def test_record_withdrawn_after_its_commit_was_amended(work: Worktree):
    rel = work.remember()
    work.commit()
    work.look()
    work("commit", "-q", "--amend", "-m", "reworded")
    work.look()
    work("reflog", "expire", "--expire=now", "--all")
    work("gc", "-q", "--prune=now")
    work("rm", "-q", f".continuity/{rel}")
    work("commit", "-qm", "remove")
    assert class_of(work.look(), rel) == "withdrawn"


def test_hard_reset_strands_and_a_mixed_one_lets_wait_again(work: Worktree):
    rel = work.remember()
    work.commit()
    work.look()
    work("reset", "-q", "HEAD~1")
    assert class_of(work.look(), rel) == "waiting"
    work.commit()
    work.look()
    work("reset", "-q", "--hard", "HEAD~1")
    assert class_of(work.look(), rel) == "stranded"


def test_orphan_branch_has_no_workspace_and_waiting_records_go_on_waiting(work: Worktree):
    committed = work.remember()
    work.commit()
    waiting = work.remember()
    work("switch", "-q", "--orphan", "empty")
    present = work.look()
    assert present.workspace is Workspace.ABSENT
    assert present.waiting == (waiting,)
    assert class_of(present, committed) == "elsewhere"
    work("switch", "-q", "main")
    assert class_of(work.look(), waiting) == "waiting"


def test_branch_older_than_the_workspace_adopts_and_puts_back_nothing(work: Worktree):
    waiting = work.remember()
    work("checkout", "-q", "old")
    stray, data = an_episode(work.rng)
    work.file(stray).write_bytes(data)
    work("clean", "-qfd", "--", f".continuity/{waiting}")
    present = work.look()
    assert present.workspace is Workspace.ABSENT
    assert present.waiting == (waiting,)
    assert not work.file(waiting).exists()
    work("checkout", "-q", "main")
    present = work.look()
    assert set(present.waiting) == {waiting, stray}
    assert present.put_back == (waiting,)


def test_workspace_before_the_first_commit(tmp_path: Path, git: Run):
    git(tmp_path, "init", "-q")
    work = Worktree(tmp_path, git, Memory(tmp_path), Random(1))
    work.memory.init()
    rel = work.remember()
    present = work.look()
    assert present.head is None
    assert class_of(present, rel) == "waiting"
    work("clean", "-qfdx")
    assert paths.WORKSPACE_FILE in work.look().put_back
    work.commit()
    assert class_of(work.look(), rel) == "committed"
