"""Which files take away (`standing/negative.py`), asked by path and blob."""

from __future__ import annotations

from cc_git.model.fault import Fault
from cc_git.model.filed import Filed
from cc_git.model.value import Value
from cc_git.standing.negative import NegativeValue, is_negative, is_persons, may_be_negative
from cc_git.store.cache import Cache
from cc_git.store.loader import Read, read_object

_FORM = 3
_NO, _YES, _PERSONS = b"0", b"1", b"2"


class NegativeFiles:
    """Asks files by path and blob, and remembers the answers by both: equal bytes at one path never change theirs."""

    def __init__(self, read: Read, cache: Cache) -> None:
        self._read = read
        self._cache = cache
        self._new: dict[str, bytes] = {}

    def takes_away(self, rel: str, blob: str) -> bool | None:
        """False also for what is damaged: it is reported where it lies. None: the bytes are not in this clone."""
        known = self._known(rel, blob)
        return None if known is None else known != _NO

    def is_persons(self, rel: str, blob: str) -> bool:
        """It takes nothing unless a person is or was bound to it."""
        return self._known(rel, blob) == _PERSONS

    def _known(self, rel: str, blob: str) -> bytes | None:
        if not may_be_negative(rel):
            return _NO
        key = f"{_FORM} {rel} {blob}"
        known = self._new.get(key) or self._cache.get("negative", key)
        if known is None:
            value = read_object(rel, blob, self._read)
            if isinstance(value, Fault) and value.code == "missing":
                return None
            known = self._new[key] = _PERSONS if is_persons(value) else _YES if is_negative(value) else _NO
        return known

    def filed(self, rel: str, blob: str) -> Filed[NegativeValue] | None:
        """The value with its place, or None where its bytes are not to be had."""
        value = read_object(rel, blob, self._read)
        return Filed(rel, blob, value) if is_negative(value) and isinstance(value, Value) else None

    def remember(self) -> None:
        """Hand the new answers to the cache, all at once."""
        if self._new:
            self._cache.put("negative", self._new)
            self._new = {}
