"""How the index spells values: `marshal`, which reads ten thousand cards in some milliseconds where JSON takes twenty.

Its form depends on the interpreter, so `code_mark` is part of every key; and it is read only after its seal was
checked. Whoever can write a payload with its seal can write the Git directory, and hooks as well.
"""

from __future__ import annotations

import gc
import marshal
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cc_git.compiler.pool import Card, EpisodeCard
from cc_git.model.verdict import Clash, Verdict
from cc_git.store.index_facts import Facts

_PACKAGE = Path(__file__).resolve().parent.parent
_DECIDES = ("model", "codec", "standing", "compiler", "store")
"""Packages whose code decides what is kept."""

_T = TypeVar("_T", bound=NamedTuple)


@cache
def code_mark() -> str:
    """Names the interpreter and the code: what another version computed is not used."""
    digest = sha256(f"{sys.version} {sys.byteorder} {marshal.version}".encode())
    for package in _DECIDES:
        for path in sorted((_PACKAGE / package).rglob("*.py")):
            found = path.stat()
            digest.update(f"{path.name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def dump(value: Any) -> bytes:
    return marshal.dumps(value)


def load(payload: bytes) -> Any:
    return marshal.loads(payload)


def token_hash(token: str) -> int:
    return zlib.crc32(token.encode("utf-8", "surrogateescape"))


def name_of(*parts: str | bytes) -> str:
    """One name for several things."""
    digest = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
        digest.update(b"%d " % len(data) + data)
    return digest.hexdigest()


@contextmanager
def without_collecting() -> Iterator[None]:
    """Ten thousands of values that all stay make the cyclic collector look at them again and again, for nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Sharing:
    """Equal texts and tuples become one object, which is written once and read once."""

    def __init__(self) -> None:
        self._known: dict[object, object] = {}

    def plain(self, row: Iterable[Any]) -> tuple[Any, ...]:
        known = self._known
        return tuple(known.setdefault(item, item) if type(item) in (str, tuple) else item for item in row)

    def rows(self, rows: Iterable[Iterable[Any]]) -> list[tuple[Any, ...]]:
        return [self.plain(row) for row in rows]


def facts_from(rows: Iterable[tuple[Any, ...]]) -> list[Facts]:
    return list(map(tuple.__new__, repeat(Facts), rows))


def cards_from(rows: Iterable[tuple[Any, ...]]) -> list[Card]:
    # Calling the class checks what was checked when the row was written, and takes three times as long.
    return list(map(tuple.__new__, repeat(Card), rows))


def episodes_from(rows: Iterable[tuple[Any, ...]]) -> list[EpisodeCard]:
    return list(map(tuple.__new__, repeat(EpisodeCard), rows))


def verdict_row(verdict: Verdict) -> tuple[Any, ...]:
    return (
        verdict.standing, verdict.authority, verdict.attested, verdict.by, verdict.reason,
        tuple(sorted(verdict.flags)), verdict.limited_by, verdict.yields_to, verdict.sensitivity, verdict.doubts,
    )  # fmt: skip


def verdict_from(row: tuple[Any, ...]) -> Verdict:
    standing, authority, attested, by, reason, flags, *rest = row
    return Verdict(standing, authority, attested, by, reason, frozenset(flags), *rest)


def ghost_rows(ghosts: Mapping[str, Iterable[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """By id: path, blob, verdict and whence of each."""
    return {i: [(rel, blob, verdict_row(v), whence) for rel, blob, v, whence in some] for i, some in ghosts.items()}


_CAUSES = {"line": 0, "subject": 1, "declared": 2, "rulings": 3}


def in_order(clashes: Iterable[Clash]) -> tuple[Clash, ...]:
    """The one order of clashes, however they were found."""
    return tuple(sorted(set(clashes), key=lambda clash: (_CAUSES[clash.cause], clash.ids)))


def clash_rows(clashes: Iterable[Clash]) -> list[tuple[tuple[str, ...], str]]:
    return [(clash.ids, clash.cause) for clash in clashes]


def clashes_from(rows: Iterable[tuple[tuple[str, ...], Any]]) -> list[Clash]:
    return [Clash(ids, cause) for ids, cause in rows]


def chunks(rows: list[Any], size: int) -> Iterator[list[Any]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
