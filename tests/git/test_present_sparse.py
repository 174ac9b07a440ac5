"""Our reading of sparse checkout's rules against the git program's, and what follows for a waiting file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cc_git.store.sparse import includes, rules_of

from .histories.memory import Memory

FILES = (
    "top.txt", "A/x", "A/B/y", "A/B/C/z", "A/sub/x", "C/z", "C/.continuity/records/r.toml", "C/a b/f",
    ".continuity/workspace.toml", ".continuity/records/goal/2026-11/g.toml", ".continuity/episodes/e.toml",
    "docs/[x]/f", "docs/a.md", "docs/deep/a.md", "docs/deep/b*.md", "docs/deep/q/.continuity/r",
)  # fmt: skip

CONES = (("A",), ("A/B",), ("A/B", "C"), (".continuity",), ("C/.continuity", "docs/deep"), ("docs/[x]",), ("C/a b",))
PATTERNS = (
    ("/*", "!/*/", "/A/"),
    ("/*", "!/.continuity/"),
    ("/*", "!.continuity"),
    ("/*", "!/.continuity/records/*", "/.continuity/records/goal/"),
    ("*.md",),
    ("docs/**", "!docs/**/*.md"),
    ("**/.continuity/**",),
    ("/**/x", "# a comment", "", "top.txt  "),
    ("/docs/deep/?*.md", "!/docs/deep/b\\*.md"),
    ("/docs/\\[x\\]/", "C/[!b-z] b/"),
    ("A/", "!A/B/", "A/B/C/"),
    ("x", "!/A/sub/"),
    ("[A-B]/*",),
)


@pytest.fixture
def files(tmp_path: Path, git: Callable[..., str]) -> Path:
    top = tmp_path / "repo"
    for name in FILES:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("x\n")
    git(top, "init", "-q")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "files")
    return top


def kept_by_git(top: Path, git: Callable[..., str]) -> set[str]:
    listed = git(top, "-c", "core.quotePath=false", "ls-files", "-t", "-z").split("\0")
    return {line[2:] for line in listed if line.startswith("H ")}


def kept_by_us(top: Path) -> set[str]:
    rules = rules_of((top / ".git" / "info" / "sparse-checkout").read_text())
    return {name for name in FILES if includes(rules, name)}


@pytest.mark.parametrize("folders", CONES, ids=" ".join)
def test_cone_rules_are_read_as_git_reads_them(files: Path, git: Callable[..., str], folders: tuple[str, ...]):
    git(files, "sparse-checkout", "set", "--cone", "--skip-checks", *folders)
    assert kept_by_us(files) == kept_by_git(files, git)


@pytest.mark.parametrize("patterns", PATTERNS, ids=" ".join)
def test_other_rules_are_read_as_git_reads_them(files: Path, git: Callable[..., str], patterns: tuple[str, ...]):
    git(files, "sparse-checkout", "set", "--no-cone", *patterns)
    git(files, "sparse-checkout", "reapply")
    assert kept_by_us(files) == kept_by_git(files, git)


def test_random_rules_are_read_as_git_reads_them(files: Path, git: Callable[..., str]):
    rng = Random(11)
    parts = ("A", "B", "C", "*", "?", "**", ".continuity", "records", "docs", "*.md", "*.toml", "deep", "[A-C]", "x")
    git(files, "sparse-checkout", "init", "--no-cone")
    for _ in range(40):
        rules = [
            rng.choice(("", "!", "", "/", "!/"))
            + "/".join(rng.choices(parts, k=rng.randint(1, 3)))
            + rng.choice(("", "/", ""))
            for _ in range(rng.randint(1, 4))
        ]
        # One file that is always there: git warns and keeps all when nothing is left.
        (files / ".git" / "info" / "sparse-checkout").write_text("\n".join([*rules, "/top.txt"]) + "\n")
        git(files, "sparse-checkout", "reapply")
        assert kept_by_us(files) == kept_by_git(files, git), rules


def test_waiting_file_outside_the_sparse_checkout_stays_in_and_off_the_disk(repository: Path, git: Callable[..., str]):
    memory = Memory(repository)
    memory.init()
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "workspace")
    (repository / "A").mkdir()
    (repository / "A" / "f").write_text("f\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "a folder")
    rel, _ = memory.remember(Random(5))
    file = repository / ".continuity" / rel
    file.unlink()
    git(repository, "sparse-checkout", "set", "A")
    present = memory.look()
    assert rel in present.waiting
    assert not file.exists()
    git(repository, "sparse-checkout", "disable")
    assert memory.look().put_back == (rel,)
    assert file.exists()
