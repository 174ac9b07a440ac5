"""Looking for secrets in what a push would send: by a hook before it, or by whoever wants to know."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from cc_git.codec import paths
from cc_git.errors import CcGitError, UsageFault
from cc_git.governance.leaks import LOOKED_THROUGH
from cc_git.governance.secrets import Secret, secrets_in, secrets_in_name
from cc_git.review.finding import Finding
from cc_git.review.one_file import secret_at
from cc_git.store.git import Git
from cc_git.store.outgoing import Sent, outgoing
from cc_git.store.place import Place
from cc_git.store.user_index import blobs
from cc_git.wiring.public_texts import allowed_in
from cc_git.wiring.session import Session

_AT_ONCE = 200
_INSIDE = f"/{paths.WORKSPACE_DIR}/"


@dataclass(frozen=True)
class Looked:
    """`unread` are paths that could not be looked through: too long, or not in this clone."""

    files: int
    findings: tuple[Finding, ...]
    unread: tuple[str, ...] = ()


def secrets_in_push(session: Session, remote: str) -> Looked:
    """What a push of HEAD to the remote of this name would send. Raises UsageFault."""
    remotes = session.git.run("remote").stdout.decode("utf-8", "replace").split()
    if remote not in remotes:
        raise UsageFault(f"there is no remote {remote}", why=f"there are {', '.join(remotes)}" if remotes else None,
                         hints=("git remote -v",))  # fmt: skip
    head = session.engine.head()[1]
    return push_check(session.place, session.git, outgoing(session.git, [head] if head else [], remote), session.now)


def push_check(place: Place, git: Git, sent: Collection[Sent], now: datetime) -> Looked:
    """The files that hold what looks like a secret, and nobody allowed. Nothing is kept, and nobody is asked. What lies
    in a `.continuity/` without a workspace is another tool's."""
    unread: list[str] = []
    found = [(one, data) for one, data in _suspects(git, sent, unread) if _is_ours(git, one)]
    prefixes = dict.fromkeys(_prefix(one.path) for one, _ in found)
    public = {prefix: _allowed(place, git, prefix, now) for prefix in prefixes}
    findings = [
        (one, secret_at(one.path, secret))
        for one, data in found
        for secret in _in(one, data, public[_prefix(one.path)])
    ]
    told = (replace(finding, says=f"{finding.says}, in commit {one.commit[:12]}") for one, finding in findings)
    return Looked(len(sent), tuple(told), tuple(unread))


def _suspects(git: Git, sent: Collection[Sent], unread: list[str]) -> Iterator[tuple[Sent, bytes]]:
    left = list(sent)
    for start in range(0, len(left), _AT_ONCE):
        part = left[start : start + _AT_ONCE]
        data = blobs(git, (one.blob for one in part), LOOKED_THROUGH)
        for one in part:
            held = data.get(one.blob)
            if not isinstance(held, bytes):
                unread.append(one.path)
            elif _in(one, held, ()):
                yield one, held


def _in(one: Sent, data: bytes, public: Collection[str]) -> tuple[Secret, ...]:
    return (*secrets_in(data, public), *secrets_in_name(one.path, public))


def _is_ours(git: Git, one: Sent) -> bool:
    words = ("cat-file", "-e", f"{one.commit}:{_prefix(one.path)}/{paths.WORKSPACE_FILE}")
    return git.run(*words, check=False).code == 0


def in_workspace(path: str) -> tuple[str, str]:
    """A path from the top level, split at its `.continuity`."""
    before, inside, rel = f"/{path}".partition(_INSIDE)
    return f"{before}{inside}".strip("/"), rel


def _prefix(path: str) -> str:
    return in_workspace(path)[0]


def _allowed(place: Place, git: Git, prefix: str, now: datetime) -> Collection[str]:
    """What cannot be asked allows nothing."""
    try:
        return allowed_in(replace(place, prefix=prefix), git, now)
    except (CcGitError, OSError):
        return ()
