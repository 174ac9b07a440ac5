"""A deny is shown with the grant that it limits, wherever it lies: from the command line."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.codec.files import encode
from cc_git.codec.paths import tombstone_path
from cc_git.model.marks import Tombstone
from tests.cli.people import Clone, World


@pytest.fixture
def granted(accepted: Clone) -> tuple[Clone, str]:
    """Ana may deploy anywhere, by the accepted branch."""
    grant = accepted.made("remember", "Deploys are fine", "--allow", "deploy", "--target", "*", prefix="prm")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    accepted.git("fetch", "--quiet")
    return accepted, grant


def items(clone: Clone, *words: str) -> dict[str, Any]:
    return {i["id"]: i for s in clone.packet(*words)["sections"] for i in s["items"]}


def test_a_deny_that_was_removed_from_the_tree_is_shown_with_its_grant(granted: tuple[Clone, str]) -> None:
    ana, grant = granted
    deny = ana.agent().made("remember", "Never production", "--deny", "deploy", "--target", "prod/*", prefix="prm")
    ana.commit()
    ana.git("rm", "--quiet", f".continuity/{ana.data('show', deny)['file']}")
    ana.git("commit", "--quiet", "-m", "Drop it")
    shown = items(ana)
    assert shown[deny]["title"] == "Never production"
    assert "in force: removed from this tree" in shown[deny]["labels"]
    assert f"limited by prm…{deny[-6:]}" in shown[grant]["labels"]
    assert shown[deny]["id"] in items(ana, "--budget", "500")


@pytest.mark.parametrize("then", ["lies there", "was taken away again"])
def test_a_tombstone_that_nobody_is_bound_to_hides_no_deny_that_was_removed(accepted: Clone, then: str) -> None:
    deny = accepted.made("remember", "Never production", "--deny", "deploy", "--target", "prod/*", prefix="prm")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    accepted.git("rm", "--quiet", f".continuity/{accepted.data('show', deny)['file']}")
    accepted.git("commit", "--quiet", "-m", "Drop it")
    before = items(accepted)[deny]
    mark = accepted.top / ".continuity" / tombstone_path(deny)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_bytes(encode(Tombstone(id=deny)))
    accepted.cc("status")
    if then != "lies there":
        mark.unlink()
    assert accepted.run("preflight", "deploy", "--target", "prod/eu", code=None).code == 3
    assert items(accepted)[deny] == before


def test_a_deny_of_a_fetched_branch_is_shown_until_a_person_dismisses_it(
    granted: tuple[Clone, str], world: World
) -> None:
    ana, grant = granted
    bo = world.clone("bo")
    bo.git("checkout", "--quiet", "-b", "topic")
    deny = bo.agent().made("remember", "Never production", "--deny", "deploy", "--target", "prod/*", prefix="prm")
    bo.commit()
    bo.git("push", "--quiet", "origin", "topic")
    ana.git("fetch", "--quiet")
    shown = items(ana)
    assert "only on refs/remotes/origin/topic: in force until a person dismisses it" in shown[deny]["labels"]
    assert f"limited by prm…{deny[-6:]}" in shown[grant]["labels"]
    ana.person("review", answers=("n",))
    assert items(ana).keys() & {deny, grant} == {grant}


def test_a_deny_above_the_ceiling_is_shown_by_what_it_forbids(granted: tuple[Clone, str]) -> None:
    ana, grant = granted
    words = ("--deny", "deploy", "--target", "prod/*", "--sensitivity", "sensitive")
    deny = ana.made("remember", "Secret reason", *words, prefix="prm")
    text = ana.cc("compile")
    assert "Secret reason" not in text
    assert f"- deny deploy → prod/\\* (prm…{deny[-6:]})" in text
    assert "NOT USABLE" not in text
    assert deny in items(ana)
    assert grant in items(ana)


@pytest.mark.parametrize("words", [(), ("--thread", "t")])
def test_an_edit_of_the_workspace_s_scope_hides_no_deny(granted: tuple[Clone, str], words: tuple[str, ...]) -> None:
    ana, _ = granted
    deny = ana.agent().made("remember", "No", "--deny", "deploy", "--project", "harbour", "--target", "x", prefix="prm")
    ana.commit()
    file = ana.top / ".continuity" / "workspace.toml"
    assert deny in items(ana, *words)
    file.write_text(file.read_text() + '\n[scope]\nproject = "elsewhere"\n')
    ana.git("commit", "--quiet", "--all", "-m", "Move")
    assert deny in items(ana, *words)
    assert "holds only in project=harbour" in items(ana, *words)[deny]["labels"]
