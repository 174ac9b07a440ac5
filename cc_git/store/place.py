"""Where a workspace is: the repository around a directory and the `.continuity/` in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace's place. `top` is None in a bare repository; `prefix` is repo-relative, POSIX, ends in `.continuity`."""

    top: Path | None
    git_dir: Path
    common_dir: Path
    prefix: str

    @property
    def directory(self) -> Path | None:
        """The workspace on disk, or None in a bare repository."""
        return None if self.top is None else self.top / self.prefix
