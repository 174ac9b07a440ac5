"""What nearly every command does first: open the workspace, and know who acts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from cc_git.cli.prompts import confirm

if TYPE_CHECKING:
    from cc_git.cli.context import Call
    from cc_git.governance.plan import Mint, Plan
    from cc_git.model.who import Who
    from cc_git.wiring.acts import Hand
    from cc_git.wiring.session import Asked, Session

S = TypeVar("S")


def asked(call: Call, at: str | None = None) -> Asked:
    from cc_git.wiring.session import Asked  # brings pygit2, which --help does without

    return Asked(call.start, call.environ, call.now, call.workspace, at, lambda: who_of(call).actor)


@contextmanager
def opened(call: Call, at: str | None = None) -> Iterator[Session]:
    """The session of this command, closed at its end."""
    from cc_git.wiring.session import open_session

    session = open_session(asked(call, at))
    try:
        yield session
    finally:
        session.close()


@contextmanager
def looked_at(call: Call, at: str | None = None) -> Iterator[Session]:
    """The same for a command that only reads: without Git it reads the files alone, and says what that costs."""
    from cc_git.wiring.without_git import open_reading

    with open_reading(asked(call, at)) as (session, lost):
        call.lost += lost
        yield session


@contextmanager
def kept_or_shown(call: Call, make: Callable[[S, Who, Mint], Plan], of: Callable[[], S | None]) -> Iterator[None]:
    """Where there is no workspace, or no Git, show what would have been kept: what `make` plans of `of()`, if that is
    anything."""
    from cc_git.errors import NoWorkspace
    from cc_git.store.git_process import NoGitProgram
    from cc_git.wiring.unkept import with_files

    try:
        yield
    except (NoWorkspace, NoGitProgram) as missing:
        if (what := of()) is not None:
            with_files(missing, asked(call), lambda mint: make(what, who_of(call), mint))
        raise


def who_of(call: Call) -> Who:
    from cc_git.wiring.identity import git_identity

    return call.who(lambda: git_identity(call.start, call.environ))


def hand_of(call: Call, *, dry_run: bool = False) -> Hand:
    """Who acts, and how to ask them."""
    from cc_git.wiring.acts import Hand

    who = who_of(call)
    return Hand(who, lambda question: confirm(call, who, question), dry_run)
