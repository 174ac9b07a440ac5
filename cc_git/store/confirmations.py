"""What a person confirmed at a terminal of this clone: blobs, by workspace, in `continuity/confirmed`.

A confirmation binds a person to the exact bytes of one file, in one workspace. It lies in the Git directory and
never in the tree, so no branch can carry it. Named limit: whoever can write the Git directory can forge it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cc_git.codec.paths import TOMBSTONES, public
from cc_git.errors import Refused
from cc_git.model.who import Who
from cc_git.store.append_only import append_lines, read_lines
from cc_git.store.disk import read_file
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place


@dataclass(frozen=True, slots=True)
class Confirmation:
    """`rel` is where the file was when it was confirmed; only `blob` binds."""

    rel: str
    blob: str
    actor: str
    when: datetime


class Confirmations:
    """The confirmations of one workspace. Reading needs no write access, and a missing file is an empty one."""

    def __init__(self, place: Place) -> None:
        self._path: Path = OwnFolder(place.common_dir).confirmed
        self._prefix = place.prefix

    def all(self) -> tuple[Confirmation, ...]:
        """Oldest first; lines that cannot be read confirm nothing."""
        found = []
        for entry in read_lines(self._path).entries:
            match entry:
                case {
                    "workspace": self._prefix,
                    "rel": str(rel),
                    "blob": str(blob),
                    "who": str(who),
                    "when": str(when),
                }:
                    try:
                        found.append(Confirmation(rel, blob, who, datetime.fromisoformat(when).astimezone(UTC)))
                    except ValueError:
                        continue
        return tuple(found)

    def marks(self) -> dict[str, str]:
        """Blob → path of the tombstones among them; one look at the bytes where there are none."""
        start = f"{TOMBSTONES}/"
        if start.encode() not in (read_file(self._path) or b""):
            return {}
        return {blob: rel for blob, rel in self.blobs().items() if public(rel).startswith(start)}

    def blobs(self) -> dict[str, str]:
        """Blob → the path where it was last confirmed; what was confirmed last stands last."""
        found: dict[str, str] = {}
        for confirmation in self.all():
            found.pop(confirmation.blob, None)
            found[confirmation.blob] = confirmation.rel
        return found

    def confirm(self, files: Mapping[str, str], who: Who, now: datetime) -> None:
        """Bind the person to these files (path → blob). Raises `Refused` for anybody but a person at a terminal."""
        require_person(who, "confirm a record")
        append_lines(
            self._path,
            tuple(
                {"workspace": self._prefix, "rel": rel, "blob": blob, "who": who.actor, "when": now.isoformat()}
                for rel, blob in sorted(files.items())
            ),
        )


def require_person(who: Who, act: str) -> None:
    """Only a person at a terminal may do this on a clone; `act` completes "only a person at a terminal can …"."""
    if who.is_person_at_terminal:
        return
    why = (
        f"this runs under an agent ({who.sign or who.actor})"
        if who.is_agent
        else "standard input and output are no terminal"
    )
    raise Refused(
        f"only a person at a terminal can {act}",
        why=why,
        hints=("run the command yourself, in a terminal", "or have it reviewed into the accepted branch"),
    )
