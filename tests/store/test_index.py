"""The index may be deleted, damaged, locked, closed to writes or of another version: slower, never different."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pygit2
import pytest

from cc_git.errors import NotWritable
from cc_git.store import index_schema
from cc_git.store.engine import MissingObject
from cc_git.store.index import Index
from cc_git.store.index_pool import Known
from cc_git.store.pygit2_engine import open_engine
from tests.store.lab import Lab, answers


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    folder = tmp_path / "r.git"
    pygit2.init_repository(str(folder), bare=True)
    lab = Lab(open_engine(folder), folder, random.Random(7))
    lab.write(60)
    lab.commit()
    lab.write(10)
    lab.confirm()
    return lab


@pytest.fixture
def index(lab: Lab) -> Iterator[Index]:
    """Filled, closed again, and so with everything in the one file."""
    index = Index(lab.folder)
    answers(lab.question(), index)
    assert index.change(lambda connection: None)
    index.ask(lambda connection: connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone(), None)
    index.close()
    yield index
    index.close()


def fresh(lab: Lab) -> Index:
    return Index(lab.folder)


def flip(data: bytes, dice: random.Random, times: int) -> bytes:
    changed = bytearray(data)
    for _ in range(times):
        place = dice.randrange(len(changed))
        changed[place] ^= 1 << dice.randrange(8)
    return bytes(changed)


def test_what_was_put_is_got_and_other_keys_and_kinds_are_absent(lab: Lab) -> None:
    index = fresh(lab)
    index.put("kind", {"a": b"1", "b": b""})
    assert (index.get("kind", "a"), index.get("kind", "b"), index.get("kind", "c")) == (b"1", b"", None)
    assert index.get("other", "a") is None
    index.put("kind", {"a": b"2"})
    assert fresh(lab).get("kind", "a") == b"2"


def test_nothing_is_written_before_something_is_asked(lab: Lab) -> None:
    fresh(lab).close()
    assert not (lab.folder / "continuity").exists()


def test_nobody_else_may_read_it(lab: Lab, index: Index) -> None:
    assert index.path.stat().st_mode & 0o077 == 0


def test_a_payload_that_was_changed_is_absent(lab: Lab) -> None:
    index = fresh(lab)
    index.put("kind", {"a": b"payload", "b": b"payload"})
    index.change(lambda c: c.execute("UPDATE cache SET payload = ? WHERE key = 'a'", (b"pay1oad",)))
    assert index.get_all("kind", ("a", "b")) == {"b": b"payload"}


def test_a_payload_that_was_moved_to_another_key_is_absent(lab: Lab) -> None:
    index = fresh(lab)
    index.put("kind", {"a": b"payload"})
    index.change(lambda c: c.execute("UPDATE cache SET key = 'b'"))
    assert index.get("kind", "b") is None


def test_of_some_kinds_only_the_newest_entries_stay_and_pieces_go_with_them(lab: Lab) -> None:
    index = fresh(lab)
    names = [f"{number:064}" for number in range(index_schema.KEPT["base"] + 2)]
    for name in names:
        index.put("base-facts", {f"{name}/0": b"piece"})
        index.put("base", {name: b"head"})
    assert [name for name in names if index.get("base", name)] == names[2:]
    assert [name for name in names if index.get("base-facts", f"{name}/0")] == names[2:]


def spoil_delete(path: Path) -> None:
    path.unlink()


def spoil_empty(path: Path) -> None:
    path.write_bytes(b"")


def spoil_truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def spoil_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


def spoil_middle(path: Path) -> None:
    data = path.read_bytes()
    third = len(data) // 3
    path.write_bytes(data[:third] + random.Random(1).randbytes(third) + data[2 * third :])


def spoil_text(path: Path) -> None:
    path.write_text("not a database at all\n" * 100)


def spoil_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "file").write_text("x")


def spoil_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")


def spoil_schema(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE cache")


def spoil_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "nowhere" / "at all")


SPOILING = [
    spoil_delete, spoil_empty, spoil_truncate, spoil_short, spoil_middle, spoil_text, spoil_folder, spoil_version,
    spoil_schema, spoil_link,
]  # fmt: skip


@pytest.mark.parametrize("spoil", SPOILING)
def test_a_spoiled_index_changes_no_answer(lab: Lab, index: Index, spoil: Callable[[Path], None]) -> None:
    plain = answers(lab.question(), None)
    spoil(index.path)
    assert answers(lab.question(), fresh(lab)) == plain
    assert answers(lab.question(), fresh(lab)) == plain


@pytest.mark.parametrize("spoil", [s for s in SPOILING if s not in (spoil_folder, spoil_link)])
def test_a_spoiled_index_is_begun_anew(lab: Lab, index: Index, spoil: Callable[[Path], None]) -> None:
    spoil(index.path)
    answers(lab.question(), fresh(lab))
    after = fresh(lab)
    assert after.get("paths", lab.question().mark) is not None


@pytest.mark.parametrize("seed", range(12))
def test_flipped_bits_change_no_answer(lab: Lab, index: Index, seed: int) -> None:
    plain = answers(lab.question(), None)
    index.path.write_bytes(flip(index.path.read_bytes(), random.Random(seed), 1 + 30 * (seed % 4)))
    assert answers(lab.question(), fresh(lab)) == plain


@pytest.mark.parametrize("seed", range(6))
def test_a_changed_snapshot_over_an_index_with_flipped_bits(lab: Lab, index: Index, seed: int) -> None:
    index.path.write_bytes(flip(index.path.read_bytes(), random.Random(seed), 60))
    lab.write(4)
    assert answers(lab.question(), fresh(lab)) == answers(lab.question(), None)


def test_an_index_that_goes_between_two_questions_is_not_missed(lab: Lab, index: Index) -> None:
    plain = answers(lab.question(), None)
    opened = fresh(lab)
    pool = Known(lab.question(), opened).pool
    cards = list(pool.cards())
    opened.change(lambda c: c.execute("DELETE FROM cache WHERE kind LIKE 'base-%'"))
    assert cards == plain["cards"]
    assert {t: dict(f) for t, f in pool.frequencies([*plain["words"], "absent"]).items() if f} == plain["words"]
    assert list(pool.recent_episodes(50)) == plain["recent"]
    assert {i: pool.verdict(i) for i in plain["verdicts"]} == plain["verdicts"]


def _hold(path: str, held: object, release: object) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("CREATE TABLE mine (x)")
    held.set()  # type: ignore[attr-defined]
    release.wait(30)  # type: ignore[attr-defined]
    connection.close()


def test_an_index_that_another_process_locks_is_gone_without(lab: Lab, index: Index) -> None:
    plain = answers(lab.question(), None)
    spawned = multiprocessing.get_context("spawn")
    held, release = spawned.Event(), spawned.Event()
    holder = spawned.Process(target=_hold, args=(str(index.path), held, release))
    holder.start()
    try:
        assert held.wait(30)
        assert answers(lab.question(), fresh(lab)) == plain
    finally:
        release.set()
        holder.join()
    assert fresh(lab).get("paths", lab.question().mark) is not None


def test_where_nothing_can_be_written_it_is_read(lab: Lab, index: Index, closed_to_writes: None) -> None:
    opened = fresh(lab)
    assert opened.get("paths", lab.question().mark) is not None
    opened.put("kind", {"a": b"1"})
    assert opened.get("kind", "a") is None
    assert answers(lab.question(), opened) == answers(lab.question(), None)


@pytest.fixture
def closed_to_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a read-only file system; permissions would not stop a test that runs as root."""
    connect = sqlite3.connect

    def connect_for_reading(path: object, *args: object, **kwargs: object) -> sqlite3.Connection:
        if not kwargs.get("uri"):
            error = sqlite3.OperationalError("attempt to write a readonly database")
            error.sqlite_errorcode = sqlite3.SQLITE_READONLY
            raise error
        return connect(path, *args, **kwargs)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite3, "connect", connect_for_reading)


def test_where_nothing_can_be_written_and_nothing_is_there_it_is_gone_without(lab: Lab, closed_to_writes: None) -> None:
    assert answers(lab.question(), fresh(lab)) == answers(lab.question(), None)
    assert not fresh(lab).usable


def test_erasing_takes_every_word_off_the_disk(lab: Lab, index: Index) -> None:
    lab.waiting = {rel: data.replace(b"lock", b"zyxwvu") for rel, data in lab.waiting.items()}
    opened = fresh(lab)
    answers(lab.question(), opened)
    assert any(b"zyxwvu" in path.read_bytes() for path in index.path.parent.iterdir())
    opened.erase()
    assert [path.name for path in index.path.parent.iterdir()] == []
    assert opened.get("paths", lab.question().mark) is None


def test_an_index_that_cannot_be_erased_is_named(lab: Lab, index: Index) -> None:
    spoil_folder(index.path)
    with pytest.raises(NotWritable, match="cannot be removed"):
        fresh(lab).erase()


def test_a_blob_that_is_not_here_keeps_nothing(lab: Lab) -> None:
    """In a partial clone it may arrive later, and no key would tell."""
    rel = next(rel for rel in sorted(lab.committed) if rel.startswith("records/"))
    blob = lab.engine.write_blob(lab.committed[rel])
    whole = lab.question()
    object.__setattr__(whole, "read", _without(blob, whole.read))
    index = fresh(lab)
    assert answers(whole, index)["verdicts"] == answers(whole, None)["verdicts"]
    assert answers(lab.question(), index) == answers(lab.question(), None)


def _without(blob: str, read: Callable[[str], bytes]) -> Callable[[str], bytes]:
    def reading(asked: str) -> bytes:
        if asked == blob:
            raise MissingObject(asked)
        return read(asked)

    return reading
