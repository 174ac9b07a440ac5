"""Where HEAD has been since the last command, read from its reflog.

A reflog can be rewritten (expire), cut, switched off or absent. Whatever cannot be recognised is read from its
beginning: that costs a look at more commits and decides nothing wrongly.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from cc_git.store.disk import read_file
from cc_git.store.git import Git
from cc_git.store.journal_state import ReflogPosition
from cc_git.store.place import Place

_ID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Moves:
    """`commits`: where HEAD has been since, oldest first, without repetition; `position`: where to go on reading."""

    commits: tuple[str, ...]
    position: ReflogPosition


def moves_of_head(place: Place, git: Git, since: ReflogPosition) -> Moves:
    lines = _reftable_lines(git) if (place.common_dir / "reftable").is_dir() else _lines(place.git_dir)
    return moves(lines, since)


def moves(lines: list[bytes], since: ReflogPosition) -> Moves:
    """`lines` as Git writes them: `<old id> <new id> <who> <time>` TAB `<message>`."""
    known = 0 < since.lines <= len(lines) and _mark(lines[since.lines - 1]) == since.last
    start = since.lines if known else 0
    ids: list[bytes] = []
    for line in lines[start:]:
        old, _, rest = line.partition(b" ")
        ids += [old, rest.partition(b" ")[0]]
    commits = tuple(dict.fromkeys(oid.decode() for oid in ids if _ID.fullmatch(oid) and oid.strip(b"0")))
    position = ReflogPosition(len(lines), _mark(lines[-1])) if lines else ReflogPosition()
    return Moves(commits, position)


def _mark(line: bytes) -> str:
    """Recognises a line without keeping its message, which quotes commit subjects."""
    return hashlib.sha256(line.partition(b"\t")[0]).hexdigest()[:32]


def _lines(git_dir: Path) -> list[bytes]:
    return [line for line in (read_file(git_dir / "logs" / "HEAD") or b"").split(b"\n") if line]


def _reftable_lines(git: Git) -> list[bytes]:
    """Reflogs in a reftable are no files; the git program prints them, newest first, without the old ids."""
    shown = git.run("log", "-g", "--format=%H %H", "HEAD", check=False).stdout.splitlines()
    return shown[::-1]
