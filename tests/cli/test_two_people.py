"""Two clones change the same decision: plain git, no textual conflict, both kept, conflicted until somebody rules."""

from __future__ import annotations

from tests.cli.people import Clone, World


def _both_correct(ana: Clone, world: World) -> tuple[Clone, str, str]:
    """Ana and Ben correct the same decision differently; Ben's is pushed as a branch."""
    decision = ana.made("remember", "Deploys go out on Tuesdays", "-k", "decision", prefix="dec")
    ana.commit()
    ana.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    ben.git("switch", "--quiet", "--create", "ben")
    bens = ben.made("correct", decision, "Deploys go out on Thursdays", prefix="dec")
    ben.commit()
    ben.git("push", "--quiet", "origin", "HEAD")
    anas = ana.made("correct", decision, "Deploys go out on Mondays", prefix="dec")
    ana.commit()
    ana.git("fetch", "--quiet")
    return ben, anas, bens


def test_a_plain_merge_keeps_both_sides_and_shows_the_conflict(ana: Clone, world: World) -> None:
    _, anas, bens = _both_correct(ana, world)
    ana.git("merge", "--quiet", "--no-edit", "origin/ben")
    assert {line["id"]: line["standing"] for line in ana.data("list")} == {anas: "conflicted", bens: "conflicted"}
    (clash,) = ana.data("status")["conflicts"]
    assert set(clash["ids"]) == {anas, bens}
    assert {(side["id"], side["title"], side["actor"]) for side in clash["sides"]} == {
        (anas, "Deploys go out on Mondays", "human:ana"),
        (bens, "Deploys go out on Thursdays", "human:ben"),
    }
    shown = ana.cc("status")
    for name, day in (("ana", "Mondays"), ("ben", "Thursdays")):
        (line,) = (line for line in shown.splitlines() if day in line)
        assert f"human:{name}" in line
    assert "cc-git resolve ID" in shown
    assert ana.git("status", "--porcelain") == ""


def test_both_clones_stand_the_same_and_a_ruling_settles_both(ana: Clone, world: World) -> None:
    ben, anas, bens = _both_correct(ana, world)
    ana.git("merge", "--quiet", "--no-edit", "origin/ben")
    ana.git("push", "--quiet", "origin", "HEAD")
    ben.git("pull", "--quiet", "--no-rebase", "origin", "main")
    assert ben.data("list") == ana.data("list")
    ben.cc("resolve", bens, "--reason", "the train leaves on Mondays")
    assert (ben.standing(bens), ben.standing(anas)) == ("current", "overruled")
    ben.commit()
    ben.git("push", "--quiet", "origin", "HEAD:main")
    ana.git("pull", "--quiet", "--no-rebase")
    assert (ana.standing(bens), ana.standing(anas)) == ("current", "overruled")


def test_a_merge_by_a_client_without_any_of_our_configuration_is_the_same(ana: Clone, world: World) -> None:
    _, anas, bens = _both_correct(ana, world)
    ana.git("push", "--quiet", "origin", "HEAD")
    plain = world.clone("plain")
    plain.git("merge", "--quiet", "--no-edit", "origin/ben")
    assert not (plain.top / ".git" / "continuity").exists()
    plain.git("push", "--quiet", "origin", "HEAD")
    ana.git("pull", "--quiet", "--no-rebase")
    assert {line["id"] for line in ana.data("list", "--standing", "conflicted")} == {anas, bens}


def test_the_same_import_in_two_clones_changes_nothing_after_a_merge(ana: Clone, world: World) -> None:
    folder = ana.top / "docs" / "adr"
    folder.mkdir(parents=True)
    (folder / "0001-use-git.md").write_text("# 1. Use Git\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use Git.\n")
    ana.git("add", "-A")
    ana.git("commit", "--quiet", "-m", "Decide")
    ana.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    for clone in (ana, ben):
        clone.cc("import", "adr", "docs/adr")
        clone.commit()
        (line,) = clone.data("list")
        assert line["standing"] == "current"
    ana.git("push", "--quiet", "origin", "HEAD")
    ben.git("pull", "--quiet", "--no-rebase", "--no-edit")
    assert [line["title"] for line in ben.data("list")] == ["Use Git"]
    assert ben.data("status")["conflicts"] == []
    assert ben.data("import", "adr", "docs/adr")["counts"] == {"already here": 1}
    (line,) = ben.data("list")
    ben.cc("archive", line["id"])
    assert ben.data("list") == []
