"""One run of the git program, and the environments it may be run in.

It is started by exec, never as a fork of this process: forks would share libgit2's names of temporary objects.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO

from cc_git.errors import CcGitError, Damaged, Exit

_KEPT = re.compile(
    r"GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|PARAMETERS|COUNT|KEY_\d+|VALUE_\d+)"
    r"|(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|EXEC_PATH|EDITOR|ASKPASS|SSH(_COMMAND|_VARIANT)?|TEMPLATE_DIR"
    r"|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)"
)
QUIET: Mapping[str, str] = MappingProxyType(
    {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        # libgit2 knows nothing of replace refs: both engines must see the same history.
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C",
    }
)
"""For our own questions: no prompt, no lock for a refreshed index, no fetch of missing objects, one language."""


class GitFailed(CcGitError):
    """The git program refused; `why` is what it said."""

    exit = Exit.REFUSED
    kind = "git"


class NoGitProgram(GitFailed):
    """Git is not installed, or not on the PATH."""


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    stdout: bytes
    stderr: bytes

    @property
    def said(self) -> str:
        return self.stderr.decode("utf-8", "replace").strip()


def git_is_there(environ: Mapping[str, str]) -> bool:
    return shutil.which("git", path=environ.get("PATH", os.defpath)) is not None


def clean(environ: Mapping[str, str] | None) -> dict[str, str]:
    """The environment (None: this process's own) without the variables that lead Git elsewhere."""
    around = os.environ if environ is None else environ
    return {name: value for name, value in around.items() if not name.startswith("GIT_") or _KEPT.fullmatch(name)}


def of_our_own() -> dict[str, str]:
    """The environment for a repository of our own: nobody's configuration says how it is kept."""
    around = {name: value for name, value in clean(None).items() if not name.startswith("GIT_CONFIG")}
    return {**around, **QUIET, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


def refusal(cwd: Path, environ: Mapping[str, str], where: tuple[str, ...] = ()) -> str | None:
    """Why Git will not open the repository at `cwd` (its owner, for one), in its own words; None when it will."""
    ran = run_git(cwd, {**environ, **QUIET}, (*where, "rev-parse", "--git-dir"))
    return None if ran.code == 0 else ran.said


def run_git(cwd: Path, environ: Mapping[str, str], words: tuple[str, ...], data: bytes | None = None) -> Ran:
    """Run `git WORDS` with exactly this environment and, without `data`, an empty input."""
    try:
        done = subprocess.run(
            ["git", *words],
            cwd=cwd,
            env=environ,
            input=data,
            stdin=subprocess.DEVNULL if data is None else None,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as fault:
        raise _absent(cwd, fault) from None
    return Ran(done.returncode, done.stdout, done.stderr)


def start_git(
    cwd: Path, environ: Mapping[str, str], words: tuple[str, ...], complaints: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start `git WORDS` and leave it running; what it complains of goes to a file, which no amount of it fills up."""
    try:
        return subprocess.Popen(
            ["git", *words],
            cwd=cwd,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
        )
    except FileNotFoundError as fault:
        raise _absent(cwd, fault) from None


def _absent(cwd: Path, fault: FileNotFoundError) -> CcGitError:
    """The system says the same of a program that is not there and of a folder to run it in."""
    if not cwd.is_dir():
        return Damaged(f"the folder {cwd} is gone", hints=("run the command again, where the repository is now",))
    return NoGitProgram("the git program could not be started", why=str(fault), hints=("install Git 2.38 or newer",))
