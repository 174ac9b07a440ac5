"""Running the git program: for what only it knows (identity, effective configuration, the index, hooks, signing).

Variables that point Git at another repository, index or object folder are taken away (inside a hook they are set);
those that carry configuration and identity stay. Nothing here prompts, and nothing fetches.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from cc_git.store.engine import Person
from cc_git.store.git_files import pointed_at
from cc_git.store.git_process import QUIET, GitFailed, Ran, clean, run_git
from cc_git.store.place import Place

_NOTHING: Mapping[str, str] = MappingProxyType({})


class Git:
    """The git program at one place. `environ` is the environment to start from (None: this process's own)."""

    def __init__(self, place: Place, environ: Mapping[str, str] | None = None) -> None:
        self._where = _where(place)
        self._cwd = place.top or place.git_dir
        self._environ = clean(os.environ if environ is None else environ)

    def run(
        self,
        *words: str,
        input: bytes | None = None,  # noqa: A002  as subprocess calls it
        check: bool = True,
        more: Mapping[str, str] = _NOTHING,
    ) -> Ran:
        """Run `git WORDS` for a question or a quiet change; a failure raises `GitFailed` unless `check` is False.

        `more` adds variables, for example the index that a hook was given.
        """
        ran = run_git(self._cwd, {**self._environ, **QUIET, **more}, (*self._where, *words), input)
        if check and ran.code:
            raise GitFailed(
                f"git {words[0]} failed with exit code {ran.code}",
                why=ran.said or None,
                hints=(f"git {' '.join(words[:3])}",),
            )
        return ran

    def run_for_user(self, *words: str, input: bytes | None = None) -> Ran:  # noqa: A002
        """Run what starts the user's own hooks, editor or signing: with their language, locks and network as ever."""
        return run_git(self._cwd, self._environ, (*self._where, *words), input)

    def config(self, key: str) -> str | None:
        """The effective value of one key (`core.hooksPath`), or None."""
        ran = self.run("config", "--get", key, check=False)
        return ran.stdout.decode("utf-8", "replace").removesuffix("\n") if ran.code == 0 else None

    def settings(self, section: str) -> Mapping[str, str]:
        """All keys of one section (`continuity`), in lower case, with their effective values; one process."""
        ran = self.run("config", "-z", "--get-regexp", rf"^{re.escape(section)}\.", check=False)
        found = {}
        for item in ran.stdout.decode("utf-8", "replace").split("\0"):
            key, _, value = item.partition("\n")
            if key:
                found[key] = value
        return MappingProxyType(found)

    def identity(self) -> Person | None:
        """The author as Git would write it; None where it would have to be guessed from the machine's name."""
        ran = self.run("-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT", check=False)
        found = re.fullmatch(r"(.*) <(.*)> \d+ [+-]\d{4}", ran.stdout.decode("utf-8", "replace").strip())
        return Person(found[1], found[2]) if found and ran.code == 0 else None

    def refusal(self) -> str | None:
        """Why Git will not open this repository (its owner, for one), in its own words; None when it will."""
        ran = self.run("rev-parse", "--git-dir", check=False)
        return None if ran.code == 0 else ran.said


def _where(place: Place) -> tuple[str, ...]:
    """Options that lead Git to the place, where its own way of finding it would not.

    Named outright, a repository is opened whoever owns it; found from a directory, `safe.directory` is obeyed. So
    the first is kept for places that were named outright to us as well.
    """
    if place.top is None or _found_at(place.top / ".git", place.git_dir):
        return ()
    return (f"--git-dir={place.git_dir}", f"--work-tree={place.top}")


def _found_at(dot_git: Path, git_dir: Path) -> bool:
    if dot_git.is_dir():
        return dot_git.samefile(git_dir)
    return dot_git.is_file() and pointed_at(dot_git) == git_dir.resolve()
