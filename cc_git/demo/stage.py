"""The stage: a folder with a home of its own, people with clones, and every command shown before it runs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cc_git.errors import CcGitError
from cc_git.store.play import PROGRAM, Played, play, play_at_terminal

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
            "TERM": "dumb",
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

    def remove(self, where: str, name: str) -> None:
        (self.folder / where / name).unlink()

    def git(self, who: str, *words: str, shown: bool = True, expect: int = 0) -> str:
        """What Git says."""
        self._show(who, ("git", *words), shown=shown)
        played = play(("git", *words), self._home_of(who), self._around(who))
        self._check(("git", *words), played, expect, shown=shown)
        return played.said

    def cc(self, who: str, *words: str, answers: Sequence[str] = (), expect: int = 0) -> str:
        """What it says. `who` is `ana`, a person at a terminal, or `ana+demo`, an agent in Ana's clone without one."""
        named = ("cc-git", *words)
        self._show(who, named)
        run, folder, around = (*PROGRAM, *words), self._home_of(who), self._around(who)
        played = play(run, folder, around) if "+" in who else play_at_terminal(run, folder, around, answers)
        self._check(named, played, expect)
        return played.said

    def ask(self, who: str, *words: str) -> Any:
        """The data of a command, unseen."""
        played = play((*PROGRAM, *words, "--json"), self._home_of(who), self._around(who))
        self._check(("cc-git", *words), played, 0, shown=False)
        return json.loads(played.stdout)["data"]

    def _home_of(self, who: str) -> Path:
        """The clone that somebody works in; before there is one, the stage."""
        clone = self.folder / who.partition("+")[0]
        return clone if clone.is_dir() else self.folder

    def _show(self, who: str, words: tuple[str, ...], *, shown: bool = True) -> None:
        if shown:
            self.tell("command", f"{who.replace('+', '/agent ')}$ {shlex.join(words)}")

    def _check(self, words: tuple[str, ...], played: Played, expect: int, *, shown: bool = True) -> None:
        if shown and played.said.strip():
            self.tell("output", played.said.rstrip("\n"))
        if played.code != expect:
            raise CcGitError(
                f"the demonstration broke: {shlex.join(words)} ended with {played.code}, not {expect}",
                why=played.said.strip()[-2000:] or None,
            )
