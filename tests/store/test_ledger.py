"""The private ledger: what was compiled is found again; what is forgotten leaves no byte."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from cc_git.errors import NotWritable
from cc_git.model.ids import new_id
from cc_git.store.ledger import KeptPacket, Ledger
from cc_git.store.place import Place
from tests.store.worlds import NOW, an_id

SECRET = "the blue horse"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, tmp_path, tmp_path, ".continuity")


def a_packet(number: int, *ids: str, body: bytes = b"# packet", **changes: object) -> KeptPacket:
    when = NOW + timedelta(minutes=number)
    fields: dict[str, object] = {
        "id": new_id("pk", when, number.to_bytes(10, "big")),
        "created": when,
        "until": NOW + timedelta(days=1),
        "digest": f"{number:064}",
        "tree": "1" * 40,
        "request": '{"task": "x"}',
        "body": body,
        "verdicts": b"{}",
        "ids": ids,
    }
    return KeptPacket(**(fields | changes))  # type: ignore[arg-type]


def test_nothing_is_made_before_something_is_kept(place: Place) -> None:
    ledger = Ledger(place)
    assert ledger.newest() == ()
    assert ledger.packet("pk") is None
    assert not ledger.path.exists()


def test_a_packet_is_found_whole_by_its_id_and_by_its_beginning_or_end(place: Place) -> None:
    packet = a_packet(1, an_id("dec", 2), an_id("dec", 1), body=b"\xff\0 bytes", until=None)
    other = a_packet(70_000_000)
    ledger = Ledger(place)
    assert ledger.keep(packet)
    assert ledger.keep(other)
    again = Ledger(place)
    assert again.packet(packet.id) == KeptPacket(**{**packet_fields(packet), "ids": tuple(sorted(packet.ids))})
    assert [line.id for line in again.find(packet.id[-6:])] == [packet.id]
    assert [line.id for line in again.find(packet.id[:14])] == [packet.id]
    assert {line.id for line in again.find("pk_")} == {packet.id, other.id}
    assert again.find("zzzzzz") == ()


def packet_fields(packet: KeptPacket) -> dict[str, object]:
    return {name: getattr(packet, name) for name in KeptPacket.__slots__}


def test_the_newest_come_first_and_other_workspaces_are_not_shown(place: Place) -> None:
    ledger = Ledger(place)
    made = [a_packet(number) for number in range(3)]
    for packet in made:
        ledger.keep(packet)
    other = Ledger(Place(place.top, place.git_dir, place.common_dir, "services/a/.continuity"))
    assert other.newest() == ()
    assert other.packet(made[0].id) is None
    assert [line.id for line in ledger.newest(2)] == [made[2].id, made[1].id]


def test_packets_that_concern_an_id_are_marked_with_each_reason_once(place: Place) -> None:
    ledger = Ledger(place)
    first, second = a_packet(1, an_id("prm", 1)), a_packet(2, an_id("dec", 1))
    ledger.keep(first)
    ledger.keep(second)
    for reason in ("revoked prm_1", "revoked prm_1", "corrected dec_1"):
        ledger.mark_stale(dict.fromkeys(ledger.concerning([an_id("prm", 1)]), reason))
    assert [(line.id, line.stale) for line in ledger.newest()] == [
        (second.id, ()),
        (first.id, ("revoked prm_1", "corrected dec_1")),
    ]


def test_old_packets_retire_after_the_days_of_the_policy(place: Place) -> None:
    ledger = Ledger(place)
    old, young = a_packet(0), a_packet(2 * 24 * 60)
    ledger.keep(old)
    ledger.keep(young)
    assert ledger.retire(NOW + timedelta(days=30, minutes=1), 30) == 1
    assert [line.id for line in ledger.newest()] == [young.id]
    assert ledger.concerning(old.ids) == ()


def bytes_on_disk(ledger: Ledger) -> bytes:
    return b"".join(path.read_bytes() for path in ledger.path.parent.iterdir() if path.is_file())


@pytest.mark.parametrize("by", ["id", "text"])
def test_forgetting_takes_packets_by_id_or_text_and_leaves_no_byte(place: Place, by: str) -> None:
    ledger = Ledger(place)
    secret = a_packet(1, an_id("dec", 1), body=SECRET.encode() * 2000, request=f'{{"task": "{SECRET}"}}')
    plain = a_packet(2, an_id("dec", 2))
    ledger.keep(secret)
    ledger.keep(plain)
    assert SECRET.encode() in bytes_on_disk(ledger)
    if by == "id":
        assert ledger.forget([an_id("dec", 1)]) == 1
    else:
        assert ledger.forget(text=lambda stored: SECRET in stored) == 1
    assert [line.id for line in ledger.newest()] == [plain.id]
    assert SECRET.encode() not in bytes_on_disk(ledger)
    assert an_id("dec", 1).encode() not in bytes_on_disk(ledger)


def test_an_id_that_only_stands_in_a_text_is_found_too(place: Place) -> None:
    ledger = Ledger(place)
    ledger.keep(a_packet(1, body=f"see {an_id('dec', 1)}".encode()))
    assert ledger.forget([an_id("dec", 1)]) == 1


def test_every_stored_text_is_handed_out(place: Place) -> None:
    ledger = Ledger(place)
    packet = a_packet(1, verdicts=b'{"a": 1}')
    ledger.keep(packet)
    assert {text for _, text in ledger.texts()} >= {"# packet", '{"a": 1}', '{"task": "x"}'}


def spoil_text(path: Path) -> None:
    path.write_text("no database " + SECRET)


def spoil_middle(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xaa" * (len(data) - 100))


def spoil_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize("spoil", [spoil_text, spoil_middle, spoil_version])
def test_a_damaged_ledger_is_put_aside_and_begun_anew(place: Place, spoil: Callable[[Path], None]) -> None:
    first = Ledger(place)
    first.keep(a_packet(1))
    first.close()
    spoil(first.path)
    ledger = Ledger(place)
    assert ledger.newest() == ()
    assert "ledger.sqlite.damaged" in ledger.warnings[0]
    assert (ledger.path.parent / "ledger.sqlite.damaged").exists()
    assert ledger.keep(a_packet(2))
    assert len(Ledger(place).newest()) == 1


def test_forgetting_removes_what_was_put_aside(place: Place) -> None:
    ledger = Ledger(place)
    ledger.keep(a_packet(1))
    ledger.close()
    spoil_text(ledger.path)
    assert ledger.newest() == ()
    assert SECRET.encode() in bytes_on_disk(ledger)
    ledger.forget(["dec_x"])
    assert SECRET.encode() not in bytes_on_disk(ledger)


def test_where_nothing_can_be_written_a_packet_is_not_kept_and_that_is_said(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(place)
    ledger.keep(a_packet(1))
    ledger.close()
    closed_to_writes(monkeypatch)
    reading = Ledger(place)
    assert len(reading.newest()) == 1
    assert not reading.keep(a_packet(2))
    assert "not kept" in reading.warnings[-1]
    with pytest.raises(NotWritable):
        reading.forget(["dec_x"])


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
