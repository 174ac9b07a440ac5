"""The note of a forgetting that is being carried out, `<git dir>/continuity/forgetting-<workspace>`.

It is written before anything else is changed, so whoever is killed in the work leaves to the next command all that it
needs to complete it, the removed texts included: without them nobody could search for copies. It is emptied before it
is removed, and it is readable by its owner alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from cc_git.errors import Damaged
from cc_git.governance.quotes import Needle
from cc_git.store.disk import read_file, replace_file
from cc_git.store.erasure_note import begun_path, note_path
from cc_git.store.place import Place


@dataclass(frozen=True)
class Erasure:
    """`marks` are the files to write first (path → text), `context` the working context without the quotes, with the
    blob that it replaces; `rewrites` are the runbooks without them, path → the same. `spared` are files that keep a
    text by a person's word, path → blob. `classes` counts what goes by kind. `receipt` is the id of the receipt that
    ends it."""

    operation: Literal["forget", "sweep"]
    receipt: str
    actor: str
    when: datetime
    ids: tuple[str, ...]
    marks: Mapping[str, str]
    context: tuple[str, str] | None
    needles: tuple[Needle, ...]
    spared: Mapping[str, str]
    blobs: tuple[str, ...]
    classes: Mapping[str, int]
    endings: tuple[str, ...] = ()
    redacted: int = 0
    packets: int = 0
    private: bool = False
    rewrites: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def read_erasure(place: Place) -> Erasure | None:
    """The forgetting that was begun here and is not complete. Raises Damaged for a note that cannot be read."""
    path = note_path(place)
    data = read_file(path) or b""
    if not data and (begun := begun_path(path)).exists():
        # Killed while it was written: nothing was decided yet.
        _empty(begun)
    if not data.strip(b"\0"):
        # Killed while it was removed: all is done.
        _empty(path)
        return None
    try:
        told: dict[str, Any] = json.loads(data)
        told |= {
            "when": datetime.fromisoformat(told["when"]),
            "needles": tuple(Needle(*one) for one in told["needles"]),
            "context": None if told["context"] is None else tuple(told["context"]),
        }
        told["rewrites"] = {rel: tuple(one) for rel, one in told.get("rewrites", {}).items()}
        told |= {name: tuple(told[name]) for name in ("ids", "blobs", "endings")}
        return Erasure(**told)
    except (ValueError, TypeError, KeyError) as fault:
        raise Damaged(
            "a forgetting was interrupted, and the note of it cannot be read",
            why=f"{note_path(place)}: {type(fault).__name__}",
            hints=("run the same cc-git forget again after removing that file",),
        ) from None


def write_erasure(place: Place, erasure: Erasure) -> None:
    """From here on it is decided. Raises OSError where nothing can be written."""
    told = asdict(erasure) | {
        "when": erasure.when.isoformat(),
        "needles": [[needle.text, needle.whole] for needle in erasure.needles],
    }
    path = note_path(place)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    begun = begun_path(path)
    _empty(begun)
    replace_file(path, json.dumps(told).encode() + b"\n", temporary=begun, durable=True)


def drop_erasure(place: Place) -> None:
    _empty(note_path(place))


def _empty(path: Path) -> None:
    """Overwrite and remove; nothing where there is no such file."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        os.pwrite(descriptor, bytes(os.fstat(descriptor).st_size), 0)
        os.fsync(descriptor)
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)
    path.unlink(missing_ok=True)
