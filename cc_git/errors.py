"""Every way a command can stop, with its exit code; shown in one place, `cc_git.cli.failure`.

Expected outcomes (a conflict, a stale packet, a refused permit that is only listed) are values, not errors.
An error carries *what* happened, optionally *why*, and *hints*: commands that help.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of the program, one table for all commands."""

    OK = 0
    FOUND = 1
    USAGE = 2
    REFUSED = 3
    DOES_NOT_FIT = 4
    CONFLICT = 5
    DAMAGED = 6
    NO_WORKSPACE = 7
    UNSUPPORTED = 8
    BUG = 70
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Artifact:
    """What a command would have kept, ready to copy: path → text. `lost` says which guarantees it is without."""

    files: Mapping[str, str]
    lost: tuple[str, ...]


PERSISTENCE = "persistence: nothing was kept here, the files shown are the only copy"
VALIDATION = "validation: nothing compared them with what stands, with the policy or with what was taken back"
DELETION = "deletion: no cc-git forget reaches a copy that is kept elsewhere"


class CcGitError(Exception):
    """What stops a command. `what` is one sentence, `why` its cause, `hints` are commands or remedies. `artifact` is
    set where the work was done and could not be kept."""

    exit = Exit.BUG
    kind = "bug"
    artifact: Artifact | None = None

    def __init__(self, what: str, *, why: str | None = None, hints: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.hints = hints


class UsageFault(CcGitError):
    exit = Exit.USAGE
    kind = "usage"


class Refused(CcGitError):
    """Policy says no."""

    exit = Exit.REFUSED
    kind = "refused"


class DoesNotFit(CcGitError):
    """The reserved part of a packet is larger than the budget."""

    exit = Exit.DOES_NOT_FIT
    kind = "does-not-fit"


class LostRace(CcGitError):
    """Somebody else wrote first, again and again; nothing of this write was kept."""

    exit = Exit.CONFLICT
    kind = "conflict"


class Damaged(CcGitError):
    """Stored data is broken in a way that stops this command."""

    exit = Exit.DAMAGED
    kind = "damaged"


class NoWorkspace(CcGitError):
    exit = Exit.NO_WORKSPACE
    kind = "no-workspace"


class NoRepository(NoWorkspace):
    """There is no Git here at all."""


class Unsupported(CcGitError):
    """This repository needs something that the engine at hand cannot do."""

    exit = Exit.UNSUPPORTED
    kind = "unsupported"


class NotWritable(CcGitError):
    """The workspace or its Git directory cannot be written; `why` names the guarantee that is lost."""

    exit = Exit.UNSUPPORTED
    kind = "not-writable"
