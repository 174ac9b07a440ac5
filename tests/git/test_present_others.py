"""The present snapshot and what others did: branches of other people, forgetting, and restoring."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.errors import NotWritable, Refused, UsageFault
from cc_git.model.marks import Tombstone
from cc_git.model.who import Who
from cc_git.store import restore as restore_module
from cc_git.store.confirmations import Confirmations
from cc_git.store.trees import object_id

from .histories.memory import an_episode
from .histories.worktree import Run, Worktree, class_of


def _mark(work: Worktree, rel: str) -> None:
    """A tombstone as anybody may write it."""
    mark, data = _tombstone(rel)
    work.memory.write({mark: data})


def _confirm(work: Worktree, rel: str) -> None:
    """The word of a person that it is forgotten, without the tombstone."""
    mark, data = _tombstone(rel)
    ana = Who("human:ana", is_agent=False, at_terminal=True)
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    object_format: Literal["sha1", "sha256"] = "sha256" if len(work("rev-parse", "HEAD")) == 64 else "sha1"
    Confirmations(work.memory.place).confirm({mark: object_id("blob", data, object_format)}, ana, now)


def _tombstone(rel: str) -> tuple[str, bytes]:
    identifier = paths.id_at(rel)
    assert identifier is not None
    return paths.tombstone_path(identifier), encode(Tombstone(id=identifier))


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


def test_forgotten_record_is_out_and_what_is_left_of_it_is_named(work: Worktree):
    rel = work.remember()
    work.commit()
    _mark(work, rel)
    _confirm(work, rel)
    present = work.look()
    assert class_of(present, rel) is None
    assert present.forgotten == (rel,)
    work.file(rel).write_bytes(b"")
    work.commit()
    present = work.look()
    assert (present.forgotten, present.edited, class_of(present, rel)) == ((), (), None)
    with pytest.raises(Refused, match="forgotten"):
        work.memory.restore(rel)


def test_a_tombstone_that_nobody_is_bound_to_takes_nothing_out(work: Worktree):
    committed = work.remember()
    work.commit()
    waiting = work.remember()
    for rel in (committed, waiting):
        _mark(work, rel)
    present = work.look()
    assert (class_of(present, committed), class_of(present, waiting)) == ("committed", "waiting")
    assert (present.hidden, present.forgotten) == (frozenset(), ())


@pytest.mark.parametrize("data", [b"", b"garbage\n"])
def test_neither_does_anything_else_at_its_place_or_elsewhere(work: Worktree, data: bytes):
    rel = work.remember()
    work.commit()
    _confirm(work, rel)
    mark, whole = _tombstone(rel)
    for place, written in ((mark, data), (f"tombstones/junk/{paths.id_at(rel)}.junk", whole)):
        work.file(place).parent.mkdir(parents=True)
        work.file(place).write_bytes(written)
    assert class_of(work.look(), rel) == "committed"


def test_forgotten_record_that_a_stash_brings_back_is_not_adopted(work: Worktree):
    rel = work.remember()
    work("stash", "-u")
    _mark(work, rel)
    _confirm(work, rel)
    work("stash", "pop")
    present = work.look()
    assert class_of(present, rel) is None
    assert rel in present.forgotten


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


def test_what_cannot_be_put_on_disk_is_not_restored(work: Worktree, monkeypatch: pytest.MonkeyPatch):
    rel = work.remember()
    work.commit()
    work("switch", "-q", "-c", "other", "HEAD~1")
    assert class_of(work.look(), rel) == "elsewhere"
    before = work.memory.state()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as without_room:
        without_room.setattr(restore_module, "place_files", full)
        with pytest.raises(NotWritable, match="cannot write"):
            work.memory.restore(rel)
        assert work.memory.state() == before
    work.memory.restore(rel)
    assert class_of(work.look(), rel) == "waiting"


def test_restoring_what_is_here_or_nowhere_says_so(work: Worktree):
    rel = work.remember()
    with pytest.raises(UsageFault, match="is here"):
        work.memory.restore(rel)
    with pytest.raises(UsageFault, match="nothing to restore"):
        work.memory.restore(an_episode(work.rng)[0])
