"""Several workspaces in one repository, worktrees, subdirectories, and what is no workspace."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.cli.people import Clone, World


def test_a_monorepo_has_workspaces_that_do_not_see_each_other(ana: Clone) -> None:
    service = Clone(ana.top / "services" / "api")
    service.top.mkdir(parents=True)
    service.cc("init", "--here", "--name", "api")
    service.cc("remember", "The API is versioned by date", "-k", "decision")
    ana.cc("remember", "We keep one repository", "-k", "decision")
    assert [line["title"] for line in service.data("list")] == ["The API is versioned by date"]
    assert [line["title"] for line in ana.data("list")] == ["We keep one repository"]
    deep = Clone(service.top / "src" / "deep")
    deep.top.mkdir(parents=True)
    assert deep.data("status")["directory"] == "services/api/.continuity"
    service.commit()
    ana.commit()
    assert ana.git("status", "--porcelain") == ""
    named = ana.data("list", "--workspace", "services/api")
    assert [line["title"] for line in named] == ["The API is versioned by date"]


def test_a_linked_worktree_keeps_what_waits_to_itself(ana: Clone) -> None:
    ana.git("worktree", "add", "--quiet", "-b", "side", "../side")
    side = Clone(ana.top.parent / "side")
    side.cc("remember", "Only on the side", "-k", "decision")
    assert [line["title"] for line in side.data("list")] == ["Only on the side"]
    assert ana.data("list") == []
    side.commit()
    ana.git("merge", "--quiet", "side")
    assert [line["title"] for line in ana.data("list")] == ["Only on the side"]


def test_a_revoke_in_one_worktree_counts_in_the_other_at_once(accepted: Clone) -> None:
    accepted.person("remember", "Deploys are fine", "--allow", "deploy", answers=("y",))
    accepted.commit()
    accepted.git("worktree", "add", "--quiet", "-b", "side", "../side")
    side = Clone(accepted.top.parent / "side")
    (grant,) = side.offered()
    accepted.agent().cc("revoke", grant)
    assert side.offered() == set()


def test_outside_a_workspace_the_message_names_the_command_that_helps(tmp_path: Path, world: World) -> None:
    nowhere = Clone(tmp_path)
    refused = nowhere.run("status", code=7)
    assert "git init" in refused.err
    plain = world.clone("plain")
    refused = plain.run("status", code=7)
    assert "cc-git init" in refused.err


def test_a_workspace_of_another_tool_is_never_written_into(world: World) -> None:
    clone = world.clone("foreign")
    folder = clone.top / ".continuity"
    folder.mkdir()
    (folder / "manifest.json").write_text("{}")
    for words in (("init",), ("status",), ("remember", "x")):
        assert clone.run(*words, code=7).err
    assert sorted(p.name for p in folder.iterdir()) == ["manifest.json"]


def test_records_wait_where_the_branch_has_no_workspace(ana: Clone) -> None:
    ana.git("switch", "--quiet", "--orphan", "empty")
    ana.git("commit", "--quiet", "--allow-empty", "-m", "Nothing")
    ana.git("switch", "--quiet", "main")
    ana.cc("remember", "Keep me", "-k", "decision")
    ana.git("switch", "--quiet", "empty")
    refused = ana.run("list", code=7)
    assert "wait" in refused.err
    ana.git("switch", "--quiet", "main")
    assert [line["title"] for line in ana.data("list")] == ["Keep me"]


def test_git_cc_is_the_same_program(ana: Clone) -> None:
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    assert Clone(ana.top, more={"PATH": scripts}).git("cc", "--version").startswith("cc-git ")


def test_a_workspace_that_is_named_wrongly_is_refused_and_the_others_are_named(ana: Clone) -> None:
    for folder in ("a", "b"):
        (ana.top / folder).mkdir()
        Clone(ana.top / folder).cc("init", "--here", "--name", folder)
    refused = ana.run("--workspace", "aa", "remember", "meant for a", code=7)
    assert "no workspace at" in refused.err and "a, b" in refused.err.replace("., ", "")
    assert ana.data("list", "--all") == []
    Clone(ana.top / "b").cc("--workspace", "../a", "remember", "meant for a")
    assert [line["title"] for line in Clone(ana.top / "a").data("list")] == ["meant for a"]
    assert Clone(ana.top / "b").data("list") == []


def test_where_only_folders_have_workspaces_the_top_level_names_them(world: World) -> None:
    clone = world.clone("mono")
    (clone.top / "api").mkdir()
    Clone(clone.top / "api").cc("init", "--here")
    refused = clone.run("status", code=7)
    assert "cc-git --workspace api" in refused.err
