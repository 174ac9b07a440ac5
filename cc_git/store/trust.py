"""Whether somebody on this machine adopted a workspace: `cc-git trust`, kept in the common Git directory.

A clone arrives without the mark. A copied or unpacked Git directory brings its marks along, so each is bound to the
machine and to the place where it was made: there it counts, elsewhere it does not.
"""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cc_git.model.who import Who
from cc_git.store.append_only import append_lines, read_lines
from cc_git.store.confirmations import require_person
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place

_MACHINE_ID = Path("/etc/machine-id")


@dataclass(frozen=True, slots=True)
class TrustMark:
    actor: str
    when: datetime


class Trust:
    """The mark of one workspace; the last line decides. `machine` replaces this machine's own name (for tests)."""

    def __init__(self, place: Place, *, machine: str | None = None) -> None:
        self._path = OwnFolder(place.common_dir).trusted
        self._prefix = place.prefix
        self._root = root_identity(place.common_dir, machine if machine is not None else machine_name())

    def mark(self) -> TrustMark | None:
        """Who adopted this workspace here, and when; None: nobody, or it was taken back."""
        found: TrustMark | None = None
        for entry in read_lines(self._path).entries:
            match entry:
                case {
                    "workspace": self._prefix,
                    "root": self._root,
                    "trust": bool(trust),
                    "who": str(who),
                    "when": str(when),
                }:
                    try:
                        found = TrustMark(who, datetime.fromisoformat(when).astimezone(UTC)) if trust else None
                    except ValueError:
                        continue
        return found

    def adopt(self, who: Who, now: datetime) -> None:
        """Raises `Refused` for anybody but a person at a terminal."""
        require_person(who, "trust a workspace")
        self._note(who, now, trust=True)

    def take_back(self, who: Who, now: datetime) -> None:
        """Anybody may: it only takes away."""
        self._note(who, now, trust=False)

    def _note(self, who: Who, now: datetime, *, trust: bool) -> None:
        entry = {
            "workspace": self._prefix,
            "root": self._root,
            "trust": trust,
            "who": who.actor,
            "when": now.isoformat(),
        }
        append_lines(self._path, (entry,))


def root_identity(common_dir: Path, machine: str) -> str:
    """This Git directory on this machine."""
    return hashlib.sha256(f"{machine}\0{common_dir.resolve()}".encode("utf-8", "surrogateescape")).hexdigest()


def machine_name() -> str:
    """The machine's own id where the system keeps one, else its host name."""
    try:
        kept = _MACHINE_ID.read_text().strip()
    except (OSError, UnicodeDecodeError):
        kept = ""
    return kept or platform.node()
