"""What is private where a file, or the journal, cannot be read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cc_git.governance.leaks import Laid
from cc_git.store.commit_gate import CommitGate, Committing
from cc_git.store.git import Git
from cc_git.store.place import Place
from cc_git.store.private_tier import PrivateTier
from cc_git.store.user_index import UserIndex
from tests.unit.model.samples import an_id

NOBODY = 65534
HIDDEN = an_id("blf", 1)
REL = f"private/records/belief/2026-11/{HIDDEN}.toml"


@contextmanager
def forbidden(path: Path) -> Iterator[None]:
    """This process may not read `path`. Root may read everything, so it becomes nobody."""
    path.chmod(0)
    if os.getuid() == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
        path.chmod(0o700)


def test_a_private_file_that_cannot_be_read_counts_as_sensitive() -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        top.chmod(0o755)
        file = top / REL
        file.parent.mkdir(parents=True)
        file.write_text("x = 1\n")
        with forbidden(file):
            assert PrivateTier(top / ".git", (top,), {}, lambda _: False).weight(HIDDEN) == "sensitive"


def test_a_journal_that_cannot_be_read_leaves_no_file_unchecked() -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        top.chmod(0o755)
        journal = top / ".git/continuity/journal.git"
        journal.mkdir(parents=True)
        place = Place(top, top / ".git", top / ".git", ".continuity")
        git = Git(place, {})
        gate = CommitGate(Committing(place, git, UserIndex(git), None))
        with forbidden(journal):
            files = [Laid("a.txt", "1" * 40, f"as {HIDDEN} says".encode()), Laid("b.txt", "2" * 40, b"plain")]
            assert "could not be looked at" in gate.leaks(".continuity", files)["a.txt"]
