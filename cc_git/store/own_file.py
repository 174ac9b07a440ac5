"""Small files of our own inside the Git directory: notes and marks, replaced whole."""

from __future__ import annotations

from pathlib import Path

from cc_git.entropy import fresh_token
from cc_git.store.disk import replace_file


def write_own(target: Path, data: bytes) -> None:
    """Replace a file below `continuity/`, which is made if missing. Raises OSError where nothing can be written."""
    target.parent.mkdir(mode=0o700, exist_ok=True)
    # `.new-` is what the store sweeps after an interrupted writer.
    temporary = target.with_name(f".new-{fresh_token(8)}")
    replace_file(target, data, temporary=temporary, durable=False)
