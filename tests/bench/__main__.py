"""Every benchmark of section "Speed" in one run: `python -m tests.bench`. They print ratios and assert nothing."""

from __future__ import annotations

import subprocess
import sys

BENCHES = (
    "bench_write",
    "bench_process",
    "bench_engines",
    "bench_present",
    "bench_index",
    "bench_negatives",
    "bench_compile",
    "bench_work",
    "bench_hook",
    "bench_forget",
    "bench_growth",
)


def main() -> int:
    worst = 0
    for name in BENCHES:
        print(f"\n== {name}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, "-m", f"tests.bench.{name}"]).returncode)
    return worst


sys.exit(main())
