"""What was computed before, by kind and key. Losing any of it costs time and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Cache(Protocol):
    """A key names everything that its payload depends on, so an entry is never stale."""

    def get(self, kind: str, key: str) -> bytes | None: ...

    def put(self, kind: str, entries: Mapping[str, bytes]) -> None: ...


class MemoryCache:
    """Keeps for one command; serves where there is no index."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def get(self, kind: str, key: str) -> bytes | None:
        return self._kept.get((kind, key))

    def put(self, kind: str, entries: Mapping[str, bytes]) -> None:
        self._kept |= {(kind, key): payload for key, payload in entries.items()}


class LayeredCache:
    """What was just made, before what is kept: a payload that could not be stored still serves this command."""

    def __init__(self, below: Cache) -> None:
        self._below = below
        self._made = MemoryCache()

    def get(self, kind: str, key: str) -> bytes | None:
        made = self._made.get(kind, key)
        return self._below.get(kind, key) if made is None else made

    def put(self, kind: str, entries: Mapping[str, bytes], *, lasting: bool = True) -> None:
        self._made.put(kind, entries)
        if lasting:
            self._below.put(kind, entries)
