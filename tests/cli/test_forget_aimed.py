"""Forgetting all that lies in a scope, comes from a source, or is about an entity."""

from __future__ import annotations

import pytest

from tests.cli.people import Clone


def _goes(clone: Clone, *words: str) -> dict[str, str]:
    """Id → why, of the plan."""
    return {one["id"]: one["why"] for one in clone.data("forget", *words, "--dry-run")["plan"]["remove"]}


@pytest.fixture
def several(accepted: Clone) -> dict[str, str]:
    """By name: one record that holds everywhere, and some in projects and threads."""
    made = {"everywhere": accepted.made("remember", "Tea at four", "-k", "decision", prefix="dec")}
    for name, text, scope in (
        ("pier", "The pier is short", ("--project", "pier")),
        ("thread", "Ask for the tide table", ("--project", "pier", "--thread", "t1")),
        ("crane", "The crane is old", ("--project", "crane")),
    ):
        made[name] = accepted.made("remember", text, "-k", "decision", *scope, prefix="dec")
    return made


def test_a_scope_takes_what_lies_in_it_and_leaves_what_holds_more_widely(
    accepted: Clone, several: dict[str, str]
) -> None:
    records = {i: why for i, why in _goes(accepted, "--project", "pier").items() if i.startswith("dec")}
    assert records == {several["pier"]: "asked", several["thread"]: "asked"}
    narrow = _goes(accepted, "--project", "pier", "--thread", "t1")
    assert several["thread"] in narrow and several["pier"] not in narrow
    digest = accepted.data("forget", "--project", "pier", "--keep", several["pier"], "--dry-run")["plan"]["digest"]
    accepted.person("forget", "--project", "pier", "--keep", several["pier"], "--confirm", digest)
    left = {line["id"] for line in accepted.data("list")}
    assert left == {several["everywhere"], several["pier"], several["crane"]}


def test_the_evidence_goes_with_its_scope(accepted: Clone, several: dict[str, str]) -> None:
    accepted.person("forget", "--project", "pier", answers=("y",))
    files = [path for path in (accepted.top / ".continuity").rglob("*.toml") if path.stat().st_size]
    assert [path for path in files if "pier is short" in path.read_text()] == []
    assert accepted.standing(several["crane"]) == "current"


def test_a_scope_of_which_nothing_is_here_is_said_and_none_at_all_is_asked_for(accepted: Clone) -> None:
    assert "nothing here is in that scope" in accepted.run("forget", "--project", "moon", "--dry-run", code=2).err
    assert "name what to forget" in accepted.run("forget", "--project", "*", "--dry-run", code=2).err


def test_an_episode_as_source_takes_what_was_made_from_it_alone(accepted: Clone) -> None:
    one = accepted.made("capture", "It was said in the morning", prefix="ep")
    other = accepted.made("capture", "It was said again at night", prefix="ep")
    alone = accepted.made("remember", "A key is kept", "-k", "belief", "--source", one, prefix="blf")
    both = accepted.made("remember", "Short", "-k", "belief", "--source", one, "--source", other, prefix="blf")
    assert _goes(accepted, "--source", one) == {one: "asked", alone: "sole source"}
    assert accepted.data("forget", "--source", one, "--dry-run")["plan"]["review"] == [both]


def test_who_wrote_or_said_it_is_a_source(accepted: Clone) -> None:
    agent = accepted.agent("scribe")
    own = agent.made("remember", "A thought of the scribe", "-k", "belief", prefix="blf")
    deny = agent.made("remember", "Frozen for the night", "--deny", "deploy", prefix="prm")
    mine = accepted.made("remember", "A thought of Ana", "-k", "belief", prefix="blf")
    goes = _goes(accepted, "--source", "agent:scribe")
    assert {own, deny} <= goes.keys() and mine not in goes
    digest = accepted.data("forget", "--source", "agent:scribe", "--dry-run")["plan"]["digest"]
    agent.run("forget", "--source", "agent:scribe", "--confirm", digest, code=3)
    assert accepted.standing(deny) == "current", "a restraint is lifted by a person alone"


def test_a_path_is_a_source_with_all_below_it(accepted: Clone) -> None:
    made = {}
    for place in ("docs/pier.md", "docs/old/crane.md", "docs2/tide.md"):
        words = ("remember", f"Read in {place}", "-k", "belief", "--authority", "document", "--from", place)
        made[place] = accepted.made(*words, prefix="blf")
    assert {made["docs/pier.md"], made["docs/old/crane.md"]} <= _goes(accepted, "--source", "docs").keys()
    assert made["docs2/tide.md"] not in _goes(accepted, "--source", "docs/")
    assert made["docs/pier.md"] not in _goes(accepted, "--source", "docs/old/crane.md")


def test_an_import_is_a_source_with_what_was_taken_from_it(accepted: Clone) -> None:
    notes = accepted.top.parent / "MEMORY.md"
    notes.write_text("# Memory\n\n- The pier is short and old\n- The crane is red and loud\n")
    told = accepted.data("import", "notes", str(notes))
    waiting = [item["record"] for item in told["items"]]
    accepted.person("import", "accept", told["quarantine"], waiting[0], answers=("y",))
    (taken,) = [line["id"] for line in accepted.data("list", "--all") if line["id"] not in waiting]
    goes = _goes(accepted, "--source", told["quarantine"])
    assert {told["quarantine"], *waiting, taken} <= goes.keys()
    accepted.person("forget", "--source", told["quarantine"], answers=("y",))
    files = [path for path in (accepted.top / ".continuity").rglob("*.toml") if path.stat().st_size]
    assert [path for path in files if "crane is red" in path.read_text() or "pier is short" in path.read_text()] == []


def test_an_entity_is_a_subject_or_a_party(accepted: Clone) -> None:
    about = accepted.made("remember", "Paint it green", "-k", "decision", "--subject", "paint", prefix="dec")
    owed = accepted.made("remember", "Send the bill", "-k", "commitment", "--set", "beneficiary=Paint", prefix="cmt")
    plain = accepted.made("remember", "Paint is dear", "-k", "belief", prefix="blf")
    goes = _goes(accepted, "--entity", "Paint")
    assert {about, owed} <= goes.keys() and plain not in goes


def test_scope_source_and_entity_narrow_each_other(accepted: Clone) -> None:
    words = ("-k", "decision", "--subject", "paint")
    here = accepted.made("remember", "Paint it green", *words, "--project", "pier", prefix="dec")
    there = accepted.made("remember", "Paint it blue", *words, "--project", "crane", prefix="dec")
    goes = _goes(accepted, "--entity", "paint", "--project", "pier")
    assert here in goes and there not in goes


def test_an_import_by_its_id_is_all_that_waits_in_it(accepted: Clone) -> None:
    (accepted.top / "CLAUDE.md").write_text("# Quay\n\nMoor on the left.\n\n# Gate\n\nShut it at night.\n")
    accepted.cc("import", "notes", "CLAUDE.md")
    (manifest,) = (accepted.top / ".continuity" / "quarantine").rglob("manifest.toml")
    import_id = manifest.parent.name
    gate = next(path.stem for path in manifest.parent.rglob("prc_*.toml") if "Gate" in path.read_text())
    accepted.person("import", "accept", import_id, gate, answers=("y", "y"))
    plan = accepted.data("forget", import_id, "--dry-run")["plan"]
    assert plan["by_hand"] == [] and {i.partition("_")[0] for i in plan["alike"]} == {"ep", "prc"}, "what was taken in"
    accepted.person("forget", import_id, answers=("y",))
    assert not [path for path in manifest.parent.rglob("*") if path.is_file() and path.stat().st_size]
    (taken,) = accepted.data("list", "--kind", "procedure")
    assert taken["standing"] == "current"
