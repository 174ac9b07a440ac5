"""What takes away counts wherever this clone has ever seen it; what anybody may push only withholds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cc_git.codec.files import path_for
from cc_git.errors import Refused
from cc_git.model.marks import Ending, Tombstone
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.cache import MemoryCache
from cc_git.store.confirmations import Confirmations
from cc_git.store.journal import Journal
from cc_git.store.negative_acts import NegativeActs
from cc_git.store.negatives import HERE, NegativesOfClone, SnapshotAt
from cc_git.store.place import Place
from cc_git.store.present import Entries
from cc_git.store.pygit2_engine import open_engine
from cc_git.store.seen_negatives import SeenNegatives
from tests.store.worlds import AGENT, ANA, NOW, Clone, a_clone, a_record, a_ruling, a_workspace, an_id, revoke

GRANT = a_record("permission", 1)
REVOKE = revoke(1, GRANT.id)


@pytest.fixture
def origin(tmp_path: Path) -> Clone:
    return a_workspace(tmp_path / "origin", GRANT)


@pytest.fixture
def clone(origin: Clone, tmp_path: Path) -> Clone:
    return a_clone(origin, tmp_path / "clone")


def on_branch(repository: Clone, branch: str, *values: object) -> None:
    repository.git("switch", "-q", "-c", branch)
    repository.commit(*values)  # type: ignore[arg-type]
    repository.git("switch", "-q", "main")


def test_nothing_elsewhere_gives_nothing(clone: Clone) -> None:
    assert clone.negatives().sightings == ()
    assert clone.negatives().value.seen == {}


def test_a_revoke_on_a_branch_that_was_only_fetched_withholds(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "ben", REVOKE)
    clone.git("fetch", "-q")
    found = clone.negatives()
    [one] = found.sightings
    assert (one.id, one.force, one.branch) == (REVOKE.id, "withholds", "refs/remotes/origin/ben")
    assert one.author == "Ana Test <ana@example.org>"
    [negative] = found.value.seen.values()
    assert negative.filed.value == REVOKE
    assert (negative.force, negative.branch) == ("withholds", "refs/remotes/origin/ben")


def test_it_stays_after_the_branch_was_deleted_and_pruned(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "ben", REVOKE)
    clone.git("fetch", "-q")
    clone.git("branch", "local-ben", "origin/ben")
    assert clone.forces() == {REVOKE.id: "withholds"}
    origin.git("branch", "-D", "ben")
    clone.git("fetch", "-q", "--prune")
    clone.git("branch", "-D", "local-ben")
    clone.git("reflog", "expire", "--expire=now", "--all")
    clone.git("gc", "-q", "--prune=now")
    clone.cache = MemoryCache()
    assert clone.forces() == {REVOKE.id: "withholds"}
    assert next(iter(clone.negatives().value.seen.values())).filed.value == REVOKE


def test_a_local_branch_that_was_deleted_between_two_commands_still_counts(clone: Clone) -> None:
    clone.put(REVOKE)
    clone.negatives()
    clone.git("switch", "-q", "-c", "work")
    clone.git("add", "-A")
    clone.git("commit", "-q", "-m", "revoke")
    clone.git("switch", "-q", "main")
    clone.git("branch", "-D", "work")
    found = clone.negatives()
    assert [(one.id, one.force, one.branch) for one in found.sightings] == [(REVOKE.id, "counts", HERE)]


def test_a_reverted_revoke_still_counts_and_is_named_lost(clone: Clone) -> None:
    clone.commit(REVOKE)
    assert clone.forces() == {}
    clone.git("revert", "--no-edit", "HEAD")
    [one] = clone.negatives().sightings
    assert (one.id, one.force, one.lost) == (REVOKE.id, "counts", True)


def test_a_fresh_clone_of_a_history_that_lost_a_revoke_honours_it(origin: Clone, tmp_path: Path) -> None:
    origin.commit(REVOKE)
    origin.remove(REVOKE)
    fresh = a_clone(origin, tmp_path / "fresh")
    [one] = fresh.negatives().sightings
    assert (one.id, one.force, one.lost, one.branch) == (REVOKE.id, "counts", True, "refs/heads/main")


def test_a_revoke_that_a_merge_dropped_counts(clone: Clone) -> None:
    on_branch(clone, "ben", REVOKE)
    clone.git("merge", "-q", "-s", "ours", "-m", "drop it", "ben")
    clone.git("branch", "-D", "ben")
    assert clone.forces() == {REVOKE.id: "counts"}


def test_a_revoke_brought_in_by_a_merge_commit_itself_counts_after_its_removal(clone: Clone) -> None:
    on_branch(clone, "ben", a_record("decision", 2))
    clone.git("merge", "-q", "--no-ff", "--no-commit", "ben")
    clone.commit(REVOKE)
    clone.remove(REVOKE)
    assert clone.forces() == {REVOKE.id: "counts"}


def test_a_hostile_branch_full_of_tombstones_only_withholds(origin: Clone, clone: Clone) -> None:
    decisions = [a_record("decision", number) for number in range(10, 30)]
    origin.commit(*decisions)
    clone.git("pull", "-q")
    on_branch(origin, "evil", *(Tombstone(id=d.id) for d in decisions), *(Ending(id=d.id) for d in decisions))
    clone.git("fetch", "-q")
    found = clone.negatives()
    assert {one.force for one in found.sightings} == {"withholds"}
    assert len(found.sightings) == 40
    assert found.forgotten == frozenset()


def test_looking_at_a_hostile_branch_once_does_not_make_it_count(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "evil", Tombstone(id=GRANT.id))
    clone.git("fetch", "-q")
    clone.git("switch", "-q", "--detach", "origin/evil")
    clone.negatives()
    clone.git("switch", "-q", "main")
    assert set(clone.forces().values()) == {"withholds"}


def test_what_the_accepted_branch_has_counts(origin: Clone, clone: Clone) -> None:
    clone.git("config", "continuity.acceptedRef", "origin/ben")
    on_branch(origin, "ben", REVOKE, Tombstone(id=an_unrelated_id()))
    clone.git("fetch", "-q")
    found = clone.negatives()
    assert {one.force for one in found.sightings} == {"counts"}
    assert found.forgotten == {an_unrelated_id()}


def test_what_the_accepted_branch_had_counts(origin: Clone, clone: Clone) -> None:
    clone.git("config", "continuity.acceptedRef", "origin/ben")
    on_branch(origin, "ben", REVOKE)
    origin.git("switch", "-q", "ben")
    origin.remove(REVOKE)
    clone.git("fetch", "-q")
    assert clone.forces() == {REVOKE.id: "counts"}


def test_what_another_worktree_only_wrote_counts_here(clone: Clone, tmp_path: Path) -> None:
    other = Clone(tmp_path / "other")
    clone.git("worktree", "add", "-q", "-b", "side", str(other.top))
    other.put(REVOKE)
    other.present()
    assert clone.forces() == {REVOKE.id: "counts"}


def test_a_detached_worktree_is_looked_at(origin: Clone, clone: Clone, tmp_path: Path) -> None:
    other = Clone(tmp_path / "other")
    clone.git("worktree", "add", "-q", "--detach", str(other.top))
    other.commit(REVOKE)
    assert clone.forces() == {REVOKE.id: "withholds"}


def test_a_deny_and_a_supersession_of_a_permission_are_negatives_and_a_grant_is_not(
    origin: Clone, clone: Clone
) -> None:
    deny = a_record("permission", 2, effect="deny")
    narrower = a_record("permission", 3, supersedes=(GRANT.id,))
    other_grant = a_record("permission", 4)
    accept = a_ruling("accept", 2, GRANT.id)
    reject = a_ruling("reject", 3, GRANT.id)
    promises = [a_record("commitment", 6, mode="refrain"), a_record("commitment", 7)]
    on_branch(origin, "ben", deny, narrower, other_grant, accept, reject, *promises, a_record("decision", 5))
    clone.git("fetch", "-q")
    assert set(clone.forces()) == {deny.id, narrower.id, reject.id, promises[0].id}


@pytest.mark.parametrize("verb", ["accept", "expire", "archive", "release"])
def test_a_ruling_that_takes_nothing_without_a_person_is_told_of_once_it_is_a_persons(
    verb: str, origin: Clone, clone: Clone
) -> None:
    ruling = a_ruling(verb, 2, GRANT.id, authority="user-explicit")
    on_branch(origin, "ben", ruling, a_ruling(verb, 3, a_record("decision", 5).id))
    clone.git("fetch", "-q")
    assert clone.forces() == {}
    blob = clone.git("rev-parse", f"origin/ben:.continuity/{path_for(ruling)}")
    Confirmations(clone.place).confirm({path_for(ruling): blob}, ANA, NOW)
    assert clone.forces() == {ruling.id: "withholds"}
    clone.git("config", "continuity.acceptedRef", "origin/ben")
    assert clone.forces() == {ruling.id: "counts"}


def test_what_the_accepted_branch_held_is_remembered_when_that_branch_is_rewritten(origin: Clone, clone: Clone) -> None:
    clone.git("config", "continuity.acceptedRef", "origin/main")
    narrower = a_record("permission", 3, supersedes=(GRANT.id,))
    origin.commit(narrower)
    clone.git("fetch", "-q")
    assert list(clone.negatives().once.values()) == [path_for(narrower)]
    origin.git("reset", "-q", "--hard", "HEAD~1")
    clone.git("fetch", "-q")
    clone.git("reflog", "expire", "--expire=now", "--all")
    clone.git("gc", "-q", "--prune=now")
    clone.cache = MemoryCache()
    found = clone.negatives()
    assert list(found.once.values()) == [path_for(narrower)]
    assert {one.id: one.force for one in found.sightings} == {narrower.id: "counts"}


def test_two_contents_of_one_id_are_both_kept(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "ben", REVOKE)
    on_branch(origin, "eva", REVOKE.model_copy(update={"reason": "another reason"}))
    clone.git("fetch", "-q")
    found = clone.negatives()
    assert len(found.sightings) == 2
    assert len(found.value.seen) == 2


def test_an_edited_revoke_in_the_tree_leaves_the_first_one_in_force(clone: Clone) -> None:
    clone.commit(REVOKE)
    clone.commit(REVOKE.model_copy(update={"targets": (a_record("decision", 9).id,)}))
    [one] = clone.negatives().sightings
    assert (one.id, one.force, one.lost) == (REVOKE.id, "counts", True)


def test_damaged_files_and_a_tracked_private_tier_are_no_negatives(origin: Clone, clone: Clone) -> None:
    origin.git("switch", "-q", "-c", "ben")
    for rel in (path_for(REVOKE), f"private/{path_for(REVOKE)}"):
        target = origin.top / ".continuity" / rel
        target.parent.mkdir(parents=True)
        target.write_text("format = 'cc-git/1'\nverb = [" if not rel.startswith("private") else "")
    origin.commit()
    clone.git("fetch", "-q")
    assert clone.forces() == {}


def test_a_person_dismisses_what_withholds(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "ben", REVOKE)
    clone.git("fetch", "-q")
    [one] = clone.negatives().sightings
    before = clone.negatives().digest
    NegativeActs(clone.place).dismiss([(one.rel, one.blob)], ANA, NOW)
    found = clone.negatives()
    assert [s.force for s in found.sightings] == ["dismissed"]
    assert found.value.seen == {}
    assert found.digest != before


def test_what_was_dismissed_counts_once_head_has_it(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "ben", REVOKE)
    clone.git("fetch", "-q")
    [one] = clone.negatives().sightings
    NegativeActs(clone.place).dismiss([(one.rel, one.blob)], ANA, NOW)
    clone.git("merge", "-q", "origin/ben")
    clone.remove(REVOKE)
    assert clone.forces() == {REVOKE.id: "counts"}


def test_a_person_accepts_what_withholds(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "ben", Tombstone(id=GRANT.id))
    clone.git("fetch", "-q")
    [one] = clone.negatives().sightings
    NegativeActs(clone.place).accept([(one.rel, one.blob)], ANA, NOW)
    assert clone.negatives().forgotten == {GRANT.id}


@pytest.mark.parametrize("act", ["accept", "dismiss"])
def test_an_agent_may_neither_accept_nor_dismiss(clone: Clone, act: str) -> None:
    with pytest.raises(Refused, match="only a person"):
        getattr(NegativeActs(clone.place), act)([("rulings/x", "0" * 40)], AGENT, NOW)
    assert NegativeActs(clone.place).read() == {}


def test_with_and_without_a_cache_the_answer_is_the_same(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "ben", REVOKE, a_record("permission", 2, effect="deny"))
    clone.git("fetch", "-q")
    warm = [clone.negatives() for _ in range(3)]
    cold = clone.negatives(cache=MemoryCache())
    assert {found.digest for found in (*warm, cold)} == {cold.digest}
    assert warm[-1].sightings == cold.sightings


def test_the_set_grows_with_what_head_itself_has(clone: Clone) -> None:
    clone.commit(REVOKE)
    clone.negatives()
    journal = Journal.open(clone.place)
    assert [one.blob for one in SeenNegatives(journal).read()] == [blob_of(clone, REVOKE)]


def test_the_bytes_of_what_is_forgotten_are_not_kept_and_history_counts_all_the_same(clone: Clone) -> None:
    clone.commit(REVOKE)
    (clone.top / ".continuity" / path_for(REVOKE)).write_bytes(b"")
    clone.commit(Tombstone(id=REVOKE.id), Ending(id=GRANT.id))
    clone.confirm(Tombstone(id=REVOKE.id))
    assert clone.forces() == {REVOKE.id: "counts"}
    kept = {one.rel for one in SeenNegatives(Journal.open(clone.place)).read()}
    assert kept == {path_for(Tombstone(id=REVOKE.id)), path_for(Ending(id=GRANT.id))}


def test_a_tombstone_that_nobody_is_bound_to_keeps_no_negative_out_of_the_set(clone: Clone) -> None:
    clone.commit(Tombstone(id=REVOKE.id), REVOKE)
    clone.negatives()
    clone.remove(REVOKE)
    assert path_for(REVOKE) in {one.rel for one in SeenNegatives(Journal.open(clone.place)).read()}


def test_a_commit_that_was_pushed_then_dropped_everywhere_gives_nothing_back(origin: Clone, clone: Clone) -> None:
    clone.commit(REVOKE)
    clone.git("push", "-q", "origin", "HEAD:refs/heads/side")
    clone.negatives()
    clone.git("reset", "-q", "--hard", "HEAD~1")
    origin.git("branch", "-D", "side")
    clone.git("fetch", "-q", "--prune")
    clone.git("reflog", "expire", "--expire=now", "--all")
    clone.git("gc", "-q", "--prune=now")
    assert set(clone.forces()) == {REVOKE.id}


def test_a_bare_repository_finds_the_same_and_keeps_nothing(origin: Clone, tmp_path: Path) -> None:
    origin.commit(REVOKE)
    origin.remove(REVOKE)
    bare = a_clone(origin, tmp_path / "bare.git", "--bare")
    place = Place(None, bare.top, bare.top, ".continuity")
    engine = open_engine(bare.top)
    head = engine.head()[1]
    assert head is not None
    tree = engine.entry(engine.commit(head).tree, ".continuity")
    assert tree is not None
    snapshot = SnapshotAt(head, tree.oid, Entries(engine.files(tree.oid), {}, frozenset()), {})
    found = NegativesOfClone(place, engine, Journal.open(place), MemoryCache()).seen_elsewhere(
        snapshot, AcceptedBranch()
    )
    assert [(one.id, one.force) for one in found.sightings] == [(REVOKE.id, "counts")]
    assert not (bare.top / "continuity").exists()


def test_what_was_seen_counts_on_when_history_is_cut_short(origin: Clone, clone: Clone) -> None:
    origin.commit(REVOKE)
    clone.git("pull", "-q")
    origin.remove(REVOKE)
    clone.git("pull", "-q")
    assert (clone.forces(), clone.negatives().cut) == ({REVOKE.id: "counts"}, False)
    clone.git("fetch", "-q", "--depth", "1", f"file://{origin.top}", "main")
    clone.cache = MemoryCache()
    assert (clone.forces(), clone.negatives().cut) == ({REVOKE.id: "counts"}, True)


def test_a_shallow_clone_that_is_deepened_sees_what_lies_deeper(origin: Clone, tmp_path: Path) -> None:
    origin.commit(REVOKE)
    origin.remove(REVOKE)
    shallow = a_clone(origin, tmp_path / "shallow", "--depth", "1", "--no-local")
    assert shallow.forces() == {}
    shallow.git("fetch", "-q", "--unshallow")
    assert shallow.forces() == {REVOKE.id: "counts"}


def test_a_lost_journal_is_filled_again_from_what_the_branches_hold(origin: Clone, clone: Clone) -> None:
    on_branch(origin, "ben", REVOKE)
    clone.git("fetch", "-q")
    clone.negatives()
    shutil.rmtree(clone.place.common_dir / "continuity" / "journal.git")
    assert clone.forces() == {REVOKE.id: "withholds"}


def an_unrelated_id() -> str:
    return a_record("decision", 77).id


def blob_of(clone: Clone, value: object) -> str:
    return clone.git("rev-parse", f"HEAD:.continuity/{path_for(value)}")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verb", "target", "over", "by", "kept"),
    [
        ("reopen", "cmt", True, "agent-explicit", True),
        ("confirm", "prm", True, "agent-inference", True),
        ("reopen", "cmt", True, "dream", False),
        ("reopen", "cmt", False, "agent-explicit", False),
        ("reopen", "dec", True, "agent-explicit", False),
        ("accept", "cmt", False, "user-explicit", True),
    ],
)
def test_a_ruling_that_may_reopen_a_restraint_is_kept(
    clone: Clone, verb: str, target: str, over: bool, by: str, kept: bool
) -> None:
    lifted = (an_id("ru", 8),) if over else ()
    ruling = a_ruling(verb, 9, an_id(target, 7), over=lifted, authority=by)
    clone.commit(ruling)
    clone.negatives()
    clone.remove(ruling)
    assert (ruling.id in clone.forces()) is kept
