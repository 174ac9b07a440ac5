"""What nearly every command does first: open the workspace, and know who acts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cc_git.cli.prompts import confirm

if TYPE_CHECKING:
    from cc_git.cli.context import Call
    from cc_git.model.who import Who
    from cc_git.wiring.acts import Hand
    from cc_git.wiring.session import Asked, Session


def asked(call: Call, at: str | None = None) -> Asked:
    from cc_git.wiring.session import Asked  # brings pygit2, which --help does without

    return Asked(call.start, call.environ, call.now, call.workspace, at)


@contextmanager
def opened(call: Call, at: str | None = None) -> Iterator[Session]:
    """The session of this command, closed at its end."""
    from cc_git.wiring.session import open_session

    session = open_session(asked(call, at))
    try:
        yield session
    finally:
        session.close()


def who_of(call: Call) -> Who:
    from cc_git.wiring.identity import git_identity

    return call.who(lambda: git_identity(call.start, call.environ))


def hand_of(call: Call, *, dry_run: bool = False) -> Hand:
    """Who acts, and how to ask them."""
    from cc_git.wiring.acts import Hand

    who = who_of(call)
    return Hand(who, lambda question: confirm(call, who, question), dry_run)
