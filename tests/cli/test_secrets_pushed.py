"""What a push would send is looked through commit by commit: what a later commit took away is sent all the same."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cc_git.store.git import Git
from cc_git.store.outgoing import outgoing
from cc_git.store.place import repository_at
from cc_git.wiring.outgoing import push_check
from tests.cli.people import Clone, World
from tests.cli.test_secrets import EXAMPLE, SAID, TOKEN, laid_with

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def commit(clone: Clone, file: Path, text: str | None = None) -> str:
    if text is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    clone.git("add", "-A")
    clone.git("commit", "--quiet", "--no-verify", "-m", "x")
    return clone.git("rev-parse", "HEAD")


def found(clone: Clone, *words: str, code: int = 1) -> list[Any]:
    said = clone.run("secrets", "outgoing", *words, "--json", code=code)
    assert TOKEN[4:14] not in said.out + said.err
    return list(said.data["findings"])


def test_a_secret_that_a_later_commit_takes_away_is_found_with_its_commit(accepted: Clone) -> None:
    assert found(accepted, code=0) == []
    file = laid_with(accepted, SAID)
    first = commit(accepted, file)
    file.unlink()
    commit(accepted, accepted.top / "code.c", "mine\n")
    (one,) = found(accepted)
    assert one["path"] == str(file.relative_to(accepted.top)) and one["line"] and first[:12] in one["says"]
    assert "GitHub Token" in accepted.run("secrets", "outgoing", code=1).out
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert found(accepted, code=0) == []


def test_what_only_a_merge_brings_is_found(accepted: Clone) -> None:
    accepted.git("switch", "--quiet", "-c", "topic")
    accepted.cc("remember", "Deploys go out on Tuesdays")
    accepted.commit()
    accepted.git("switch", "--quiet", "main")
    commit(accepted, accepted.top / "code.c", "mine\n")
    accepted.git("merge", "--quiet", "--no-ff", "--no-commit", "topic")
    book = accepted.top / ".continuity/runbooks/deploy.toml"
    commit(accepted, book, f"{SAID}\n")
    assert [one["path"] for one in found(accepted)] == [".continuity/runbooks/deploy.toml"]


def test_code_and_the_files_of_another_tool_are_not_looked_at(accepted: Clone) -> None:
    commit(accepted, accepted.top / "settings.c", f"{SAID}\n")
    commit(accepted, accepted.top / "other/.continuity/notes.txt", f"{SAID}\n")
    assert found(accepted, code=0) == []


def test_what_a_person_allowed_is_no_finding_until_it_is_revoked(accepted: Clone) -> None:
    accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    accepted.agent().cc("remember", f"The manual has {EXAMPLE}")
    accepted.commit()
    assert found(accepted, code=0) == []
    accepted.cc("revoke", accepted.data("secrets", "list")[0]["id"])
    assert {one["code"] for one in found(accepted)} == {"secret"}


def test_what_cannot_be_looked_through_is_named(accepted: Clone) -> None:
    path = accepted.top / ".continuity/attachments/2026-11-30/ep_01kb7z9n000000000000000008-1"
    commit(accepted, path, "x" * (17 << 20))
    said = accepted.run("secrets", "outgoing")
    assert "not looked at: .continuity/attachments/" in said.err


def test_a_remote_that_is_not_there_is_named(accepted: Clone) -> None:
    assert "there is no remote upstream" in accepted.run("secrets", "outgoing", "upstream", code=2).err


# As a hook asks, with what Git tells it.


@pytest.fixture
def pushing(accepted: Clone, world: World) -> Clone:
    del world
    commit(accepted, laid_with(accepted, SAID))
    return accepted


def asked(clone: Clone, *tips: str, remote: str = "origin", known: tuple[str, ...] = ()) -> int:
    place = repository_at(clone.top, clone.environ)
    git = Git(place, clone.environ)
    return len(push_check(place, git, outgoing(git, tips, remote, known), NOW).findings)


def test_tips_are_branches_and_tags_and_nothing_where_something_is_deleted(pushing: Clone) -> None:
    pushing.git("tag", "-a", "-m", "x", "v1")
    tag, blob = pushing.git("rev-parse", "v1"), pushing.git("rev-parse", "HEAD:code.c")
    assert asked(pushing, pushing.git("rev-parse", "HEAD")) == asked(pushing, tag) == 1
    assert asked(pushing, "0" * 40) == asked(pushing, blob) == asked(pushing) == 0


def test_what_the_remote_says_it_has_is_not_sent_again(pushing: Clone) -> None:
    head = pushing.git("rev-parse", "HEAD")
    assert asked(pushing, head, remote="https://example.org/x.git?a[b]") == 1
    assert asked(pushing, head, remote="https://example.org/x.git?a[b]", known=(head,)) == 0
    assert asked(pushing, head, remote="elsewhere", known=("1" * 40,)) == 1


def test_nothing_is_kept_or_moved_by_looking(pushing: Clone) -> None:
    pushing.cc("remember", "Deploys go out on Tuesdays")
    laid_with(pushing, "by hand")
    journal = str(pushing.top / ".git/continuity/journal.git")
    refs = ("--git-dir", journal, "for-each-ref", "refs/writes")
    before = pushing.git("status", "--porcelain"), pushing.git(*refs)
    assert asked(pushing, pushing.git("rev-parse", "HEAD")) == 1
    assert (pushing.git("status", "--porcelain"), pushing.git(*refs)) == before
