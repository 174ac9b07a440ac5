"""Kills that are exact, not by the clock: a child counts its calls into the system (files, databases, Git objects) and
kills itself at one of them, as a power failure would.
"""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import termios
from collections.abc import Callable, Iterator
from types import FrameType

from tests.cli.people import Clone

_FILES = ("open", "rename", "replace", "unlink", "remove", "rmdir", "link", "mkdir", "chmod", "close")
_BYTES = ("write", "pwrite", "ftruncate", "fsync", "flock", "execute", "executemany")
_CALLS = frozenset(_FILES + _BYTES)
ASKED = int(os.environ.get("CC_GIT_KILLS", "0"))
"""How many kills a test makes; without it each has a number of its own, for a long run this one is raised."""


class _Counter:
    """A profile function that counts, and at the count `at` ends the process."""

    def __init__(self, at: int | None) -> None:
        self.at, self.seen = at, 0

    def __call__(self, frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and getattr(called, "__name__", "") in _CALLS:
            self.seen += 1
            if self.seen == self.at:
                os.kill(os.getpid(), signal.SIGKILL)


def spread(calls: int, kills: int) -> Iterator[int]:
    """At which calls to kill: evenly over all of them, and none twice."""
    number = min(ASKED or kills, calls)
    for one in range(number):
        yield 1 + one * (calls - 1) // max(number - 1, 1)


def in_child(work: Callable[[], object], at: int | None) -> int:
    """Do it in a child that is killed at call number `at`; the number of calls of one that was not, else -1."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _counted(work, at, writer)
    return _calls_of(child, reader, writer)


def at_terminal(clone: Clone, words: tuple[str, ...], at: int | None) -> int:
    """The same of a command that a person gives at a terminal, where every question is answered with yes."""
    reader, writer = os.pipe()
    child, terminal = pty.fork()
    if child == 0:
        from cc_git.cli.main import main

        os.chdir(clone.top)
        os.environ |= {**clone.environ, "TERM": "dumb", "NO_COLOR": "1"}
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        _counted(lambda: main(words), at, writer)
    settings = termios.tcgetattr(terminal)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, settings)
    _answer(terminal)
    os.close(terminal)
    return _calls_of(child, reader, writer)


def _counted(work: Callable[[], object], at: int | None, writer: int) -> None:
    counter = _Counter(at)
    sys.setprofile(counter)
    try:
        work()
    finally:
        sys.setprofile(None)
        os.write(writer, str(counter.seen).encode())
        os._exit(0)


def _answer(terminal: int) -> None:
    said = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # Linux says so when the last one at the terminal has gone
            return
        if not piece:
            return
        said += piece
        if said.endswith(b"] "):
            os.write(terminal, b"y\n")
            said = b""
    raise AssertionError(f"nothing came for a minute after {said!r}")


def _calls_of(child: int, reader: int, writer: int) -> int:
    os.close(writer)
    said = os.read(reader, 100)
    os.close(reader)
    os.waitpid(child, 0)
    return int(said) if said else -1
