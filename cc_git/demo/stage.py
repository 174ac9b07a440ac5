"""The stage: a folder with a home of its own, people with clones, and every command shown before it runs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cc_git.errors import CcGitError
from cc_git.store.play import PROGRAM, Played, play

Tell = Callable[[str, str], None]
"""(kind, text), where kind is `scene`, `step`, `command` or `output`."""

_CONFIG = """[init]
\tdefaultBranch = main
[advice]
\tdetachedHead = false
[protocol "file"]
\tallow = always
"""
_KEPT = ("PATH", "SYSTEMROOT", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV")


@dataclass
class Stage:
    """`environ` is this process's, of which little is passed on: the demonstration is nobody's but its own."""

    folder: Path
    environ: Mapping[str, str]
    tell: Tell
    quiet: bool = field(default=False, init=False)

    def prepare(self) -> None:
        home = self.folder / "home"
        home.mkdir()
        (home / ".gitconfig").write_text(_CONFIG)

    def _around(self, who: str) -> dict[str, str]:
        kept = {name: self.environ[name] for name in _KEPT if name in self.environ}
        home = self.folder / "home"
        about = {
            "HOME": str(home),
            "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
        }
        name, _, agent = who.partition("+")
        for role in ("AUTHOR", "COMMITTER"):
            about |= {f"GIT_{role}_NAME": name.capitalize(), f"GIT_{role}_EMAIL": f"{name}@example.org"}
        return kept | about | ({"CC_GIT_ACTOR": f"agent:{agent}"} if agent else {})

    def say(self, sentence: str) -> None:
        self.tell("step", sentence)

    def scene(self, title: str) -> None:
        self.tell("scene", title)

    def write(self, where: str, name: str, text: str) -> None:
        path = self.folder / where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, who: str, *words: str, shown: bool = True) -> Played:
        """`who` is `ana`, or `ana+demo` for an agent that works in Ana's clone."""
        return self._run(("git", *words), ("git", *words), who, shown=shown)

    def cc(self, who: str, *words: str, expect: int = 0) -> Played:
        return self._run(("cc-git", *words), (*PROGRAM, *words), who, shown=True, expect=expect)

    def ask(self, who: str, *words: str) -> Any:
        """The data of a command, unseen."""
        answer = self._run(("cc-git", *words), (*PROGRAM, *words, "--json"), who, shown=False)
        return json.loads(answer.stdout)["data"]

    def _run(self, named: tuple[str, ...], words: tuple[str, ...], who: str, *, shown: bool, expect: int = 0) -> Played:
        place = who.partition("+")[0]
        folder = self.folder / place if (self.folder / place).is_dir() else self.folder
        if shown:
            self.tell("command", f"{who.replace('+', '/agent ')}$ {shlex.join(named)}")
        played = play(words, folder, self._around(who))
        if shown and played.said.strip():
            self.tell("output", played.said.rstrip("\n"))
        if played.code != expect:
            raise CcGitError(
                f"the demonstration broke: {shlex.join(named)} ended with {played.code}, not {expect}",
                why=played.said.strip()[-2000:] or None,
            )
        return played
