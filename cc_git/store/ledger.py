"""The private ledger: every packet that was compiled here, with its verdicts, in `continuity/ledger.sqlite`.

It is never committed, and losing it makes nothing wrong: a packet that is not found cannot be verified, and that is
said. Unlike the index it cannot be derived again, so a damaged one is put aside under another name, with a warning,
and a new one begun. Where nothing can be written it reads what there is and keeps nothing.

A packet's text lies in `packets` alone; `named` says which ids it concerns, so that forgetting finds it by id, and
`texts` hands out every stored text, so that forgetting (and the search that verifies it) finds it by content.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cc_git.errors import CcGitError
from cc_git.governance.quotes import names_one
from cc_git.model.id_part import IdPart
from cc_git.store.ledger_file import LedgerFile
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class KeptPacket:
    """`body` are the packet's exact bytes, `request` and `verdicts` JSON text as the compiler spelled them, `tree`
    the snapshot, `ids` everything that the packet shows or names. `until` is when a standing in it changes by
    itself. `stale` are the reasons why it no longer holds (codes and ids, no text)."""

    id: str
    created: datetime
    until: datetime | None
    digest: str
    tree: str
    request: str
    body: bytes
    verdicts: bytes
    ids: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PacketLine:
    """One line of the list: all but the texts."""

    id: str
    created: datetime
    until: datetime | None
    digest: str
    tree: str
    stale: tuple[str, ...]


class Ledger:
    """The ledger of one workspace. The file is opened on first use."""

    def __init__(self, place: Place) -> None:
        self._prefix = place.prefix
        self._file = LedgerFile(OwnFolder(place.common_dir).ledger)

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def warnings(self) -> Sequence[str]:
        """What had to be put up with so far, one sentence each."""
        return self._file.warnings

    def close(self) -> None:
        self._file.close()

    # keeping and finding
    def keep(self, packet: KeptPacket) -> bool:
        """Store a packet; False (with a warning) where nothing can be written."""
        row = (
            packet.id, self._prefix, _millis(packet.created), _maybe_millis(packet.until), packet.digest,
            packet.tree, packet.request, packet.body, packet.verdicts, "\n".join(packet.stale),
        )  # fmt: skip
        named = [(packet.id, identifier) for identifier in sorted(set(packet.ids))]

        def write(connection: sqlite3.Connection) -> bool:
            connection.execute("INSERT OR REPLACE INTO packets VALUES (?,?,?,?,?,?,?,?,?,?)", row)
            connection.execute("DELETE FROM named WHERE packet = ?", (packet.id,))
            connection.executemany("INSERT INTO named (packet, id) VALUES (?,?)", named)
            return True

        try:
            return self._file.write(write)
        except CcGitError as error:
            self._file.warn(f"the packet is not kept: {error.what}")
            return False

    def find(self, part: str) -> tuple[PacketLine, ...]:
        """The packets that an id, its beginning or its end names. Raises ValueError for what can be no part of one."""
        asked = IdPart(part)
        lines = {line.id: line for line in self.newest()}
        return tuple(lines[identifier] for identifier in asked.among(lines))

    def packet(self, identifier: str) -> KeptPacket | None:
        """A packet by its whole id."""

        def read(connection: sqlite3.Connection) -> KeptPacket | None:
            row = connection.execute(
                "SELECT id, created, until, digest, tree, request, body, verdicts, stale FROM packets"
                " WHERE id = ? AND workspace = ?",
                (identifier, self._prefix),
            ).fetchone()
            if row is None:
                return None
            ids = connection.execute("SELECT id FROM named WHERE packet = ? ORDER BY id", (identifier,)).fetchall()
            return KeptPacket(
                id=row[0],
                created=_instant(row[1]),
                until=_maybe_instant(row[2]),
                digest=row[3],
                tree=row[4],
                request=row[5],
                body=bytes(row[6]),
                verdicts=bytes(row[7]),
                ids=tuple(identifier for (identifier,) in ids),
                stale=_reasons(row[8]),
            )

        return self._file.read(read, None)

    def newest(self, limit: int | None = None) -> tuple[PacketLine, ...]:
        """Newest first."""

        def read(connection: sqlite3.Connection) -> tuple[PacketLine, ...]:
            rows = connection.execute(
                "SELECT id, created, until, digest, tree, stale FROM packets WHERE workspace = ?"
                " ORDER BY created DESC, id DESC LIMIT ?",
                (self._prefix, -1 if limit is None else limit),
            )
            return tuple(
                PacketLine(
                    row[0],
                    _instant(row[1]),
                    _maybe_instant(row[2]),
                    row[3],
                    row[4],
                    _reasons(row[5]),
                )
                for row in rows
            )

        return self._file.read(read, ())

    def mentioning(self, identifier: str, limit: int | None = None) -> tuple[KeptPacket, ...]:
        """The packets of this workspace that had to decide about this id or name it, newest first."""

        def read(connection: sqlite3.Connection) -> tuple[str, ...]:
            rows = connection.execute(
                "SELECT id FROM packets WHERE workspace = ? AND (instr(verdicts, ?) OR"
                " id IN (SELECT packet FROM named WHERE id = ?)) ORDER BY created DESC, id DESC LIMIT ?",
                (self._prefix, identifier.encode(), identifier, -1 if limit is None else limit),
            )
            return tuple(packet for (packet,) in rows)

        packets: tuple[str, ...] = self._file.read(read, ())
        return tuple(kept for one in packets if (kept := self.packet(one)) is not None)

    def bodies(self) -> tuple[bytes, ...]:
        """The exact bytes of every packet of this workspace, newest first."""

        def read(connection: sqlite3.Connection) -> tuple[bytes, ...]:
            rows = connection.execute(
                "SELECT body FROM packets WHERE workspace = ? ORDER BY created DESC, id DESC", (self._prefix,)
            )
            return tuple(bytes(body) for (body,) in rows)

        return self._file.read(read, ())

    def concerning(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The packets of every workspace of this clone that show or name one of these ids, sorted."""
        asked = sorted(set(ids))

        def read(connection: sqlite3.Connection) -> tuple[str, ...]:
            found: set[str] = set()
            for identifier in asked:
                found.update(p for (p,) in connection.execute("SELECT packet FROM named WHERE id = ?", (identifier,)))
            return tuple(sorted(found))

        return self._file.read(read, ())

    def mark_stale(self, reasons: Mapping[str, str]) -> None:
        """Note for each packet (id → reason: a code and ids) why it no longer holds; known reasons are kept."""

        def write(connection: sqlite3.Connection) -> None:
            for packet, reason in reasons.items():
                row = connection.execute("SELECT stale FROM packets WHERE id = ?", (packet,)).fetchone()
                if row is not None and reason not in _reasons(row[0]):
                    text = "\n".join((*_reasons(row[0]), reason))
                    connection.execute("UPDATE packets SET stale = ? WHERE id = ?", (text, packet))

        try:
            self._file.write(write)
        except CcGitError as error:
            self._file.warn(f"packets are not marked stale: {error.what}")

    def retire(self, now: datetime, days: int) -> int:
        """Drop packets older than the policy keeps them; how many."""
        limit = _millis(now - timedelta(days=days))
        old = "SELECT id FROM packets WHERE workspace = ? AND created < ?"

        def read(connection: sqlite3.Connection) -> tuple[str, ...]:
            return tuple(i for (i,) in connection.execute(old, (self._prefix, limit)))

        packets: tuple[str, ...] = self._file.read(read, ())
        return self._drop(packets) if packets else 0

    # forgetting
    def texts(self) -> Iterator[tuple[str, str]]:
        """(packet id, text) of everything stored, of every workspace of this clone: what forgetting searches."""

        def read(connection: sqlite3.Connection) -> list[tuple[str, str, bytes, bytes, str]]:
            return connection.execute("SELECT id, request, body, verdicts, stale FROM packets ORDER BY id").fetchall()

        nothing: list[tuple[str, str, bytes, bytes, str]] = []
        for identifier, request, body, verdicts, stale in self._file.read(read, nothing):
            for text in (request, _text(body), _text(verdicts), stale):
                yield identifier, text

    def forget(self, ids: Iterable[str] = (), *, text: Callable[[str], bool] | None = None) -> int:
        """Remove every packet that names one of `ids` or has a text for which `text` is true; how many.

        Afterwards the bytes are gone from the file as well: it is vacuumed and its log is emptied. A ledger that was
        put aside cannot be searched, so it goes whole. Raises `CcGitError` if any of this cannot be done.
        """
        self._file.remove_aside()
        if not self.path.exists():
            return 0
        gone = set(self.concerning(ids))
        asked = frozenset(ids)
        for packet, stored in self.texts():
            if names_one(stored, asked) or (text is not None and text(stored)):
                gone.add(packet)
        removed = self._drop(sorted(gone)) if gone else 0
        self._file.scrub()
        return removed

    def _drop(self, packets: Sequence[str]) -> int:
        def write(connection: sqlite3.Connection) -> int:
            rows = [(packet,) for packet in packets]
            connection.executemany("DELETE FROM named WHERE packet = ?", rows)
            connection.executemany("DELETE FROM packets WHERE id = ?", rows)
            return len(rows)

        return self._file.write(write)


def _millis(when: datetime) -> int:
    return (when - _EPOCH) // timedelta(milliseconds=1)


def _instant(millis: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=millis)


def _maybe_millis(when: datetime | None) -> int | None:
    return None if when is None else _millis(when)


def _maybe_instant(millis: int | None) -> datetime | None:
    return None if millis is None else _instant(millis)


def _reasons(stored: str) -> tuple[str, ...]:
    return tuple(stored.split("\n")) if stored else ()


def _text(data: bytes) -> str:
    return bytes(data).decode("utf-8", "surrogateescape")
