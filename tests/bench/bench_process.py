"""`cc-git remember` as a whole process, against starting Python with pygit2 and pydantic.

`python -m tests.bench.bench_process`. Both are started in turn; the ratio of the medians of their processor time is
what counts (the wall clock is printed beside it). Target: at most 2.5 times.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROUNDS = 15
BASE = (sys.executable, "-c", "import pygit2, pydantic; pydantic.BaseModel")
PROGRAM = str(Path(sys.executable).with_name("cc-git"))
"""The installed script, as people start it."""
REMEMBER = (PROGRAM, "--quiet", "remember", "Deploys go out on Tuesdays", "--kind", "decision")


def spent(words: Sequence[str], folder: Path, environ: Mapping[str, str]) -> tuple[float, float]:
    """Processor and wall seconds of one run."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, cwd=folder, env=environ, check=True, capture_output=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "HOME": place}
        who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
        for words in (("init", "-q"), (*who, "commit", "-q", "--allow-empty", "-m", "base")):
            subprocess.run(["git", *words], cwd=folder, env=environ, check=True)
        subprocess.run([PROGRAM, "-q", "init"], cwd=folder, env=environ, check=True, capture_output=True)
        for words in (BASE, REMEMBER):
            spent(words, folder, environ)
        base, remember = [], []
        for _ in range(ROUNDS):
            base.append(spent(BASE, folder, environ))
            remember.append(spent(REMEMBER, folder, environ))
    for name, at in (("processor", 0), ("wall", 1)):
        ours, theirs = (statistics.median(run[at] for run in runs) for runs in (remember, base))
        print(f"remember, whole process, {name:9}  {ours / theirs:5.2f} ×  ({ours * 1e3:.0f} / {theirs * 1e3:.0f} ms)")
    print("target                               2.50 ×")


if __name__ == "__main__":
    main()
