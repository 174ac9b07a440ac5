"""How long a compile takes in process, with the pool warm, at 1,000 to 100,000 records.

    python -m tests.bench.bench_compile [records ...]

Prints milliseconds (the median of the runs, and the fastest) and the growth. Nine in ten records are eligible in the
first table; in the second the eligible ones stay 1,000 while the others grow.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from datetime import UTC, datetime, timedelta

from cc_git.compiler.compile import compile_whole
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.memory_pool import MemoryPool
from cc_git.model.filed import Filed, Files
from cc_git.model.ids import new_id
from cc_git.model.kinds import PAYLOADS, PREFIX_OF_KIND
from cc_git.model.packet import Unfit
from cc_git.model.policy import Workspace
from cc_git.model.record import Record
from cc_git.model.request import Request
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.model.verdict import Standings, Verdict

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
RUNS = 15
TASK = "why did the index rebuild fail after the merge of the release branch, and who may push the fix"
_KINDS = ("decision",) * 5 + ("belief",) * 4 + ("procedure", "failure", "goal", "hypothesis", "user_model")
_RESERVED = 30
"""Restraints, grants and commitments: a few, as in a real workspace, however many records there are."""


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
VOCABULARY = [a + b + c for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]
for _place, _word in enumerate(TASK.split()):
    VOCABULARY[10 + 25 * _place] = _word


def words(number: int, chance: random.Random) -> str:
    """Words by Zipf's law, so that some postings are long; those of the task are neither rare nor the most common."""
    return " ".join(
        VOCABULARY[min(int(len(VOCABULARY) ** chance.random()), len(VOCABULARY)) - 1] for _ in range(number)
    )


def world(records: int, eligible: int) -> MemoryPool:
    chance = random.Random(7)
    filed: dict[str, tuple[Filed[Record], ...]] = {}
    verdicts = {}
    for n in range(records):
        kind = ("permission", "commitment")[n % 2] if n < _RESERVED else chance.choice(_KINDS)
        payload = {"effect": "allow", "action": "push"} if kind == "permission" else {}
        when = NOW - timedelta(minutes=10 * (records - n))
        record = Record(
            id=new_id(PREFIX_OF_KIND[kind], when, n.to_bytes(10, "big")),
            kind=kind,
            title=words(6, chance),
            content=words(60, chance),
            authority="user-explicit",
            actor="human:ana",
            recorded_at=when,
            expires_at=NOW + timedelta(days=9) if kind == "hypothesis" else None,
            payload=PAYLOADS[kind](**payload),
        )
        filed[record.id] = (Filed(f"{n}.toml", f"{n:040x}", record),)
        verdicts[record.id] = Verdict("current" if n < eligible else "superseded", "user-explicit")
    pool = MemoryPool(Files(records=filed), Standings(verdicts), NOW)
    pool.cards()
    pool.excluded()
    pool.frequencies(("warm",))
    return pool


def measure(records: int, eligible: int) -> tuple[float, float]:
    """Median and fastest of the runs, in milliseconds."""
    inputs = Inputs(
        snapshot=RepositorySnapshot("1" * 40, None, "HEAD"), pool=world(records, eligible),
        workspace=Workspace(), trusted=True,
    )  # fmt: skip
    took = []
    for _ in range(RUNS):
        start = time.perf_counter()
        outcome = compile_whole(inputs, Request(task=TASK), NOW)
        took.append(1000 * (time.perf_counter() - start))
        assert not isinstance(outcome, Unfit)
    return statistics.median(took), min(took)


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or [1_000, 10_000]
    for name, share in (("nine in ten eligible", None), ("1,000 eligible", 1_000)):
        print(f"{name}\n{'records':>10}{'median ms':>12}{'fastest ms':>12}")
        for size in sizes:
            median, fastest = measure(size, size * 9 // 10 if share is None else min(share, size))
            print(f"{size:>10}{median:>12.1f}{fastest:>12.1f}")


if __name__ == "__main__":
    main()
