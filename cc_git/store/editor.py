"""The user's editor, chosen as Git chooses it (`git var GIT_EDITOR`) and started as Git starts it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from cc_git.store.git import Git
from cc_git.store.git_process import GitFailed, clean


def edit_in_place(path: Path, git: Git, environ: Mapping[str, str]) -> None:
    """Let the user edit a file; returns when the editor is done. Raises `GitFailed` where there is none or it fails.

    The editor is the configuration's (`core.editor`) or the environment's (`VISUAL`, `EDITOR`), a command for the
    shell with the path as its last word, and has our terminal.
    """
    chosen = git.run_for_user("var", "GIT_EDITOR")
    if chosen.code:
        raise GitFailed("there is no editor to start", why=chosen.said or None,
                        hints=("export EDITOR=…", "git config --global core.editor …"))  # fmt: skip
    command = chosen.stdout.decode("utf-8", "surrogateescape").strip()
    if command == ":":
        return
    words = ["sh", "-c", f'{command} "$@"', command, str(path)]
    done = subprocess.run(words, cwd=path.parent, env=clean(environ), check=False)
    if done.returncode:
        raise GitFailed(f"the editor ended with exit code {done.returncode}", why=command,
                        hints=(f"{path} is as it left it",))  # fmt: skip
