"""The note `<git dir>/continuity/added`: what we put into the user's index, for whoever takes it out again.

It is written before the index is changed, so that no interruption leaves an entry of ours without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cc_git.store.committing_process import Process
from cc_git.store.disk import read_file
from cc_git.store.journal_state import ReflogPosition
from cc_git.store.names import OwnFolder
from cc_git.store.own_file import write_own


@dataclass(frozen=True, slots=True)
class AddedNote:
    """`entries` is path → blob, the paths relative to the top level. `position` is where HEAD's reflog stood before
    the oldest of them was added, `process` the git process that makes the commit."""

    entries: Mapping[str, str]
    position: ReflogPosition
    process: Process | None


def read_note(git_dir: Path) -> AddedNote | None:
    """The note, or None: nothing of ours is in the index. One that cannot be read says nothing."""
    data = read_file(OwnFolder(git_dir).added)
    if data is None:
        return None
    try:
        told = json.loads(data)
        process = told["process"]
        return AddedNote(
            entries={str(path): str(blob) for path, blob in told["entries"].items()},
            position=ReflogPosition(int(told["reflog"][0]), str(told["reflog"][1])),
            process=None if process is None else Process(int(process[0]), str(process[1])),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return None


def write_note(git_dir: Path, note: AddedNote) -> None:
    """Raises OSError where nothing can be written."""
    told = {
        "entries": dict(note.entries),
        "reflog": [note.position.lines, note.position.last],
        "process": None if note.process is None else [note.process.number, note.process.started],
    }
    write_own(OwnFolder(git_dir).added, json.dumps(told).encode() + b"\n")


def drop_note(git_dir: Path) -> None:
    OwnFolder(git_dir).added.unlink(missing_ok=True)
