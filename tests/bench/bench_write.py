"""Writing one record (episode, record, receipt) against libgit2 writing three blobs, a tree and a commit.

`python -m tests.bench.bench_write`. Both sides run in turn in one process, on new repositories; the medians' ratio is
what counts. Targets: at most three times as long, at any number of records; at most six new objects a write; at most
10 MiB on the disk after 5,000 writes.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pygit2

from cc_git.codec.paths import path_of
from cc_git.model.ids import new_id
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.place import Place
from cc_git.store.pygit2_engine import durable_objects
from cc_git.store.write import write

Write = Callable[[Mapping[str, bytes]], None]
START = datetime(2026, 11, 30, 12, tzinfo=UTC)
ROUNDS, WARM_UP = 100, 10
WRITES = 5_000

HEAD = 'format = "cc-git/1"\nid = "{id}"\nauthority = "user-explicit"\nactor = "human:ana"\n'
TIMES = "recorded_at = 2026-11-30T12:00:00.000Z\nvalid_from = 2026-11-30T12:00:00.000Z\n"
TEXT = {
    "ep": HEAD + TIMES + 'type = "assertion"\ncontent = """\nWe deploy on {n} Tuesdays, after the {n}th review.\n"""\n',
    "dec": HEAD
    + TIMES
    + 'kind = "decision"\ntitle = "Deploy day {n}"\nsensitivity = "ordinary"\nretention = "default"\n'
    + 'subject = "deploy-day-{n}"\ncontent = """\nDeploys happen on Tuesdays ({n}).\n"""\n'
    + '[decision]\nowner = "ana"\nrationale = """\nReviews end on Mondays.\n"""\n',
    "rc": HEAD + 'operation = "remember"\nwrote = 2\n',
}


def records() -> Iterator[dict[str, bytes]]:
    """Writes without end, about a minute apart."""
    number = 0
    while True:
        files = {}
        for prefix, text in TEXT.items():
            when = START + timedelta(minutes=number)
            identifier = new_id(prefix, when, (number * 2654435761 % 2**80).to_bytes(10, "big"))
            files[path_of(identifier)] = text.format(id=identifier, n=number).encode()
        yield files
        number += 1


def ours(folder: Path) -> tuple[Journal, Write]:
    pygit2.init_repository(folder)
    (folder / ".continuity").mkdir()
    journal = Journal.open(Place(folder, folder / ".git", folder / ".git", ".continuity"), durable=False)
    note = WriteNote("ab" * 20)

    def one(files: Mapping[str, bytes]) -> None:
        write(journal, files, verb="remember", note=note)

    return journal, one


def theirs(folder: Path, ref: str | None) -> Write:
    """What is compared with; `ref` is moved to each commit, with None the commit stays on no branch."""
    repo = pygit2.init_repository(folder, bare=True)
    who = pygit2.Signature("Ana", "ana@example.org", 0, 0)
    parents: list[pygit2.Oid] = []

    def one(files: Mapping[str, bytes]) -> None:
        tree = repo.TreeBuilder()
        for rel, data in files.items():
            tree.insert(rel.rpartition("/")[2], repo.create_blob(data), pygit2.enums.FileMode.BLOB)
        parents[:] = [repo.create_commit(ref, who, who, "remember", tree.write(), parents)]

    return one


def seconds(one: Write, files: Mapping[str, bytes]) -> float:
    start = time.perf_counter()
    one(files)
    return time.perf_counter() - start


def compared(base: Path, *, durable: bool, writes_before: int = 0) -> str:
    """All three in turn; `writes_before` of ours come first, unmeasured."""
    journal, mine = ours(base / "ours")
    source = records()
    for _ in range(writes_before):
        mine(next(source))
    journal.durable = durable
    journal.close()
    sides = [mine, theirs(base / "alone", None), theirs(base / "on-a-ref", "refs/heads/main")]
    times: list[list[float]] = []
    for _ in range(WARM_UP + ROUNDS):
        files = next(source)
        durable_objects(durable)
        times.append([seconds(one, files) for one in sides])
    mine_s, alone_s, on_ref_s = (statistics.median(side) for side in zip(*times[WARM_UP:], strict=True))
    return (
        f"{mine_s / alone_s:5.2f}×  (of a commit that a branch is moved to: {mine_s / on_ref_s:.2f}×; "
        f"{mine_s * 1e3:.2f}, {alone_s * 1e3:.2f}, {on_ref_s * 1e3:.2f} ms)"
    )


def objects(journal: Journal) -> int:
    return sum(1 for _ in (journal.own.journal / "objects").glob("??/*"))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        print("writing one record, in times of libgit2 writing three blobs, a tree and a commit   target ≤ 3×")
        print(f"  without fsync, first writes      {compared(base / 'plain', durable=False)}")
        print(f"  with fsync, first writes         {compared(base / 'synced', durable=True)}")
        print(f"  without fsync, after 3,400 more  {compared(base / 'many', durable=False, writes_before=3_400)}")

        journal, one = ours(base / "size")
        source = records()
        one(next(source))
        before = objects(journal)
        one(next(source))
        print(f"new objects of one write           {objects(journal) - before}   target ≤ 6")
        start = time.perf_counter()
        for _ in range(WRITES - 2):
            one(next(source))
        mean = (time.perf_counter() - start) / (WRITES - 2)
        blocks = sum(p.stat().st_blocks * 512 for p in journal.own.path.rglob("*") if p.is_file())
        print(f"on the disk after {WRITES:,} writes       {blocks / 2**20:.1f} MiB   target ≤ 10 MiB")
        print(f"mean of all {WRITES:,}, with packing      {mean * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
