"""What leaves in a bundle, what stays, and what this clone remembers of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cc_git.codec.bundle_file import decode_bundle
from cc_git.codec.bundle_schema import schema
from cc_git.codec.paths import tombstone_path
from tests.cli.people import NOW, Clone

OUT = "../out.json"


def exported(clone: Clone, *words: str) -> dict[str, Any]:
    """The bundle that a command wrote; the file is taken away again."""
    file = clone.top.parent / "taken.json"
    clone.cc("export", "../taken.json", *words)
    data = file.read_bytes()
    decode_bundle(data)
    file.unlink()
    document: dict[str, Any] = json.loads(data)
    return document


def ids(document: dict[str, Any], part: str = "records") -> set[str]:
    return {(one.get("value") or one)["id"] for one in document.get(part, ())}


def test_what_stands_leaves_with_its_evidence_and_what_ended_as_an_id(ana: Clone) -> None:
    decided = ana.made("remember", "Deploys go out on Tuesdays", "-k", "decision", prefix="dec")
    old = ana.made("remember", "The cache is warm", prefix="blf")
    ana.cc("correct", old, "The cache is cold after a restart")
    deny = ana.agent().made("remember", "Never touch billing", "--deny", "write", "--target", "billing/*", prefix="prm")
    document = exported(ana)
    assert {decided, deny} < ids(document) and old not in ids(document)
    assert document["ended"] == [{"id": old, "standing": "superseded"}]
    assert "The cache is warm" not in json.dumps(document)
    cited = {source for one in document["records"] for source in one["value"]["sources"]}
    assert cited == ids(document, "episodes")
    assert document["left_out"] == {"behind_ended_records": 1}


def test_a_link_between_two_things_stays_and_is_counted(ana: Clone) -> None:
    one, other = (ana.made("remember", text, "-k", "hypothesis", "--expires", "2027-06-01", prefix="hyp")
                  for text in ("Lamps save ships", "Bells save ships"))  # fmt: skip
    link = ana.made("hypothesis", "relate", one, "competes-with", other, prefix="ep")
    seen = ana.made("capture", "A ship saw the lamp", "--relate", f"supports:{one}", prefix="ep")
    document = exported(ana)
    assert link not in ids(document, "episodes") and {one, other} == ids(document)
    assert seen in ids(document, "episodes") and document["left_out"] == {"links": 1}


def test_the_same_snapshot_at_the_same_instant_gives_the_same_bytes(ana: Clone) -> None:
    ana.cc("remember", "Deploys go out on Tuesdays", "-k", "decision")
    first, second = exported(ana, "--now", NOW), exported(ana, "--now", NOW)
    assert first == second
    assert exported(ana, "--now", "2026-11-30T12:00:01Z")["digest"] != first["digest"]


def test_the_scope_and_the_ceiling_hold_back_and_are_counted(ana: Clone) -> None:
    here = ana.made("remember", "Ordinary and here", prefix="blf")
    everywhere = ana.made("remember", "Holds everywhere", "--project", "*", prefix="blf")
    ana.cc("remember", "Elsewhere", "--project", "lighthouse")
    ana.cc("remember", "Only for us", "--sensitivity", "limited")
    ana.cc("remember", "Never read the payroll", "--refrain", "--sensitivity", "sensitive")
    document = exported(ana, "--project", "harbour")
    assert ids(document) == {here, everywhere}
    assert document["left_out"] == {"above_ceiling": 3, "out_of_scope": 2, "restraints_above_ceiling": 1}
    text = json.dumps(document)
    assert not any(secret in text for secret in ("Elsewhere", "Only for us", "payroll"))
    said = ana.run("export", OUT, "--project", "harbour")
    assert "1 restraints are above the ceiling" in said.err


def test_above_ordinary_a_scope_is_named_and_above_limited_a_person_says_yes(ana: Clone) -> None:
    ana.cc("remember", "Only for us", "--sensitivity", "sensitive")
    assert "named scope" in ana.run("export", OUT, "--ceiling", "limited", code=2).err
    asked = ("export", OUT, "--ceiling", "sensitive", "--project", "harbour")
    assert "at a person's word" in ana.run(*asked, code=3).err
    ana.agent().run(*asked, code=3)
    ana.person(*asked, answers=("n",), code=3)
    assert not (ana.top.parent / "out.json").exists()
    assert "Let 1 records and 1 episodes up to sensitive leave" in ana.person(*asked, answers=("y",))
    assert "Only for us" in (ana.top.parent / "out.json").read_text()


def test_what_is_forgotten_leaves_as_an_id_alone(ana: Clone) -> None:
    identifier = ana.made("remember", "The secret phrase", prefix="blf")
    ana.commit()
    tomb = ana.top / ".continuity" / tombstone_path(identifier)
    tomb.parent.mkdir(parents=True)
    tomb.write_text(f'format = "cc-git/1"\nid = "{identifier}"\n')
    document = exported(ana)
    assert document["forgotten"] == [identifier] and identifier not in ids(document)


def test_the_clone_remembers_where_a_bundle_went_and_no_commit_does(ana: Clone) -> None:
    identifier = ana.made("remember", "Deploys go out on Tuesdays", prefix="blf")
    before = ana.git("status", "--porcelain")
    ana.cc("export", OUT)
    assert ana.git("status", "--porcelain") == before
    (line,) = (ana.top / ".git" / "continuity" / "exports").read_text().splitlines()
    note = json.loads(line)
    assert note["file"] == str(ana.top.parent / "out.json") and identifier in note["ids"]
    assert "Tuesdays" not in line and "sha" not in line


@pytest.mark.parametrize("file", [OUT, ".continuity/out.json", "../nowhere/out.json"])
def test_a_bundle_replaces_nothing_and_enters_no_workspace(ana: Clone, file: str) -> None:
    (ana.top.parent / "out.json").write_text("mine")
    ana.cc("export", file, code=2)
    assert (ana.top.parent / "out.json").read_text() == "mine"
    assert not (ana.top / ".git" / "continuity" / "exports").exists()


def test_a_dry_run_writes_neither_file_nor_note(ana: Clone) -> None:
    ana.cc("remember", "Deploys go out on Tuesdays")
    said = ana.data("export", OUT, "--dry-run")
    assert said["counts"]["records"] == 1
    assert not (ana.top.parent / "out.json").exists()
    assert not (ana.top / ".git" / "continuity" / "exports").exists()


def test_every_key_of_a_bundle_is_in_the_published_schema(ana: Clone) -> None:
    ana.cc("remember", "Tell the harbour master", "-k", "commitment", "--due", "2026-12-24")
    ana.cc("remember", "Staging is frozen", "--deny", "deploy", "--target", "staging/*", "--tag", "freeze")
    whole = schema()

    def check(value: Any, shape: dict[str, Any], where: str) -> None:
        if "$ref" in shape:
            shape = whole["$defs"][shape["$ref"].rpartition("/")[2]]
        if isinstance(value, dict) and "properties" in shape:
            assert set(shape.get("required", ())) <= set(value), where
            assert set(value) <= set(shape["properties"]), where
            for key, inner in value.items():
                check(inner, shape["properties"][key], f"{where}.{key}")
        elif isinstance(value, list):
            for inner in value:
                check(inner, shape.get("items", {}), f"{where}[]")

    check(exported(ana), whole, "bundle")
