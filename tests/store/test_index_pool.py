"""The pool of the index keeps the contract of pools, and answers like the one in memory whatever changes in between."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pygit2
import pytest

from cc_git.compiler.pool import Pool
from cc_git.model.filed import Files
from cc_git.model.policy import Workspace
from cc_git.model.verdict import Standings
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.attestations import AttestationSources
from cc_git.store.cache import MemoryCache
from cc_git.store.index import Index
from cc_git.store.index_pool import IndexPool, Known
from cc_git.store.index_question import Question
from cc_git.store.loader import reading
from cc_git.store.negative_files import NegativeFiles
from cc_git.store.negatives import SeenElsewhere, SnapshotAt
from cc_git.store.place import Place
from cc_git.store.present import Entries, Entry, Where
from cc_git.store.pygit2_engine import Pygit2Engine, open_engine
from cc_git.store.trees import object_id
from tests.unit.compiler.pool_contract import PoolContract
from tests.unit.compiler.world import NOW, World


@pytest.fixture
def engine(tmp_path: Path) -> Pygit2Engine:
    pygit2.init_repository(str(tmp_path / "bare.git"), bare=True)
    return open_engine(tmp_path / "bare.git")


def question(engine: Pygit2Engine, folder: Path, data: Mapping[str, bytes], rules: Any) -> Question:
    """A snapshot of nothing but waiting files."""
    blobs = {rel: object_id("blob", content, "sha1") for rel, content in data.items()}
    added = {rel: Entry(blob, Where.WAITING) for rel, blob in blobs.items()}
    read = reading({blobs[rel]: content for rel, content in data.items()})
    return Question(
        place=Place(None, folder, folder, ".continuity"),
        engine=engine,
        snapshot=SnapshotAt(None, None, Entries({}, added, frozenset()), added),
        read=read,
        workspace=Workspace(),
        attestations=AttestationSources(engine, AcceptedBranch(), {}),
        negatives=SeenElsewhere((), NegativeFiles(read, MemoryCache())),
        now=NOW,
        rules=rules,
    )


def given_by(world: World) -> Any:
    def rules(files: Files, *_: object, **__: object) -> Standings:
        return Standings({i: v for i, v in world.verdicts.items() if i in files.records})

    return rules


class _Contract(PoolContract):
    @pytest.fixture(autouse=True)
    def _repository(self, engine: Pygit2Engine, tmp_path: Path) -> None:
        self.engine = engine
        self.folder = tmp_path / "bare.git"

    def ask(self, data: Mapping[str, bytes], world: World) -> Pool:
        pool = Known(question(self.engine, self.folder, data, given_by(world)), Index(self.folder)).pool
        assert isinstance(pool, IndexPool)
        return pool


class TestColdIndex(_Contract):
    def make(self, world: World) -> Pool:
        return self.ask(world.data, world)


class TestWarmIndex(_Contract):
    def make(self, world: World) -> Pool:
        self.ask(world.data, world).cards()
        return self.ask(world.data, world)


class TestIndexThatKnewNothingBefore(_Contract):
    """All files lie over an empty base."""

    def make(self, world: World) -> Pool:
        self.ask({}, world).cards()
        return self.ask(world.data, world)


class TestIndexThatKnewHalf(_Contract):
    """Every other file lies over a base of the others, and one that went was in the base."""

    def make(self, world: World) -> Pool:
        other = World()
        gone = other.record("decision", "was here", subject="x", id="dec_01m8mw0n00jm1b3jyyry51vxwp")
        world.verdicts.setdefault(gone, other.verdicts[gone])
        before = dict(list(world.data.items())[::2]) | other.data
        self.ask(before, world).cards()
        del world.verdicts[gone]
        return self.ask(world.data, world)
