"""Which git process a hook runs under, and whether it still runs.

While an editor is open, Git holds no lock and has fixed the tree of the commit already: entries taken out of the index
then would leave it behind the commit. Nothing in the Git directory tells that a commit is being made, so the process
itself is remembered, with its start: process numbers are used again.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_FARTHEST = 12
"""Hook managers put some processes between Git and us; more than this many is no hook manager."""


@dataclass(frozen=True, slots=True)
class Process:
    """`started` is the system's own word for the start, only to be compared."""

    number: int
    started: str


@dataclass(frozen=True, slots=True)
class _Seen:
    parent: int
    name: str
    started: str


def git_above(number: int) -> Process | None:
    """The nearest process called `git` among `number` and its ancestors; None where there is none."""
    for _ in range(_FARTHEST):
        seen = _look(number)
        if seen is None:
            return None
        if seen.name == "git":
            return Process(number, seen.started)
        number = seen.parent
    return None


def process(number: int) -> Process | None:
    seen = _look(number)
    return None if seen is None else Process(number, seen.started)


def runs(which: Process) -> bool:
    seen = _look(which.number)
    return seen is not None and seen.started == which.started


def words_of(which: Process) -> tuple[str, ...]:
    """The command line of a process; empty where it cannot be read."""
    try:
        data = (_PROC / str(which.number) / "cmdline").read_bytes()
    except OSError:
        shown = _ps("args=", which.number)
        return () if shown is None else tuple(shown.split())
    return tuple(word.decode("utf-8", "surrogateescape") for word in data.split(b"\0"))


def _look(number: int) -> _Seen | None:
    if number <= 0:
        return None
    return _in_proc(number) if (_PROC / "self" / "stat").exists() else _by_ps(number)


def _in_proc(number: int) -> _Seen | None:
    """See proc_pid_stat(5): number, name in parentheses, state, parent, …; the 22nd is the start in clock ticks."""
    try:
        head, _, tail = (_PROC / str(number) / "stat").read_text("utf-8", "replace").rpartition(")")
    except OSError:
        return None
    fields = tail.split()
    if fields[0] in "ZX":
        return None
    return _Seen(int(fields[1]), head.partition("(")[2], fields[19])


def _by_ps(number: int) -> _Seen | None:
    shown = _ps("stat=,ppid=,lstart=,comm=", number)
    # State, parent, five words of `lstart`, the name.
    fields = (shown or "").split(None, 7)
    if len(fields) < 8 or fields[0].startswith("Z"):
        return None
    return _Seen(int(fields[1]), fields[7].strip().rpartition("/")[2], " ".join(fields[2:7]))


def _ps(what: str, number: int) -> str | None:
    words = ["ps", "-o", what, "-p", str(number)]
    try:
        done = subprocess.run(words, capture_output=True, check=False, env={"LC_ALL": "C", "PATH": "/bin:/usr/bin"})
    except OSError:
        return None
    return done.stdout.decode("utf-8", "replace")
