"""Many who write at once: processes in one worktree, and clones that pull and push through a server of Git's.

Who writes tries again as users do, and notes what was acknowledged: a command that ended with exit code 0.
"""

from __future__ import annotations

import random
import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cc_git.codec.paths import TEMP_PREFIX
from cc_git.store.play import PROGRAM as WHOLE
from tests.cli.people import Clone
from tests.started import program

LOST = 5
"""The exit code of a race that was lost, whatever was tried."""
_LIMIT = 120
_TRIES = 60


@dataclass
class Told:
    """What writers were told. `took` is how long each command ran, in seconds."""

    acknowledged: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    killed: int = 0
    again: int = 0
    took: list[float] = field(default_factory=list)

    def __iadd__(self, other: Told) -> Told:
        for name in ("acknowledged", "lost", "refused", "took"):
            getattr(self, name).extend(getattr(other, name))
        self.killed += other.killed
        self.again += other.again
        return self


def together(clones: Sequence[Clone], writes: int, kills: float = 0.0, push: bool = False) -> Told:
    """All of them write at once; `kills` is the share of the commands that are killed at a random instant."""
    with ThreadPoolExecutor(len(clones)) as pool:
        asked = [(clone, f"w{number}", writes, kills, push) for number, clone in enumerate(clones)]
        every = Told()
        for told in pool.map(lambda one: _writes(*one), asked):
            every += told
        return every


def _writes(clone: Clone, name: str, writes: int, kills: float, push: bool) -> Told:
    told, chance = Told(), random.Random(name)
    for number in range(writes):
        text = f"Note {number} of {name}"
        _write(clone, text, told, chance if chance.random() < kills else None)
        if push:
            _share(clone, text, told, chance if chance.random() < kills else None)
    return told


def _write(clone: Clone, text: str, told: Told, kill: random.Random | None) -> None:
    words = [*(WHOLE if kill else program()), "remember", text]
    begun = time.monotonic()
    running = _start(clone, words)
    try:
        _, err = running.communicate(timeout=kill.uniform(0.05, 1.5) if kill else _LIMIT)
    except subprocess.TimeoutExpired:
        running.kill()
        running.communicate()
        if not kill:
            raise
        told.killed += 1
        return
    told.took.append(time.monotonic() - begun)
    if running.returncode == 0:
        told.acknowledged.append(text)
    elif running.returncode == LOST:
        told.lost.append(err)
    else:
        told.refused.append(f"{running.returncode}: {err}")


def _share(clone: Clone, text: str, told: Told, kill: random.Random | None) -> None:
    """Commit what waits, then pull and push until it is through: every other clone merges, the rest rebase. Who lost a
    race lets the others go first, the longer the more often."""
    committed = clone.run("commit", "-m", text, code=None)
    if committed.code:
        told.refused.append(f"commit {committed.code}: {committed.err}")
    if kill:
        pulling = _start(clone, _pull(clone))
        try:
            pulling.wait(kill.uniform(0.0, 0.1))
        except subprocess.TimeoutExpired:
            pulling.kill()
            told.killed += 1
        pulling.communicate()
        _clean_up(clone)
    patience = random.Random(text)
    for turn in range(_TRIES):
        pulled = subprocess.run(_pull(clone), cwd=clone.top, env=clone.environ, capture_output=True, text=True)
        assert pulled.returncode == 0, pulled.stdout + pulled.stderr
        pushed = subprocess.run(["git", "push", "-q"], cwd=clone.top, env=clone.environ, capture_output=True, text=True)
        if pushed.returncode == 0:
            return
        told.again += 1
        time.sleep(patience.uniform(0.0, 0.1 * turn))
    raise AssertionError(f"{text} was never pushed: {pushed.stderr}")


def _pull(clone: Clone) -> list[str]:
    rebases = sum(clone.top.name.encode()) % 2
    return ["git", "pull", "-q", "--no-edit", "--rebase" if rebases else "--no-rebase"]


def _clean_up(clone: Clone) -> None:
    """What a user does after a pull of Git's was killed: remove its lock, give up what it was in."""
    own = clone.top / ".git"
    for lock in [*own.glob("*.lock"), *(own / "refs").rglob("*.lock")]:
        lock.unlink()
    for words in (("rebase", "--abort"), ("merge", "--abort")):
        subprocess.run(["git", *words], cwd=clone.top, env=clone.environ, capture_output=True, check=False)
    for left in ("rebase-merge", "rebase-apply"):
        shutil.rmtree(own / left, ignore_errors=True)
    clone.git("switch", "-q", "main", code=None)
    clone.git("reset", "-q", "--hard", "main")


def _start(clone: Clone, words: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words,
        cwd=clone.top,
        env=clone.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def standings(clone: Clone) -> dict[str, tuple[str, str]]:
    """Each record by its id: what it says, and what it counts as."""
    return {r["id"]: (r["title"], r["standing"]) for r in clone.data("list", "--all")}


def check_whole(clone: Clone, told: Told) -> None:
    """Every acknowledged record is there once, none twice; nothing is broken, locked or left over."""
    held = Counter(title for title, _ in standings(clone).values())
    assert [t for t in told.acknowledged if held[t] != 1] == []
    assert {t: n for t, n in held.items() if n != 1} == {}
    own = clone.top / ".git/continuity"
    assert not list((clone.top / ".continuity").rglob(f"{TEMP_PREFIX}*"))
    assert not [*own.rglob("*.lock"), *own.rglob(".new-*"), *(clone.top / ".git").glob("*.lock")]
    assert "error" not in clone.git("-C", str(own / "journal.git"), "fsck", "--full", "--strict", "--no-dangling")
    assert "error" not in clone.git("fsck", "--full", "--strict", "--no-dangling")
    assert clone.run("check", code=None).code == 0


@contextmanager
def served(folder: Path) -> Iterator[str | None]:
    """The address of a server of the repositories in `folder`, for pulls and pushes; None where none can be."""
    try:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    except OSError:
        yield None
        return
    exec_path = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip()
    words = [f"{exec_path}/git-daemon", f"--base-path={folder}", "--export-all", "--enable=receive-pack", "--reuseaddr"]
    words += ["--listen=127.0.0.1", f"--port={port}", str(folder)]
    daemon = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"git://127.0.0.1:{port}" if _answers(daemon, port) else None
    finally:
        daemon.terminate()
        daemon.wait()


def _answers(daemon: subprocess.Popen[bytes], port: int) -> bool:
    for _ in range(100):
        if daemon.poll() is not None:
            return False
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return True
    return False
