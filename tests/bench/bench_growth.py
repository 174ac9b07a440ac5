"""What accumulates when an agent writes all day for a month: the journal, objects, the time of a write and of a commit.

    python -m tests.bench.bench_growth [days] [writes a day] [writes a commit]

Each write is an episode, a record and a receipt, in folders of a day; the user's `git commit` takes what waits, by the
hook, and every day ends with `git gc --auto` and a packet. Told for each day: the journal's size and loose objects, the
loose and unreachable objects of the user's repository, milliseconds of a write, seconds of a commit and of `git
status`, files that still wait, and what `git gc` says. At the end the first day's packet is verified: its snapshot must
still be known.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from cc_git.codec.paths import id_at, path_of
from cc_git.store.git import Git
from cc_git.store.hook_install import carry_out, plan_install
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.place import Place
from cc_git.store.write import write
from tests.bench.bench_write import START, TEXT
from tests.conftest import SEALED_CONFIG, sealed_environment
from tests.started import program

from cc_git.model.ids import new_id  # isort: skip

DAYS, WRITES, EACH = 3, 5_000, 1_000


class Month:
    def __init__(self, folder: Path) -> None:
        self.top = folder / "work"
        self.top.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.top / "code.c").write_text("0\n")
        self.cc("init", "--name", "growing", "--folders", "day")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "begin")
        place = Place(self.top, self.top / ".git", self.top / ".git", ".continuity")
        carry_out(plan_install(place, Git(place), sys.executable))
        self.journal = Journal.open(place, durable=False)
        self.written = 0

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.top, check=True, capture_output=True, text=True)
        return (done.stdout + done.stderr).strip()

    def cc(self, *words: str) -> str:
        done = subprocess.run([*program(), *words], cwd=self.top, capture_output=True, text=True)
        return (done.stdout + done.stderr).strip()

    def one(self, day: int, number: int) -> float:
        files = {}
        when = START + timedelta(days=day, seconds=number * 9)
        for prefix, text in TEXT.items():
            identifier = new_id(prefix, when, os.urandom(10))
            rel = path_of(identifier, folders="day") if prefix == "dec" else path_of(identifier)
            files[rel] = text.format(id=id_at(rel), n=self.written).encode()
        begin = time.perf_counter()
        self._keep(files)
        self.written += 1
        return time.perf_counter() - begin

    def _keep(self, files: Mapping[str, bytes]) -> None:
        write(self.journal, files, verb="remember", note=WriteNote(None))

    def commit(self) -> float:
        (self.top / "code.c").write_text(f"{self.written}\n")
        begin = time.perf_counter()
        self.git("-c", "gc.auto=0", "commit", "-q", "-a", "-m", "work")
        return time.perf_counter() - begin

    def loose(self) -> int:
        return int(self.git("count-objects").split()[0])

    def unreachable(self) -> int:
        words = ("fsck", "--unreachable", "--no-reflogs", "--no-progress", "--connectivity-only")
        return len(self.git(*words).splitlines())

    def waiting(self) -> int:
        return len(json.loads(self.cc("status", "--json"))["data"]["waiting"])


def size(folder: Path) -> float:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) / 2**20


def day_of(month: Month, day: int, writes: int, each: int) -> None:
    took: list[float] = []
    commits: list[float] = []
    for number in range(writes):
        took.append(month.one(day, number))
        if (number + 1) % each == 0 or number + 1 == writes:
            commits.append(month.commit())
    own = month.journal.own
    before = month.loose()
    begin = time.perf_counter()
    month.git("status", "--porcelain")
    status = time.perf_counter() - begin
    collected = month.git("-c", "gc.autoDetach=false", "gc", "--auto")
    loose = sum(1 for _ in (own.journal / "objects").glob("??/*"))
    figures = (
        f"{day + 1:4} {month.written:8,} {size(own.path):9.1f} {loose:9,} {before:9,} {month.unreachable():9,}",
        f"{statistics.median(took) * 1e3:8.2f} {max(took) * 1e3:8.0f} {statistics.median(commits):8.2f} {status:8.2f}",
        f"{month.waiting():7}  {collected.splitlines()[-1][:60] if collected else 'silent'}",
    )
    print(*figures, flush=True)


def main() -> None:
    days, writes, each = (*map(int, sys.argv[1:]), *(DAYS, WRITES, EACH)[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        home.mkdir()
        (home / ".gitconfig").write_text(SEALED_CONFIG)
        os.environ.update(sealed_environment(home))
        month = Month(Path(name))
        print(" day   writes   own MiB own loose     loose  unreach.    write     most   commit   status waiting  gc")
        print("                                                            ms       ms        s        s")
        for day in range(days):
            day_of(month, day, writes, each)
            if day == 0:
                month.cc("compile", "--task", "deploy on Tuesdays")
        print(f"\nthe packet of the first day:\n{month.cc('packet', 'verify')}")


if __name__ == "__main__":
    main()
