"""Running the git program: for what only it knows (identity, effective configuration, the index, hooks, signing).

Variables that point Git at another repository, index or object folder are taken away (inside a hook they are set);
those that carry configuration and identity stay. Nothing here prompts, and nothing fetches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from cc_git.store.engine import Person
from cc_git.store.git_files import pointed_at
from cc_git.store.git_process import QUIET, GitFailed, Ran, clean, refusal, run_git
from cc_git.store.place import Place

_NOTHING: Mapping[str, str] = MappingProxyType({})
_OF_WORKTREES = "extensions.worktreeconfig"
_TRUE = frozenset({"true", "yes", "on", "1"})


class Git:
    """The git program at one place. `environ` is the environment to start from (None: this process's own)."""

    def __init__(self, place: Place, environ: Mapping[str, str] | None = None) -> None:
        self._place = place
        self._where = _where(place)
        self._cwd = place.top or place.git_dir
        self._environ = clean(environ)

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

    def own_config(self, key: str) -> str | None:
        """The value of one key in this repository's own files, the worktree's before the clone's, or None.

        For what decides whom to trust. Variables (`GIT_CONFIG_COUNT`, `GIT_CONFIG_GLOBAL`) are the agent's to set, the
        user's and the system's files are chosen by them, and an included file may lie in the tree: none of it is asked.
        """
        found = self._own(self._place.common_dir / "config", (key, _OF_WORKTREES))
        if found.get(_OF_WORKTREES, "").lower() in _TRUE:
            found |= self._own(self._place.git_dir / "config.worktree", (key,))
        return found.get(key.lower())

    def _own(self, file: Path, keys: tuple[str, ...]) -> dict[str, str]:
        wanted = "|".join(re.escape(key.lower()) for key in keys)
        around = {name: value for name, value in self._environ.items() if not name.startswith("GIT_CONFIG")}
        words = ("config", "--file", str(file), "--no-includes", "-z", "--get-regexp", f"^({wanted})$")
        return _items(run_git(self._cwd, {**around, **QUIET}, words).stdout)

    def settings(self, section: str) -> Mapping[str, str]:
        """All keys of one section (`continuity`), in lower case, with their effective values; one process."""
        ran = self.run("config", "-z", "--get-regexp", rf"^{re.escape(section)}\.", check=False)
        return MappingProxyType(_items(ran.stdout))

    def identity(self) -> Person | None:
        """The author as Git would write it; None where it would have to be guessed from the machine's name."""
        ran = self.run("-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT", check=False)
        found = re.fullmatch(r"(.*) <(.*)> \d+ [+-]\d{4}", ran.stdout.decode("utf-8", "replace").strip())
        return Person(found[1], found[2]) if found and ran.code == 0 else None

    def refusal(self) -> str | None:
        """Why Git will not open this repository (its owner, for one), in its own words; None when it will."""
        return refusal(self._cwd, self._environ, self._where)

    @property
    def environ(self) -> Mapping[str, str]:
        """What the program is run in, without what leads it elsewhere."""
        return self._environ


class AbsentGit(Git):
    """The git program at a throw-away repository (`scratch.py`) whose index is empty and whose configuration says
    nothing: every question of a reading command has the empty answer, so there need not be a program."""

    def run(
        self,
        *words: str,
        input: bytes | None = None,  # noqa: A002  as subprocess calls it
        check: bool = True,
        more: Mapping[str, str] = _NOTHING,
    ) -> Ran:
        return Ran(0, b"", b"")

    def own_config(self, key: str) -> str | None:
        return None

    def refusal(self) -> str | None:
        return None

    @property
    def environ(self) -> Mapping[str, str]:
        return _NOTHING


def _items(listed: bytes) -> dict[str, str]:
    """What `git config -z` lists; of several values of one key the last counts, and a bare key is true."""
    found = {}
    for item in listed.decode("utf-8", "replace").split("\0"):
        key, equals, value = item.partition("\n")
        if key:
            found[key] = value if equals else "true"
    return found


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
