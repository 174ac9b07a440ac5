"""No packet offers what was taken away anywhere this clone has ever looked; nobody can erase by pushing a branch."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cc_git.model.marks import Ending, Tombstone
from cc_git.model.value import Value
from cc_git.store.cache import MemoryCache
from cc_git.store.negative_acts import NegativeActs
from tests.store.worlds import ANA, NOW, Clone, a_clone, a_record, a_ruling, a_workspace, revoke

GRANT = a_record("permission", 1)
OTHER = a_record("permission", 2, title="another")
NOTES = tuple(a_record("decision", number, authority="agent-explicit") for number in range(3, 9))
REVOKE = revoke(1, GRANT.id)
ALL = {GRANT.id, OTHER.id, *(note.id for note in NOTES)}


@pytest.fixture
def origin(tmp_path: Path) -> Clone:
    return a_workspace(tmp_path / "origin", GRANT, OTHER, *NOTES)


@pytest.fixture
def clone(origin: Clone, tmp_path: Path) -> Clone:
    clone = a_clone(origin, tmp_path / "clone")
    clone.confirm(GRANT, OTHER)
    return clone


def pushed_on_a_branch(origin: Clone, clone: Clone, *values: Value) -> None:
    origin.git("switch", "-q", "-c", "ben")
    origin.commit(*values)
    origin.git("switch", "-q", "main")
    clone.git("fetch", "-q")


def test_what_a_person_confirmed_is_offered(clone: Clone) -> None:
    assert clone.usable() == ALL


def test_a_grant_that_was_revoked_on_a_branch_only_fetched_is_not_offered(origin: Clone, clone: Clone) -> None:
    assert GRANT.id in clone.usable()
    pushed_on_a_branch(origin, clone, REVOKE)
    assert clone.usable() == ALL - {GRANT.id}


def test_nor_after_the_branch_was_deleted_and_pruned(origin: Clone, clone: Clone) -> None:
    pushed_on_a_branch(origin, clone, REVOKE)
    clone.usable()
    origin.git("branch", "-D", "ben")
    clone.git("fetch", "-q", "--prune")
    clone.git("gc", "-q", "--prune=now")
    assert clone.usable() == ALL - {GRANT.id}


def test_nor_after_the_index_was_lost_as_well(origin: Clone, clone: Clone) -> None:
    pushed_on_a_branch(origin, clone, REVOKE)
    clone.usable()
    origin.git("branch", "-D", "ben")
    clone.git("fetch", "-q", "--prune")
    clone.cache = MemoryCache()
    assert clone.usable() == ALL - {GRANT.id}


def test_nor_after_a_revert(clone: Clone) -> None:
    clone.commit(REVOKE)
    assert clone.usable() == ALL - {GRANT.id}
    clone.git("revert", "--no-edit", "HEAD")
    assert clone.usable() == ALL - {GRANT.id}


def test_nor_in_a_fresh_clone_of_a_history_that_lost_it(origin: Clone, tmp_path: Path) -> None:
    origin.commit(REVOKE)
    origin.remove(REVOKE)
    fresh = a_clone(origin, tmp_path / "fresh")
    fresh.confirm(GRANT, OTHER)
    assert fresh.usable() == ALL - {GRANT.id}


def test_nor_when_the_revoke_only_waits_in_another_worktree(clone: Clone, tmp_path: Path) -> None:
    other = Clone(tmp_path / "other")
    clone.git("worktree", "add", "-q", "-b", "side", str(other.top))
    other.put(REVOKE)
    other.present()
    assert clone.usable() == ALL - {GRANT.id}
    clone.git("worktree", "remove", "--force", str(other.top))
    assert clone.usable() == ALL - {GRANT.id}


def test_a_hostile_branch_full_of_tombstones_withholds_until_a_person_dismisses_it(origin: Clone, clone: Clone) -> None:
    marks = [mark for identifier in sorted(ALL) for mark in (Tombstone(id=identifier), Ending(id=identifier))]
    pushed_on_a_branch(origin, clone, *marks)
    assert clone.usable() == set()
    assert clone.git("status", "--porcelain") == ""
    sightings = clone.negatives().sightings
    assert {one.force for one in sightings} == {"withholds"}
    NegativeActs(clone.place).dismiss([(one.rel, one.blob) for one in sightings], ANA, NOW)
    assert clone.usable() == ALL


def test_a_grant_on_another_branch_gives_nothing_here(origin: Clone, clone: Clone) -> None:
    pushed_on_a_branch(origin, clone, a_record("permission", 20, title="new", supersedes=(OTHER.id,)))
    assert clone.usable() <= ALL


def test_a_deny_on_another_branch_holds_back_the_grants_that_it_meets(origin: Clone, clone: Clone) -> None:
    pushed_on_a_branch(origin, clone, a_record("permission", 20, effect="deny", authority="agent-explicit"))
    assert clone.usable() == ALL - {GRANT.id, OTHER.id}


def test_a_lost_journal_gives_back_nothing_that_a_branch_still_takes(origin: Clone, clone: Clone) -> None:
    pushed_on_a_branch(origin, clone, REVOKE)
    clone.usable()
    shutil.rmtree(clone.place.common_dir / "continuity" / "journal.git")
    assert clone.usable() == ALL - {GRANT.id}


@pytest.mark.parametrize("kind", ["permission", "commitment"])
def test_a_restraint_that_was_reopened_is_offered_when_the_reopening_left_the_tree(clone: Clone, kind: str) -> None:
    restrains = {"permission": {"effect": "deny"}, "commitment": {"mode": "refrain"}}[kind]
    restraint = a_record(kind, 20, authority="agent-explicit", **restrains)
    release = a_ruling("release", 21, restraint.id, authority="user-explicit")
    verb = "reopen" if kind == "commitment" else "confirm"
    reopening = a_ruling(verb, 22, restraint.id, over=(release.id,))
    clone.commit(restraint, release)
    clone.confirm(release)
    assert restraint.id not in clone.usable()
    clone.commit(reopening)
    assert restraint.id in clone.usable()
    assert clone.forces() == {}
    clone.remove(reopening)
    assert clone.forces() == {reopening.id: "counts"}
    assert restraint.id in clone.usable()
    clone.cache = MemoryCache()
    assert restraint.id in clone.usable()
    again = a_ruling("release", 23, restraint.id, authority="user-explicit", over=(reopening.id,))
    clone.commit(again)
    clone.confirm(again)
    assert restraint.id not in clone.usable()
