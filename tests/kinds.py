"""Kinds of repositories, and the engine, that the same tests can be run on: `CC_GIT_TEST_KIND=sha256 pytest tests/git`.

Git makes every new repository of the kind that a variable says, so the tests need not know.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

KIND_VARIABLE = "CC_GIT_TEST_KIND"
NEWER_GIT = "CC_GIT_NEWER_GIT"
"""Path of a git program that can do more than the one on the PATH."""

KINDS = {
    "program": {"CC_GIT_ENGINE": "git"},
    "sha256": {"GIT_DEFAULT_HASH": "sha256"},
    "reftable": {"GIT_DEFAULT_REF_FORMAT": "reftable"},
}


def around(kind: str) -> dict[str, str]:
    """The variables of a kind; of `reftable` with a Git on the PATH that makes such repositories, if there is one."""
    found = dict(KINDS[kind])
    newer = os.environ.get(NEWER_GIT)
    if kind == "reftable" and newer and not os.environ["PATH"].startswith(str(Path(newer).parent)):
        found["PATH"] = f"{Path(newer).parent}{os.pathsep}{os.environ['PATH']}"
    return found


@cache
def why_not(kind: str) -> str | None:
    """Why no repository of this kind can be made here."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, **around(kind)}
        subprocess.run(["git", "init", "-q", folder], env=environ, check=True, capture_output=True)
        if kind == "reftable" and not (Path(folder) / ".git" / "reftable").is_dir():
            return f"this Git makes no reftable; tests/newer_git.sh builds one that does, for {NEWER_GIT}"
    return None
