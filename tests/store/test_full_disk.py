"""A disk without room: a command either keeps nothing and says why, or has kept it and says what is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from cc_git.errors import Exit
from tests.store.full_disk import FREE


@pytest.fixture(scope="module", params=["sha1", "sha256"])
def ends(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Any:
    """On a repository of either object format: the journal of the one is libgit2's, of the other the git program's."""
    folder = tmp_path_factory.mktemp("disk")
    apart = ["unshare", "--map-root-user", "--mount"]
    probe = ["sh", "-c", f"mount -t tmpfs -o size=64k tmpfs {folder}"]
    try:
        probed = subprocess.run([*apart, *probe], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no unshare to mount a small disk with")
    if probed.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {probed.stderr.strip()}")
    words = [*apart, sys.executable, "-m", "tests.store.full_disk", str(folder)]
    around = {**os.environ, "GIT_DEFAULT_HASH": request.param}
    done = subprocess.run(words, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_command_ends_by_the_table_and_names_the_place_without_room(ends: Any) -> None:
    assert {answer["code"] for answer in ends["answers"]} == {Exit.OK, Exit.UNSUPPORTED}
    for answer in ends["answers"]:
        if answer["code"]:
            assert answer["error"]["what"].startswith("cannot write to /")
            assert "No space left on device" in answer["error"]["why"]


def test_what_a_command_refused_is_not_there_and_what_it_acknowledged_is(ends: Any) -> None:
    kept = [f"With {answer['number']} free" for answer in ends["answers"] if not answer["code"]]
    assert 0 < len(kept) < len(FREE)
    assert sorted(ends["records"]) == sorted(["Before it was full", *kept])


def test_what_found_room_in_the_journal_alone_says_so_and_lies_on_disk_once_there_is_room(ends: Any) -> None:
    without = [a for a in ends["answers"] if any("kept in the journal" in warning for warning in a["warnings"])]
    assert without, "no amount of free space was between the journal's need and the files'"
    assert len(ends["files"]) == len(ends["records"])


def test_once_there_is_room_everything_goes_on(ends: Any) -> None:
    assert (ends["after"], ends["commit"], ends["waiting"]) == (0, 0, [])
