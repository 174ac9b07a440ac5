"""The three streams of the process, and what is known of the terminal behind them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from cc_git.errors import NotWritable

_FALLBACK_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Streams:
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO

    @classmethod
    def of_process(cls) -> Streams:
        """The streams as they are now. A closed one (`>&-`) becomes the null device."""
        out, err = (stream or Path(os.devnull).open("w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
        for stream in (out, err):
            # a terminal that cannot show a letter shows its escape; a traceback would help nobody
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        return cls(sys.stdin or Path(os.devnull).open(), out, err)

    @property
    def at_terminal(self) -> bool:
        """Somebody can read a question and answer it."""
        return is_terminal(self.stdin) and is_terminal(self.stdout)


def is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # a closed stream
        return False


def is_rich(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """A terminal that can do more than lines of plain text."""
    return is_terminal(stream) and environ.get("TERM", "") not in ("", "dumb")


def wants_colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """https://no-color.org: any value of NO_COLOR but the empty one."""
    return is_rich(stream, environ) and not environ.get("NO_COLOR")


def width_of(stream: TextIO, environ: Mapping[str, str]) -> int:
    """Columns of the terminal; COLUMNS wins, as in every shell tool."""
    if (asked := environ.get("COLUMNS", "")).isdecimal() and int(asked):
        return int(asked)
    try:
        return os.get_terminal_size(stream.fileno()).columns or _FALLBACK_WIDTH
    except (OSError, ValueError):
        return _FALLBACK_WIDTH


class OutputLost(NotWritable):
    """Standard output takes nothing, so what stopped the command can only be told on standard error."""

    kind = "output-lost"


def write(stream: TextIO, text: str) -> None:
    """Write all of it, now. A reader that has gone (`| head`) is no error of ours: what was done is done."""
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # Python flushes once more while it ends, and would complain
        # https://docs.python.org/3/library/signal.html#note-on-sigpipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            why = f"{error.strerror}; what was asked is done"
            raise OutputLost("the output could not be written", why=why) from error


def write_utf8(stream: TextIO, text: str) -> None:
    """The same in UTF-8 whatever the locale says, for what programs read."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8")
    write(stream, text)
