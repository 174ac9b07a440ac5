"""A workspace as a commit holds it, and the tree that a set of files would make of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cc_git.errors import NoWorkspace, UsageFault
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.store.place import Place
from cc_git.store.pygit2_engine import Pygit2Engine, open_engine
from cc_git.store.snapshot import snapshot_at, tree_with


@pytest.fixture
def engine(repository: Path) -> Pygit2Engine:
    return open_engine(repository / ".git")


def at(top: Path, prefix: str) -> Place:
    return Place(top, top / ".git", top / ".git", prefix)


def commit(top: Path, git: Callable[..., str], **files: str) -> str:
    for name, text in files.items():
        path = top / "sub/.continuity/records" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "memory")
    return git(top, "rev-parse", "HEAD")


def test_each_revision_has_the_snapshot_it_had(repository: Path, engine: Pygit2Engine, git: Callable[..., str]) -> None:
    first = commit(repository, git, a="one")
    second = commit(repository, git, a="two", b="three")
    place = at(repository, "sub/.continuity")
    snapshot, files = snapshot_at(engine, place, "HEAD~1")
    tree = git(repository, "rev-parse", f"{first}:sub/.continuity")
    assert snapshot == RepositorySnapshot(tree, first, "HEAD~1")
    assert {rel: engine.blob(oid) for rel, oid in files.items()} == {"records/a": b"one"}
    assert snapshot_at(engine, place, "main")[0].commit == second


def test_a_revision_without_commit_and_a_commit_without_workspace_are_told_apart(
    repository: Path, engine: Pygit2Engine
) -> None:
    with pytest.raises(UsageFault, match="'nothing'"):
        snapshot_at(engine, at(repository, ".continuity"), "nothing")
    with pytest.raises(NoWorkspace, match=r"has no \.continuity/"):
        snapshot_at(engine, at(repository, ".continuity"), "HEAD")


def test_a_tree_with_files_laid_over_it_has_the_id_that_git_would_give_it_and_is_not_written(
    repository: Path, engine: Pygit2Engine, git: Callable[..., str]
) -> None:
    commit(repository, git, a="one", b="two")
    base = git(repository, "rev-parse", "HEAD:sub/.continuity")
    three = engine.write_blob(b"three")
    named = tree_with(engine, base, {"records/a": three, "records/deep/er/c": three, "episodes/ü": three})
    assert not engine.has(named)
    for path in ("records/a", "records/deep/er/c", "episodes/ü"):
        (repository / "sub/.continuity" / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / "sub/.continuity" / path).write_text("three")
    commit(repository, git)
    assert named == git(repository, "rev-parse", "HEAD:sub/.continuity")
    assert tree_with(engine, base, {}) == base
    assert tree_with(engine, None, {}) == git(repository, "hash-object", "-t", "tree", "/dev/null")
