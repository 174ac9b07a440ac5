"""Notes of agents, beads and the Cognitive Continuity package: what becomes of what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cc_git.importers.continuity import EPISODES, EXPORT_FORMAT, MANIFEST, STATE, WORKSPACE_FORMAT, checksum_of
from tests.cli.people import Clone

CLAUDE = """# Harbour

Keep it small.

## Before a commit

1. Run `make test`
2. Ask for a review

## 2026

Nothing yet.
"""
MEMORY = "---\nname: Ana\ntype: user\n---\nAna prefers small commits.\n"


def took(clone: Clone, *words: str) -> dict[str, Any]:
    """Title → the record, after everything that waits was taken in."""
    for waiting in clone.data("status")["quarantined"]:
        clone.settles("import", "accept", waiting, *words)
    return {one["title"]: one for one in clone.data("list", "--all")}


def test_sections_become_procedures_and_memories_beliefs_or_proposals(ana: Clone) -> None:
    (ana.top / "CLAUDE.md").write_text(CLAUDE)
    (ana.top / "memory").mkdir()
    (ana.top / "memory" / "ana.md").write_text(MEMORY)
    (ana.top / "memory" / "MEMORY.md").write_text("# Cache\n\nThe cache is cold after a restart.\n")
    (ana.top / "README.md").write_text("# Not for agents\n\nx\n")
    said = ana.data("import", "notes", ".")
    assert {one["path"]: one["done"] for one in said["items"]} == dict.fromkeys(
        ("CLAUDE.md#harbour", "CLAUDE.md#harbour/before-a-commit", "CLAUDE.md#harbour/s-2026", "memory/MEMORY.md#cache",
         "memory/ana.md"),
        "quarantined",
    )  # fmt: skip
    found = took(ana)
    assert {title: (one["kind"], one["standing"], one["authority"]) for title, one in found.items()} == {
        "Harbour": ("procedure", "current", "document"),
        "Before a commit": ("procedure", "current", "document"),
        "2026": ("procedure", "current", "document"),
        "Cache": ("belief", "current", "document"),
        "Ana": ("user_model", "proposed", "document"),
    }
    assert found["Before a commit"]["payload"]["steps"] == ["Run make test", "Ask for a review"]
    assert ana.data("import", "notes", ".")["counts"] == {"already here": 5}


def test_a_changed_section_takes_the_place_of_its_former_text_and_a_text_may_return(ana: Clone) -> None:
    note = ana.top / "AGENTS.md"
    for text in ("one", "two", "one"):
        note.write_text(f"# Style\n\nUse {text}.\n")
        ana.cc("import", "notes", "AGENTS.md")
        took(ana)
    lines = ana.data("list", "--all")
    assert sorted(one["standing"] for one in lines) == ["current", "superseded", "superseded"]
    assert ana.data("import", "notes", "AGENTS.md")["counts"] == {"already here": 1}


def test_only_what_stands_in_the_accepted_branch_is_reviewed(accepted: Clone) -> None:
    (accepted.top / "AGENTS.md").write_text("# Style\n\nUse tabs.\n")
    accepted.git("add", "-A")
    accepted.git("commit", "--quiet", "-m", "Style")
    assert accepted.data("import", "notes", "AGENTS.md", "--dry-run")["counts"] == {"quarantined": 1}
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert accepted.data("import", "notes", "AGENTS.md")["counts"] == {"imported": 1}
    assert took(accepted)["Style"]["standing"] == "current"


HOSTILE_NOTES = (
    b"\xff\xfe\x00", b"", b"# " + b"x" * 600_000, b"---\na: &a [*a]\n---\n# T\n\nx", b"#\n\nx",
    b"# \x1b[2J\xe2\x80\xae\n\nx", b"\n".join(b"# " + b"y" * 2000 + b"\n\nz" for _ in range(50)), b"- [" * 50_000,
)  # fmt: skip


@pytest.mark.parametrize("data", HOSTILE_NOTES, ids=range(len(HOSTILE_NOTES)))
def test_a_hostile_note_harms_nothing(ana: Clone, data: bytes) -> None:
    (ana.top / "CLAUDE.md").write_bytes(data)
    said = ana.run("import", "notes", "CLAUDE.md")
    assert "\x1b" not in said.out + said.err and "\u202e" not in said.out + said.err
    ana.cc("import", "review")


ISSUES = [
    {"id": "bd-1", "title": "Ship version 2", "status": "open", "priority": 0, "issue_type": "epic", "assignee": "ana",
     "acceptance_criteria": "the ferry sails", "created_at": "2026-01-02T03:04:05.123456789+01:00"},
    {"id": "bd-2", "title": "Book berths", "description": "Online.", "status": "in_progress", "priority": 2,
     "dependencies": [{"issue_id": "bd-2", "depends_on_id": "bd-1", "type": "parent-child"}]},
    {"id": "bd-3", "title": "Paint the pier", "status": "closed", "close_reason": "done"},
    {"id": "bd-4", "title": "A mistake", "status": "tombstone"},
    {"id": "bd-5"},
]  # fmt: skip


def beads(clone: Clone, *issues: dict[str, Any]) -> Any:
    file = clone.top.parent / "issues.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in issues) + "not json\n\n")
    return clone.data("import", "beads", str(file))


def test_open_issues_become_goals_and_closed_ones_evidence(ana: Clone) -> None:
    said = beads(ana, *ISSUES)
    assert {one["path"]: one["done"] for one in said["items"]} == {
        "beads:bd-1": "quarantined", "beads:bd-2": "quarantined", "beads:bd-3": "quarantined",
        "beads:bd-4": "skipped", "line 5": "broken", "line 6": "broken",
    }  # fmt: skip
    found = took(ana)
    assert set(found) == {"Ship version 2", "Book berths"}
    ship, book = found["Ship version 2"], ana.data("show", found["Book berths"]["id"])["value"]
    assert (ship["payload"]["priority"], ship["payload"]["owner"]) == (1, "ana")
    assert book["relations"] == [{"rel": "parent", "to": ship["id"]}]
    assert beads(ana, *ISSUES)["counts"] == {"already here": 3, "skipped": 1, "broken": 2}


def test_an_issue_that_was_closed_since_is_told_and_its_goal_stands_until_somebody_rules(ana: Clone) -> None:
    beads(ana, ISSUES[0])
    took(ana)
    said = beads(ana, {**ISSUES[0], "status": "closed"})
    assert "stands until somebody rules" in said["items"][0]["reason"]
    assert took(ana)["Ship version 2"]["standing"] == "current"


SCOPE = {"user": "ana", "project": "harbour", "agent": "claude", "thread": None}
EVENTS = [
    {"id": "EP-0000000000000001", "type": "message", "recorded_at": "2026-01-02", "scope": SCOPE,
     "content": "Ana said so", "source": {"kind": "user", "authority": "user-explicit"}, "sensitivity": "ordinary"},
]  # fmt: skip


def state(number: int, kind: str, content: str, status: str = "current", **more: Any) -> dict[str, Any]:
    return {
        "id": f"ST-{number:016x}", "kind": kind, "status": status, "scope": SCOPE, "content": content,
        "recorded_at": "2026-01-02T00:00:00Z", "source_ids": ["EP-0000000000000001"], "source_class": "user",
        "authority": "user-explicit", "sensitivity": "ordinary", **more,
    }  # fmt: skip


STATES = [
    state(1, "decision", "Deploys go out on Tuesdays"),
    state(2, "permission", "You may deploy to production"),
    state(3, "belief", "Old news", "superseded"),
    state(4, "goal", "Perhaps a ferry", "proposed"),
    state(5, "hypothesis", "The tide is early", expires_at=None),
    state(6, "belief", "Cold", sensitivity="unheard-of"),
    state(7, "dragon", "Here"),
]


def exported(folder: Path, **changes: Any) -> Path:
    document: dict[str, Any] = {
        "format": EXPORT_FORMAT, "package_version": "1", "exported_at": "2026-01-03T00:00:00Z",
        "source_workspace_id": "CCW-1", "scope": SCOPE, "episodes": EVENTS, "state": STATES, "proposals": [],
        "capability_boundary": "é", "checksum": None,
    }  # fmt: skip
    document["checksum"] = checksum_of(document)
    file = folder / "export.json"
    file.write_text(json.dumps(document | changes))
    return file


def test_an_export_of_the_package_comes_in_without_its_permissions(ana: Clone, tmp_path: Path) -> None:
    said = ana.data("import", "continuity", str(exported(tmp_path)))
    assert said["counts"] == {"quarantined": 6, "skipped": 1, "broken": 1}
    found = took(ana)
    assert {title: (one["kind"], one["standing"], one["authority"]) for title, one in found.items()} == {
        "Deploys go out on Tuesdays": ("decision", "current", "document"),
        "Perhaps a ferry": ("goal", "proposed", "agent-inference"),
        "The tide is early": ("hypothesis", "expired", "document"),
        "Cold": ("belief", "proposed", "document"),
    }
    assert ana.offered() == set() and not any(one["kind"] == "permission" for one in found.values())
    assert found["Cold"]["private"]
    assert ana.data("import", "continuity", str(exported(tmp_path)))["counts"]["already here"] == 6


def test_a_changed_export_is_refused(ana: Clone, tmp_path: Path) -> None:
    file = exported(tmp_path, state=STATES[:1])
    assert "checksum" in ana.run("import", "continuity", str(file), code=2).err


def test_a_workspace_of_the_package_is_read_from_its_folder(ana: Clone, tmp_path: Path) -> None:
    there = tmp_path / "theirs"
    for name, objects in ((EPISODES, EVENTS), (STATE, STATES[:1])):
        (there / name).parent.mkdir(parents=True)
        (there / name).write_text("".join(json.dumps(one) + "\n" for one in objects))
    (there / MANIFEST).write_text(json.dumps({"format": WORKSPACE_FORMAT, "workspace_id": "CCW-1"}))
    assert ana.data("import", "continuity", str(there))["counts"] == {"quarantined": 2}
    assert took(ana)["Deploys go out on Tuesdays"]["standing"] == "current"
    (there / STATE).write_text("{")
    assert "line 1" in ana.run("import", "continuity", str(there), code=2).err


def test_a_file_without_one_readable_issue_is_no_beads_database(ana: Clone) -> None:
    file = ana.top / "garbage.jsonl"
    file.write_text("\nnot json\n{}\n")
    said = ana.run("import", "beads", str(file), code=2).err
    assert "holds no issue that can be read" in said and "line 2: it is not JSON" in said
    file.write_text('{"id": "bd-1", "title": "Fine", "status": "open"}\n\n{')
    broken = [one for one in ana.data("import", "beads", str(file))["items"] if one["done"] == "broken"]
    assert [one["path"] for one in broken] == ["line 3"] and "line" not in broken[0]["reason"]
