"""What forgetting costs against reading and parsing the same files: `python -m tests.bench.bench_forget [records …]`.

A workspace whose records lie in one commit and in the work tree; some 3,000 of them at most are eligible. Told are the
plan for one record, for a text, and for a hundred records at once, and the whole of it (plan, cleaning, search, look-up
in Git) for one record: milliseconds, and the ratio to reading and parsing every file once, in the same run. All in
process, the index gone as a forgetting leaves it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pygit2

from cc_git.codec.files import decode
from cc_git.model.id_part import IdPart
from cc_git.model.record import Record
from cc_git.model.who import Who
from cc_git.store.head_tree import files_below
from cc_git.wiring.acts import Hand
from cc_git.wiring.forget import ForgetRequest, do_forget
from cc_git.wiring.session import Asked, open_session
from tests.bench.bench_index import NOW, build

ANA = Who("human:ana", is_agent=False, at_terminal=True)
RUNS = 3


def clone(folder: Path, records: int) -> Path:
    """A work tree with the records, and a `workspace.toml`."""
    build(folder / "bare", records).close()
    top = folder / "work"
    pygit2.clone_repository(str(folder / "bare"), str(top), checkout_branch="main")
    (top / ".continuity" / "workspace.toml").write_text('format = "cc-git/1"\n')
    for words in (("add", "-A"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "begin")):
        subprocess.run(["git", *words], cwd=top, check=True, capture_output=True)
    return top


def forget(top: Path, request: ForgetRequest, *, dry_run: bool) -> None:
    session = open_session(Asked(top, os.environ, NOW))
    try:
        done = do_forget(session, request, Hand(ANA, lambda _: True, dry_run), explain=lambda plan: plan.digest)
        assert done.plan.removals
    finally:
        session.close()


def parse(top: Path) -> None:
    folder = top / ".continuity"
    for rel in files_below(folder):
        decode(rel, (folder / rel).read_bytes())


def fastest(act: Callable[[], None], runs: int = RUNS) -> float:
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        act()
        best = min(best, time.perf_counter() - start)
    return best


def measure(records: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = clone(Path(folder), records)
        files = sorted((top / ".continuity" / "records").rglob("*.toml"))
        ids = [IdPart(path.stem) for path in files]
        said = decode(files[-1].relative_to(top / ".continuity").as_posix(), files[-1].read_bytes())
        assert isinstance(said, Record)
        read = fastest(lambda: parse(top))
        rows: list[tuple[str, Callable[[], None], int]] = [
            ("plan, one record", lambda: forget(top, ForgetRequest(ids[-1:]), dry_run=True), RUNS),
            ("plan, a text", lambda: forget(top, ForgetRequest(match=said.content), dry_run=True), RUNS),
            ("plan, a hundred records", lambda: forget(top, ForgetRequest(ids[:100]), dry_run=True), 1),
            ("all of it, one record", lambda: forget(top, ForgetRequest(ids[-1:]), dry_run=False), 1),
        ]
        print(f"{records} records; read and parsed in {read * 1000:.0f} ms")
        for name, act, runs in rows:
            took = fastest(act, runs)
            print(f"{name:30} {took * 1000:9.0f} ms  {took / read:6.1f}", flush=True)


def main() -> None:
    for records in [int(word) for word in sys.argv[1:]] or [10_000, 100_000]:
        measure(records)


if __name__ == "__main__":
    main()
