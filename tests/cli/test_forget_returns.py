"""What was forgotten and comes back is never eligible and is emptied again; nothing that it had ended comes back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cc_git.codec.paths import path_of, tombstone_path
from tests.cli.people import Clone, World

TEXT = "The north gate opens at six in the morning"
GRANT = ("remember", "Deploys to staging are fine", "--allow", "deploy", "--target", "staging/*")


@pytest.fixture
def known(accepted: Clone) -> str:
    """A decision that is committed and pushed."""
    identifier = accepted.made("remember", TEXT, "-k", "decision", prefix="dec")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    return identifier


def _forget(clone: Clone, identifier: str) -> None:
    clone.person("forget", identifier, answers=("y",))
    clone.commit("Forget")
    clone.git("push", "--quiet", "origin", "HEAD")


def _is_gone(clone: Clone, identifier: str) -> bool:
    shown = clone.cc("compile") + clone.cc("list")
    path = clone.top / ".continuity" / path_of(identifier)
    lies = path.exists() and path.stat().st_size > 0
    return not lies and TEXT not in shown


def _sweeps(clone: Clone) -> int:
    receipts = (clone.top / ".continuity" / "receipts").rglob("*.toml")
    return sum('operation = "sweep"' in path.read_text() for path in receipts)


def test_a_stale_clone_that_merges_and_pushes_brings_nothing_back(accepted: Clone, world: World, known: str) -> None:
    ben = world.clone("ben")
    ben.cc("remember", "Something of Ben's", "-k", "decision")
    ben.commit()
    _forget(accepted, known)
    ben.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    assert TEXT not in ben.cc("compile")
    path = f".continuity/{path_of(known)}"
    ben.git("checkout", "HEAD~1", "--", path)
    ben.git("commit", "--quiet", "-m", "Take it back")
    ben.git("push", "--quiet", "origin", "HEAD:main")
    accepted.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    assert TEXT in (accepted.top / path).read_text()
    assert _is_gone(accepted, known)
    assert _sweeps(accepted) == 1
    assert _is_gone(accepted, known) and _sweeps(accepted) == 1
    accepted.commit("Empty it again")
    assert accepted.data("status")["emptied"] == []


def test_a_branch_from_before_that_is_merged_or_picked_brings_nothing_back(accepted: Clone, known: str) -> None:
    accepted.git("switch", "--quiet", "--create", "old", "HEAD~1")
    (accepted.top / "code.c").write_text("int main(void) { return 2; }\n")
    accepted.git("commit", "--quiet", "-am", "Work")
    accepted.git("switch", "--quiet", "main")
    _forget(accepted, known)
    accepted.git("merge", "--quiet", "--no-edit", "old")
    assert _is_gone(accepted, known)
    accepted.git("switch", "--quiet", "old")
    accepted.git("cherry-pick", "main~2")
    assert TEXT not in accepted.cc("compile") + accepted.cc("list")


@pytest.fixture
def squashed(accepted: Clone) -> str:
    """A decision that was made on `topic` and came to main in a squashed commit; there it is forgotten. The commit that
    made it is still to be replayed."""
    accepted.git("switch", "--quiet", "--create", "topic")
    identifier = accepted.made("remember", TEXT, "-k", "decision", prefix="dec")
    accepted.commit()
    accepted.git("switch", "--quiet", "main")
    accepted.git("merge", "--quiet", "--squash", "topic")
    accepted.git("commit", "--quiet", "-m", "Squashed")
    _forget(accepted, identifier)
    return identifier


def _merge(clone: Clone) -> None:
    clone.git("merge", "--quiet", "--no-edit", "-X", "theirs", "topic")


def _cherry_pick(clone: Clone) -> None:
    clone.git("cherry-pick", "-X", "theirs", "topic")


def _rebase(clone: Clone) -> None:
    clone.git("switch", "--quiet", "topic")
    clone.git("rebase", "--quiet", "--reapply-cherry-picks", "-X", "theirs", "main")


def _merge_that_keeps_the_old_side_whole(clone: Clone) -> None:
    """The tombstone goes with all the rest of main."""
    clone.git("switch", "--quiet", "topic")
    clone.git("merge", "--quiet", "--no-edit", "-s", "ours", "main")


ROUTES = (_merge, _cherry_pick, _rebase, _merge_that_keeps_the_old_side_whole)


@pytest.mark.parametrize("route", ROUTES)
def test_what_git_brings_back_into_a_commit_is_not_eligible_and_is_swept(
    accepted: Clone, squashed: str, route: Callable[[Clone], None]
) -> None:
    route(accepted)
    path = accepted.top / ".continuity" / path_of(squashed)
    assert TEXT in path.read_text(), "it came back"
    before = _sweeps(accepted)
    assert _is_gone(accepted, squashed) and _sweeps(accepted) == before + 1
    accepted.commit("Empty it again")
    state = accepted.data("status")
    assert (state["emptied"], state["forgotten"], state["faults"], state["edited"]) == ([], [], [], [])
    assert accepted.git("cat-file", "-s", f"HEAD:.continuity/{path_of(squashed)}") == "0"
    accepted.git("cat-file", "-e", f"HEAD:.continuity/{tombstone_path(squashed)}")


def test_nothing_is_swept_while_git_is_at_work_and_nothing_is_eligible(accepted: Clone, squashed: str) -> None:
    accepted.git("merge", "--quiet", "--no-commit", "--no-edit", "-X", "theirs", "topic")
    path = accepted.top / ".continuity" / path_of(squashed)
    assert TEXT not in accepted.cc("compile") + accepted.cc("list")
    assert TEXT in path.read_text() and _sweeps(accepted) == 0
    accepted.git("commit", "--quiet", "--no-edit")
    assert _is_gone(accepted, squashed) and _sweeps(accepted) == 1


def test_a_clone_that_only_pulls_what_came_back_sweeps_it_as_well(accepted: Clone, squashed: str, world: World) -> None:
    ben = world.clone("ben")
    ben.person("trust", "--accepted-ref", "origin/main")
    _merge(accepted)
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben.git("pull", "--quiet", "origin", "main")
    assert TEXT in (ben.top / ".continuity" / path_of(squashed)).read_text()
    assert _is_gone(ben, squashed) and _sweeps(ben) == 1


def test_a_bundle_from_before_is_not_let_in(accepted: Clone, known: str) -> None:
    accepted.cc("export", "../before.json")
    bundle = (accepted.top.parent / "before.json").read_bytes()
    _forget(accepted, known)
    assert not (accepted.top.parent / "before.json").exists(), "the file that was written here went as well"
    (accepted.top.parent / "elsewhere.json").write_bytes(bundle)
    told = accepted.data("import", "bundle", "../elsewhere.json")
    assert {item["done"] for item in told["items"]} == {"forgotten"} and told["quarantine"] is None
    assert _is_gone(accepted, known)
    lying = [path for path in (accepted.top / ".continuity").rglob("*.toml") if TEXT in path.read_text()]
    assert lying == []


def test_notes_from_before_are_not_let_in_again_from_their_place(accepted: Clone) -> None:
    notes = accepted.top.parent / "MEMORY.md"
    notes.write_text(f"# Gate\n\n{TEXT}\n\n# Pier\n\nThe pier is short and the crane is old\n")
    items = accepted.data("import", "notes", str(notes))["items"]
    one = next(item["record"] for item in items if "Gate" in item["title"])
    accepted.person("forget", one, answers=("y",))
    again = {item["record"]: item["done"] for item in accepted.data("import", "notes", str(notes))["items"]}
    assert sorted(again.values()) == ["already waiting", "forgotten"]
    assert TEXT not in accepted.cc("import", "review")


def test_a_stash_that_is_popped_brings_nothing_back(accepted: Clone) -> None:
    made = accepted.data("remember", TEXT, "-k", "decision")
    identifier = next(i for i in made["made"] if i.startswith("dec"))
    accepted.git("add", "-A")
    accepted.git("stash")
    accepted.person("forget", identifier, answers=("y",))
    accepted.git("stash", "pop")
    assert TEXT in (accepted.top / ".continuity" / path_of(identifier)).read_text()
    assert _is_gone(accepted, identifier)
    assert _sweeps(accepted) == 1
    assert path_of(identifier) not in accepted.git("ls-files")


def test_forgetting_a_revocation_gives_no_permission_back(accepted: Clone) -> None:
    accepted.person(*GRANT, answers=("y",))
    (grant,) = accepted.offered()
    ruling = accepted.made("revoke", grant, prefix="ru")
    assert accepted.data("forget", ruling, "--dry-run")["plan"]["endings"] == [grant]
    accepted.person("forget", ruling, answers=("y",))
    assert accepted.offered() == set() and accepted.standing(grant) == "ended"
    accepted.commit()
    assert accepted.offered() == set() and accepted.standing(grant) == "ended"


def test_forgetting_the_episode_that_a_revocation_cites_gives_nothing_back(accepted: Clone) -> None:
    accepted.person(*GRANT, answers=("y",))
    (grant,) = accepted.offered()
    episode = accepted.made("capture", "Stop all of this at once", prefix="ep")
    accepted.cc("revoke", grant, "--source", episode, "--reason", "Stop all of this at once")
    accepted.person("forget", episode, answers=("y",))
    assert accepted.offered() == set() and accepted.standing(grant) == "ended"


def test_forgetting_a_superseder_leaves_what_it_superseded_ended(accepted: Clone) -> None:
    accepted.person(*GRANT, answers=("y",))
    (old,) = accepted.offered()
    accepted.person("correct", old, "Deploys are fine at night", "--set", "target=night/*", answers=("y",))
    (new,) = accepted.offered()
    accepted.person("forget", new, answers=("y",))
    assert accepted.offered() == set() and accepted.standing(old) == "ended"


def test_forgetting_the_winner_of_a_resolve_leaves_the_loser_ended(accepted: Clone) -> None:
    one, other = (
        accepted.made("remember", text, "-k", "decision", "--subject", "paint", prefix="dec")
        for text in ("Paint it green", "Paint it blue")
    )
    accepted.person("resolve", one, other)
    accepted.person("forget", one, answers=("y",))
    assert accepted.standing(other) in ("ended", "overruled")
    assert other not in {line["id"] for line in accepted.data("list")}
