"""Which files take away: a revoke, a reject, a deny, a tombstone, an ending, the supersession of a permission."""

from __future__ import annotations

from typing import TypeGuard

from cc_git.codec import paths
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed
from cc_git.model.kinds import Permission
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.store.cache import Cache
from cc_git.store.loader import Read, read_object

_PERMISSIONS = f"{paths.RECORDS}/{Permission.KIND}/"
_PLACES = (f"{paths.RULINGS}/", _PERMISSIONS, f"{paths.TOMBSTONES}/", f"{paths.ENDINGS}/")
_VERBS = frozenset({"revoke", "reject"})

NegativeValue = Ruling | Record | Tombstone | Ending


def may_be_negative(rel: str) -> bool:
    """The path alone says that the file may take away; the private tier counts like the other. What is not named by
    an id is no file of ours, whatever it is called: a stranger's name may be no text at all."""
    return paths.public(rel).startswith(_PLACES) and paths.id_at(rel) is not None


def is_negative(value: object) -> TypeGuard[NegativeValue]:
    match value:
        case Tombstone() | Ending():
            return True
        case Ruling():
            return value.verb in _VERBS
        case Record(payload=Permission()):
            return value.restrains or bool(value.supersedes)
    return False


class NegativeFiles:
    """Asks files by path and blob, and remembers the answers by both: equal bytes at one path never change theirs."""

    def __init__(self, read: Read, cache: Cache) -> None:
        self._read = read
        self._cache = cache
        self._new: dict[str, bytes] = {}

    def takes_away(self, rel: str, blob: str) -> bool | None:
        """False also for what is damaged: it is reported where it lies. None: the bytes are not in this clone."""
        if not may_be_negative(rel):
            return False
        key = f"{rel} {blob}"
        known = self._new.get(key) or self._cache.get("negative", key)
        if known is None:
            value = read_object(rel, blob, self._read)
            if isinstance(value, Fault) and value.code == "missing":
                return None
            known = self._new[key] = b"1" if is_negative(value) else b"0"
        return known == b"1"

    def filed(self, rel: str, blob: str) -> Filed[NegativeValue] | None:
        """The value with its place, or None where its bytes are not to be had."""
        value = read_object(rel, blob, self._read)
        return Filed(rel, blob, value) if is_negative(value) and isinstance(value, Value) else None

    def remember(self) -> None:
        """Hand the new answers to the cache, all at once."""
        if self._new:
            self._cache.put("negative", self._new)
            self._new = {}
