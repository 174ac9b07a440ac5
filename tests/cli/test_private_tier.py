"""What is private stays on this machine, whatever a branch brings that somebody merges."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.people import Clone, World

WORD = "SECRETWORD"
IGNORE = ".continuity/private/.gitignore"
TAMPERED = {"negated": "!*\n", "empty": "", "all but records": "*\n!records\n!records/**\n"}


def merge_from_mallory(ana: Clone, world: World, files: dict[str, str], *, link: str | None = None) -> None:
    """Mallory pushes these files (or a link at `link`), and Ana merges them by hand."""
    mallory = world.clone("mallory")
    for path, text in files.items():
        (mallory.top / path).parent.mkdir(parents=True, exist_ok=True)
        (mallory.top / path).write_text(text)
    if link is not None:
        (mallory.top / link).symlink_to("../shown")
    mallory.git("add", "-A", "--force")
    mallory.git("commit", "--quiet", "-m", "Tidy up")
    mallory.git("push", "--quiet", "origin", "HEAD:refs/heads/tidy")
    ana.git("fetch", "--quiet")
    ana.git("merge", "--quiet", "origin/tidy")


def keep_a_secret(ana: Clone) -> Path:
    made = ana.data("remember", f"The {WORD} is here", "--sensitivity", "sensitive")
    assert made["private"] is True
    return ana.top / ".continuity" / next(rel for rel in made["files"].values() if "records/" in rel)


def committed(ana: Clone) -> str:
    return ana.git("grep", "-l", WORD, "HEAD", code=None)


@pytest.mark.parametrize("text", TAMPERED.values(), ids=TAMPERED)
def test_a_merged_ignore_file_lets_nothing_private_into_the_next_commit(ana: Clone, world: World, text: str) -> None:
    keep_a_secret(ana)
    merge_from_mallory(ana, world, {IGNORE: text})
    ana.git("add", "--all")
    ana.git("commit", "--quiet", "-m", "Mine", code=None)
    assert committed(ana) == ""


def test_the_hook_stops_what_ignore_files_above_the_folder_let_in_as_well(ana: Clone, world: World) -> None:
    ana.cc("hooks", "install")
    file = keep_a_secret(ana)
    merge_from_mallory(ana, world, {IGNORE: "!*\n", ".continuity/.gitignore": "!private/\n"})
    ana.git("add", "--all")
    said = ana.git("commit", "-m", "Mine", code=1)
    assert "private, and stays on this machine" in said and file.name in said
    assert committed(ana) == ""
    ana.git("rm", "-r", "--quiet", "--cached", ".continuity/private")
    ana.git("commit", "--quiet", "-m", "Mine")
    assert file.exists() and committed(ana) == ""


def test_a_merged_ignore_file_is_put_right_and_named(ana: Clone, world: World) -> None:
    keep_a_secret(ana)
    merge_from_mallory(ana, world, {IGNORE: "!*\n", ".continuity/.gitignore": "!private/\n"})
    status = ana.cc("status")
    assert "private/.gitignore: said something else, and was put right" in status
    assert "private/.gitignore: is in a commit" in status and "git rm -r --cached .continuity/private" in status
    assert (ana.top / IGNORE).read_text() == "*\n"
    ana.git("add", "--all")
    assert WORD not in ana.git("diff", "--cached")
    assert "git rm -r --cached" in ana.cc("doctor", code=1)


def test_private_files_that_git_tracks_are_named_until_they_are_taken_out(ana: Clone) -> None:
    file = keep_a_secret(ana)
    rel = f"private/{file.relative_to(ana.top / '.continuity' / 'private')}"
    ana.git("add", "--force", str(file))
    assert f"{rel}: is in Git's index" in ana.cc("status")
    assert ana.data("commit", "--dry-run")["files"] == []
    ana.git("commit", "--quiet", "-m", "Oops")
    assert f"{rel}: is in a commit" in ana.cc("status")
    ana.git("rm", "-r", "--quiet", "--cached", ".continuity/private")
    ana.git("commit", "--quiet", "-m", "Out")
    assert rel not in ana.cc("status") and "private/" not in ana.cc("doctor", code=None)


def test_the_users_own_exclude_file_keeps_its_lines(ana: Clone) -> None:
    exclude = ana.top / ".git" / "info" / "exclude"
    exclude.write_text("*.log\n# mine")
    for number in range(2):
        ana.cc("remember", f"Fact {number}")
    assert exclude.read_text() == "*.log\n# mine\n**/.continuity/private/\n"
    exclude.unlink()
    exclude.symlink_to(ana.top / "shared-by-all-my-repositories")
    ana.cc("remember", "Another")
    assert not (ana.top / "shared-by-all-my-repositories").exists()


def test_the_exclude_file_serves_a_linked_worktree(ana: Clone) -> None:
    other = Clone(ana.top.parent / "other", "ana")
    ana.git("worktree", "add", "--quiet", str(other.top))
    other.cc("remember", "Ours", "--sensitivity", "sensitive")
    (other.top / IGNORE).write_text("")
    assert other.git("status", "--porcelain") == ""


@pytest.mark.parametrize("what", ["a file", "a link"])
def test_what_stands_in_the_place_of_the_private_folder_is_named_and_lets_nothing_out(
    ana: Clone, world: World, what: str
) -> None:
    in_the_way = ".continuity/private"
    if what == "a link":
        merge_from_mallory(ana, world, {"shown/x": ""}, link=in_the_way)
    else:
        merge_from_mallory(ana, world, {in_the_way: "x"})
    refused = ana.run("remember", f"The {WORD}", "--sensitivity", "sensitive", code=6).err
    assert str(ana.top / in_the_way) in refused and f"{what} stands there" in refused
    assert f"git rm -r {in_the_way}" in refused
    assert f"{what} stands where the private folder belongs" in ana.cc("status")
    deny = ana.agent().made("remember", "Frozen", "--deny", "deploy", prefix="prm")
    assert ana.standing(deny) == "current"
    ana.commit()
    assert subprocess.run(["grep", "-r", WORD, "."], cwd=ana.top, capture_output=True).stdout == b""
    assert not any((ana.top / "shown").glob("[!x]*"))
    ana.git("rm", "--quiet", "-r", in_the_way)
    ana.cc("remember", f"The {WORD}", "--sensitivity", "sensitive")
