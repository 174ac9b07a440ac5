"""What the index costs and saves, at 1,000 to 100,000 records, measured side by side in one run.

    python -m tests.bench.bench_index [records ...]

Prints the ratio of a cold index to reading and parsing the same blobs, milliseconds to get a pool (cards, and the words
of a task) and to compile from it with a warm index and after one more record, and what a search takes. Of the records
some 3,000 at most are eligible: the others were corrected, in lines of thirty. Each size runs in a process of its own,
whose peak memory is told.
"""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pygit2

from cc_git.codec.files import decode, encode, path_for
from cc_git.compiler.compile import compile_whole
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.terms import terms
from cc_git.model.ids import new_id
from cc_git.model.kinds import PAYLOADS, PREFIX_OF_KIND
from cc_git.model.policy import Workspace
from cc_git.model.record import Record
from cc_git.model.request import Request
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.attestations import AttestationSources
from cc_git.store.cache import MemoryCache
from cc_git.store.engine import FILE, Engine, Person
from cc_git.store.head_tree import HeadTree
from cc_git.store.index import Index
from cc_git.store.index_pool import Known
from cc_git.store.index_question import Question
from cc_git.store.loader import reading
from cc_git.store.negative_files import NegativeFiles
from cc_git.store.negatives import SeenElsewhere, SnapshotAt
from cc_git.store.place import Place
from cc_git.store.present import Entries
from cc_git.store.pygit2_engine import open_engine
from cc_git.store.search import Wanted, search

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TASK = "why did the index rebuild fail after the merge of the release branch, and who may push the fix"
ELIGIBLE = 3000
RUNS = 9
_KINDS = ("decision",) * 6 + ("belief",) * 3 + ("failure", "goal", "user_model")
_SYLLABLES = (
    "lo",
    "ri",
    "ten",
    "mas",
    "quo",
    "ver",
    "sil",
    "bor",
    "dan",
    "tek",
    "mor",
    "gas",
    "pil",
    "wen",
    "zu",
    "kra",
)
_WORDS = [a + b + c for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]
_WORDS[5:400:25] = TASK.split()[:16]


def a_text(dice: random.Random, words: int) -> str:
    return " ".join(_WORDS[min(len(_WORDS) - 1, int(dice.paretovariate(0.7)) + 3)] for _ in range(words))


def a_record(dice: random.Random, number: int, kind: str, older: str | None) -> Record:
    when = NOW - timedelta(days=900) + timedelta(minutes=12 * number)
    return Record(
        id=new_id(PREFIX_OF_KIND[kind], when, dice.randbytes(10)),
        kind=kind,
        title=a_text(dice, 6),
        content=a_text(dice, 30),
        authority="agent-explicit",
        actor="agent:claude-code/opus",
        recorded_at=when,
        supersedes=() if older is None else (older,),
        tags=("bench",),
        payload=PAYLOADS[kind](),
    )


def build(folder: Path, records: int) -> Engine:
    """A repository whose HEAD holds the workspace, in one commit."""
    pygit2.init_repository(str(folder), bare=True)
    engine = open_engine(folder)
    dice = random.Random(1)
    lines = max(1, min(ELIGIBLE, records * 9 // 10))
    kinds = [dice.choice(_KINDS) for _ in range(lines)]
    heads: list[str | None] = [None] * lines
    changes: dict[str, tuple[int, str] | None] = {}
    for number in range(records):
        line = number % lines
        record = a_record(dice, number, kinds[line], heads[line])
        heads[line] = record.id
        changes[f".continuity/{path_for(record)}"] = (FILE, engine.write_blob(encode(record)))
    tree = engine.overlay(None, changes)
    assert tree is not None
    commit = engine.write_commit(tree, (), "bench", Person("a", "b"), seconds=0)
    engine.move_ref("refs/heads/main", commit, None)
    subprocess.run(["git", "gc", "-q"], cwd=folder, check=True)
    engine.close()
    return open_engine(folder)


def ask(folder: Path, engine: Engine, more: dict[str, bytes] | None = None) -> Question:
    commit = engine.refs()["refs/heads/main"]
    entry = engine.entry(engine.commit(commit).tree, ".continuity")
    assert entry is not None
    tree = entry.oid
    if more:
        changed = engine.overlay(tree, {rel: (FILE, engine.write_blob(data)) for rel, data in more.items()})
        assert changed is not None
        tree = changed
    read = reading(engine.blob)
    entries = Entries(HeadTree(engine, tree), {}, frozenset())
    return Question(
        place=Place(None, folder, folder, ".continuity"),
        engine=engine,
        snapshot=SnapshotAt(commit, tree, entries, {}),
        read=read,
        workspace=Workspace(),
        attestations=AttestationSources(engine, AcceptedBranch(), {}),
        negatives=SeenElsewhere((), NegativeFiles(read, MemoryCache())),
        now=NOW,
    )


def milliseconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000


def median(act: Callable[[], object]) -> float:
    return statistics.median(milliseconds(act) for _ in range(RUNS))


def pool_and_words(question: Question, index: Index) -> int:
    pool = Known(question, index).pool
    pool.frequencies(terms(TASK))
    pool.excluded()
    return len(pool.cards())


def compiled(question: Question, index: Index) -> object:
    known = Known(question, index)
    snapshot = RepositorySnapshot(question.snapshot.tree or "", question.snapshot.head, "present")
    inputs = Inputs(snapshot=snapshot, pool=known.pool, workspace=question.workspace, trusted=True)
    return compile_whole(inputs, Request(task=TASK), NOW)


def measure(records: int) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "bench.git"
        engine = build(folder, records)
        plain = ask(folder, engine)

        def read_and_parse() -> None:
            for rel, blob in plain.files().items():
                decode(rel, plain.read(blob))

        parsing = milliseconds(read_and_parse)
        cold = milliseconds(lambda: pool_and_words(plain, Index(folder)))
        warm = Index(folder)
        cards = pool_and_words(ask(folder, engine), warm)
        pool = median(lambda: pool_and_words(ask(folder, engine), warm))
        whole = median(lambda: compiled(ask(folder, engine), warm))
        dice = random.Random(2)
        more: dict[str, bytes] = {}
        after = []
        for number in range(RUNS):
            record = a_record(dice, records + number, "decision", None)
            more[path_for(record)] = encode(record)
            question = ask(folder, engine, more)
            after.append(milliseconds(lambda question=question: compiled(question, warm)))  # type: ignore[misc]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        first = milliseconds(lambda: search(plain, Wanted(TASK), warm))
        again = median(lambda: search(plain, Wanted(TASK), warm))
        size = sum(path.stat().st_size for path in (folder / "continuity").iterdir()) / 2**20
    print(
        f"{records:>8} {cards:>8} {cold / parsing:>9.2f}x {pool:>8.1f} {whole:>9.1f} {statistics.median(after):>9.1f}"
        f" {first:>9.0f} {again:>9.1f} {peak:>8.0f} {size:>8.1f}",
        flush=True,
    )


def main(sizes: list[int]) -> None:
    names = (
        "records",
        "eligible",
        "cold",
        "pool ms",
        "warm ms",
        "+1 ms",
        "search 1",
        "search ms",
        "peak MiB",
        "disk MiB",
    )
    print(" ".join(f"{name:>{width}}" for name, width in zip(names, (8, 8, 10, 8, 9, 9, 9, 9, 8, 8), strict=True)))
    for records in sizes:
        subprocess.run([sys.executable, "-m", "tests.bench.bench_index", "--one", str(records)], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]))
    else:
        main([int(size) for size in sys.argv[1:]] or [1000, 10_000, 100_000])
