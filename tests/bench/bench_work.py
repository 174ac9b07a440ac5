"""What the work in hand costs at 2,000 tasks and 500 triggers: `next`, `origin`, a considered message, the whole of a
packet's inputs, what a line lacks, its thread, closing out, the rank of hypotheses, and one task more; in process, each
with a session of its own, as a command has one.

    python -m tests.bench.bench_work [tasks triggers]

Prints the median and the fastest in milliseconds of processor time, and the ratio to reading and validating the same
files, which is the least that any of them can do. Target: what a compile may take, 25 ms, beyond that reading.
"""

from __future__ import annotations

import gc
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cc_git.codec.files import decode, encode, path_for
from cc_git.codec.paths import WORKING_CONTEXT
from cc_git.governance.plan import Mint
from cc_git.governance.working import TaskWish, Turn, add_task
from cc_git.model.ids import new_id
from cc_git.model.kinds import Goal
from cc_git.model.record import Record
from cc_git.model.trigger import Trigger
from cc_git.model.who import Who
from cc_git.model.work import Work
from cc_git.model.working_context import Task, WorkingContext
from cc_git.wiring.acts import Hand
from cc_git.wiring.closeout import closeout
from cc_git.wiring.line import line_at_hand, ranked, thread
from cc_git.wiring.origin import considered, origins_at_hand
from cc_git.wiring.packets import inputs_of
from cc_git.wiring.session import Asked, Session, open_session
from cc_git.wiring.working import next_of, take_turn

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
RUNS = 9
GOALS = 20


def lay(top: Path, tasks: int, triggers: int) -> dict[str, bytes]:
    """A workspace with goals, tasks in trees ten deep with dependencies, and triggers that name some of both."""
    dice = random.Random(3)
    goals = [new_id("goal", NOW - timedelta(days=9), n.to_bytes(10, "big")) for n in range(GOALS)]
    made: list[Task] = []
    for n in range(tasks):
        parent = made[n - 1] if n % 10 else None
        after = (dice.choice(made).id,) if made and n % 3 == 0 and n % 10 == 0 else ()
        made.append(Task(
            id=new_id("tsk", NOW - timedelta(days=8), n.to_bytes(10, "big")), title=f"Task {n} of the harbour's works",
            state="done" if n % 4 == 0 else "ready", priority=n % 9 + 1, parent=parent.id if parent else None,
            depends_on=after, goal=parent.goal if parent else goals[n % GOALS],
        ))  # fmt: skip
    files = {path_for(record): encode(record) for record in map(_goal, goals)}
    for n in range(triggers):
        names = {"goal_ids": (goals[n % GOALS],)} if n % 2 else {"task_ids": (made[n * 10 % tasks].id,)}
        trigger = Trigger(
            id=new_id("tr", NOW - timedelta(days=7), n.to_bytes(10, "big")), kind="user-prompt", summary=f"Ask {n}",
            actor="human:ana", recorded_at=NOW - timedelta(days=7), **names,  # type: ignore[arg-type]
        )  # fmt: skip
        files[path_for(trigger)] = encode(trigger)
    files[WORKING_CONTEXT] = encode(WorkingContext(version=1, focus=made[-1].id, tasks=tuple(made)))
    for rel, data in files.items():
        path = top / ".continuity" / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return files


def _goal(identifier: str) -> Record:
    return Record(id=identifier, kind="goal", title="A safe harbour", authority="agent-explicit", actor="agent:bench",
                  recorded_at=NOW - timedelta(days=9), payload=Goal(priority=3))  # fmt: skip


def one_more(session: Session) -> None:
    def make(work: Work, mint: Mint) -> Turn:
        return add_task(work.now, TaskWish("One more"), mint("tsk"))

    take_turn(session, make, Hand(Who("human:ana", is_agent=False, at_terminal=False), lambda _: False))


def measured(work: Callable[[], object]) -> tuple[float, float]:
    took = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        took.append(1000 * (time.process_time() - start))
    return statistics.median(took), min(took)


def main() -> None:
    gc.set_threshold(100_000, 50, 50)  # as the program does
    tasks, triggers = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (2_000, 500)
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        environ = {"HOME": place, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2])}
        git = ["git", "-C", place, "-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([sys.executable, "-m", "cc_git", "-q", "init"], cwd=top, env=environ, check=True)
        files = lay(top, tasks, triggers)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "base"], check=True)

        def with_session(work: Callable[[Session], object]) -> Callable[[], object]:
            def run() -> object:
                session = open_session(Asked(top, environ, NOW + timedelta(seconds=1)))
                try:
                    return work(session)
                finally:
                    session.close()

            return run

        with_session(inputs_of)()
        base = measured(lambda: [decode(rel, data) for rel, data in files.items()])[0]
        rows: tuple[tuple[str, Callable[[Session], object]], ...] = (
            ("present snapshot and context", lambda session: session.work),
            ("next", next_of),
            ("origin", origins_at_hand),
            ("consider", lambda session: considered(session, "ok, but never use creosote on the piles")),
            ("inputs of a packet", inputs_of),
            ("check --task", lambda session: line_at_hand(session, None, "restricted")),
            ("thread", lambda session: thread(session, None, "restricted")),
            ("closeout", closeout),
            ("hypothesis rank", lambda session: ranked(session, "restricted")),
            ("one task more", one_more),
        )
        print(f"{tasks} tasks, {triggers} triggers\n{'':30}{'median ms':>11}{'fastest':>9}{'× reading':>11}")
        print(f"{'reading and validating':30}{base:>11.1f}")
        for name, work in rows:
            median, fastest = measured(with_session(work))
            print(f"{name:30}{median:>11.1f}{fastest:>9.1f}{median / base:>11.2f}")


if __name__ == "__main__":
    main()
