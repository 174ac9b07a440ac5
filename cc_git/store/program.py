"""The git program at one Git directory, for the engine that it serves: single runs, and children that stay open.

The directory is named outright, so the program does not ask again who owns it: `engines.py` did, before.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import IO

from cc_git.errors import Damaged
from cc_git.store.git_process import QUIET, Ran, run_git, start_git

_PATIENCE = 5.0
"""Seconds that a child has for ending by itself once nobody reads it."""
_TAIL = 2000


class Program:
    def __init__(self, git_dir: Path, environ: Mapping[str, str]) -> None:
        self.git_dir = git_dir
        self._environ = {**environ, **QUIET}
        self._settings: tuple[str, ...] = ()

    def set(self, key: str, value: str) -> None:
        """A setting for all runs from now on."""
        self._settings = ("-c", f"{key}={value}")

    def run(self, *words: str, data: bytes | None = None) -> Ran:
        return run_git(self.git_dir, self._environ, self._words(words), data)

    def ask(self, *words: str, data: bytes | None = None) -> bytes:
        """What it prints; raises `Damaged` where it fails."""
        ran = self.run(*words, data=data)
        if ran.code:
            raise failed(words[0], ran.said)
        return ran.stdout

    def child(self, *words: str) -> Child:
        return Child(self.git_dir, self._environ, self._words(words))

    def lines(self, words: tuple[str, ...], told: Iterable[str]) -> Iterator[str]:
        """What it prints, line by line as it comes, when it was told these lines; stops it where nobody reads on."""
        child = self.child(*words)
        try:
            child.tell("".join(f"{line}\n" for line in told).encode())
            child.no_more()
            while line := child.line():
                yield line.decode().rstrip("\n")
            if child.end():
                raise failed(words[0], child.said)
        finally:
            child.close()

    def _words(self, words: tuple[str, ...]) -> tuple[str, ...]:
        return (f"--git-dir={self.git_dir}", *self._settings, *words)


def failed(command: str, said: str) -> Damaged:
    return Damaged(f"git {command} could not read the repository", why=said or None, hints=("git fsck",))


class Child:
    """One git process that stays open. What is written to it must be little, or read by it before it prints."""

    def __init__(self, cwd: Path, environ: Mapping[str, str], words: tuple[str, ...]) -> None:
        self._complaints = _in_memory()
        try:
            self._process: Popen[bytes] = start_git(cwd, environ, words, self._complaints)
        except BaseException:
            self._complaints.close()
            raise

    def tell(self, data: bytes) -> None:
        """A process that is gone is noticed where its answer is missing."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def no_more(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def line(self) -> bytes:
        """One line with its end; nothing when there will be none."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def read(self, size: int) -> bytes:
        """So many bytes; fewer when it ended."""
        assert self._process.stdout is not None
        return self._process.stdout.read(size)

    def end(self) -> int:
        """Its exit code, waited for."""
        return self._process.wait()

    @property
    def said(self) -> str:
        """What it complained of, the end of it."""
        size = self._complaints.seek(0, 2)
        self._complaints.seek(max(0, size - _TAIL))
        return self._complaints.read().decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Let it end: it finds nothing more to read, and nobody to read what it prints."""
        process = self._process
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        try:
            process.wait(_PATIENCE)
        except TimeoutExpired:
            process.kill()
            process.wait()
        self._complaints.close()


def _in_memory() -> IO[bytes]:
    """A file for what a process says, which needs no room on a disk where the system has such files."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("git"), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)
