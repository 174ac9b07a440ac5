"""Starting whole programs for the demonstration, each in an environment of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROGRAM = (sys.executable, "-m", "cc_git")
"""The running cc-git, whether or not its script is on PATH."""


@dataclass(frozen=True)
class Played:
    """`said` is standard output followed by standard error, as a terminal would show them."""

    code: int
    said: str
    stdout: str


def play(words: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Played:
    """Run one program to its end, without a terminal and without input."""
    done = subprocess.run(
        words, cwd=folder, env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    out, err = (part.decode("utf-8", "replace") for part in (done.stdout, done.stderr))
    return Played(done.returncode, out + err, out)
