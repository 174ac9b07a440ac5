"""Where bundles went from this clone: a note for each in `continuity/exports`, and the writing of the file.

The note is kept in the Git directory and never committed. It names the file, the ids whose content left, and who let
it leave, so that forgetting can say what is still out there; it holds no text and no hash of any. It is written before
the file: a note too many is looked up in vain, one too few would hide a copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cc_git.codec.paths import WORKSPACE_DIR
from cc_git.entropy import fresh_token
from cc_git.errors import UsageFault
from cc_git.store.append_only import append_lines, read_lines
from cc_git.store.disk import explained, replace_file
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place


@dataclass(frozen=True, slots=True)
class Exported:
    """`file` is where the bundle was written, absolute; whether it is still there is the disk's to say."""

    file: Path
    actor: str
    when: datetime
    receipt: str
    ids: frozenset[str]

    @property
    def is_there(self) -> bool:
        return self.file.is_file()


class Exports:
    """The exports of one workspace from this clone."""

    def __init__(self, place: Place) -> None:
        self._path = OwnFolder(place.common_dir).exports
        self._prefix = place.prefix

    def all(self) -> tuple[Exported, ...]:
        """Oldest first; lines that cannot be read are passed over."""
        found = []
        for entry in read_lines(self._path).entries:
            match entry:
                case {
                    "workspace": self._prefix,
                    "file": str(file),
                    "who": str(who),
                    "when": str(when),
                    "receipt": str(receipt),
                    "ids": list(ids),
                }:
                    try:
                        instant = datetime.fromisoformat(when).astimezone(UTC)
                    except ValueError:
                        continue
                    found.append(Exported(Path(file), who, instant, receipt, frozenset(map(str, ids))))
        return tuple(found)

    def holding(self, identifier: str) -> tuple[Exported, ...]:
        """The exports through which the content of this id left."""
        return tuple(one for one in self.all() if identifier in one.ids)

    def write(self, export: Exported, data: bytes) -> None:
        """Note it, then write the file. Raises UsageFault where something stands there, NotWritable."""
        target = export.file
        if target.exists() or target.is_symlink():
            raise UsageFault(f"{target} is there already", hints=("name a new file: a bundle replaces nothing",))
        if WORKSPACE_DIR in target.parts:
            raise UsageFault(f"{target} lies inside a workspace", hints=("name a file outside of it",))
        if not target.parent.is_dir():
            raise UsageFault(f"{target.parent} is not a folder")
        entry = {
            "workspace": self._prefix,
            "file": str(target),
            "who": export.actor,
            "when": export.when.isoformat(),
            "receipt": export.receipt,
            "ids": sorted(export.ids),
        }
        append_lines(self._path, (entry,))
        with explained(target.parent, lost="the bundle was not written (persistence)"):
            temporary = target.with_name(f".{target.name}.{fresh_token(8)}")
            replace_file(target, data, temporary=temporary, durable=True)
