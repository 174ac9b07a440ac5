"""How tests start `cc-git`: every command is a process of its own, in its own folder and environment.

Most of a command's time is Python's start and the imports. So one process for each run of pytest has imported
everything, and forks for each command (`server.py`); `client.py` is what a test starts, and stands for the command.
`CC_GIT_TEST_START=whole` starts each command from nothing, as a user does; what tests starting, killing or limits of a
process takes `WHOLE` in any case.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from cc_git.store.play import PROGRAM as WHOLE

_HERE = Path(__file__).resolve().parent


def program() -> tuple[str, ...]:
    """The words that start `cc-git`."""
    if os.environ.get("CC_GIT_TEST_START") == "whole":
        return WHOLE
    return (sys.executable, "-I", "-S", str(_HERE / "client.py"), _serving())


@cache
def _serving() -> str:
    """The socket of the server; it ends with this process."""
    folder = tempfile.TemporaryDirectory(prefix="cc-git-tests-")
    address = f"{folder.name}/socket"
    words = [sys.executable, "-m", "tests.started.server", address]
    environ = {**os.environ, "HOME": folder.name, "PYTHONPATH": str(_HERE.parent.parent)}
    server = subprocess.Popen(words, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder.name)
    assert server.stdin is not None and server.stdout is not None
    if server.stdout.readline() != b"ready\n":
        raise RuntimeError("the server that starts commands did not start")

    def end() -> None:
        assert server.stdin is not None
        server.stdin.close()
        server.wait()
        folder.cleanup()

    atexit.register(end)
    return address
