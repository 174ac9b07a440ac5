"""CTX repositories: what becomes of their things, found by their ids there."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from cc_git.codec.files import decode
from cc_git.codec.paths import WORKSPACE_DIR, places_of
from cc_git.model.record import Record
from tests.cli.ctx_made import ID, WHEN, repository, state, write
from tests.cli.people import Clone, World

FOUND = {
    "goal": ("goal", "current"), "sub": ("goal", "current"), "task": ("goal", "current"), "done": ("goal", "expired"),
    "hypothesis": ("hypothesis", "current"), "rival": ("hypothesis", "expired"), "evidence": ("episode", None),
    "decision": ("decision", "current"), "conclusion": ("belief", "current"), "run": ("episode", None),
    "runbook": ("procedure", "proposed"), "trigger": ("episode", None), "commit": ("episode", None),
    "lost": ("goal", "proposed"),
}  # fmt: skip
EDGES = {
    ("sub", "parent", "goal"), ("task", "part-of", "sub"), ("task", "depends-on", "done"), ("done", "part-of", "goal"),
    ("hypothesis", "about", "task"), ("hypothesis", "competes-with", "rival"), ("hypothesis", "sources", "evidence"),
    ("decision", "decides", "hypothesis"), ("decision", "sources", "evidence"), ("goal", "sources", "trigger"),
    ("conclusion", "follows-from", "decision"), ("conclusion", "resolves", "goal"), ("runbook", "serves", "goal"),
}  # fmt: skip


def took(clone: Clone, folder: Path) -> Any:
    said = clone.data("import", "ctx", str(folder))
    clone.settles("import", "accept", said["quarantine"])
    return said


def by_original(clone: Clone, name: str) -> dict[str, dict[str, Any]]:
    """Kind → the hit, of what a search for the id there finds under its own title."""
    return {hit["kind"]: hit for hit in clone.data("search", ID[name])}


def record_file(clone: Clone, identifier: str) -> Record:
    workspace = clone.top / WORKSPACE_DIR
    for rel in places_of(identifier):
        if (workspace / rel).exists():
            record = decode(rel, (workspace / rel).read_bytes())
            assert isinstance(record, Record)
            return record
    raise AssertionError(f"{identifier} has no file")


def edges(clone: Clone) -> set[tuple[str, str, str]]:
    names = {hit["id"]: name for name in FOUND for hit in clone.data("search", ID[name])}
    found = set()
    for one in clone.data("list", "--all"):
        record = record_file(clone, one["id"])
        links = [(link.rel, link.to) for link in record.relations]
        links += [("sources", source) for source in record.sources[1:]]
        found |= {(names[one["id"]], word, names[to]) for word, to in links}
    return found


@pytest.mark.parametrize(("flat", "working"), [(False, True), (True, True), (True, False)])
def test_everything_is_found_by_its_id_there_with_the_same_links(
    ana: Clone, tmp_path: Path, flat: bool, working: bool
) -> None:
    took(ana, repository(tmp_path / "ctx", flat=flat, working=working))
    for name, (kind, standing) in FOUND.items():
        hits = by_original(ana, name)
        assert kind in hits, name
        assert hits[kind]["standing"] == standing, name
    assert edges(ana) == EDGES
    found = {one["title"]: one for one in ana.data("list", "--all")}
    assert record_file(ana, found["Buy lamps"]["id"]).valid_from == datetime.fromisoformat(WHEN)
    assert found["Open the harbour"]["payload"]["priority"] == 1


def test_what_does_not_come_in_is_told(ana: Clone, tmp_path: Path) -> None:
    folder = repository(tmp_path / "ctx")
    said = ana.data("import", "ctx", str(folder), "--dry-run")
    told = {one["path"]: one["reason"] for one in said["items"] if one["done"] == "skipped"}
    assert any("task nowhere" in path for path in told)
    assert {f"packets/{ID['packet']}.json", "version.json"} <= set(told)
    assert said["counts"]["quarantined"] == len(FOUND) + 1


def test_a_second_import_and_one_in_another_clone_change_nothing(ana: Clone, world: World, tmp_path: Path) -> None:
    folder = repository(tmp_path / "ctx")
    ana.commit()
    ana.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    took(ana, folder)
    again = ana.data("import", "ctx", str(folder))
    assert set(again["counts"]) == {"already here", "skipped"}
    ana.commit()
    ana.git("push", "--quiet", "origin", "HEAD")
    took(ben, folder)
    ben.commit()
    ben.git("pull", "--quiet", "--no-rebase", "--no-edit")
    assert set(ben.data("import", "ctx", str(folder))["counts"]) == {"already here", "skipped"}
    standing = {one["standing"] for one in ben.data("list", "--all")}
    assert "conflicted" not in standing


def test_a_runbook_does_not_instruct(ana: Clone, tmp_path: Path) -> None:
    took(ana, repository(tmp_path / "ctx"))
    assert ana.data("runbook", "list")["runbooks"] == []
    [procedure] = [one for one in ana.data("list", "--all") if one["kind"] == "procedure"]
    assert (procedure["standing"], procedure["payload"]["steps"]) == ("proposed", ["Pour the oil"])


HOSTILE_IDS = ("../../../etc/passwd", "/etc/passwd", "a\x1b[2J", "\ud800", "x" * 5000, "", "goal#2", "‮evil")


@pytest.mark.parametrize("identifier", HOSTILE_IDS, ids=range(len(HOSTILE_IDS)))
def test_a_hostile_id_harms_nothing(ana: Clone, tmp_path: Path, identifier: str) -> None:
    folder = repository(tmp_path / "ctx")
    one = state()
    one["goals"][0]["id"] = {"value": identifier}
    write(folder, "working/working-context.json", json.dumps(one).encode())
    before = {path for path in tmp_path.rglob("*") if ".continuity" not in path.parts and ".git" not in path.parts}
    said = ana.run("import", "ctx", str(folder))
    assert "\x1b" not in said.out + said.err and "‮" not in said.out + said.err
    after = {path for path in tmp_path.rglob("*") if ".continuity" not in path.parts and ".git" not in path.parts}
    assert after == before
    ana.cc("import", "review")


def test_ids_times_and_types_that_mislead_come_in_as_what_they_are(ana: Clone, tmp_path: Path) -> None:
    folder = repository(tmp_path / "ctx")
    one = state()
    one["goals"][1]["id"] = {"value": "pier#2"}
    one["hypotheses"][0]["trace"] = {"createdAtUtc": "9999-12-31T23:00:00+00:00", "updatedAtUtc": "0001-01-01"}
    one["hypotheses"][1]["trace"] = {"createdAtUtc": "9999-12-31T23:00:00+00:00"}
    one["decisions"][0] |= {"title": ["x"], "state": True}
    write(folder, "working/working-context.json", json.dumps(one).encode())
    said = took(ana, folder)
    assert {i["path"].partition("#")[2] for i in said["items"] if i["done"] == "broken"} == {
        f"decision/{ID['decision']}"
    }
    hits = ana.data("search", "pier#2", "-k", "goal", "--standing", "current")
    assert "Light the pier" in {hit["text"] for hit in hits}
    assert ana.data("import", "ctx", str(folder))["counts"].keys() == {"already here", "skipped", "broken"}


HOSTILE_FILES = (b"\xff\xfe", b"[" * 100_000, b'{"goals": 3}', b'{"goals": [3, {"id": 4}]}', b"x" * (5 << 20), b"{",
                 b'{"goals": [{"id": {"value": "a"}, "title": "A", "trace": 3, "state": 99}]}',
                 b'{"goals": [{"id": "a", "title": "A"}, {"id": "A", "title": "B"}]}')  # fmt: skip


@pytest.mark.parametrize("data", HOSTILE_FILES, ids=range(len(HOSTILE_FILES)))
def test_a_hostile_file_is_told_and_the_others_come_in(ana: Clone, tmp_path: Path, data: bytes) -> None:
    folder = repository(tmp_path / "ctx")
    write(folder, "working/working-context.json", data)
    (tmp_path / "secret.json").write_text(json.dumps({"id": {"value": "s"}, "title": "Secret", "state": 1}))
    (folder / ".ctx" / "runbooks" / "link.json").symlink_to(tmp_path / "secret.json")
    said = ana.data("import", "ctx", str(folder))
    assert said["counts"]["quarantined"] > 3
    assert "Secret" not in json.dumps(said)


def test_what_is_no_ctx_repository_is_refused(ana: Clone, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    said = ana.run("import", "ctx", str(tmp_path / "other"), code=2)
    assert "is not a CTX repository" in said.err
