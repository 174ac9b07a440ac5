"""Starting whole programs for the demonstration, each in an environment of its own."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROGRAM = (sys.executable, "-m", "cc_git")
"""The running cc-git, whether or not its script is on PATH."""


_END_OF_INPUT = b"\x04"


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


def play_at_terminal(
    words: Sequence[str], folder: Path, environ: Mapping[str, str], answers: Sequence[str] = ()
) -> Played:
    """Run one program at a terminal of its own; whenever it asks (a line that ends in `] `), the next answer is typed,
    and after the last one the end of input.

    POSIX alone has such terminals.
    """
    master, slave = pty.openpty()
    settings = termios.tcgetattr(slave)
    settings[1] &= ~termios.ONLCR  # line ends arrive as they were written
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    with subprocess.Popen(
        words, cwd=folder, env=dict(environ), stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    ) as process:
        os.close(slave)
        said, left = b"", list(answers)
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # Linux says so when the last one at the terminal has gone
                break
            if not piece:
                break
            said += piece
            if said.endswith(b"] "):
                os.write(master, left.pop(0).encode() + b"\n" if left else _END_OF_INPUT)
        os.close(master)
        code = process.wait()
    text = said.decode("utf-8", "replace")
    return Played(code, text, text)
