"""The present snapshot against `git status` on the same tree: `python -m tests.bench.bench_present --records 10000`.

Prints ratios; figures alone drift with the machine. Both are measured in turns, and the fastest turn of each counts.
Ours is in process, as a command has it (repository and journal opened anew); git's includes the start of its process.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pygit2

from cc_git.codec import paths
from cc_git.model.ids import new_id
from cc_git.store.edits import edits
from cc_git.store.journal_form import WriteNote
from cc_git.store.observe import observe
from cc_git.store.write import write
from tests.git.histories.memory import NOW, Memory, an_episode

TURNS = 7
KINDS = ("dec", "blf", "goal", "cmt", "fail")
MONTHS = 40


def run(top: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=top, check=True, capture_output=True)


def build(top: Path, records: int) -> Memory:
    """A repository with `records` committed files in month folders, and a branch with one file in ten less."""
    pygit2.init_repository(str(top), initial_head="main")
    run(top, "config", "user.name", "bench")
    run(top, "config", "user.email", "bench@example.org")
    memory = Memory(top)
    memory.init()
    rng = Random(1)
    _, data = an_episode(rng)
    for number in range(records):
        month = NOW.replace(year=NOW.year - (number % MONTHS) // 12, month=number % MONTHS % 12 + 1, day=1)
        rel = paths.path_of(new_id(KINDS[number % len(KINDS)], month, rng.randbytes(10)))
        file = top / ".continuity" / rel
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data + b"# %d\n" % number)
        if number == records * 9 // 10:
            commit(top, "most")
            run(top, "branch", "fewer")
    commit(top, "all")
    return memory


def commit(top: Path, message: str) -> None:
    # Not through our program: what these measure is a workspace that was cloned, with nothing to adopt.
    run(top, "add", "-A")
    run(top, "commit", "-qm", message)
    run(top, "update-ref", "refs/remotes/origin/main", "HEAD")


def look(memory: Memory) -> None:
    memory.look()


def look_for_edits(memory: Memory) -> None:
    with memory.command() as sources:
        edits(sources, observe(sources))


def remember(memory: Memory, rng: Random, number: int) -> None:
    files = dict(an_episode(rng) for _ in range(number))
    with memory.command() as sources:
        write(sources.journal, files, verb="bench", note=WriteNote(None))


def status(top: Path) -> None:
    run(top, "status", "--porcelain", "--", ".continuity")


def fastest(acts: list[Callable[[], None]], before: Callable[[], None]) -> list[float]:
    """The fastest time of each in seconds; they take turns, so that a loaded machine is the same for all."""
    best = [float("inf")] * len(acts)
    for _ in range(TURNS):
        for number, act in enumerate(acts):
            before()
            start = time.perf_counter()
            act()
            best[number] = min(best[number], time.perf_counter() - start)
    return best


def switching(top: Path) -> Callable[[], None]:
    branches = ["fewer", "main"]

    def switch() -> None:
        branches.reverse()
        run(top, "checkout", "-q", branches[0])

    return switch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    records = parser.parse_args().records
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder) / "repo"
        memory = build(top, records)
        memory.look()
        status(top)
        print(f"{records} records; times in ms, ratio to git status --porcelain -- .continuity")
        rows: list[tuple[str, str, float, float]] = []

        def measure(name: str, target: str, before: Callable[[], None] = lambda: None) -> None:
            act = look_for_edits if "edits" in name else look
            ours, theirs = fastest([lambda: act(memory), lambda: status(top)], before)
            rows.append((name, target, ours, theirs))

        measure("nothing moved", "≤ 1")
        measure("nothing moved, with edits looked for", "")
        measure("after a branch switch", "≤ 2", switching(top))
        run(top, "checkout", "-q", "main")
        remember(memory, Random(2), 50)
        measure("nothing moved, 50 waiting", "≤ 1")
        measure("after a branch switch, 50 waiting", "≤ 2", switching(top))
        for name, target, ours, theirs in rows:
            print(f"{name:40} {ours * 1000:8.1f} {theirs * 1000:8.1f}  {ours / theirs:5.2f}  {target}")


if __name__ == "__main__":
    main()
