"""The five-minute story is executable: it is told to its end, and says what really happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def demo(*words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "cc_git", "demo", *words], capture_output=True, text=True, env=dict(os.environ)
    )
    assert done.returncode == code, done.stdout[-3000:] + done.stderr
    return done.stdout + done.stderr


def test_the_story_is_told_to_its_end(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    said = demo("--keep", str(kept))
    scenes = [line.removeprefix("== ") for line in said.splitlines() if line.startswith("== ")]
    assert scenes == [
        "A repository with a history",
        "A workspace, and the decisions that exist already",
        "Remember what governs the work",
        "Memory travels with the code",
        "Model prose proposes; it never grants",
        "Correct and revoke are ordinary operations",
        "Two people decide differently",
        "Where work begins",
        "A failure wakes its remedy, and nothing else does",
        "From a clone to a packet",
    ]
    for promise in (
        "Allow deploy on staging/* (project=harbour)? [y = yes, N = no] y",
        "permission is proposed: needs an attested person",
        "Merge made by the 'ort' strategy.",
        "2 conflicted",
        "REVOKED",
        "state    stale",
    ):
        assert promise in said, promise
    _work_begins_once_and_anew_with_a_constraint(said)
    _a_failure_wakes_its_remedy_alone(said)
    assert {p.name for p in kept.iterdir()} >= {"ana", "ben", "cleo", "origin.git"}
    listed = subprocess.run(
        ["git", "-C", str(kept / "cleo"), "log", "--format=%s"], capture_output=True, text=True
    ).stdout
    assert "Settle the deploy day" in listed


def _work_begins_once_and_anew_with_a_constraint(said: str) -> None:
    before, _, after = said.partition("== Where work begins")[2].partition("ok, go on")
    (begun,) = _origins(before)
    inherited, constraint = after.split("--keep")[:2]
    assert begun[0] == "Direct"
    assert _origins(inherited) == [("Inherited", begun[1])]
    assert re.search(r"Inherited .* goal…\w{6} \"Berths can be booked by telephone\"", inherited), "with its path"
    new, old = _origins(constraint)
    assert "it sets a hard constraint" in constraint
    assert (new[0], old) == ("Direct", ("Inherited", begun[1])) and new[1] != begun[1]


def _origins(said: str) -> list[tuple[str, str]]:
    """(how, trigger) of each row of `origin`."""
    return re.findall(r"^    (Direct|Inherited) +(tr…\w{6})", said, re.MULTILINE)


def _a_failure_wakes_its_remedy_alone(said: str) -> None:
    asleep, awake = said.partition("== A failure wakes")[2].partition("== From a clone")[0].split("--signal")
    assert "No runbook serves this." in asleep and "index.lock': File exists" in asleep
    assert re.search(r"1 +git-index-lock +troubleshooting +in full", awake) and 'reported: "index.lock"' in awake


def test_real_records_can_take_the_place_of_the_small_set(data: Path) -> None:
    said = demo(str(data / "adr" / "madr"))
    assert "19 imported" in said


def test_a_folder_that_is_there_is_not_played_in(tmp_path: Path) -> None:
    assert "--keep" in demo("--keep", str(tmp_path), code=2)


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    assert "no Markdown files" in demo(str(tmp_path), code=2)
