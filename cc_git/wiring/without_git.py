"""Reading where there is no Git: no repository around the workspace (an unpacked archive, a copied folder), or no git
program. The files alone are read, from a throw-away copy; nothing is written.

Without Git nobody is bound to anything: what needs an attested person is a proposal, the packet is evidence only, and
what other branches or this clone took back is not known. Each reading says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from cc_git.errors import CcGitError, NoRepository
from cc_git.store.git import AbsentGit
from cc_git.store.git_process import NoGitProgram, git_is_there
from cc_git.store.place import discover
from cc_git.store.scratch import scratch_repository, workspace_folder
from cc_git.wiring.session import Asked, Session, open_session

_LOST = (
    "the files were read alone, from a copy: no history, no other branches, nothing is kept (persistence)",
    "nobody's word is attested here, and what was taken back elsewhere is not known (validation)",
)


@contextmanager
def open_reading(asked: Asked) -> Iterator[tuple[Session, tuple[str, ...]]]:
    """The session, closed at the end, and which guarantees it goes without."""
    try:
        if not git_is_there(asked.environ):
            raise NoGitProgram("the git program could not be started", hints=("install Git 2.38 or newer",))
        session = open_session(asked)
    except (NoRepository, NoGitProgram) as missing:
        with _files_alone(asked, missing) as session:
            yield session, (f"{missing.what}; what restores it: {', '.join(missing.hints)}", *_LOST)
        return
    try:
        yield session, ()
    finally:
        session.close()


@contextmanager
def _files_alone(asked: Asked, missing: CcGitError) -> Iterator[Session]:
    folder = workspace_folder(asked.workspace or asked.start)
    if folder is None or asked.at is not None:
        raise missing
    with scratch_repository(folder) as top:
        place = discover(top)
        session = Session(replace(asked, start=top, workspace=None), place, AbsentGit(place, asked.environ))
        try:
            yield session
        finally:
            session.close()
