"""The present snapshot in one Git history each: what the user did, and where the record is then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.errors import Refused, UsageFault
from cc_git.model.marks import Tombstone
from cc_git.store.edits import edits
from cc_git.store.engine import MissingObject
from cc_git.store.git import Git, Ran
from cc_git.store.observe import observe
from cc_git.store.present import EditedAt, PresentSnapshot, Where, Workspace

from .histories.memory import Memory, an_episode

Run = Callable[..., str]


@dataclass
class Worktree:
    """A repository with a committed workspace on `main`."""

    top: Path
    git: Run
    memory: Memory
    rng: Random

    def __call__(self, *words: str) -> str:
        return self.git(self.top, *words)

    def remember(self) -> str:
        rel, _ = self.memory.remember(self.rng)
        return rel

    def commit(self, message: str = "code") -> str:
        with (self.top / "code.c").open("a") as file:
            file.write(f"/* {self.rng.random()} */\n")
        self("add", "-A")
        self("commit", "-qm", message)
        return self("rev-parse", "HEAD")

    def look(self) -> PresentSnapshot:
        return self.memory.look()

    def file(self, rel: str) -> Path:
        return self.top / self.memory.prefix / rel


@pytest.fixture
def work(repository: Path, git: Run) -> Worktree:
    git(repository, "branch", "old")
    tree = Worktree(repository, git, Memory(repository), Random(7))
    tree.memory.init()
    tree.commit("workspace")
    return tree


def class_of(present: PresentSnapshot, rel: str) -> str | None:
    entry = present.entries.get(rel)
    named = {
        entry.where.value if entry else None,
        *(name for name in ("withdrawn", "elsewhere", "stranded") if rel in getattr(present, name)),
    } - {None}
    assert len(named) <= 1
    return named.pop() if named else None


# the ordinary way


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


# operations that stop


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


# taking out


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


# branches without the workspace


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


# reflogs


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


# files that commands take


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


def remember_privately(work: Worktree) -> str:
    rel, data = an_episode(work.rng)
    work.memory.write({paths.private(rel): data})
    return paths.private(rel)


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


# other people


def test_pushed_record_is_watched_no_longer(work: Worktree, tmp_path: Path, git: Run):
    rel = work.remember()
    work.commit()
    work.look()
    assert rel in work.memory.state().watch
    git(tmp_path, "init", "-q", "--bare", "far.git")
    work("remote", "add", "far", str(tmp_path / "far.git"))
    work("push", "-q", "far", "main")
    assert class_of(work.look(), rel) == "committed"
    assert rel not in work.memory.state().watch


def test_other_bytes_at_a_waiting_path_on_another_branch_take_nothing_out(work: Worktree):
    rel = work.remember()
    blob = work("hash-object", "-w", "code.c")
    work("update-index", "--add", "--cacheinfo", f"100644,{blob},.continuity/{rel}")
    tree = work("write-tree")
    work("reset", "-q")
    work("update-ref", "refs/remotes/far/main", work("commit-tree", "-m", "hostile", tree))
    work.file(rel).unlink()
    present = work.look()
    assert class_of(present, rel) == "waiting"
    assert present.put_back == (rel,)


def test_private_files_that_a_branch_tracks_are_never_in(work: Worktree):
    rel, data = an_episode(work.rng)
    rel = paths.private(rel)
    work.file(rel).parent.mkdir(parents=True)
    work.file(rel).write_bytes(data)
    work("add", "-f", f".continuity/{rel}")
    present = work.look()
    assert class_of(present, rel) is None
    assert [fault.rel for fault in present.faults] == [rel]
    work("commit", "-qm", "tracked")
    present = work.look()
    assert class_of(present, rel) is None
    assert present.hidden == frozenset({rel})
    assert work.memory.state().private == {}


# edits


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


# forgetting


def test_forgotten_record_is_out_and_what_is_left_of_it_is_named(work: Worktree):
    rel = work.remember()
    work.commit()
    identifier = paths.id_at(rel)
    assert identifier is not None
    work.memory.write({paths.tombstone_path(identifier): encode(Tombstone(id=identifier))})
    present = work.look()
    assert class_of(present, rel) is None
    assert present.forgotten == (rel,)
    work.file(rel).write_bytes(b"")
    work.commit()
    present = work.look()
    assert (present.forgotten, present.edited, class_of(present, rel)) == ((), (), None)
    with pytest.raises(Refused, match="forgotten"):
        work.memory.restore(rel)


def test_forgotten_record_that_a_stash_brings_back_is_not_adopted(work: Worktree):
    rel = work.remember()
    work("stash", "-u")
    identifier = paths.id_at(rel)
    assert identifier is not None
    work.memory.write({paths.tombstone_path(identifier): encode(Tombstone(id=identifier))})
    work("stash", "pop")
    present = work.look()
    assert class_of(present, rel) is None
    assert rel in present.forgotten


# restoring


def test_restored_record_waits_with_its_file_and_goes_with_the_next_commit(work: Worktree):
    rel, data = work.memory.remember(work.rng)
    work.commit()
    work("revert", "--no-edit", "HEAD")
    work.look()
    identifier = paths.id_at(rel)
    assert identifier is not None
    assert work.memory.restore(identifier).rel == rel
    assert work.file(rel).read_bytes() == data
    assert class_of(work.look(), rel) == "waiting"
    work.commit()
    assert class_of(work.look(), rel) == "committed"


def test_restoring_from_a_branch_that_this_clone_only_fetched(work: Worktree):
    rel = work.remember()
    work.commit()
    work("update-ref", "refs/remotes/far/main", "HEAD")
    work.look()
    work("reset", "-q", "--hard", "HEAD~1")
    assert class_of(work.look(), rel) is None
    work.memory.restore(rel)
    assert class_of(work.look(), rel) == "waiting"


def test_restoring_what_is_here_or_nowhere_says_so(work: Worktree):
    rel = work.remember()
    with pytest.raises(UsageFault, match="is here"):
        work.memory.restore(rel)
    with pytest.raises(UsageFault, match="nothing to restore"):
        work.memory.restore(an_episode(work.rng)[0])


# where nothing can be written, or not there


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
