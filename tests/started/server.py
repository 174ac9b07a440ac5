"""Forks for each command, with everything imported. `python -m tests.started.server SOCKET`; ends with its input."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import selectors
import signal
import socket
import sys
import time
import traceback
from pathlib import Path
from typing import TextIO

import pygit2
from pygit2.enums import ConfigLevel

import cc_git
from cc_git.cli.main import run


def serve(address: str) -> None:
    _import_all()
    gc.collect()
    gc.freeze()
    waiting: dict[int, socket.socket] = {}
    wakes, wake = socket.socketpair()
    for end in (wakes, wake):
        end.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as ready:
        listener.bind(address)
        listener.listen(64)
        for one in (listener, wakes, sys.stdin.fileno()):
            ready.register(one, selectors.EVENT_READ)
        os.write(1, b"ready\n")
        while True:
            for key, _ in ready.select():
                if key.fileobj is listener:
                    client, _ = listener.accept()
                    child = os.fork()
                    if child == 0:
                        signal.set_wakeup_fd(-1)
                        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                        _command(client)
                    waiting[child] = client
                elif key.fileobj is wakes:
                    with contextlib.suppress(BlockingIOError):
                        wakes.recv(4096)
                else:
                    return
            _answer(waiting)


def _import_all() -> None:
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    for found in pkgutil.walk_packages(cc_git.__path__, "cc_git."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def _answer(waiting: dict[int, socket.socket]) -> None:
    while waiting:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            return
        client = waiting.pop(child)
        code = os.waitstatus_to_exitcode(status)
        with client, contextlib.suppress(OSError):
            client.sendall((code % 256).to_bytes(4, "big"))


def _command(client: socket.socket) -> None:
    """In the child: become the command that the client stands for. Never returns."""
    code = 70
    try:
        length, files, _, _ = socket.recv_fds(client, 8, 3)
        about = b""
        while len(about) < int.from_bytes(length, "big"):
            about += client.recv(1 << 20)
        for number, file in enumerate(files):
            os.dup2(file, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") < 4096 else 4096)
        folder, environ, words = json.loads(about)
        _become(folder, environ, words)
        run()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def _become(folder: str, environ: dict[str, str], words: list[str]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    home = Path(environ.get("HOME", "/"))
    paths = pygit2.settings.search_path
    paths[ConfigLevel.GLOBAL] = str(home)
    paths[ConfigLevel.XDG] = str(Path(environ.get("XDG_CONFIG_HOME", home / ".config")) / "git")
    sys.argv = [str(Path(cc_git.__file__).with_name("__main__.py")), *words]
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def _stream(number: int, mode: str) -> TextIO:
    errors = {0: "surrogateescape", 1: "surrogateescape", 2: "backslashreplace"}[number]
    raw = open(number, f"{mode}b", buffering=-1, closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=number == 2 or os.isatty(number))


if __name__ == "__main__":
    serve(sys.argv[1])
