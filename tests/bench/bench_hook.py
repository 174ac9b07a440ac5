"""What the hooks cost, against their yardsticks, measured in turn in one run.

    python -m tests.bench.bench_hook [records ...]

A commit that does not concern `.continuity/` may cost three times `git rev-parse`; one that does, two and a half times
the start of Python with pygit2. The hook is run as Git runs it, on a repository with as many committed records.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from cc_git.store.hook_install import NAMES
from tests.conftest import SEALED_CONFIG, sealed_environment
from tests.git.histories.memory import Memory, an_episode
from tests.git.twins import install

ROUNDS, ROUNDS_OF_THE_SHELL = 15, 100
Prepare = Callable[[], object]


def seconds(command: list[str], cwd: Path, environ: Mapping[str, str], said: str = "") -> float:
    begin = time.perf_counter()
    subprocess.run(command, cwd=cwd, env=dict(environ), input=said.encode(), stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


class Repository:
    """One with `records` committed ones; `again` puts the index and our notes back to how a case begins."""

    def __init__(self, folder: Path, records: int) -> None:
        self.top = folder / f"with-{records}"
        self.top.mkdir()
        self.memory = Memory(self.top)
        self.rng = Random(records)
        self.git("init", "-q")
        (self.top / "code.c").write_text("one\n")
        self.memory.init()
        for _ in range(records):
            rel, data = an_episode(self.rng)
            path = self.top / ".continuity" / rel
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "base")
        install(self.memory, names=NAMES)
        self.memory.look()
        self.change()

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.top, check=True)

    def ask(self, rev: str) -> str:
        return subprocess.run(
            ["git", "rev-parse", rev], cwd=self.top, check=True, capture_output=True, text=True
        ).stdout.strip()

    def change(self) -> None:
        (self.top / "code.c").write_text(f"{self.rng.random()}\n")
        self.git("add", "code.c")
        self.keep()

    def keep(self) -> None:
        shutil.copy(self.top / ".git" / "index", self.top / ".git" / "index-of-the-case")

    def again(self) -> None:
        shutil.copy(self.top / ".git" / "index-of-the-case", self.top / ".git" / "index")
        (self.top / ".git" / "continuity" / "added").unlink(missing_ok=True)

    def wait(self, number: int) -> None:
        for _ in range(number):
            self.memory.remember(self.rng)

    def stage(self) -> None:
        """A record that the user staged and that the journal does not know."""
        rel, data = an_episode(self.rng)
        path = self.top / ".continuity" / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.git("add", str(path))
        self.keep()


def ratio(
    name: str,
    repository: Repository,
    yardstick: list[str],
    bound: float,
    rounds: int = ROUNDS,
    words: tuple[str, ...] = ("pre-commit",),
    said: str = "",
) -> None:
    """Prints milliseconds of both and the ratio; of each the fastest run, which a busy machine disturbs least. `words`
    are the hook and what Git gives it, `said` what it writes to it."""
    hook = [str(repository.top / ".git" / "hooks" / words[0]), *words[1:]]
    environ = {**os.environ, "GIT_INDEX_FILE": ".git/index", "GIT_EDITOR": ":"}
    ours, theirs = [], []
    for _ in range(rounds):
        repository.again()
        ours.append(seconds(hook, repository.top, environ, said))
        theirs.append(seconds(yardstick, repository.top, os.environ))
    repository.again()
    us, them = min(ours) * 1000, min(theirs) * 1000
    verdict = "" if us <= bound * them else "   over the target"
    print(f"  {name:42} {us:7.1f} ms {them:7.1f} ms {us / them:6.2f}×  (≤ {bound}×){verdict}")


def others(repository: Repository, git: list[str], python: list[str]) -> None:
    """The other six, on a commit that does not concern us and on one that takes a record away."""
    hidden = repository.top / ".git" / "COMMIT_EDITMSG"
    hidden.write_text("x\n")
    repository.git("commit", "-q", "--no-verify", "-m", "what was staged")
    for concerns in (False, True):
        repository.change()
        if concerns:
            repository.git("rm", "-q", "-r", ".continuity/episodes")
        repository.git("commit", "-q", "--no-verify", "-m", "one more")
        repository.keep()
        repository.git("update-ref", "ORIG_HEAD", "HEAD~1")
        pushed = f"refs/heads/main {repository.ask('HEAD')} refs/heads/main {repository.ask('HEAD~1')}\n"
        for words, said in (
            (("prepare-commit-msg", str(hidden), "message"), ""),
            (("post-commit",), ""),
            (("post-checkout", "HEAD~1", "HEAD", "1"), ""),
            (("post-merge", "0"), ""),
            (("post-rewrite", "rebase"), pushed),
            (("pre-push", "origin", "/nowhere.git"), pushed),
        ):
            if words[0] == "pre-push" and not concerns:
                continue  # of this remote nothing is known, so all of history would be sent
            starts = concerns and words[0] != "prepare-commit-msg"
            name = f"{words[0]}, {'a record went' if concerns else 'nothing of .continuity/'}"
            yardstick, bound = (python, 2.5) if starts else (git, 3)
            ratio(name, repository, yardstick, bound, ROUNDS if starts else ROUNDS_OF_THE_SHELL, words, said)


def main(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / ".gitconfig").write_text(SEALED_CONFIG)
        environment = sealed_environment(home)
        # As in use: compiled modules are kept.
        del environment["PYTHONDONTWRITEBYTECODE"]
        os.environ.clear()
        os.environ.update(environment)
        git, python = ["git", "rev-parse", "HEAD"], [sys.executable, "-c", "import pygit2"]
        for size in sizes:
            repository = Repository(home, size)
            print(f"{size} committed records                              hook  yardstick")
            ratio("nothing of .continuity/, nothing waits", repository, git, 3, ROUNDS_OF_THE_SHELL)
            repository.wait(3)
            ratio("3 records wait and are added", repository, python, 2.5)
            repository.wait(100)
            ratio("103 records wait and are added", repository, python, 2.5)
            repository.stage()
            ratio("103 are added, one of the user's is checked", repository, python, 2.5)
            (repository.top / ".git" / "continuity" / "waiting").unlink()
            ratio("one of the user's is checked", repository, python, 2.5)
            others(repository, git, python)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [0, 1000, 10000])
