"""A process that writes records until it is killed: `python -m tests.store.kill_driver TOP GIT_DIR HEAD NAME`.

For every write that returned it appends one line `path sha256` per file to its own list of acknowledgements. It says
`ready` before its first write and `wrote` after it. It shortens the journal's chains, so that a kill meets whole
states and packing as often as plain writes.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from cc_git.store import journal as journal_module
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.place import Place
from cc_git.store.write import write


def main(top: Path, git_dir: Path, head: str, name: str) -> None:
    journal_module.WHOLE_EVERY, journal_module.PACK_EVERY = 6, 10
    place = Place(top, git_dir, top / ".git" if (top / ".git").is_dir() else git_dir.parent.parent, ".continuity")
    journal = Journal.open(place)
    acknowledged = os.open(top.parent / f"acknowledged-{name}", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(1, b"ready\n")
    for number in range(1_000_000):
        files = {
            f"{folder}/{name}-{number}.toml": f"{folder} {name} {number}\n".encode() * 30
            for folder in ("episodes/2026-11-30", "records/decision/2026-11", "private/receipts/2026-11-30")
        }
        write(journal, files, verb="remember", note=WriteNote(head))
        lines = [f"{rel} {hashlib.sha256(data).hexdigest()}\n" for rel, data in files.items()]
        os.write(acknowledged, "".join(lines).encode())
        if number == 0:
            os.write(1, b"wrote\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4])
