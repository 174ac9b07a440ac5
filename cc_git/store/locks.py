"""One writer at a time for a clone: a `flock`, and a note in the locked file that tells how its last holder ended.

The kernel frees the lock when its holder dies, so a lock is never stale. The file says `clean` (with the id of the
running kernel: after a power failure nothing is taken for clean), or `failed`, or what was being written and where;
whoever takes the lock and finds one of the latter clears up, or completes, first.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cc_git.errors import LostRace
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place

_PATIENCE = 30.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.0005, 0.008
"""Seconds; a write takes some ten milliseconds, so thirty seconds mean that the holder is stopped or hangs."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A writer was killed at `place` after it had read `since` from its journal ref (None: no ref yet)."""

    place: Place
    since: str | None


Recover = Callable[[Unfinished | None], None]
"""Clears up after the last holder, and completes what it was killed in."""


@dataclass(slots=True)
class _Holding:
    descriptor: int
    note: dict[str, object]
    depth: int = 1
    unfinished: bool = False


class WriteLock:
    """The lock file of one clone. Nested holds in one process count as one, also from different objects."""

    _held: dict[str, _Holding] = {}  # noqa: RUF012  one table for the process: a flock does not nest by itself

    def __init__(self, own: OwnFolder) -> None:
        self._own = own
        self._key = str(own.lock)

    @contextmanager
    def hold(self, place: Place, recover: Recover) -> Iterator[bool]:
        """Wait for the lock and let `recover` look after its last holder; yields whether this hold is the outermost."""
        held = self._held.get(self._key)
        if held is not None:
            held.depth += 1
            try:
                yield False
            finally:
                held.depth -= 1
            return
        with self._taken() as descriptor:
            note = _parsed(descriptor)
            if not _is_clean(note):
                # The old note stays until this is done: whoever is killed in it leaves it to the next.
                recover(_unfinished(note))
            held = _Holding(descriptor, {"state": "writing", "pid": os.getpid(), **_spelled(place)})
            _note(descriptor, held.note)
            self._held[self._key] = held
            try:
                yield True
            except BaseException:
                # Not a kill: what was written can be cleared up, and whether its files belong is another's to judge.
                _note_if_possible(descriptor, {"state": "failed"})
                raise
            finally:
                del self._held[self._key]
            if not held.unfinished:
                _note_if_possible(descriptor, {"state": "clean", "boot": _boot()})

    def announce(self, since: str | None) -> None:
        """Note, before a journal commit, what the ref says now: if it says something else later, we got that far."""
        held = self._held[self._key]
        _note(held.descriptor, {**held.note, "since": since})

    def leave_unfinished(self) -> None:
        """Let whoever takes the lock next complete the last journal commit, as after a kill."""
        self._held[self._key].unfinished = True

    @contextmanager
    def _taken(self) -> Iterator[int]:
        # Whoever writes again at once would always win against those who look from time to time. So everybody takes
        # a turn first: while one waits for the lock holding the turn, the others wait for the turn.
        with _opened(self._own.lock) as lock:
            with _opened(self._own.turn) as turn:
                waited = self._wait(turn, lock, 0.0)
                self._wait(lock, lock, waited)
            yield lock

    def _wait(self, wanted: int, lock: int, waited: float) -> float:
        """Lock the file `wanted`; the seconds waited in all. The holder is named in `lock`."""
        pause = _FIRST_PAUSE
        while True:
            try:
                fcntl.flock(wanted, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return waited
            except BlockingIOError:
                if waited > _PATIENCE:
                    holder = _parsed(lock).get("pid", "unknown")
                    raise LostRace(
                        "other writers have held this clone for thirty seconds",
                        why=f"process {holder} holds {self._own.lock}",
                        hints=(f"ps -p {holder}",),
                    ) from None
            time.sleep(pause)
            waited += pause
            pause = min(pause * 2, _LONGEST_PAUSE)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileNotFoundError:
        # What lies in there includes the private tier: no business of the machine's other users.
        path.parent.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(path, flags, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _note(descriptor: int, note: dict[str, object]) -> None:
    os.pwrite(descriptor, json.dumps(note).encode() + b"\n", 0)


def _note_if_possible(descriptor: int, note: dict[str, object]) -> None:
    """At the end of a hold: the note before it only makes the next holder look after more than it need."""
    with suppress(OSError):
        _note(descriptor, note)


def _parsed(descriptor: int) -> dict[str, object]:
    line = os.pread(descriptor, 65536, 0).partition(b"\n")[0]
    try:
        note = json.loads(line)
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}


def _is_clean(note: Mapping[str, object]) -> bool:
    return note.get("state") == "clean" and note.get("boot") == _boot() != ""


def _unfinished(note: Mapping[str, object]) -> Unfinished | None:
    match note:
        case {"top": str(top), "git_dir": str(git), "common_dir": str(common), "prefix": str(prefix), "since": since}:
            place = Place(Path(top), Path(git), Path(common), prefix)
            return Unfinished(place, since if isinstance(since, str) else None)
        case _:
            return None


def _spelled(place: Place) -> dict[str, object]:
    return {
        "top": None if place.top is None else str(place.top),
        "git_dir": str(place.git_dir),
        "common_dir": str(place.common_dir),
        "prefix": place.prefix,
    }


@cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
