"""Broken files: each is named with its line and what helps, the rest works, and nothing is rewritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from cc_git.codec.paths import tombstone_path
from tests.cli.people import Clone


@pytest.fixture
def two(ana: Clone) -> tuple[Clone, str, Path]:
    """Two decisions in a commit; the first one's id and file."""
    first = ana.made("remember", "First", "-k", "decision", prefix="dec")
    ana.cc("remember", "Second", "-k", "decision")
    ana.commit()
    return ana, first, ana.top / ".continuity" / ana.data("show", first)["file"]


def _titles(clone: Clone) -> set[str]:
    return {line["title"] for line in clone.data("list")}


def test_an_edit_of_an_immutable_file_is_named_and_does_not_count(two: tuple[Clone, str, Path]) -> None:
    ana, _, file = two
    edited = file.read_text().replace("First", "Worst")
    file.write_text(edited)
    (edit,) = ana.data("status")["edited"]
    assert edit["file"] in str(file) and edit["at"] == "on disk"
    assert _titles(ana) == {"First", "Second"}
    assert file.read_text() == edited


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (b"", "empty", "no tombstone"),
        (b'format = "cc-git/1"\nkind = \n', "syntax", ":2:"),
        (b'format = "cc-git/9"\n', "future", "upgrade cc-git"),
        (b'format = "cc-git/1"\n<<<<<<< HEAD\n', "conflict-markers", ":2:"),
        (b"\xff", "encoding", "UTF-8"),
        (b"# long\n" * 200_000, "too-large", "--attach FILE"),
    ],
)
def test_a_broken_committed_file_is_named_and_the_rest_works(
    two: tuple[Clone, str, Path], content: bytes, code: str, says: str
) -> None:
    ana, first, file = two
    file.write_bytes(content)
    ana.git("commit", "--quiet", "--no-verify", "-am", "Break it")
    (fault,) = ana.data("status")["faults"]
    assert fault["code"] == code and first in fault["rel"]
    assert says in ana.cc("status")
    assert _titles(ana) == {"Second"}
    assert file.read_bytes() == content
    ana.cc("remember", "Third", "-k", "decision")
    assert "Third" in ana.cc("compile")


def test_one_id_with_two_contents_is_damaged(two: tuple[Clone, str, Path]) -> None:
    ana, first, file = two
    twin = ana.top / ".continuity" / "private" / file.relative_to(ana.top / ".continuity")
    twin.parent.mkdir(parents=True)
    twin.write_text(file.read_text().replace("First", "Worst"))
    assert ana.standing(first) == "damaged"
    assert {fault["code"] for fault in ana.data("status")["faults"]} == {"duplicate"}
    assert _titles(ana) == {"Second"}


def test_a_workspace_file_with_conflict_markers_stops_what_is_new_and_not_what_is_read(
    two: tuple[Clone, str, Path],
) -> None:
    ana, first, _ = two
    policy = ana.top / ".continuity" / "workspace.toml"
    broken = policy.read_text().replace("[policy]", "<<<<<<< HEAD\n[policy]")
    policy.write_text(broken)
    assert _titles(ana) == {"First", "Second"}
    refused = ana.run("remember", "Third", code=6)
    line = broken[: broken.index("<<<<<<<")].count("\n") + 1
    assert f"workspace.toml:{line}" in refused.err
    assert policy.read_text() == broken
    ana.cc("revoke", first)
    assert ana.standing(first) == "revoked"


def test_an_empty_file_with_a_tombstone_is_the_place_of_a_forgotten_one(two: tuple[Clone, str, Path]) -> None:
    ana, first, file = two
    mark = ana.top / ".continuity" / tombstone_path(first)
    mark.parent.mkdir(parents=True)
    mark.write_text(f'format = "cc-git/1"\nid = "{first}"\n')
    file.write_bytes(b"")
    ana.git("add", "-A")
    ana.git("commit", "--quiet", "-m", "Forget")
    assert ana.data("status")["faults"] == []
    assert _titles(ana) == {"Second"}


def test_a_damaged_journal_is_named_and_loses_no_file_on_disk(two: tuple[Clone, str, Path]) -> None:
    ana, _, _ = two
    ana.cc("remember", "Third", "-k", "decision")
    journal = ana.top / ".git" / "continuity" / "journal.git"
    for found in [p for p in (journal / "objects").rglob("*") if p.is_file()]:
        found.chmod(0o600)
        found.write_bytes(b"")
    refused = ana.run("list", code=6)
    assert f"the journal at {journal} is damaged" in refused.err and "mv " in refused.err
    assert "journal" in ana.run("doctor", code=1).out
    journal.rename(journal.with_suffix(".damaged"))
    assert _titles(ana) == {"First", "Second", "Third"}
    ana.commit()


def test_a_restraint_with_a_second_content_is_in_every_packet_in_both(ana: Clone) -> None:
    promise = ana.made("remember", "The billing schema stays as it is", "--refrain", prefix="cmt")
    ana.commit()
    file = ana.top / ".continuity" / ana.data("show", promise)["file"]
    twin = ana.top / ".continuity" / "private" / file.relative_to(ana.top / ".continuity")
    twin.parent.mkdir(parents=True)
    twin.write_text(file.read_text().replace("stays as it is", "may change"))
    assert ana.standing(promise) == "damaged"
    asked = ("--task", "change the billing schema")
    items = [i for s in ana.packet(*asked, "--ceiling", "sensitive")["sections"] for i in s["items"]]
    contents = [i for i in items if i["id"] == promise]
    assert sorted(i["title"] for i in contents) == [
        "The billing schema may change",
        "The billing schema stays as it is",
    ]
    below = [i["title"] for s in ana.packet(*asked)["sections"] for i in s["items"] if i["id"] == promise]
    assert sorted(below) == ["", "The billing schema stays as it is"]
    assert all("in force: one of several contents of a damaged id" in i["labels"] for i in contents)


def test_a_committed_record_that_is_gone_from_disk_is_named_with_what_brings_it_back(ana: Clone) -> None:
    record = ana.made("remember", "Tabs", "-k", "decision", prefix="dec")
    ana.commit()
    path = next(name for name in ana.git("ls-files").splitlines() if record in name)
    (ana.top / path).unlink()
    rel = path.removeprefix(".continuity/")
    assert ana.data("status")["edited"] == [{"file": rel, "at": "missing"}]
    status = ana.run("status")
    assert "missing on disk" in status.out and "git restore .continuity/PATH" in status.err
    assert f"left out: {rel} is missing on disk (git restore brings it back)" in ana.run("commit").err
    said = ana.run("restore", record, code=2).err
    assert "missing on disk" in said and f"git restore {path}" in said
    ana.git("restore", path)
    assert ana.data("status")["edited"] == []
