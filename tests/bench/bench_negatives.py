"""What it takes to know everything that was taken away anywhere in a clone: 200 branches over 5,000 commits.

    python -m tests.bench.bench_negatives [branches] [commits]

Prints milliseconds for the first look (the whole history), for one with nothing new, and after one more commit.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pygit2

from cc_git.codec.files import encode, path_for
from cc_git.model.ids import new_id
from cc_git.model.kinds import Permission
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.engine import FILE, Engine, Person
from cc_git.store.index import Index
from cc_git.store.journal import Journal
from cc_git.store.negatives import NegativesOfClone, SnapshotAt
from cc_git.store.place import Place
from cc_git.store.present import Entries
from cc_git.store.pygit2_engine import open_engine

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
WHO = Person("Ana", "ana@example.org")


def an_id(prefix: str, number: int) -> str:
    return new_id(prefix, NOW, number.to_bytes(10, "big"))


def a_grant(number: int) -> Record:
    return Record(
        id=an_id("prm", number),
        kind="permission",
        title=f"grant {number}",
        authority="user-explicit",
        actor="human:ana",
        recorded_at=NOW,
        payload=Permission(effect="allow", action="deploy"),
    )


def a_revoke(number: int) -> Ruling:
    return Ruling(
        id=an_id("ru", number),
        verb="revoke",
        targets=(an_id("prm", number % 50),),
        authority="agent-explicit",
        actor="agent:claude-code/opus",
        recorded_at=NOW,
    )


class Repository:
    def __init__(self, folder: Path, branches: int, commits: int) -> None:
        pygit2.init_repository(str(folder / ".git"), bare=False, workdir_path=str(folder))
        self.engine: Engine = open_engine(folder / ".git")
        self.place = Place(folder, folder / ".git", folder / ".git", ".continuity")
        self._tree = self._with(None, *(a_grant(number) for number in range(50)))
        self._tip: str | None = None
        for number in range(commits):
            self.commit_code(number)
        for number in range(branches):
            tree = self._with(self._tree, a_revoke(number))
            commit = self.engine.write_commit(tree, (str(self._tip),), "revoke", WHO, seconds=number)
            self.engine.move_ref(f"refs/remotes/origin/b{number}", commit, None)

    def _with(self, tree: str | None, *values: Value) -> str:
        changes: dict[str, tuple[int, str] | None] = {
            f".continuity/{path_for(value)}": (FILE, self.engine.write_blob(encode(value))) for value in values
        }
        made = self.engine.overlay(tree, changes)
        assert made is not None
        return made

    def commit_code(self, number: int) -> None:
        engine = self.engine
        tree = engine.overlay(self._tree, {"code.c": (FILE, engine.write_blob(b"%d" % number))})
        assert tree is not None
        parents = () if self._tip is None else (self._tip,)
        commit = engine.write_commit(tree, parents, "code", WHO, seconds=number)
        engine.move_ref("refs/heads/main", commit, self._tip)
        self._tip = commit

    def look(self, index: Index) -> float:
        engine = self.engine
        start = time.perf_counter()
        entry = engine.entry(engine.commit(str(self._tip)).tree, ".continuity")
        assert entry is not None
        snapshot = SnapshotAt(self._tip, entry.oid, Entries(engine.files(entry.oid), {}, frozenset()), {})
        found = NegativesOfClone(self.place, engine, Journal.open(self.place), index)
        len(found.seen_elsewhere(snapshot, AcceptedBranch()).digest)
        return (time.perf_counter() - start) * 1000


def main(branches: int, commits: int) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "repo"
        folder.mkdir()
        repository = Repository(folder, branches, commits)
        index = Index(repository.place.common_dir)
        first = repository.look(index)
        again = statistics.median(repository.look(index) for _ in range(9))
        after = []
        for number in range(9):
            repository.commit_code(commits + number)
            after.append(repository.look(index))
    print(f"{branches} branches, {commits} commits")
    print(f"first look {first:9.1f} ms\nnothing new {again:8.1f} ms\none commit {statistics.median(after):9.1f} ms")


if __name__ == "__main__":
    asked = [int(number) for number in sys.argv[1:]]
    main(*(asked + [200, 5000][len(asked) :]))
