"""The git program under the contract, on what libgit2 can read and on what it cannot; and what is its own."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cc_git.errors import Damaged, LostRace
from cc_git.store import program_engine
from cc_git.store.engine import FILE, Engine, Entry, MissingObject, Person, TooLarge
from cc_git.store.git_process import clean
from cc_git.store.program import Program
from cc_git.store.program_engine import ProgramEngine
from cc_git.store.pygit2_engine import open_engine
from tests.store.engine_contract import EngineContract

Run = Callable[..., str]


def open_program(git_dir: Path) -> ProgramEngine:
    return ProgramEngine(Program(git_dir, clean(None)), "asked for")


def begun(top: Path, git: Run) -> Path:
    """As `repository`, and of the kind that was chosen before."""
    top.mkdir()
    git(top, "init", "-q")
    (top / "code.c").write_text("int main(void) { return 0; }\n")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "base")
    return top


class TestProgramEngine(EngineContract):
    def open(self, git_dir: Path) -> Engine:
        return open_program(git_dir)


class TestProgramEngineOnSha256(TestProgramEngine):
    @pytest.fixture
    def repository(self, tmp_path: Path, git: Run, of_kind: Callable[[str], None]) -> Path:
        of_kind("sha256")
        return begun(tmp_path / "wide", git)


class TestProgramEngineOnReftable(TestProgramEngine):
    @pytest.fixture
    def repository(self, tmp_path: Path, git: Run, of_kind: Callable[[str], None]) -> Path:
        of_kind("reftable")
        return begun(tmp_path / "tables", git)

    def test_a_branch_whose_commit_is_lost_stops_no_listing_and_no_walk(self, engine: Engine, repository: Path) -> None:
        pytest.skip("a table cannot be written by hand, and Git writes no ref of what is not there")


def test_both_engines_tell_the_same_history_in_the_same_order(repository: Path, git: Run) -> None:
    chance = random.Random(7)
    libgit2, program = open_engine(repository / ".git"), open_program(repository / ".git")
    base = libgit2.head()[1]
    assert base is not None
    tree = libgit2.commit(base).tree
    made = [base]
    for number in range(200):
        parents = chance.sample(made[-6:], k=min(len(made), chance.choice((1, 1, 1, 2, 3))))
        # Every commit its own second: at equal times the order is nobody's promise.
        made.append(
            libgit2.write_commit(tree, parents, f"{number}\n", Person("a", "a@x"), seconds=1_800_000_000 + number)
        )
    for _ in range(20):
        tips, hidden = chance.sample(made, 3), chance.sample(made, 2)
        assert list(program.walk(tips, hidden)) == list(libgit2.walk(tips, hidden))
        assert program.unreached(made, tips) == libgit2.unreached(made, tips)
    program.close()


def test_large_objects_do_not_block_between_the_two_processes(repository: Path) -> None:
    engine = open_program(repository / ".git")
    large = [engine.write_blob(os.urandom(9 << 20)) for _ in range(3)]
    assert [len(engine.blob(oid, 16 << 20)) for oid in large * 2] == [9 << 20] * 6
    with pytest.raises(TooLarge):
        engine.blob(large[0])
    assert engine.head()[0] == "refs/heads/main"
    engine.close()


def test_thousands_of_files_are_listed_and_read(repository: Path) -> None:
    engine = open_program(repository / ".git")
    with engine.many():
        blobs = [engine.write_blob(b"%d" % n) for n in range(5_000)]
        tree = engine.write_tree(Entry(f"{n}", FILE, oid) for n, oid in enumerate(blobs))
    files = engine.files(tree)
    assert [engine.blob(files[f"{n}"]) for n in range(5_000)] == [b"%d" % n for n in range(5_000)]
    engine.close()


@pytest.mark.parametrize("left", [0, 1, 2, 10, 40, -1], ids=lambda n: f"{n} bytes left")
def test_a_torn_object_is_named_and_the_next_one_is_read(repository: Path, left: int) -> None:
    engine = open_program(repository / ".git")
    torn, whole = engine.write_blob(bytes(range(256)) * 20), engine.write_blob(b"whole")
    path = repository / ".git/objects" / torn[:2] / torn[2:]
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(Damaged, match=torn):
        engine.blob(torn)
    assert engine.blob(whole) == b"whole"
    engine.close()


def test_an_object_under_anothers_name_is_damaged(repository: Path) -> None:
    engine = open_program(repository / ".git")
    one, two = engine.write_blob(b"one"), engine.write_blob(b"two")
    paths = [repository / ".git/objects" / oid[:2] / oid[2:] for oid in (one, two)]
    paths[1].chmod(0o600)
    paths[1].write_bytes(paths[0].read_bytes())
    with pytest.raises(Damaged, match=two):
        engine.blob(two)
    engine.close()


def test_a_name_that_is_no_id_is_no_object(repository: Path) -> None:
    engine = open_program(repository / ".git")
    for name in ("HEAD", "main", "", "zz", "HEAD\ncontents HEAD", "a" * 39):
        with pytest.raises(MissingObject):
            engine.blob(name)
    for revision in ("HEAD\n", "\0", "--all", "-h", "HEAD\ninfo HEAD"):
        assert engine.resolve(revision) is None
    engine.close()


def test_a_lock_that_stays_is_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_engine, "_LOCK_TRIES", 2)
    (repository / ".git/refs/heads/main.lock").touch()
    engine = open_program(repository / ".git")
    head = engine.head()[1]
    with pytest.raises(LostRace, match="stays locked") as lost:
        engine.move_ref("refs/heads/main", head, head)
    assert "main.lock" in (lost.value.why or "")


def test_a_history_with_a_gap_is_damaged_for_both(repository: Path, git: Run) -> None:
    for message in ("second", "third"):
        git(repository, "commit", "-q", "--allow-empty", "-m", message)
    gone = git(repository, "rev-parse", "HEAD~1")
    (repository / ".git/objects" / gone[:2] / gone[2:]).unlink()
    for opened in (open_engine, open_program):
        engine = opened(repository / ".git")
        head = engine.head()[1]
        assert head is not None
        with pytest.raises(Damaged):
            list(engine.walk([head]))
        engine.close()


@pytest.mark.parametrize("depth", ["blob:none", "tree:0"])
def test_what_a_partial_clone_left_out_is_missing_for_both_and_never_fetched(
    repository: Path, tmp_path: Path, git: Run, depth: str
) -> None:
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", f"--filter={depth}", repository.as_uri(), "partial")
    blob, tree = git(repository, "rev-parse", "HEAD:code.c"), git(repository, "rev-parse", "HEAD^{tree}")
    partial = tmp_path / "partial/.git"
    before = sorted(path.name for path in (partial / "objects").rglob("*"))
    for opened in (open_engine, open_program):
        engine = opened(partial)
        head = engine.head()[1]
        assert head is not None
        assert not engine.has(blob)
        with pytest.raises(MissingObject):
            engine.blob(blob)
        if depth == "tree:0":
            with pytest.raises(MissingObject):
                engine.files(tree)
        else:
            assert engine.files(tree) == {"code.c": blob}
        assert list(engine.walk([head])) == [head]
        engine.close()
    assert sorted(path.name for path in (partial / "objects").rglob("*")) == before


def test_no_process_is_left_behind(repository: Path) -> None:
    others = set(_children())
    engine = open_program(repository / ".git")
    head = engine.head()[1]
    assert head is not None
    next(iter(engine.walk([head])))
    assert set(_children()) - others
    engine.close()
    assert set(_children()) <= others


def test_a_child_that_somebody_ended_is_started_again(repository: Path) -> None:
    engine = open_program(repository / ".git")
    oid = engine.write_blob(b"here")
    assert engine.has(oid)
    for child in _children():
        os.kill(child, 9)
    with pytest.raises(Damaged):
        engine.has(oid)
    assert engine.blob(oid) == b"here"
    engine.close()


def _children() -> list[int]:
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True
    )
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "cat-file" in line or "rev-list" in line]
