"""Fixtures that seal every test from the machine; `test_seal.py` tests the seal."""

from __future__ import annotations

import compileall
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import kinds

settings.register_profile(
    "sealed",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("sealed")

SEALED_CONFIG = """[user]
\tname = Ana Test
\temail = ana@example.org
[init]
\tdefaultBranch = main
[protocol "file"]
\tallow = always
[advice]
\tdetachedHead = false
"""

PROJECT = Path(__file__).resolve().parent.parent


def pytest_configure(config: pytest.Config) -> None:
    """Compile once what every process that a test starts would compile anew: the seal forbids them to write."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(PROJECT / "cc_git", quiet=1)


_KEPT = (
    "PATH",
    "TMPDIR",
    "VIRTUAL_ENV",
    "CC_GIT_TEST_DATA",
    "COVERAGE_PROCESS_START",
    "CC_GIT_NEWER_GIT",
    "CC_GIT_ENGINE",
)


def sealed_environment(home: Path) -> dict[str, str]:
    """An environment in which nothing of the machine is visible but its programs."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    if kind := os.environ.get(kinds.KIND_VARIABLE):
        kept |= {kinds.KIND_VARIABLE: kind, **kinds.around(kind)}
    return kept | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_EDITOR": "true",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_DATE": "2026-11-30T12:00:00Z",
        "GIT_COMMITTER_DATE": "2026-11-30T12:00:00Z",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONPATH": str(PROJECT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.fixture(autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Replace the whole environment and the current directory; the home is new for every test."""
    home = tmp_path_factory.mktemp("home")
    (home / ".gitconfig").write_text(SEALED_CONFIG)
    environment = sealed_environment(home)
    for name in list(os.environ):
        if name not in environment and not name.startswith("PYTEST_"):
            monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(home)
    yield home


@pytest.fixture
def git() -> Callable[..., str]:
    """Run the real git: `git(folder, "commit", "-m", "x")` → its standard output, stripped; a failure raises."""

    def run(folder: Path, *words: str, check: bool = True) -> str:
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True)
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(words)} → {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    return run


@pytest.fixture
def repository(tmp_path: Path, git: Callable[..., str]) -> Path:
    """A real repository with one commit."""
    top = tmp_path / "repo"
    top.mkdir()
    git(top, "init", "-q")
    (top / "code.c").write_text("int main(void) { return 0; }\n")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "base")
    return top


@pytest.fixture
def of_kind() -> Iterator[Callable[[str], None]]:
    """Make every repository of this test of a kind (`tests/kinds.py`), or skip it with the reason."""

    with pytest.MonkeyPatch.context() as variables:

        def choose(kind: str) -> None:
            for name, value in kinds.around(kind).items():
                variables.setenv(name, value)
            reason = kinds.why_not(kind)
            if reason:
                pytest.skip(reason)

        yield choose


@pytest.fixture(scope="session")
def data() -> Path:
    """Real input (see docs/contributing.md); skipped with a reason where it is absent."""
    folder = Path(os.environ.get("CC_GIT_TEST_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real input at {folder}; set CC_GIT_TEST_DATA")
    return folder
