"""Each condition under which a waiting file joins a commit, taken away by itself; and faults that let a commit pass."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.githooks.variables import read_making
from cc_git.model.ids import is_id
from cc_git.model.marks import Tombstone
from cc_git.model.who import Who
from cc_git.store.commit_gate import CommitGate, Committing
from cc_git.store.confirmations import Confirmations
from cc_git.store.git import Git
from cc_git.store.into_commit import Addition, add_waiting
from cc_git.store.place import Place
from cc_git.store.trees import object_id
from cc_git.store.user_index import UserIndex
from cc_git.store.waiting_mark import marked
from tests.kinds import KINDS

from .histories.memory import Memory, an_episode
from .twins import Side, Twins, install, make_twins


@dataclass(frozen=True)
class Submodule(Memory):
    """Its Git directory lies in the repository around it."""

    git_dir: Path = Path()

    @property
    def place(self) -> Place:
        return Place(self.top, self.git_dir, self.git_dir, self.prefix)


def offer(twins: Twins, index: str = ".git/index") -> Addition:
    """What the hook would add to the commit that is made from this index."""
    making = read_making(twins.ours.top, {**os.environ, "GIT_INDEX_FILE": index})
    git = Git(making.place(""))
    gate = CommitGate(Committing(making.place(""), git, UserIndex(git, making.index), making.head))
    return add_waiting(making, marked(making.git_dir), git, gate)


@pytest.fixture
def twins(tmp_path: Path) -> Twins:
    made = make_twins(tmp_path)
    made.ours.write("code.c", "changed\n")
    made.ours.run("add", "code.c")
    return made


def test_everything_that_waits_is_offered_to_an_ordinary_commit(twins: Twins) -> None:
    assert set(offer(twins).paths) == {f".continuity/{rel}" for rel in twins.waiting}


def _somebody_elses_index(twins: Twins) -> str:
    folder = twins.ours.top.parent / "scratch"
    folder.mkdir()
    (folder / "index").write_bytes((twins.ours.top / ".git" / "index").read_bytes())
    return str(folder / "index")


def _partial_index(twins: Twins) -> str:
    name = ".git/next-index-1.lock"
    (twins.ours.top / name).write_bytes((twins.ours.top / ".git" / "index").read_bytes())
    return name


@pytest.mark.parametrize("index", [_somebody_elses_index, _partial_index])
def test_another_index_than_the_worktrees_own_takes_nothing(twins: Twins, index: Callable[[Twins], str]) -> None:
    assert offer(twins, index(twins)).paths == ()


def test_without_the_variable_nothing_is_added(twins: Twins) -> None:
    assert read_making(twins.ours.top, os.environ).index is None


@pytest.mark.parametrize(
    "mark", ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply", "sequencer"]
)
def test_during_an_operation_nothing_is_added(twins: Twins, mark: str) -> None:
    (twins.ours.top / ".git" / mark).write_text("")
    assert offer(twins).paths == ()


def _edited(twins: Twins, path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"# by hand\n")


def _removed(twins: Twins, path: Path) -> None:
    path.unlink()


def _a_link(twins: Twins, path: Path) -> None:
    kept = twins.ours.top.parent / "elsewhere"
    path.rename(kept)
    path.symlink_to(kept)


def _a_folder(twins: Twins, path: Path) -> None:
    path.unlink()
    path.mkdir()


def _staged_otherwise(twins: Twins, path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(b"the user's own\n")
    twins.ours.run("add", str(path))
    path.write_bytes(data)


def _committed_and_taken_out_again(twins: Twins, path: Path) -> None:
    """By git alone, so the journal still takes it for pending."""
    twins.ours.run("add", str(path))
    twins.ours.run("commit", "-q", "--no-verify", "-m", "in", "--", str(path))
    twins.ours.run("rm", "-q", "--cached", str(path))


def _committed_and_removed_in_a_commit(twins: Twins, path: Path) -> None:
    _committed_and_taken_out_again(twins, path)
    twins.ours.run("commit", "-q", "--no-verify", "-m", "out")
    twins.ours.write("code.c", "changed again\n")
    twins.ours.run("add", "code.c")


def _stage_tombstone(twins: Twins, path: Path) -> dict[str, bytes]:
    """As anybody may write it."""
    tomb = paths.tombstone_path(path.stem)
    assert is_id(path.stem)
    data = encode(Tombstone(id=path.stem))
    twins.ours.write(f".continuity/{tomb}", data.decode())
    twins.ours.run("add", f".continuity/{tomb}")
    return {tomb: data}


def _forgotten(twins: Twins, path: Path) -> None:
    wide = len(twins.ours.ask("rev-parse", "HEAD")) == 64
    staged = _stage_tombstone(twins, path)
    blobs = {tomb: object_id("blob", data, "sha256" if wide else "sha1") for tomb, data in staged.items()}
    ana = Who("human:ana", is_agent=False, at_terminal=True)
    Confirmations(twins.memory.place).confirm(blobs, ana, datetime(2026, 11, 30, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    "spoil",
    [
        _edited,
        _removed,
        _a_link,
        _a_folder,
        _staged_otherwise,
        _committed_and_taken_out_again,
        _committed_and_removed_in_a_commit,
        _forgotten,
    ],
)
def test_a_file_that_may_not_join_is_left_as_it_is(twins: Twins, spoil: Callable[[Twins, Path], None]) -> None:
    spoiled, other = (f".continuity/{rel}" for rel in twins.waiting)
    spoil(twins, twins.ours.top / spoiled)
    before = twins.ours.ask("ls-files", "-s", "--", spoiled)
    assert offer(twins).paths == (other,)
    assert twins.ours.ask("ls-files", "-s", "--", spoiled) == before


def test_nothing_is_added_on_a_branch_without_the_workspace(twins: Twins) -> None:
    twins.ours.run("rm", "-q", "--cached", f".continuity/{paths.WORKSPACE_FILE}")
    assert offer(twins).paths == ()


def test_a_workspace_that_waits_itself_comes_along(tmp_path: Path) -> None:
    twins = make_twins(tmp_path)
    other = twins.ours.top / "services" / "a"
    other.mkdir(parents=True)
    twins.ours.write("services/a/code.c", "a\n")
    memory = Memory(twins.ours.top, "services/a/.continuity")
    memory.init()
    rel, _ = memory.remember(Random(1))
    twins.ours.run("add", "services/a/code.c")
    added = offer(twins).paths
    assert f"services/a/.continuity/{paths.WORKSPACE_FILE}" in added
    assert f"services/a/.continuity/{rel}" in added
    assert f".continuity/{next(iter(twins.waiting))}" in added


@pytest.mark.parametrize("policy", ['[policy]\ncommit = "by-hand"\n', "<<<<<<< HEAD\n", "policy = 1\n"])
def test_a_policy_against_it_or_unreadable_keeps_records_waiting(twins: Twins, policy: str) -> None:
    twins.ours.write(f".continuity/{paths.WORKSPACE_FILE}", f'format = "cc-git/1"\n{policy}')
    assert offer(twins).paths == ()


def test_private_files_never_join(twins: Twins) -> None:
    rel, data = an_episode(Random(3))
    twins.memory.write({paths.private(rel): data})
    twins.ours.git("commit", "-qm", "x")
    assert paths.private("") not in twins.ours.ask("ls-files")
    assert len(twins.ours.ask("ls-files", "--", f".continuity/{paths.EPISODES}").splitlines()) == 2


def test_a_worktree_takes_its_own_records_alone(twins: Twins) -> None:
    linked = twins.ours.top.parent / "linked"
    twins.ours.run("worktree", "add", "-q", str(linked))
    memory = Memory(linked)
    rel, _ = memory.remember(Random(11))
    (linked / "code.c").write_text("in the worktree\n")
    assert twins.ours.run("commit", "-qam", "there", cwd=linked) == 0
    listed = twins.ours.ask("show", "--format=", "--name-only", "HEAD", cwd=linked).splitlines()
    assert listed == [f".continuity/{rel}", "code.c"]
    assert set(twins.memory.look().waiting) == set(twins.waiting)


def test_a_submodule_has_records_of_its_own(twins: Twins) -> None:
    around = twins.ours.top.parent / "around"
    twins.ours.run("init", "-q", str(around))
    twins.ours.run("submodule", "--quiet", "add", str(twins.ours.top), "sub", cwd=around)
    git_dir = around / ".git" / "modules" / "sub"
    memory = Submodule(around / "sub", git_dir=git_dir)
    install(memory)
    rel, _ = memory.remember(Random(13))
    (memory.top / "code.c").write_text("in the submodule\n")
    assert twins.ours.run("commit", "-qam", "inside", cwd=memory.top) == 0
    assert f".continuity/{rel}" in twins.ours.ask("show", "--format=", "--name-only", "HEAD", cwd=memory.top)
    assert twins.ours.run("commit", "-qam", "outside", cwd=around) == 0


@pytest.mark.parametrize("unborn", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_what_libgit2_does_not_serve_is_added_to_and_checked_alike(
    tmp_path: Path, unborn: bool, kind: str, of_kind: Callable[[str], None]
) -> None:
    of_kind(kind)
    side = Side(tmp_path / "wide", ours=True)
    side.top.mkdir()
    side.run("init", "-q")
    if not unborn:
        side.run("commit", "-qm", "base", "--allow-empty")
    memory = Memory(side.top)
    memory.init()
    install(memory)
    rel, _ = memory.remember(Random(3))
    side.write("code.c", "c\n")
    side.run("add", "code.c")
    side.said = ""
    side.git("commit", "-qm", "x")
    assert side.said == "$ git commit -qm x\n"
    assert f".continuity/{rel}" in side.ask("ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert memory.look().waiting == ()
    side.write(f".continuity/{paths.WORKSPACE_FILE}", "broken =\n")
    side.git("commit", "-qam", "y")
    assert side.codes == [0, 1]


def test_a_journal_that_no_engine_can_open_lets_the_commit_through(twins: Twins) -> None:
    journal = twins.ours.top / ".git" / "continuity" / "journal.git" / "config"
    journal.write_text(re.sub(r"version = \d", "version = 7", journal.read_text()))
    twins.ours.git("commit", "-qm", "x")
    assert twins.ours.codes == [0]
    assert "cc-git: what waits goes on waiting" in twins.ours.said


def test_the_first_commit_of_a_repository_takes_the_workspace_along(tmp_path: Path) -> None:
    twins = make_twins(tmp_path)
    twins.ours.run("switch", "-q", "--orphan", "fresh")
    memory = Memory(tmp_path / "new")
    memory.top.mkdir()
    twins.ours.run("init", "-q", cwd=memory.top)
    memory.init()
    install(memory)
    rel, _ = memory.remember(Random(5))
    (memory.top / "code.c").write_text("c\n")
    twins.ours.run("add", "code.c", cwd=memory.top)
    assert twins.ours.run("commit", "-qm", "first", cwd=memory.top) == 0
    listed = twins.ours.ask("ls-files", cwd=memory.top).splitlines()
    assert f".continuity/{rel}" in listed
    assert f".continuity/{paths.WORKSPACE_FILE}" in listed


def test_files_outside_the_sparse_cone_join_all_the_same(twins: Twins) -> None:
    twins.ours.write("kept/code.c", "k\n")
    twins.ours.run("add", "-A", "kept")
    twins.ours.run("commit", "-q", "--no-verify", "-m", "kept")
    rel, data = an_episode(Random(9))
    twins.memory.write({rel: data})
    twins.ours.run("sparse-checkout", "set", "--cone", "kept")
    twins.ours.write(f".continuity/{rel}", data.decode())
    twins.ours.write(f".continuity/{paths.WORKSPACE_FILE}", 'format = "cc-git/1"\n')
    twins.ours.write("kept/code.c", "K\n")
    twins.ours.git("commit", "-qam", "x")
    assert twins.ours.codes == [0]
    assert f".continuity/{rel}" in twins.ours.ask("ls-tree", "-r", "--name-only", "HEAD").splitlines()


def test_a_note_that_cannot_be_written_lets_the_commit_through_without_records(twins: Twins) -> None:
    (twins.ours.top / ".git" / "continuity" / "added").mkdir()
    twins.ours.git("commit", "-qm", "x")
    assert twins.ours.codes == [0]
    assert "cc-git: what waits goes on waiting" in twins.ours.said
    assert twins.ours.ask("show", "--format=", "--name-only", "HEAD") == "code.c"
    (twins.ours.top / ".git" / "continuity" / "added").rmdir()
    assert set(twins.memory.look().waiting) == set(twins.waiting)


def test_a_damaged_journal_lets_the_commit_through(twins: Twins) -> None:
    for loose in (twins.ours.top / ".git" / "continuity" / "journal.git" / "objects").glob("??"):
        shutil.rmtree(loose)
    twins.ours.git("commit", "-qm", "x")
    assert twins.ours.codes == [0]
    assert "cc-git: what waits goes on waiting" in twins.ours.said


@pytest.mark.parametrize("program", ["/nowhere/python", "/usr/bin/false", "without cc-git"])
def test_a_program_that_is_gone_lets_the_commit_through_and_says_so(twins: Twins, program: str, tmp_path: Path) -> None:
    if program == "without cc-git":
        program = str(tmp_path / "python")
        Path(program).write_text(f'#!/bin/sh\nunset PYTHONPATH; exec {sys.base_prefix}/bin/python3 -I "$@"\n')
        Path(program).chmod(0o755)
    install(twins.memory, program)
    twins.ours.git("commit", "-qm", "x", PATH="/usr/bin:/bin")
    assert twins.ours.codes == [0]
    assert "cc-git: records were neither added nor checked" in twins.ours.said
    assert twins.ours.ask("show", "--format=", "--name-only", "HEAD") == "code.c"


def test_a_program_that_moved_is_found_by_the_path(twins: Twins, tmp_path: Path) -> None:
    found = tmp_path / "bin" / "cc-git-hook"
    found.parent.mkdir()
    found.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m cc_git.githooks "$@"\n')
    found.chmod(0o755)
    install(twins.memory, "/nowhere/python")
    twins.ours.git("commit", "-qm", "x", PATH=f"{found.parent}:/usr/bin:/bin")
    assert len(twins.ours.ask("show", "--format=", "--name-only", "HEAD").splitlines()) == 3


def test_code_of_the_repository_is_never_run(twins: Twins) -> None:
    """Python would put the current folder first on its path."""
    for name in ("cc_git/__init__.py", "cc_git/githooks/__main__.py", "pygit2.py", "json.py"):
        twins.ours.write(name, "raise SystemExit(3)\n")
    twins.ours.git("commit", "-qm", "x")
    assert twins.ours.codes == [0]
    assert len(twins.ours.ask("show", "--format=", "--name-only", "HEAD").splitlines()) == 3


def test_a_mark_that_was_lost_is_set_by_the_next_command(twins: Twins) -> None:
    mark = twins.ours.top / ".git" / "continuity" / "waiting"
    kept = mark.read_bytes()
    mark.unlink()
    assert offer(twins).paths == ()
    twins.memory.look()
    assert mark.read_bytes() == kept
    assert len(offer(twins).paths) == 2


def test_the_mark_is_gone_when_nothing_waits_any_more(twins: Twins) -> None:
    twins.ours.git("commit", "-qm", "x")
    assert marked(twins.ours.top / ".git") == (".continuity",)
    twins.memory.look()
    assert marked(twins.ours.top / ".git") == ()
    assert (twins.ours.top / ".git" / "continuity" / "waiting").stat().st_size == 0


def test_the_hook_is_silent_when_all_is_well(twins: Twins) -> None:
    twins.ours.said = ""
    twins.ours.git("commit", "-qm", "x")
    assert twins.ours.said == "$ git commit -qm x\n"


def test_a_tombstone_that_nobody_is_bound_to_keeps_nothing_out_of_a_commit(twins: Twins) -> None:
    waiting = tuple(f".continuity/{rel}" for rel in twins.waiting)
    _stage_tombstone(twins, twins.ours.top / waiting[0])
    assert offer(twins).paths == waiting
