"""Writers killed at random instants: nothing that was acknowledged is lost, and nothing stops the next writer."""

from __future__ import annotations

import hashlib
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cc_git.codec.paths import TEMP_PREFIX
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.place import Place
from cc_git.store.write import write

KILLS = 200


def start(place: Place, head: str, name: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "tests.store.kill_driver", str(place.top), str(place.git_dir), head, name]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def kill(writer: subprocess.Popen[bytes], chance: random.Random) -> None:
    """Kill a writer within some writes: of three, one during its first, two after it."""
    assert writer.stdout is not None and writer.stderr is not None
    awaited = [b"ready\n"] if chance.random() < 1 / 3 else [b"ready\n", b"wrote\n"]
    for line in awaited:
        assert writer.stdout.readline() == line, writer.stderr.read().decode()
    time.sleep(chance.uniform(0, 0.03))
    assert writer.poll() is None, writer.stderr.read().decode()
    writer.send_signal(signal.SIGKILL)
    writer.communicate()


@pytest.mark.slow
def test_what_was_acknowledged_survives_two_hundred_kills_of_two_writers(
    repository: Path, git: Callable[..., str]
) -> None:
    chance = random.Random(20261130)
    place = Place(repository, repository / ".git", repository / ".git", ".continuity")
    head = git(repository, "rev-parse", "HEAD")
    (repository / ".continuity").mkdir()
    writers = [start(place, head, "w0"), start(place, head, "w1")]
    for number in range(2, KILLS + 2):
        # The other one goes on writing, and has to recover from the death of this one.
        kill(writers.pop(0), chance)
        if number < KILLS:
            writers.append(start(place, head, f"w{number}"))
    assert not writers

    journal = Journal.open(place)
    asked = time.monotonic()
    write(journal, {"records/decision/2026-11/last.toml": b"last\n"}, verb="remember", note=WriteNote(head))
    assert time.monotonic() - asked < 5

    state = journal.read()
    held = {**state.pending, **state.private}
    directory = place.directory
    assert directory is not None
    acknowledged = [
        line.split(" ") for path in repository.parent.glob("acknowledged-*") for line in path.read_text().splitlines()
    ]
    assert len(acknowledged) > KILLS
    for rel, digest in acknowledged:
        assert hashlib.sha256(journal.blob(held[rel])).hexdigest() == digest
    for rel, blob in held.items():
        assert (directory / rel).read_bytes() == journal.blob(blob), rel

    assert not list(directory.rglob(f"{TEMP_PREFIX}*"))
    assert not list(journal.own.journal.rglob("*.lock"))
    assert [p.name for p in (journal.own.journal / "objects").glob("*") if len(p.name) > 4] == []
    assert not list(journal.own.path.glob(f"{journal.own.temporary_prefix}*"))
    git(repository, "add", "-A")
    staged = git(repository, "diff", "--cached", "--name-only").splitlines()
    known = {f".continuity/{rel}" for rel in state.pending} | {".continuity/.gitattributes"}
    assert set(staged) <= known
    assert git(journal.own.journal, "fsck", "--full", "--strict", "--no-dangling") == ""
