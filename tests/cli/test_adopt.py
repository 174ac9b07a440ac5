"""An edit in the file of a record becomes a correction, and the file is again what was written."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.people import Clone


@pytest.fixture
def kept(ana: Clone) -> tuple[str, Path]:
    made = ana.data("remember", "We deploy on Tuesdays", "-k", "decision", "--set", "rationale=mondays are busy")
    ana.commit()
    identifier, rel = next((i, rel) for i, rel in made["files"].items() if i.startswith("dec_"))
    return identifier, ana.top / ".continuity" / rel


def edit(file: Path, old: str, new: str) -> bytes:
    before = file.read_bytes()
    file.write_bytes(before.replace(old.encode(), new.encode()))
    assert file.read_bytes() != before
    return before


def test_the_edit_becomes_a_correction_and_the_file_what_it_was(ana: Clone, kept: tuple[str, Path]) -> None:
    old, file = kept
    before = edit(file, "We deploy on Tuesdays", "We deploy on Thursdays")
    assert "cc-git adopt ID makes a correction of it" in ana.run("status").err
    new = ana.made("adopt", old, prefix="dec")
    assert file.read_bytes() == before
    assert (ana.standing(old), ana.standing(new)) == ("superseded", "current")
    shown = ana.data("show", new)["value"]
    assert shown["title"] == "We deploy on Thursdays" and shown["payload"]["rationale"] == "mondays are busy"
    assert ana.git("status", "--porcelain", "--", str(file)) == ""
    assert ana.data("status")["edited"] == []


def test_a_field_of_the_kind_is_adopted_alone(ana: Clone, kept: tuple[str, Path]) -> None:
    old, file = kept
    edit(file, "mondays are busy", "mondays are quiet")
    shown = ana.data("show", ana.made("adopt", old, prefix="dec"))["value"]
    assert (shown["title"], shown["payload"]["rationale"]) == ("We deploy on Tuesdays", "mondays are quiet")


def test_a_record_that_waits_is_adopted_too(ana: Clone) -> None:
    made = ana.data("remember", "Tabs", "-k", "decision")
    identifier, rel = next((i, rel) for i, rel in made["files"].items() if i.startswith("dec_"))
    before = edit(ana.top / ".continuity" / rel, '"Tabs"', '"Spaces"')
    new = ana.made("adopt", identifier, prefix="dec")
    assert (ana.top / ".continuity" / rel).read_bytes() == before and ana.standing(new) == "current"


def test_an_agents_edit_is_an_agents_correction(ana: Clone, kept: tuple[str, Path]) -> None:
    old, file = kept
    edit(file, "Tuesdays", "Fridays")
    new = ana.agent().made("adopt", old, prefix="dec")
    assert ana.data("show", new)["value"]["actor"] == "agent:claude-code/opus"
    assert ana.standing(old) == "current"


def test_what_was_stopped_halfway_is_ended_and_said_once(ana: Clone, kept: tuple[str, Path]) -> None:
    """The correction is kept, and the file still has the edit."""
    old, file = kept
    before = edit(file, "Tuesdays", "Fridays")
    now = file.read_bytes()
    ana.cc("adopt", old)
    file.write_bytes(now)
    assert "adopted already; its file is put right" in ana.run("adopt", old, code=3).err
    assert file.read_bytes() == before
    assert len(ana.data("list", "--all")) == 2


def test_tags_are_adopted(ana: Clone, kept: tuple[str, Path]) -> None:
    old, file = kept
    edit(file, "\n\n[decision]", '\ntags = [\n  "deploys",\n]\n\n[decision]')
    assert ana.data("show", ana.made("adopt", old, prefix="dec"))["value"]["tags"] == ["deploys"]


def test_a_dry_run_leaves_the_edit(ana: Clone, kept: tuple[str, Path]) -> None:
    old, file = kept
    edit(file, "Tuesdays", "Fridays")
    now = file.read_bytes()
    assert "Fridays" in ana.cc("adopt", old, "--dry-run")
    assert file.read_bytes() == now and ana.standing(old) == "current"


REFUSED: dict[str, tuple[Callable[[bytes], bytes], int, str]] = {
    "the authority": (lambda data: data.replace(b'"user-explicit"', b'"verified-observation"'), 2, "changes authority"),
    "who wrote it": (lambda data: data.replace(b'"human:ana"', b'"human:ben"'), 2, "changes actor"),
    "what it rests on": (lambda data: re.sub(rb"sources = \[[^]]*\]", b"sources = []", data), 2, "changes sources"),
    "the format": (lambda data: data + b"\n[[", 2, "records/decision/"),
    "white space alone": (lambda data: data + b"\n# a remark\n", 3, "says the same"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_no_correction_can_change_is_named_and_nothing_happens(
    ana: Clone, kept: tuple[str, Path], what: str
) -> None:
    old, file = kept
    change, code, says = REFUSED[what]
    file.write_bytes(change(file.read_bytes()))
    now = file.read_bytes()
    said = ana.run("adopt", old, code=None)
    assert said.code == code, said
    assert file.read_bytes() == now and ana.standing(old) == "current"
    assert says in said.err


def test_what_was_not_edited_or_is_staged_is_said(ana: Clone, kept: tuple[str, Path]) -> None:
    old, file = kept
    assert "was not edited" in ana.run("adopt", old, code=2).err
    before = edit(file, "Tuesdays", "Fridays")
    ana.git("add", str(file))
    file.write_bytes(before)
    assert "git restore --staged" in ana.run("adopt", old, code=3).err
