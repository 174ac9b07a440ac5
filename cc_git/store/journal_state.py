"""What the journal knows of one worktree and workspace: values, no I/O.

Blobs are object ids in the journal's own object database; a repository's blob of the same bytes has the same id,
because the journal uses the repository's object format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple


class Watched(NamedTuple):
    """A file that was seen in a commit, kept until a remote-tracking branch holds it. (A tuple: there may be many.)"""

    commit: str
    blob: str


@dataclass(frozen=True, slots=True)
class ReflogPosition:
    """How many lines of HEAD's reflog were read, and the last of them (recognises a rewritten reflog)."""

    lines: int = 0
    last: str = ""


def _empty() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class JournalState:
    """All mappings are keyed by the path below `.continuity/`.

    pending: written or adopted here, seen in no commit, as path → blob.
    watch:   seen in a commit, with that commit and the blob first seen.
    private: the private tier and the working context, as path → blob (`clean -fdx` deletes the files, not these).
    """

    pending: Mapping[str, str] = field(default_factory=_empty)
    watch: Mapping[str, Watched] = field(default_factory=lambda: MappingProxyType({}))
    private: Mapping[str, str] = field(default_factory=_empty)
    position: ReflogPosition = ReflogPosition()
    tips: str = ""
    """Digest of all ref tips at the last command."""
