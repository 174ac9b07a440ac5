"""One call of the program: what was asked everywhere alike, and the world around it as values."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path

from cc_git.cli.streams import Streams
from cc_git.cli.who import Identity, who_acts
from cc_git.clock import read_clock
from cc_git.errors import UsageFault
from cc_git.model.who import Who


@dataclass
class Call:
    """Filled in by the global options (`global_options.py`) while click parses; read by the command.

    `words` are the words of the command without its arguments (`packet verify`): they name the schema of the JSON and
    appear in a report of a bug, where arguments, which may be private, must not.
    """

    environ: Mapping[str, str]
    streams: Streams
    as_json: bool = False
    quiet: bool = False
    actor_asked: str | None = None
    now_asked: datetime | None = None
    workspace_asked: str | None = None
    words: tuple[str, ...] = ()
    lost: list[str] = field(default_factory=list)
    """Guarantees that this call goes without; told with the warnings."""
    _came_from: list[Path] = field(default_factory=list)

    @cached_property
    def now(self) -> datetime:
        """The instant of this command: `--now`, or the clock, read once."""
        return self.now_asked or read_clock()

    @property
    def start(self) -> Path:
        """The directory that the workspace is looked for from, upwards."""
        return Path.cwd()

    @property
    def workspace(self) -> Path | None:
        """`--workspace`, absolute, or None: then the nearest one is meant."""
        return None if self.workspace_asked is None else self.start / self.workspace_asked

    def who(self, identity: Callable[[], Identity | None]) -> Who:
        """Who acts. `identity` asks Git and is called only when nothing else names the actor."""
        return who_acts(self.environ, at_terminal=self.streams.at_terminal, asked=self.actor_asked, identity=identity)

    def go_to(self, directory: str) -> None:
        """`-C`: change the directory as Git does, so that every other path is read from there."""
        here = Path.cwd()
        try:
            os.chdir(directory or ".")
        except OSError as error:
            raise UsageFault(f"cannot change to {directory}", why=error.strerror) from error
        self._came_from.append(here)

    def come_back(self) -> None:
        """Undo every `-C`: the program may be called from within a process that goes on."""
        if self._came_from:
            os.chdir(self._came_from[0])
            self._came_from.clear()
