"""The one speller of our own names inside the Git directory: folders, files, refs of the journal, tokens."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_LONGEST = 120
"""A ref is a file, a file's name ends at 255 bytes, and its lock needs room."""


HEADS, REMOTES, TAGS, STASH = "refs/heads/", "refs/remotes/", "refs/tags/", "refs/stash"
NOTES, REPLACE = "refs/notes/", "refs/replace/"
"""Refs of the user's repository: where branches, remote-tracking branches, tags, notes and replacements begin, and the
stash."""
INDEX_FILE = "index.sqlite"

WRITES, NEGATIVES = "refs/writes/", "refs/negatives/"
"""Where the chains of writes of all worktrees and workspaces, and the sets of negatives, begin in the journal's
repository."""


@dataclass(frozen=True, slots=True)
class OwnFolder:
    """`continuity/` inside a Git directory: the common one holds the journal, each worktree's own its token."""

    git_dir: Path

    @property
    def path(self) -> Path:
        return self.git_dir / "continuity"

    @property
    def journal(self) -> Path:
        return self.path / "journal.git"

    @property
    def lock(self) -> Path:
        return self.path / "lock"

    @property
    def turn(self) -> Path:
        """Locked by the one writer that is next."""
        return self.path / "turn"

    @property
    def token(self) -> Path:
        return self.path / "token"

    @property
    def waiting(self) -> Path:
        """The mark that something waits in this worktree; `hooks/pre-commit` spells this path too."""
        return self.path / "waiting"

    @property
    def added(self) -> Path:
        """The note of what was added to the user's index for a commit."""
        return self.path / "added"

    @property
    def hooks(self) -> Path:
        """Our hook scripts, called from Git's hooks folder or by a hook manager."""
        return self.path / "hooks"

    @property
    def index(self) -> Path:
        return self.path / INDEX_FILE

    @property
    def ledger(self) -> Path:
        return self.path / "ledger.sqlite"

    @property
    def confirmed(self) -> Path:
        """What people confirmed at a terminal of this clone."""
        return self.path / "confirmed"

    @property
    def trusted(self) -> Path:
        """Which workspaces somebody on this machine adopted."""
        return self.path / "trusted"

    @property
    def negatives(self) -> Path:
        """What people said about negatives of other branches."""
        return self.path / "negatives"

    def forgetting(self, prefix: str) -> Path:
        """The note of a forgetting that is being carried out in this worktree, for one workspace."""
        return self.path / f"forgetting-{encoded(prefix)}"

    @property
    def exports(self) -> Path:
        """Where bundles went from this clone."""
        return self.path / "exports"

    @property
    def temporary_prefix(self) -> str:
        """What is being made beside its final place begins so."""
        return ".new-"


@dataclass(frozen=True, slots=True)
class JournalRef:
    """A ref of the journal; made by the functions below alone."""

    name: str

    def __str__(self) -> str:
        return self.name


def writes_ref(token: str, prefix: str) -> JournalRef:
    """The chain of writes of one worktree and workspace."""
    return JournalRef(f"{WRITES}{token}/{encoded(prefix)}")


def negatives_ref(prefix: str) -> JournalRef:
    """The clone's grow-only set of one workspace."""
    return JournalRef(f"{NEGATIVES}{encoded(prefix)}")


def kept_ref(prefix: str) -> JournalRef:
    """The trees that valid packets of one workspace name."""
    return JournalRef(f"refs/kept/{encoded(prefix)}")


def encoded(prefix: str) -> str:
    """A workspace's prefix as one part of a ref: lower case, no dots, different for different prefixes.

    Capitals are escaped as well, for file systems that do not tell them apart.
    """
    data = prefix.encode("utf-8", "surrogateescape")
    spelled = "".join(chr(byte) if byte in _PLAIN else f"={byte:02x}" for byte in data)
    if len(spelled) <= _LONGEST:
        return spelled
    return f"{spelled[:_LONGEST]}=={hashlib.sha256(data).hexdigest()[:32]}"
