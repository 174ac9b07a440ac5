"""`cc-git commit`: the workspace alone, by the git program; the rest of the index stays the user's."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cc_git.codec import paths
from cc_git.errors import NoWorkspace, Refused
from cc_git.store.added_note import AddedNote, read_note, write_note
from cc_git.store.commit import CommitPlan, Committed, carry_out, plan_commit, summary
from cc_git.store.committing_process import process
from cc_git.store.git_process import GitFailed
from cc_git.store.journal_state import ReflogPosition
from cc_git.store.observe import observe

from .histories.memory import Memory, an_episode
from .twins import Side, Twins, look_script, make_twins


def plan(twins: Twins) -> CommitPlan:
    with twins.memory.command() as sources:
        observe(sources)
        return plan_commit(sources.place, sources.engine, sources.git, sources.journal.read().pending)


def commit(twins: Twins, message: str | None = None) -> Committed:
    with twins.memory.command() as sources:
        observe(sources)
        waiting = sources.journal.read().pending
        made = plan_commit(sources.place, sources.engine, sources.git, waiting)
        return carry_out(made, sources.place, sources.engine, sources.git, message=message)


def changed_in_head(side: Side) -> list[str]:
    return side.ask("show", "--format=", "--name-status", "--no-renames", "HEAD").splitlines()


@pytest.fixture
def twins(tmp_path: Path) -> Twins:
    return make_twins(tmp_path)


def _in(twins: Twins) -> list[str]:
    return sorted(f"A\t.continuity/{rel}" for rel in twins.waiting)


def test_waiting_records_become_a_commit_of_their_own(twins: Twins) -> None:
    made = commit(twins)
    assert made.commit == twins.ours.ask("rev-parse", "HEAD")
    assert made.files == tuple(sorted(twins.waiting))
    assert changed_in_head(twins.ours) == _in(twins)
    assert twins.ours.ask("log", "-1", "--format=%B") == "continuity: 2 episodes"
    assert twins.ours.ask("status", "--porcelain") == ""
    assert read_note(twins.ours.top / ".git") is None


def test_a_message_of_the_users_is_kept(twins: Twins) -> None:
    commit(twins, "Remember the outage\n\nand why")
    assert twins.ours.ask("log", "-1", "--format=%B") == "Remember the outage\n\nand why"


def _staged_change(side: Side) -> None:
    side.write("code.c", "staged\n")
    side.run("add", "code.c")
    side.write("code.c", "staged and more\n")


def _staged_new_file(side: Side) -> None:
    side.write("new.c", "n\n")
    side.run("add", "new.c")


def _intent_to_add(side: Side) -> None:
    side.write("new.c", "n\n")
    side.run("add", "-N", "new.c")


def _staged_deletion(side: Side) -> None:
    side.run("rm", "-q", "other.c")


def _staged_rename(side: Side) -> None:
    side.run("mv", "other.c", "renamed.c")


def _assumed_unchanged(side: Side) -> None:
    side.run("update-index", "--assume-unchanged", "code.c")
    side.write("code.c", "hidden\n")


def _executable(side: Side) -> None:
    side.run("update-index", "--chmod=+x", "code.c")


@pytest.mark.parametrize(
    "prepare",
    [
        _staged_change,
        _staged_new_file,
        _intent_to_add,
        _staged_deletion,
        _staged_rename,
        _assumed_unchanged,
        _executable,
    ],
)
def test_the_rest_of_the_index_is_as_it_was(twins: Twins, prepare: Callable[[Side], None]) -> None:
    for side in (twins.ours, twins.plain):
        prepare(side)
    commit(twins)
    twins.plain.run("commit", "-q", "--only", "--allow-empty", "-m", "continuity: 2 episodes")
    assert twins.ours.seen() == twins.plain.seen()
    assert changed_in_head(twins.ours) == _in(twins)


def test_nothing_to_commit_is_said_and_is_no_error(twins: Twins) -> None:
    commit(twins)
    head = twins.ours.ask("rev-parse", "HEAD")
    assert commit(twins) == Committed(None, (), (), ())
    assert twins.ours.ask("rev-parse", "HEAD") == head


def test_the_users_hooks_run_and_a_refusal_leaves_everything_as_it_was(twins: Twins) -> None:
    _staged_change(twins.ours)
    twins.ours.hook("commit-msg", "echo no such luck >&2; exit 1")
    index = twins.ours.ask("ls-files", "-s", "--debug")
    with pytest.raises(GitFailed) as refused:
        commit(twins)
    assert refused.value.why == "no such luck"
    assert twins.ours.ask("ls-files", "-s") == "\n".join(
        line for line in index.splitlines() if not line.startswith("  ")
    )
    assert set(twins.memory.look().waiting) == set(twins.waiting)
    assert read_note(twins.ours.top / ".git") is None


def test_hooks_see_the_commit_and_a_command_of_ours_in_them_takes_nothing_out(twins: Twins) -> None:
    look = look_script(twins.memory, twins.ours.top.parent)
    twins.ours.hook("commit-msg", f"{look} || exit 1; git diff --cached --name-only > {twins.ours.top.parent}/seen")
    commit(twins)
    seen = (twins.ours.top.parent / "seen").read_text().splitlines()
    assert seen == sorted(f".continuity/{rel}" for rel in twins.waiting)
    assert twins.ours.ask("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("mark", "hint"), [("MERGE_HEAD", "git merge --continue"), ("CHERRY_PICK_HEAD", "git cherry-pick --continue")]
)
def test_during_an_operation_it_is_refused_with_the_command_that_helps(twins: Twins, mark: str, hint: str) -> None:
    (twins.ours.top / ".git" / mark).write_text(twins.ours.ask("rev-parse", "HEAD") + "\n")
    with pytest.raises(Refused) as refused:
        commit(twins)
    assert refused.value.hints[0] == hint


def test_without_the_workspace_on_this_branch_records_keep_waiting(twins: Twins) -> None:
    twins.ours.run("switch", "-q", "--orphan", "fresh")
    with pytest.raises(NoWorkspace, match="this branch has no"):
        commit(twins)


def test_documents_that_people_edited_join(twins: Twins) -> None:
    commit(twins)
    twins.ours.write(f".continuity/{paths.WORKSPACE_FILE}", 'format = "cc-git/1"\nname = "edited"\n')
    assert commit(twins).files == (paths.WORKSPACE_FILE,)
    assert changed_in_head(twins.ours) == [f"M\t.continuity/{paths.WORKSPACE_FILE}"]


def test_an_edited_record_and_a_missing_one_are_left_out_and_named(twins: Twins) -> None:
    commit(twins)
    edited, missing = sorted(twins.waiting)
    twins.ours.write(f".continuity/{edited}", "edited\n")
    (twins.ours.top / ".continuity" / missing).unlink()
    rel, _ = twins.memory.remember(Random(3))
    made = commit(twins)
    assert made.files == (rel,)
    assert made.left_out == (edited, missing)


def test_a_waiting_file_with_other_bytes_is_absent_and_goes_on_waiting(twins: Twins) -> None:
    edited, other = sorted(twins.waiting)
    twins.ours.write(f".continuity/{edited}", "edited\n")
    made = commit(twins)
    assert (made.files, made.absent) == ((other,), (edited,))


def test_a_forgotten_file_that_was_emptied_joins_with_its_tombstone(twins: Twins) -> None:
    commit(twins)
    gone = sorted(twins.waiting)[0]
    identifier = paths.id_at(gone)
    assert identifier is not None
    tomb = paths.tombstone_path(identifier)
    twins.memory.write({tomb: f'format = "cc-git/1"\nid = "{identifier}"\n'.encode()})
    twins.ours.write(f".continuity/{gone}", "")
    assert commit(twins).files == tuple(sorted((gone, tomb)))


def test_what_the_user_staged_below_the_workspace_joins(twins: Twins) -> None:
    twins.ours.run("add", ".continuity")
    assert commit(twins).files == tuple(sorted(twins.waiting))
    assert changed_in_head(twins.ours) == _in(twins)


def test_a_record_taken_out_of_the_index_by_hand_is_not_taken_in_again(twins: Twins) -> None:
    commit(twins)
    out = sorted(twins.waiting)[0]
    twins.ours.run("rm", "-q", "--cached", f".continuity/{out}")
    made = commit(twins)
    assert (made.commit, made.left_out) == (None, (out,))
    assert twins.ours.ask("diff", "--cached", "--name-status") == f"D\t.continuity/{out}"


def test_names_that_look_like_patterns_are_names(twins: Twins) -> None:
    odd = Memory(twins.ours.top, "se*vices/[a]/.continuity")
    odd.init()
    rel, _ = odd.remember(Random(4))
    with odd.command() as sources:
        observe(sources)
        waiting = sources.journal.read().pending
        made = carry_out(
            plan_commit(sources.place, sources.engine, sources.git, waiting),
            sources.place,
            sources.engine,
            sources.git,
        )
    assert rel in made.files
    assert all(line.startswith("A\tse*vices/[a]/.continuity/") for line in changed_in_head(twins.ours))


def test_the_first_commit_of_a_repository_can_be_the_workspace(tmp_path: Path, git: Callable[..., str]) -> None:
    memory = Memory(tmp_path / "new")
    memory.top.mkdir()
    git(memory.top, "init", "-q")
    memory.init()
    twins = Twins(Side(memory.top, ours=True), Side(memory.top, ours=True), memory, {})
    assert paths.WORKSPACE_FILE in commit(twins).files


def test_an_index_that_the_environment_names_is_not_used(twins: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    other = twins.ours.top.parent / "index of a script"
    monkeypatch.setenv("GIT_INDEX_FILE", str(other))
    commit(twins)
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert not other.exists()
    assert twins.ours.ask("status", "--porcelain") == ""


def test_while_another_commit_is_being_made_it_is_refused(twins: Twins) -> None:
    _staged_change(twins.ours)
    here = process(os.getpid())
    write_note(twins.ours.top / ".git", AddedNote({}, ReflogPosition(), here))
    with pytest.raises(Refused, match="another commit is being made"):
        commit(twins)


def test_a_plan_changes_nothing(twins: Twins) -> None:
    before = twins.ours.seen()
    planned = plan(twins)
    assert set(planned.added) == set(twins.waiting)
    assert planned.files == tuple(sorted(twins.waiting))
    assert twins.ours.seen() == before


def test_the_default_message_counts_and_quotes_nothing() -> None:
    rels = [an_episode(Random(n))[0] for n in range(2)]
    assert summary(rels) == "continuity: 2 episodes"
    assert summary([*rels, paths.WORKSPACE_FILE]) == "continuity: 2 episodes, 1 other"
    assert summary([paths.WORKSPACE_FILE, paths.ATTRIBUTES_FILE]) == "continuity: 2 files"
