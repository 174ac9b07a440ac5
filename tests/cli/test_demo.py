"""The five-minute story is executable: it is told to its end, and says what really happens."""

from __future__ import annotations

import os
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
    assert {p.name for p in kept.iterdir()} >= {"ana", "ben", "cleo", "origin.git"}
    listed = subprocess.run(
        ["git", "-C", str(kept / "cleo"), "log", "--format=%s"], capture_output=True, text=True
    ).stdout
    assert "Settle the deploy day" in listed


def test_real_records_can_take_the_place_of_the_small_set(data: Path) -> None:
    said = demo(str(data / "adr" / "madr"))
    assert "19 imported" in said


def test_a_folder_that_is_there_is_not_played_in(tmp_path: Path) -> None:
    assert "--keep" in demo("--keep", str(tmp_path), code=2)


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    assert "no Markdown files" in demo(str(tmp_path), code=2)
