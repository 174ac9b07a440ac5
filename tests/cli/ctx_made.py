"""CTX repositories, built from the description of their format."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BOM = b"\xef\xbb\xbf"
WHEN = f"{datetime.now(UTC) - timedelta(days=10):%Y-%m-%dT%H:%M:%S}.1234567+00:00"
"""Seven decimals, and late enough for a hypothesis to be open still."""
NAMES = ("goal", "sub", "task", "done", "hypothesis", "rival", "evidence", "decision", "conclusion", "run", "runbook",
         "trigger", "commit", "lost", "packet")  # fmt: skip
ID = {name: f"{number:02x}" + "4f" * 15 for number, name in enumerate(NAMES, 1)}


def thing(name: str, **fields: Any) -> dict[str, Any]:
    return {**fields, "id": ref(name), "trace": {"createdBy": "u", "createdAtUtc": WHEN, "updatedAtUtc": None}}


def ref(name: str) -> dict[str, str]:
    return {"value": ID[name]}


def state() -> dict[str, Any]:
    """A working state with one of everything, and links that are kept at one end only."""
    return {
        "project": {"name": "Harbour", "defaultBranch": "main", "id": {"value": "f" * 32}},
        "goals": [
            thing("goal", title="Open the harbour", description="By spring.", priority=1, state=1, taskIds=[]),
            thing("sub", title="Light the pier", priority=100, state=1, parentGoalId=ref("goal"),
                  taskIds=[ref("task")]),
        ],
        "tasks": [
            thing("task", title="Buy lamps", state=1, goalId=None, dependsOnTaskIds=[ref("done")], hypothesisIds=[]),
            thing("done", title="Measure the pier", state=4, goalId=ref("goal")),
        ],
        "hypotheses": [
            thing("hypothesis", statement="Lamps save ships", rationale="Night.", confidence=0.8, impact=0.5, state=0,
                  taskIds=[ref("task")], evidenceIds=[],
                  relations=[{"relationType": 0, "targetHypothesisId": ref("rival"), "note": None}]),
            thing("rival", statement="Bells save ships", confidence=0.2, state=3),
        ],
        "evidence": [
            thing("evidence", title="Two ships saw the lamp", source="file:log", kind=0, state=2,
                  supports=[{"entityType": "Hypothesis", "entityId": ID["hypothesis"].upper()}]),
        ],
        "decisions": [
            thing("decision", title="Use oil lamps", rationale="They last.", state=1,
                  hypothesisIds=[ref("hypothesis")], evidenceIds=[ref("evidence")]),
        ],
        "conclusions": [
            thing("conclusion", summary="The pier is lit", state=1, decisionIds=[ref("decision")], evidenceIds=[],
                  goalIds=[ref("goal")], taskIds=[{"value": "nowhere"}]),
        ],
        "runs": [thing("run", provider="p", model="m", state=2, summary="Compared the lamps", artifacts=[])],
    }  # fmt: skip


def repository(folder: Path, *, flat: bool = False, working: bool = True) -> Path:
    """The folder that holds `.ctx`; `flat`: a commit of the older layout."""
    runbook = thing("runbook", title="Fill the lamps", kind=3, state=1, do=["Pour the oil"], goalIds=[ref("goal")])
    trigger = thing("trigger", kind=1, summary="Open goal line: harbour", text="Light it.", goalIds=[ref("goal")],
                    state=1)  # fmt: skip
    older = state()
    older["goals"].append(thing("lost", title="Paint the pier", state=1))
    whole = older if flat else {"workingContext": older, "runbooks": [runbook], "triggers": [trigger]}
    commit = thing(
        "commit", branch="experiment/x", message="Try paint", parentIds=[], createdAtUtc=WHEN, snapshot=whole
    )
    branch = {"name": "experiment/x", "commitId": ref("commit"), "updatedAtUtc": WHEN}
    files: dict[str, Any] = {
        "version.json": {"currentVersion": "1.0"},
        f"commits/{ID['commit']}.json": commit,
        "branches/experiment_x.json": branch,
        f"runbooks/{ID['runbook']}.json": runbook,
        f"triggers/{ID['trigger']}.json": trigger,
        f"packets/{ID['packet']}.json": {"id": ref("packet"), "purpose": "x"},
        "working/working-context.json" if working else "graph/current-graph.json": state(),
    }
    for name, document in files.items():
        write(folder, name, json.dumps(document).encode())
    write(folder, "HEAD", f"experiment/x:{ID['commit']}".encode())
    return folder


def write(folder: Path, name: str, data: bytes) -> None:
    file = folder / ".ctx" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((b"" if name.startswith(("commits", "triggers")) else BOM) + data)
