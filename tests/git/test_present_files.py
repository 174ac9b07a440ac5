"""The present snapshot when commands take the files: clean, stash, worktrees, and folders that cannot be written."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from cc_git.codec import paths
from cc_git.store.engine import MissingObject

from .histories.memory import Memory, an_episode
from .histories.worktree import Run, Worktree, class_of, remember_privately


def test_clean_takes_files_and_not_memory(work: Worktree):
    public = work.remember()
    private, data = an_episode(work.rng)
    private = paths.private(private)
    work.memory.write({private: data})
    work("clean", "-qfdx")
    assert set(work.look().put_back) == {public, private}
    assert work.file(private).read_bytes() == data
    assert work("status", "--porcelain", "-uall") == f"?? .continuity/{public}"


def test_stashed_record_stays_in_and_its_file_comes_back_with_the_stash(work: Worktree):
    rel = work.remember()
    work("stash", "-u")
    present = work.look()
    assert class_of(present, rel) == "waiting"
    assert not work.file(rel).exists()
    work("stash", "pop")
    assert work.file(rel).exists()
    work("stash", "-u")
    work.look()
    work("stash", "drop")
    assert work.look().put_back == (rel,)


def test_private_tier_in_a_stash_is_left_there_until_it_is_popped(work: Worktree):
    """With any private file back on disk, `git stash pop` would restore nothing."""
    public, private = work.remember(), remember_privately(work)
    work("stash", "-a")
    later, later_private = work.remember(), remember_privately(work)
    present = work.look()
    assert [class_of(present, rel) for rel in (public, later)] == ["waiting", "waiting"]
    assert [class_of(present, rel) for rel in (private, later_private)] == ["private", "private"]
    assert not work.file(paths.PRIVATE_DIR).exists()
    assert work.file(later).exists()
    work("stash", "pop")
    assert work.look().put_back == (later_private,)
    assert all(work.file(rel).exists() for rel in (public, private, later, later_private))


def test_attributes_that_another_branch_has_are_not_made_again(work: Worktree):
    work("checkout", "-qb", "without")
    work("rm", "-q", "--cached", f".continuity/{paths.ATTRIBUTES_FILE}")
    work("commit", "-qm", "without attributes")
    work.file(paths.ATTRIBUTES_FILE).unlink()
    work.remember()
    work("checkout", "-q", "main")
    assert work.file(paths.ATTRIBUTES_FILE).exists()


def test_stash_in_one_worktree_popped_in_another(work: Worktree, tmp_path: Path):
    other_top = tmp_path / "other"
    work("worktree", "add", "-q", str(other_top), "-b", "other")
    other = Worktree(other_top, work.git, Memory(other_top), Random(8))
    rel = work.remember()
    work("stash", "-u")
    assert class_of(other.look(), rel) is None
    other("stash", "pop")
    assert class_of(other.look(), rel) == "waiting"
    assert class_of(work.look(), rel) == "waiting"
    assert work.file(rel).exists()
    other.commit()
    assert class_of(other.look(), rel) == "committed"
    assert class_of(work.look(), rel) == "waiting"
    work("clean", "-qfd")
    assert class_of(work.look(), rel) == "elsewhere"
    work("merge", "-q", "other")
    assert class_of(work.look(), rel) == "committed"


def test_worktrees_wait_apart(work: Worktree, tmp_path: Path):
    other_top = tmp_path / "other"
    work("worktree", "add", "-q", str(other_top), "-b", "other")
    rel = work.remember()
    assert Memory(other_top).look().waiting == ()
    assert work.look().waiting == (rel,)


def test_bare_repository_reads_heads_files(work: Worktree, tmp_path: Path, git: Run):
    rel = work.remember()
    work.commit()
    git(tmp_path, "clone", "-q", "--bare", str(work.top), "bare.git")
    bare = tmp_path / "bare.git"
    present = Memory(bare, bare=True).look()
    assert class_of(present, rel) == "committed"
    assert not (bare / "continuity").exists()


def test_where_nothing_can_be_kept_the_same_rule_holds(work: Worktree, tmp_path: Path, git: Run):
    git(tmp_path, "clone", "-q", str(work.top), "clone")
    clone = Worktree(tmp_path / "clone", git, Memory(tmp_path / "clone"), Random(3))
    rel, data = an_episode(clone.rng)
    clone.file(rel).parent.mkdir(parents=True)
    clone.file(rel).write_bytes(data)
    # Root may write into a read-only folder, but nobody makes files in the kernel's.
    kernel = Path("/sys/kernel")
    if not kernel.is_dir():
        pytest.skip("needs a folder in which not even root makes files")
    (clone.top / ".git" / "continuity").symlink_to(kernel)
    present = clone.look()
    assert class_of(present, rel) == "waiting"
    assert present.loose[present.entries[rel].oid] == data
    assert present.adopted == ()
    assert clone.memory.state().pending == {}


def test_folder_that_is_a_link_is_neither_read_nor_written_through(work: Worktree, tmp_path: Path):
    rel = work.remember()
    outside = tmp_path / "outside"
    work.file(paths.EPISODES).rename(outside)
    work.file(paths.EPISODES).symlink_to(outside)
    (outside / rel.removeprefix("episodes/")).unlink()
    stray, data = an_episode(work.rng)
    (outside / stray.removeprefix("episodes/")).write_bytes(data)
    present = work.look()
    assert [fault.rel for fault in present.faults] == [rel]
    assert class_of(present, rel) == "waiting"
    assert class_of(present, stray) is None
    assert not (outside / rel.removeprefix("episodes/")).exists()


def test_workspace_below_a_folder_with_pattern_characters(tmp_path: Path, git: Run):
    git(tmp_path, "init", "-q")
    memory = Memory(tmp_path, "ser[v]ices/*/.continuity")
    work = Worktree(tmp_path, git, memory, Random(2))
    memory.init()
    work.commit()
    rel, data = an_episode(work.rng)
    work.file(rel).parent.mkdir(parents=True, exist_ok=True)
    work.file(rel).write_bytes(data)
    assert class_of(work.look(), rel) == "waiting"
    work("rm", "-rq", "--cached", ".")
    work("add", "-A")
    other, data = an_episode(work.rng)
    work.file(other).write_bytes(data)
    work("add", "-A")
    assert class_of(work.look(), other) == "guest"


def test_journals_bytes_serve_where_the_commit_was_collected(work: Worktree):
    rel, data = work.memory.remember(work.rng)
    commit = work.commit()
    work.look()
    work("reset", "-q", "--hard", "HEAD~1")
    work("reflog", "expire", "--expire=now", "--all")
    work("gc", "-q", "--prune=now")
    present = work.look()
    with work.memory.command() as sources:
        with pytest.raises(MissingObject):
            sources.engine.commit(commit)
        assert present.stranded == (rel,)
        assert sources.journal.blob(sources.journal.read().watch[rel].blob) == data
