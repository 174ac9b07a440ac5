"""What looks like a secret gets into no commit: by the hook, by `cc-git commit`, by what joins another commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.people import Clone
from tests.cli.test_secrets import EXAMPLE, SAID, TOKEN, laid_with

STOPPED = "this commit is stopped: it holds what looks like a secret"


@pytest.fixture
def hooked(accepted: Clone) -> Clone:
    accepted.cc("hooks", "install")
    return accepted


def stopped(clone: Clone, file: Path, *words: str) -> None:
    said = clone.git("commit", "-m", "Mine", *words, code=1)
    assert STOPPED in said and str(file.relative_to(clone.top)) in said and "GitHub Token, 40 characters" in said
    assert TOKEN[4:14] not in said


@pytest.mark.parametrize("words", [(), ("-a",), ("--only", ".continuity")], ids=["plain", "all", "only"])
def test_the_hook_stops_a_commit_that_holds_one(hooked: Clone, words: tuple[str, ...]) -> None:
    file = laid_with(hooked, SAID)
    hooked.git("add", ".continuity")
    before = hooked.git("rev-parse", "HEAD")
    stopped(hooked, file, *words)
    assert hooked.git("rev-parse", "HEAD") == before
    hooked.git("restore", "--staged", str(file))
    file.unlink()
    hooked.git("commit", "-m", "Mine")


@pytest.mark.parametrize("name", ["attachments/2026-11-30/ep_01kb7z9n000000000000000008-1", "runbooks/deploy.toml"])
def test_every_file_below_the_workspace_is_looked_at(hooked: Clone, name: str) -> None:
    file = hooked.top / ".continuity" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{SAID}\n")
    hooked.git("add", ".continuity")
    stopped(hooked, file)


def test_code_beside_the_workspace_and_the_files_of_another_tool_are_not_ours_to_judge(hooked: Clone) -> None:
    other = hooked.top / "other/.continuity/notes.txt"
    other.parent.mkdir(parents=True)
    for file in (other, hooked.top / "settings.c"):
        file.write_text(f"{SAID}\n")
    hooked.git("add", "-A")
    hooked.git("commit", "-m", "Mine")


def test_what_a_person_allowed_is_committed_with_its_allowance(hooked: Clone) -> None:
    hooked.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    hooked.agent().cc("remember", f"The manual has {EXAMPLE}")
    (hooked.top / "code.c").write_text("mine\n")
    said = hooked.git("commit", "-am", "Code")
    assert "secret" not in said and "records/permission/" in hooked.git("show", "--stat=200", "HEAD")
    assert hooked.git("status", "--porcelain") == ""


def test_what_waits_and_is_allowed_no_more_is_left_out_and_the_commit_goes_on(hooked: Clone) -> None:
    hooked.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    record = hooked.agent().made("remember", f"The manual has {EXAMPLE}", "-k", "belief", prefix="blf")
    hooked.cc("revoke", hooked.data("secrets", "list")[0]["id"])
    (hooked.top / "code.c").write_text("mine\n")
    said = hooked.git("commit", "-am", "Code")
    assert "left out, and goes on waiting" in said and f"{record}.toml" in said and EXAMPLE not in said
    listed = hooked.git("ls-tree", "-r", "--name-only", "HEAD")
    assert f"{record}.toml" not in listed and "rulings/" in listed


def test_our_own_commit_leaves_it_out_and_refuses_where_nothing_else_is_there(accepted: Clone) -> None:
    accepted.cc("runbook", "add", "Deploy", "--do", "tag")
    accepted.cc("commit")
    book = accepted.top / ".continuity/runbooks/deploy.toml"
    book.write_text(book.read_text().replace('"tag"', f'"tag with {TOKEN}"'))
    refused = accepted.run("commit", code=3)
    assert "nothing was committed: runbooks/deploy.toml:" in refused.err and TOKEN[4:14] not in refused.err
    accepted.cc("remember", "Deploys go out on Tuesdays")
    told = accepted.run("commit").err
    assert "left out: runbooks/deploy.toml:" in told
    assert TOKEN not in accepted.git("show", "HEAD:.continuity/runbooks/deploy.toml")


def test_the_message_of_our_commit_is_looked_at_as_well(accepted: Clone) -> None:
    accepted.cc("remember", "Deploys go out on Tuesdays")
    said = accepted.run("commit", "-m", SAID, code=3).err
    assert "nothing was committed: its message looks like it holds a secret" in said and TOKEN[4:14] not in said
    accepted.cc("commit", "-m", "Deploys")


def test_what_a_branch_holds_already_stops_no_merge_and_no_cherry_pick(hooked: Clone) -> None:
    file = laid_with(hooked, SAID)
    hooked.git("switch", "--quiet", "-c", "topic")
    hooked.git("add", ".continuity")
    hooked.git("commit", "--no-verify", "-m", "Anyway")
    hooked.git("switch", "--quiet", "-")
    hooked.git("cherry-pick", "-n", "topic")
    hooked.git("commit", "-m", "Picked")
    assert file.exists()


def test_a_check_of_the_range_names_path_and_line(hooked: Clone) -> None:
    hooked.git("switch", "--quiet", "-c", "topic")
    file = laid_with(hooked, SAID)
    hooked.git("add", ".continuity")
    hooked.git("commit", "--no-verify", "-m", "Anyway")
    said = hooked.run("check", "--range", "origin/main..HEAD", "--format", "github", code=1)
    assert f"::error file={file.relative_to(hooked.top)},line=" in said.out and "cc-git%3A secret" in said.out
    assert TOKEN[4:14] not in said.out + said.err


def test_a_check_of_what_is_staged_goes_by_what_is_allowed_here_and_moves_nothing(accepted: Clone) -> None:
    accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    record = accepted.agent().made("remember", f"The manual has {EXAMPLE}", "-k", "belief", prefix="blf")
    found = next((accepted.top / ".continuity/records").rglob(f"{record}.toml"))
    accepted.git("add", str(found))
    before = accepted.git("status", "--porcelain")
    assert [
        one["code"] for one in accepted.data("check", "--staged", code=None)["findings"] if one["code"] == "secret"
    ] == []
    assert accepted.git("status", "--porcelain") == before
    accepted.cc("revoke", accepted.data("secrets", "list")[0]["id"])
    assert "secret" in {one["code"] for one in accepted.data("check", "--staged", code=1)["findings"]}


def test_a_commit_that_is_not_ours_loads_nothing_of_it(hooked: Clone) -> None:
    (hooked.top / "code.c").write_text("mine\n")
    hooked.more["PYTHONVERBOSE"] = "1"
    assert "cc_git" not in hooked.git("commit", "-am", "Code")
