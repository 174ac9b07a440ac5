"""People and agents with clones, for tests from the command line: real processes, a real remote, real terminals."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cc_git.store.play import play_at_terminal
from tests.started import program

NOW = "2026-11-30T12:00:00Z"


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)["data"]


@dataclass
class Clone:
    """A work tree and who works in it. `cc` runs without a terminal, `person` at one."""

    top: Path
    name: str = "ana"
    more: dict[str, str] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        about = {}
        for role in ("AUTHOR", "COMMITTER"):
            about |= {f"GIT_{role}_NAME": self.name.capitalize(), f"GIT_{role}_EMAIL": f"{self.name}@example.org"}
        return {**os.environ, **about, **self.more}

    def run(self, *words: str, code: int | None = 0, text: str | None = None) -> Said:
        done = subprocess.run(
            [*program(), *words], cwd=self.top, env=self.environ, input=text or "", capture_output=True, text=True
        )
        if code is not None and done.returncode != code:
            raise AssertionError(f"cc-git {' '.join(words)} → {done.returncode}\n{done.stdout}{done.stderr}")
        return Said(done.returncode, done.stdout, done.stderr)

    def cc(self, *words: str, code: int | None = 0) -> str:
        """What a command says on standard output."""
        return self.run(*words, code=code).out

    def data(self, *words: str, code: int | None = 0) -> Any:
        return self.run(*words, "--json", code=code).data

    def made(self, *words: str, prefix: str) -> str:
        """The id with this prefix that a command made."""
        return next(i for i in self.data(*words)["made"] if i.startswith(prefix + "_"))

    def person(self, *words: str, answers: tuple[str, ...] = (), code: int = 0) -> str:
        around = {**self.environ, "TERM": "dumb", "NO_COLOR": "1"}
        played = play_at_terminal([*program(), *words], self.top, around, answers)
        if played.code != code:
            raise AssertionError(f"cc-git {' '.join(words)} → {played.code}\n{played.said}")
        return played.said

    def settles(self, *words: str, answers: tuple[str, ...] = ("y",)) -> Any:
        """What a person's command at a terminal gives as data."""
        said = self.person(*words, "--json", answers=answers)
        return json.loads(said[said.index('{"schema"') :].splitlines()[0])["data"]

    def agent(self, name: str = "claude-code/opus") -> Clone:
        """The same clone in the hands of an agent."""
        return Clone(self.top, self.name, {**self.more, "CC_GIT_ACTOR": f"agent:{name}"})

    def git(self, *words: str, code: int | None = 0) -> str:
        done = subprocess.run(["git", *words], cwd=self.top, env=self.environ, capture_output=True, text=True)
        if code is not None and done.returncode != code:
            raise AssertionError(f"git {' '.join(words)} → {done.returncode}\n{done.stdout}{done.stderr}")
        return (done.stdout + done.stderr).strip()

    def standing(self, identifier: str) -> str:
        return str(self.data("show", identifier)["verdict"]["standing"])

    def packet(self, *words: str) -> Any:
        return self.data("compile", *words)

    def offered(self, *words: str) -> set[str]:
        """The permissions that a packet lets an agent use."""
        items = [i for s in self.packet("--ceiling", "limited", *words)["sections"] for i in s["items"]]
        grants = (i for i in items if i["kind"] == "permission" and i["facts"][0].startswith("allow "))
        return {i["id"] for i in grants if i["standing"] == "current"}

    def commit(self, message: str = "Memory") -> None:
        self.cc("commit", "-m", message)


@dataclass
class World:
    """A bare remote and whoever cloned it."""

    folder: Path

    @property
    def remote(self) -> Path:
        return self.folder / "origin.git"

    def begin(self) -> None:
        self._git(self.folder, "init", "--quiet", "--bare", str(self.remote))

    def clone(self, name: str, *options: str) -> Clone:
        self._git(self.folder, "clone", "--quiet", *options, self.remote.as_uri(), name)
        return Clone(self.folder / name, name.partition("-")[0])

    def _git(self, folder: Path, *words: str) -> None:
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
