"""Files that somebody laid into a workspace: no command hangs, crashes or fills the memory, nothing is written outside,
and what is sound beside them goes on working."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cc_git.codec import paths
from cc_git.errors import Exit
from cc_git.model.ids import new_id
from cc_git.store.play import PROGRAM
from tests.cli.people import Clone
from tests.started import program

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SOUND = "The pier is sound"
LONGEST = 20
"""Seconds for one command; a hang, not a wait, is looked for."""
MOST = 400 << 20
"""Bytes of memory, of which Python with all that is imported takes some sixty MiB."""
BUGS = {Exit.BUG.value, -9, -6, -11}

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("status",),
    ("list", "--all"),
    ("resume", "--task", "the pier"),
    ("search", "pier"),
    ("check",),
    ("check", "--staged"),
    ("diff",),
    ("doctor",),
    ("log",),
    ("dream", "list"),
    ("runbook", "match", "the pier"),
    ("graph", "export"),
    ("import", "review"),
    ("closeout",),
    ("export", "../bundle.json"),
)

Lay = Callable[[Path, Path], object]


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def at(rel: str, *parts: str | bytes | tuple[str, int]) -> Lay:
    """`parts` follow each other; a pair is a text so many times."""

    def lay(home: Path, _: Path) -> None:
        texts = (part[0] * part[1] if isinstance(part, tuple) else part for part in parts)
        _write(home / rel, b"".join(text.encode() if isinstance(text, str) else text for text in texts))

    return lay


def path_of(prefix: str) -> str:
    return paths.path_of(new_id(prefix, NOW, b"0123456789"))


def link(rel: str, to: str) -> Lay:
    def lay(home: Path, outside: Path) -> None:
        path = home / rel
        if path.is_dir() and not path.is_symlink():
            path.rename(path.with_name(f"{path.name}-moved"))
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(outside / to)

    return lay


def pipe(rel: str) -> Lay:
    def lay(home: Path, _: Path) -> None:
        (home / rel).parent.mkdir(parents=True, exist_ok=True)
        (home / rel).unlink(missing_ok=True)
        os.mkfifo(home / rel)

    return lay


def folder(rel: str) -> Lay:
    def lay(home: Path, _: Path) -> None:
        (home / rel).unlink(missing_ok=True)
        (home / rel / "inner").mkdir(parents=True)

    return lay


REL, EPISODE = path_of("dec"), path_of("ep")
HEAD = f'format = "cc-git/1"\nid = "{paths.id_at(REL)}"\nkind = "decision"\n'
DEEP = "[" * 100_000
MANIFEST = f"quarantine/{new_id('im', NOW, b'0123456789')}/manifest.toml"
TALE = f'format = "cc-git/1"\nid = "{paths.id_at(EPISODE)}"\ncontent = """\n'
LARGE: dict[str, Lay] = {
    "a record of 50 MB": at(REL, HEAD, ("# long\n", 7_000_000)),
    "an episode of a million lines": at(EPISODE, TALE, ("line\n", 1_000_000), '"""\n'),
    "a dream of 8 MB": at(path_of("dr"), ("x = 1\n", 1_400_000)),
    "a runbook of 8 MB": at("runbooks/long.toml", ("x = 1\n", 1_400_000)),
    "a checkpoint of 20 MB": at(path_of("cp"), '{"format": "cc-git/1"', (" ", 20_000_000)),
    "a manifest of 20 MB": at(MANIFEST, ("x = 1\n", 3_000_000)),
    "a workspace file of 20 MB": at("workspace.toml", ("# long\n", 3_000_000)),
}
SMALL: dict[str, Lay] = {
    "a deep record": at(REL, f"{HEAD}x = {DEEP}"),
    "a deep table": at(REL, HEAD + "[" + ".".join("a" * 50_000) + "]\n"),
    "a deep checkpoint": at(path_of("cp"), DEEP),
    "a deep state of work": at(paths.WORKING_CONTEXT, f'{{"format": "cc-git/1", "tasks": {DEEP}'),
    "a deep dream": at(path_of("dr"), f"x = {DEEP}"),
    "a deep runbook": at("runbooks/deep.toml", f"do = {DEEP}"),
    "no UTF-8": at(REL, HEAD, b'title = "\xff\xfe"\n'),
    "UTF-16": at(REL, HEAD.encode("utf-16")),
    "NUL": at(REL, f'{HEAD}title = "a\0b"\n'),
    "a byte order mark": at(REL, "\ufeff" + HEAD),
    "a huge number": at(REL, f"{HEAD}confidence = 1{'0' * 4000}\n"),
    "the last of all times": at(REL, f"{HEAD}recorded_at = 9999-12-31T23:59:59.999999-23:59\n"),
    "another case": at(REL.replace("decision", "Decision"), HEAD),
    "a name in another form": at("records/de\u0301cision/2026-11/x.toml", HEAD),
    "a Markdown file among runbooks": at("runbooks/deploy.md", "# Deploy\n"),
    "a record that leads outside": link(REL, "secret.toml"),
    "a record that leads to itself": lambda home, _: (
        (home / REL).parent.mkdir(parents=True), (home / REL).symlink_to(home / REL)
    ),
    "records that lead outside": link("records", "."),
    "episodes that lead outside": link("episodes", "."),
    "a private tier that leads outside": link("private", "."),
    "attachments that lead outside": link("attachments", "."),
    "a quarantine that leads outside": link("quarantine", "."),
    "a workspace file that leads outside": link("workspace.toml", "secret.toml"),
    "attributes that lead outside": link(".gitattributes", "secret.toml"),
    "a state of work that leads outside": link(paths.WORKING_CONTEXT, "secret.toml"),
    "a pipe for a record": pipe(REL),
    "a pipe for a runbook": pipe("runbooks/pipe.toml"),
    "a pipe for a dream": pipe(path_of("dr")),
    "a pipe for a manifest": pipe(MANIFEST),
    "a pipe for a checkpoint": pipe(path_of("cp")),
    "a pipe for the state of work": pipe(paths.WORKING_CONTEXT),
    "a pipe for the workspace file": pipe("workspace.toml"),
    "a pipe for the attributes": pipe(".gitattributes"),
    "a folder for a record": folder(REL),
    "a folder for the workspace file": folder("workspace.toml"),
    "a folder for the state of work": folder(paths.WORKING_CONTEXT),
}  # fmt: skip


@pytest.fixture
def pier(ana: Clone) -> Clone:
    """With a sound record in a commit, and a folder beside the clone that is nobody's business."""
    ana.cc("remember", SOUND, "-k", "decision")
    ana.commit()
    _write(ana.top.parent / "outside/secret.toml", b'name = "not yours"\n')
    return ana


def outside(clone: Clone) -> dict[str, bytes]:
    there = clone.top.parent / "outside"
    return {str(path.relative_to(there)): path.read_bytes() for path in there.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", SMALL)
def test_no_command_stops_for_it(pier: Clone, name: str) -> None:
    SMALL[name](pier.top / ".continuity", pier.top.parent / "outside")
    before = outside(pier)
    for words in COMMANDS:
        said = told(pier, *words)
        assert said.returncode not in BUGS and "Traceback" not in said.stderr, (words, said)
        assert "not yours" not in said.stdout
    assert outside(pier) == before
    if "workspace file" not in name and name not in ("records that lead outside",):
        assert SOUND in pier.cc("list")


@pytest.mark.parametrize("name", ["a pipe for a record", "a record that leads outside", "records that lead outside",
                                  "a private tier that leads outside", "episodes that lead outside"])  # fmt: skip
def test_what_is_written_then_stays_inside(pier: Clone, name: str) -> None:
    SMALL[name](pier.top / ".continuity", pier.top.parent / "outside")
    before = outside(pier)
    for words in (("remember", "Another fact"), ("remember", "A private fact", "--sensitivity", "sensitive"),
                  ("task", "add", "A task"), ("commit",)):  # fmt: skip
        told(pier, *words)
    assert outside(pier) == before


def test_a_long_dream_in_a_commit_hides_no_other(pier: Clone) -> None:
    LARGE["a dream of 8 MB"](pier.top / ".continuity", pier.top)
    pier.git("add", "-A")
    pier.git("commit", "-q", "--no-verify", "-m", "Dreamt")
    assert pier.data("dream", "list") == []
    assert "more than 1 MiB is not read" in pier.run("check", code=1).out


def test_what_is_no_runbook_is_told_what_one_is(pier: Clone) -> None:
    SMALL["a Markdown file among runbooks"](pier.top / ".continuity", pier.top)
    for words in (("status",), ("runbook", "list")):
        said = pier.run(*words)
        assert "runbooks/deploy.md" in said.out + said.err and "a file NAME.toml" in said.out + said.err


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_what_is_large_fills_no_memory(pier: Clone, name: str) -> None:
    LARGE[name](pier.top / ".continuity", pier.top.parent / "outside")
    for words in (("status",), ("check",), ("resume",), ("dream", "list"), ("runbook", "match", "pier"), ("doctor",)):
        code, peak = measured(pier, *words)
        assert code not in BUGS and peak < MOST, (words, code, peak >> 20)
    if "workspace file" not in name:
        assert SOUND in pier.cc("list")


@pytest.mark.slow
def test_a_text_of_a_million_lines_is_refused_or_kept_and_fills_no_memory(pier: Clone) -> None:
    code, peak = measured(pier, "capture", "-", stdin="line\n" * 1_000_000)
    assert code == Exit.REFUSED.value and peak < MOST
    assert SOUND in pier.cc("list") and "line" not in pier.cc("log")


def told(clone: Clone, *words: str) -> subprocess.CompletedProcess[str]:
    """What a command says that must not hang."""
    return subprocess.run(
        [*program(), *words], cwd=clone.top, env=clone.environ, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=LONGEST,
    )  # fmt: skip


def measured(clone: Clone, *words: str, stdin: str = "") -> tuple[int, int]:
    """The exit code and the most memory, in bytes, of a command in a process of its own."""
    script = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    command = [sys.executable, "-c", script, *PROGRAM, *words]
    done = subprocess.run(
        command, cwd=clone.top, env=clone.environ, input=stdin, stdout=subprocess.PIPE, text=True, check=True,
        timeout=LONGEST,
    )  # fmt: skip
    code, peak = map(int, done.stdout.split())
    return code, peak * (1 if sys.platform == "darwin" else 1024)
