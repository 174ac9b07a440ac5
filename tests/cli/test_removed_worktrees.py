"""What waited in a worktree that is gone is named in the others, and comes back when somebody asks for it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.people import Clone


def by_force(ana: Clone, linked: Clone) -> None:
    ana.git("worktree", "remove", "--force", str(linked.top))


def by_hand(ana: Clone, linked: Clone) -> None:
    shutil.rmtree(linked.top)


def by_hand_and_pruned(ana: Clone, linked: Clone) -> None:
    by_hand(ana, linked)
    ana.git("worktree", "prune")


REMOVALS = (by_force, by_hand, by_hand_and_pruned)


@pytest.fixture
def linked(accepted: Clone) -> Clone:
    accepted.git("worktree", "add", "-q", "../linked")
    return Clone(accepted.top.parent / "linked", "ana")


def left(clone: Clone) -> list[str]:
    return list(clone.data("status")["left_behind"])


@pytest.mark.parametrize("remove", REMOVALS)
def test_what_waited_is_named_by_status_and_doctor_and_can_be_restored(
    accepted: Clone, linked: Clone, remove: Callable[[Clone, Clone], None]
) -> None:
    waited = linked.made("remember", "The spare key is at the gate", prefix="blf")
    private = linked.made("remember", "The alarm code", "--sensitivity", "sensitive", prefix="blf")
    assert left(accepted) == [], "a worktree that is there keeps its own"
    remove(accepted, linked)
    named = left(accepted)
    assert any(waited in rel for rel in named)
    assert any(private in rel for rel in named)
    assert "restore --removed-worktrees" in accepted.cc("doctor", code=None)
    accepted.cc("restore", "--removed-worktrees")
    assert left(accepted) == []
    assert (accepted.standing(waited), accepted.standing(private)) == ("current", "proposed")
    assert len(accepted.data("status")["waiting"]) == len([rel for rel in named if not rel.startswith("private/")])
    accepted.commit()
    assert left(accepted) == []


def test_what_a_record_rests_on_comes_back_with_it(accepted: Clone) -> None:
    accepted.git("checkout", "--quiet", "-b", "side")
    heard = accepted.made("capture", "The crane is slow", prefix="ep")
    base = accepted.made("remember", "The crane is slow on Mondays", "--source", heard, prefix="blf")
    apart = accepted.made("remember", "The pier is short", prefix="blf")
    record = accepted.made("propose", "Unload on Tuesdays", "--kind", "decision", "--derived-from", base, prefix="dec")
    accepted.commit()
    accepted.git("checkout", "--quiet", "main")
    accepted.git("branch", "--quiet", "-D", "side")
    restored = accepted.data("restore", record)
    told = {Path(one["rel"]).stem: one["along"] for one in restored}
    assert told.items() >= {record: False, base: True, heard: True}.items()
    assert apart not in str(restored)
    needs = {(need["sort"], need["id"]) for need in accepted.data("audit", code=None)["needs"]}
    assert ("lost", apart) in needs
    assert not {("source-missing", record), ("source-missing", base)} & needs


def test_what_was_forgotten_does_not_come_along(accepted: Clone, linked: Clone) -> None:
    heard = linked.made("capture", "The crane is slow", prefix="ep")
    seen = linked.made("capture", "The wind turned at noon", prefix="ep")
    record = linked.made("remember", "Unload on Tuesdays", "--source", heard, "--source", seen, prefix="blf")
    accepted.person("forget", heard, answers=("y",))
    by_hand(accepted, linked)
    told = {Path(one["rel"]).stem for one in accepted.data("restore", record)}
    assert told == {record, seen}


def test_one_record_comes_back_by_its_id_and_the_rest_stays_named(accepted: Clone, linked: Clone) -> None:
    wanted = linked.made("remember", "The spare key is at the gate", prefix="blf")
    other = linked.made("remember", "The gate is green", prefix="blf")
    by_force(accepted, linked)
    accepted.cc("restore", wanted)
    assert accepted.standing(wanted) == "current"
    assert any(other in rel for rel in left(accepted))
    assert not any(wanted in rel for rel in left(accepted))


def test_what_a_branch_took_is_not_left_behind(accepted: Clone, linked: Clone) -> None:
    linked.cc("remember", "The spare key is at the gate")
    linked.commit()
    by_force(accepted, linked)
    assert left(accepted) == []
    accepted.git("branch", "-D", "linked")
    assert len(left(accepted)) == 3, "nothing else holds it any more"


def test_what_was_restored_and_published_and_taken_out_is_not_named_again(accepted: Clone, linked: Clone) -> None:
    linked.cc("remember", "The spare key is at the gate")
    by_force(accepted, linked)
    accepted.cc("restore", "--removed-worktrees")
    accepted.commit()
    accepted.git("push", "-q", "origin", "HEAD")
    accepted.cc("status")
    accepted.git("revert", "--no-edit", "HEAD")
    accepted.git("push", "-q", "origin", "HEAD")
    assert left(accepted) == []


def test_a_locked_worktree_on_a_disk_that_is_away_is_not_gone(accepted: Clone, linked: Clone) -> None:
    linked.cc("remember", "The spare key is at the gate")
    accepted.git("worktree", "lock", str(linked.top))
    away = linked.top.rename(Path(f"{linked.top}-away"))
    assert left(accepted) == []
    away.rename(linked.top)
    assert len(linked.data("status")["waiting"]) == 3


def test_a_revocation_written_in_a_removed_worktree_counts_in_the_others(accepted: Clone, linked: Clone) -> None:
    grant = accepted.made("remember", "Deploys are fine", "--allow", "deploy", "--target", "staging/*", prefix="prm")
    accepted.commit()
    accepted.git("push", "-q", "origin", "HEAD")
    linked.git("merge", "-q", "--ff-only", "main")
    assert accepted.standing(grant) == linked.standing(grant) == "current"
    linked.agent().cc("revoke", grant)
    by_force(accepted, linked)
    assert accepted.standing(grant) == "revoked"
