"""libgit2 under the contract, and what is its own: what it cannot open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cc_git.errors import Damaged, LostRace, Unsupported
from cc_git.store import pygit2_engine
from cc_git.store.engine import Engine
from cc_git.store.pygit2_engine import open_engine
from tests.store.engine_contract import EngineContract


class TestPygit2Engine(EngineContract):
    def open(self, git_dir: Path) -> Engine:
        return open_engine(git_dir)


def test_a_sha256_repository_is_refused_by_name(tmp_path: Path, git: Callable[..., str]) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "new")
    with pytest.raises(Unsupported, match="cannot open") as refusal:
        open_engine(tmp_path / "new" / ".git")
    assert "sha256" in (refusal.value.why or "")


def test_a_reftable_repository_is_refused_by_name(repository: Path, git: Callable[..., str]) -> None:
    git(repository, "config", "core.repositoryFormatVersion", "1")
    git(repository, "config", "extensions.refStorage", "reftable")
    with pytest.raises(Unsupported):
        open_engine(repository / ".git")


def test_what_is_no_repository_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(Damaged):
        open_engine(tmp_path)


@pytest.mark.parametrize("left", [0, 1, 2, 10, 40, -1], ids=lambda n: f"{n} bytes left")
def test_a_torn_object_is_named(repository: Path, left: int) -> None:
    engine = open_engine(repository / ".git")
    blob = engine.write_blob(bytes(range(256)) * 20)
    path = repository / ".git/objects" / blob[:2] / blob[2:]
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(Damaged, match=blob):
        open_engine(repository / ".git").blob(blob)


def test_a_lock_that_stays_is_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygit2_engine, "_LOCK_PAUSE", 0.0)
    lock = repository / ".git/refs/heads/main.lock"
    lock.touch()
    engine = open_engine(repository / ".git")
    head = engine.head()[1]
    with pytest.raises(LostRace, match="stays locked") as lost:
        engine.move_ref("refs/heads/main", head, head)
    assert str(lock) in (lost.value.why or "")
