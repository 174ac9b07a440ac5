"""Small files of our own inside the Git directory: notes and marks, replaced whole."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from cc_git.entropy import fresh_token
from cc_git.store.disk import replace_file

_TEMPORARY = ".new-"
"""The store sweeps these after a writer of the journal was interrupted, too."""
_LONG = 3600
"""Seconds."""


def write_own(target: Path, data: bytes) -> None:
    """Replace a file below `continuity/`, which is made if missing. Raises OSError where nothing can be written."""
    target.parent.mkdir(mode=0o700, exist_ok=True)
    temporary = target.with_name(f"{_TEMPORARY}{fresh_token(8)}")
    replace_file(target, data, temporary=temporary, durable=False)
    _sweep(target)


def _sweep(written: Path) -> None:
    """Remove what a writer left that was killed: no other one takes an hour from making a file to renaming it."""
    with suppress(OSError):
        now = written.stat().st_mtime
        for left in written.parent.glob(f"{_TEMPORARY}*"):
            if now - left.stat().st_mtime > _LONG:
                left.unlink()
