"""A CTX repository by its ids there: every thing and every link of the input is found here, and none is made up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.cli.ctx_made import ID, ref, repository, state, thing, write
from tests.cli.people import Clone
from tests.cli.test_import_ctx import took

EXTRA = ("older", "borrower", "child", "against")
IDS = {**ID, **{name: f"{number:02x}" + "5e" * 15 for number, name in enumerate(EXTRA, 1)}}
RECORDS = {"goals": "goal", "tasks": "goal", "hypotheses": "hypothesis", "decisions": "decision",
           "conclusions": "belief"}  # fmt: skip
RELATIONS = ("competes-with", "merged-into", "superseded-by", "derived-from", "borrows-evidence-from")


def named(name: str, **fields: Any) -> dict[str, Any]:
    return {**thing("goal", **fields), "id": {"value": IDS[name]}}


def related(number: int, name: str, note: str | None = None) -> dict[str, Any]:
    return {"relationType": number, "targetHypothesisId": {"value": IDS[name]}, "note": note}


def whole() -> dict[str, Any]:
    """The made state, with hypotheses that hang together in every way that CTX knows."""
    made = state()
    made["conclusions"][0]["taskIds"] = [ref("task")]
    made["hypotheses"] += [
        named("older", statement="Fires save ships", state=4, relations=[related(2, "hypothesis", "superseded-by")]),
        named("borrower", statement="Horns save ships", state=1, relations=[related(4, "hypothesis")]),
        named("child", statement="Red lamps save ships", state=0, mergedIntoHypothesisId=ref("hypothesis"),
              relations=[related(1, "hypothesis"), related(3, "hypothesis")]),
    ]  # fmt: skip
    made["evidence"].append(
        named("against", title="A ship with bells sank", kind=3, state=2,
              supports=[{"entityType": "Decision", "entityId": IDS["decision"]}]),
    )  # fmt: skip
    return made


def repository_with(folder: Path, made: dict[str, Any]) -> Path:
    write(repository(folder), "working/working-context.json", json.dumps(made).encode())
    return folder


def original(value: Any) -> str:
    return str(value["value"] if isinstance(value, dict) else value).lower()


def edges_of(made: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Read from the input alone, as its documents say it."""
    for goal in made["goals"]:
        yield from ((original(one), "part-of", original(goal["id"])) for one in goal.get("taskIds", ()))
        if goal.get("parentGoalId"):
            yield original(goal["id"]), "parent", original(goal["parentGoalId"])
    for task in made["tasks"]:
        if task.get("goalId"):
            yield original(task["id"]), "part-of", original(task["goalId"])
        yield from ((original(task["id"]), "depends-on", original(one)) for one in task.get("dependsOnTaskIds", ()))
    for one in made["hypotheses"]:
        yield from ((original(one["id"]), "about", original(task)) for task in one.get("taskIds", ()))
        for relation in one.get("relations", ()):
            yield original(one["id"]), RELATIONS[relation["relationType"]], original(relation["targetHypothesisId"])
    for one in made["evidence"]:
        yield from ((original(there["entityId"]), "sources", original(one["id"])) for there in one["supports"])
    for one in made["decisions"]:
        yield from ((original(one["id"]), "decides", original(other)) for other in one["hypothesisIds"])
        yield from ((original(one["id"]), "sources", original(other)) for other in one["evidenceIds"])
    for one in made["conclusions"]:
        yield from ((original(one["id"]), "follows-from", original(other)) for other in one["decisionIds"])
        yield from ((original(one["id"]), "resolves", original(other)) for other in (*one["goalIds"], *one["taskIds"]))
    yield ID["runbook"], "serves", ID["goal"]
    yield ID["goal"], "sources", ID["trigger"]


def found_by_original(clone: Clone, made: dict[str, Any]) -> dict[str, str]:
    """Id there → the id here of what it became: of what is a record the record, else the evidence."""
    wanted = {original(one["id"]): kind for name, kind in RECORDS.items() for one in made[name]}
    wanted |= {original(one["id"]): "episode" for one in made["evidence"]}
    wanted |= {ID["runbook"]: "procedure", ID["trigger"]: "episode", ID["run"]: "episode", ID["commit"]: "episode"}
    found = {}
    for identifier, kind in wanted.items():
        hits = [hit for hit in clone.data("search", identifier, "-k", kind) if hit["kind"] == kind]
        assert hits, f"{identifier} is not found as a {kind}"
        found[identifier] = next(h["id"] for h in hits if kind != "episode" or h["text"].startswith(identifier))
    return found


def test_every_thing_and_every_link_of_the_input_is_here_and_no_other(ana: Clone, tmp_path: Path) -> None:
    made = whole()
    took(ana, repository_with(tmp_path / "ctx", made))
    there = found_by_original(ana, made)
    here = {identifier: name for name, identifier in there.items()}
    graph = ana.data("graph", "export")
    edges = {(here[e["source"]], e["what"], here[e["target"]]) for e in graph["edges"]
             if e["source"] in here and e["target"] in here}  # fmt: skip
    assert edges == set(edges_of(made)) and graph["gaps"] == []


def test_its_hypotheses_are_listed_as_they_hang_together_and_evidence_against_one_is_added_here(
    ana: Clone, tmp_path: Path
) -> None:
    made = whole()
    took(ana, repository_with(tmp_path / "ctx", made))
    there = found_by_original(ana, made)
    lamps, child, seen, against = (there[IDS[name]] for name in ("hypothesis", "child", "evidence", "against"))
    shown = ana.data("hypothesis", "show", lamps)
    assert {(one["source"], one["word"], one["target"]) for one in shown["links"]} == {
        (lamps, "competes-with", there[IDS["rival"]]), (lamps, "supersedes", there[IDS["older"]]),
        (there[IDS["borrower"]], "borrows-evidence-from", lamps), (child, "merged-into", lamps),
        (child, "derived-from", lamps),
    }  # fmt: skip
    assert [one["id"] for one in shown["weighed"]["evidence"]] == [seen]
    assert ana.data("hypothesis", "show", child)["merged_into"] == lamps
    before = shown["weighed"]["factors"]["evidence"]
    ana.cc("relate", against, "contradicts", lamps)
    after = ana.data("hypothesis", "show", lamps)["weighed"]
    assert {(one["id"], one["supports"]) for one in after["evidence"]} == {(seen, True), (against, False)}
    assert after["factors"]["evidence"] < before
    edges = {(e["source"], e["what"], e["target"]) for e in ana.data("graph", "export")["edges"]}
    assert (against, "contradicts", lamps) in edges


def test_the_log_tells_the_history_of_its_branches(ana: Clone, tmp_path: Path) -> None:
    folder = repository(tmp_path / "ctx")
    begun = datetime.now(UTC) - timedelta(days=30)
    for number in range(4):
        when, branch = begun + timedelta(days=number), ("main", "quay")[number % 2]
        commit = named("child", message=f"Step {number}", branch=branch, parentIds=[], createdAtUtc=when.isoformat())
        commit |= {"id": {"value": f"{number:032x}"}, "trace": {"createdBy": "u", "createdAtUtc": when.isoformat()}}
        write(folder, f"commits/{number:032x}.json", json.dumps(commit).encode())
    took(ana, folder)
    told = [line for line in ana.data("log") if "(commit on " in line["text"]]
    steps = [line for line in told if "Step" in line["text"]]
    assert [line["text"].partition(": ")[2] for line in steps] == [
        f"Step {number} (commit on {('main', 'quay')[number % 2]})" for number in (3, 2, 1, 0)
    ]
    assert [line["when"][:10] for line in steps] == [f"{begun + timedelta(days=n):%Y-%m-%d}" for n in (3, 2, 1, 0)]
    assert all("said to be by u; came here on" in line["means"] for line in steps)
    assert {line["actor"] for line in steps} == {"human:ana"}, "who it says it is by is nobody's word here"
    assert any("(commit on experiment/x)" in line["text"] for line in told)
