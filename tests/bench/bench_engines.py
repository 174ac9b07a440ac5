"""The git program as an engine, against libgit2 on the same repository: `python -m tests.bench.bench_engines`.

Both are asked the same in turn; the ratio of the medians of the wall clock is printed. There is no target: the program
serves what libgit2 cannot open. A write goes into a journal of SHA-1 (libgit2) and of SHA-256 (the program).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from cc_git.store.engine import FILE, Engine, Person
from cc_git.store.git_process import clean
from cc_git.store.program import Program
from cc_git.store.program_engine import ProgramEngine
from cc_git.store.pygit2_engine import open_engine
from tests.conftest import SEALED_CONFIG, sealed_environment
from tests.git.histories.memory import Memory

ROUNDS = 7
FILES, COMMITS, BRANCHES = 10_000, 1_000, 200
BEN = Person("Ben", "ben@example.org")


def fill(git_dir: Path) -> None:
    """One large tree, a line of commits over it, and branches at some of them."""
    engine = open_engine(git_dir)
    chance, tip = Random(1), None
    files = {f"records/{n % 40}/{n}.toml": (FILE, engine.write_blob(chance.randbytes(400))) for n in range(FILES)}
    tree = engine.overlay(None, files)
    for number in range(COMMITS):
        assert tree is not None
        tree = engine.overlay(tree, {f"records/0/{number}.toml": (FILE, engine.write_blob(b"%d" % number))})
        assert tree is not None
        tip = engine.write_commit(tree, (tip,) if tip else (), f"{number}\n", BEN, seconds=1_800_000_000 + number)
        if number % (COMMITS // BRANCHES) == 0:
            engine.move_ref(f"refs/heads/b{number}", tip, None)
    engine.move_ref("refs/heads/main", tip, None)
    engine.close()


def opened_and_asked(engine: Engine) -> None:
    engine.head()


def refs(engine: Engine) -> None:
    assert len(engine.refs()) == BRANCHES + 1


def listing(engine: Engine) -> None:
    assert len(engine.files(_tree(engine))) > FILES


def blobs(engine: Engine) -> None:
    for oid in list(engine.files(_tree(engine)).values())[:1_000]:
        engine.blob(oid)


def difference(engine: Engine) -> None:
    old = engine.resolve("main~500")
    assert old is not None
    assert engine.diff(engine.commit(old).tree, _tree(engine))


def history(engine: Engine) -> None:
    assert sum(1 for _ in engine.walk(engine.refs().values())) == COMMITS


QUESTIONS: dict[str, Callable[[Engine], None]] = {
    "open, and where HEAD is": opened_and_asked,
    f"{BRANCHES} refs": refs,
    f"list {FILES:,} files": listing,
    "read 1,000 blobs": blobs,
    "compare two trees": difference,
    f"walk {COMMITS:,} commits": history,
}


def _tree(engine: Engine) -> str:
    head = engine.head()[1]
    assert head is not None
    return engine.commit(head).tree


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def asked(opening: Callable[[], Engine], question: Callable[[Engine], None]) -> None:
    engine = opening()
    question(engine)
    engine.close()


def told(what: str, theirs: list[float], ours: list[float]) -> None:
    program, libgit2 = statistics.median(ours), statistics.median(theirs)
    print(f"{what:28} {program / libgit2:6.1f} ×  ({program * 1e3:.1f} / {libgit2 * 1e3:.1f} ms)")


def compare_reading(git_dir: Path) -> None:
    def by_libgit2() -> Engine:
        return open_engine(git_dir)

    def by_program() -> Engine:
        return ProgramEngine(Program(git_dir, clean(None)), "measured")

    for what, question in QUESTIONS.items():
        theirs, ours = [], []
        for _ in range(ROUNDS):
            theirs.append(seconds(partial(asked, by_libgit2, question)))
            ours.append(seconds(partial(asked, by_program, question)))
        told(what, theirs, ours)


def compare_writing(folder: Path) -> None:
    memories = []
    for object_format in ("sha1", "sha256"):
        top = folder / object_format
        subprocess.run(["git", "init", "-q", f"--object-format={object_format}", str(top)], check=True)
        memories.append(Memory(top))
        memories[-1].init()
    narrow, wide = memories
    theirs, ours = [], []
    for number in range(ROUNDS):
        theirs.append(seconds(partial(narrow.remember, Random(number))))
        ours.append(seconds(partial(wide.remember, Random(number))))
    told("look and write one file", theirs, ours)


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ.update(sealed_environment(folder))
        (folder / ".gitconfig").write_text(SEALED_CONFIG)
        subprocess.run(["git", "init", "-q", str(folder / "large")], check=True)
        fill(folder / "large" / ".git")
        subprocess.run(["git", "repack", "-adq"], cwd=folder / "large", check=True)
        compare_reading(folder / "large" / ".git")
        compare_writing(folder)


if __name__ == "__main__":
    main()
