"""What the store can say of its own health."""

from __future__ import annotations

from cc_git.errors import CcGitError
from cc_git.store.git import Git
from cc_git.store.journal import Journal


def git_version(git: Git) -> str:
    return git.run("--version").stdout.decode("utf-8", "replace").strip().removeprefix("git version ")


def journal_fault(journal: Journal) -> str | None:
    """Read everything that the journal's state names; what is wrong with the first thing that cannot be read."""
    try:
        state = journal.read()
        for blob in (*state.pending.values(), *state.private.values()):
            journal.blob(blob)
    except CcGitError as error:
        return f"{error.what}: {error.why}" if error.why else error.what
    return None
