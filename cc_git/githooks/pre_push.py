"""pre-push: stops a push that would send what is to stay private, or what looks like a secret, in any of its commits;
also where a later one took it away. Private are files of the private tier, and what is above the ceiling of that remote
by what it says, bears or names (`store/commit_gate.py`).

The ceiling is that of the workspace as it is pushed, or a lower one that a person set for the remote:
`git config remote.<name>.continuityCeiling ordinary`. What the remote has already brings nothing new.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cc_git.clock import read_clock
from cc_git.codec import paths
from cc_git.errors import Unsupported
from cc_git.githooks.variables import read_making
from cc_git.governance.leaks import LOOKED_THROUGH, Laid
from cc_git.model.authority import SENSITIVITIES, Sensitivity
from cc_git.store.commit_being_made import Making
from cc_git.store.commit_gate import CommitGate, Committing
from cc_git.store.git import Git
from cc_git.store.git_process import QUIET, run_git
from cc_git.store.outgoing import Sent, default_of, outgoing, without_commit
from cc_git.store.repository import open_repository, workspaces
from cc_git.store.user_index import UserIndex, blobs
from cc_git.wiring.outgoing import in_workspace, push_check

STOP = 3
CEILING = "continuityCeiling"
_SHOWN = 20
_NONE = "0" * 40
_LOOSE = 5000
"""Files of a tree that is pushed without a commit."""
_REMEDIES = (
    "what no other clone has yet can be taken out of the commits before they are pushed: git rebase -i, or "
    "cc-git forget --history-plan for all of history",
    "git push --no-verify skips this",
)


@dataclass(frozen=True, slots=True)
class _Push:
    """One ref of a push: the commit that it is to have, and the one that the remote has (None: none)."""

    remote: str
    new: str
    old: str | None


def pre_push(cwd: Path, environ: Mapping[str, str], words: Sequence[str], said: bytes) -> tuple[int, tuple[str, ...]]:
    """`words` are the remote's name and URL, `said` what Git writes to the hook. The exit code and what is said."""
    if not words:
        return 0, ("nothing was checked: git named no remote",)
    making = read_making(cwd, environ)
    git = Git(making.place(""), environ)
    ceiling, misread = _ceiling(git, words[0])
    stops: dict[str, None] = {}
    notes = dict.fromkeys(misread)
    for push in _pushes(words[0], said):
        sent = outgoing(git, [push.new], push.remote, [push.old] if push.old else [])
        gate = _gate(making, git, push, ceiling)
        stops |= dict.fromkeys(_private(git, push, sent, gate))
        stops |= dict.fromkeys(_without_commit(making, git, push, gate))
        looked = push_check(making.place(""), git, sent, read_clock())
        stops |= dict.fromkeys(f"{one.where}: {one.says}" for one in looked.findings)
        notes |= dict.fromkeys((*((gate.unread,) if gate.unread else ()), *looked.unread))
    if not stops:
        return 0, tuple(notes)
    told = f"this push to {words[0]} is stopped: it would send what is to stay here"
    more = (f"and {len(stops) - _SHOWN} more",) if len(stops) > _SHOWN else ()
    return STOP, (told, *(f"error: {stop}" for stop in list(stops)[:_SHOWN]), *more, *_REMEDIES, *notes)


def told_by_pre_commit(cwd: Path, environ: Mapping[str, str]) -> tuple[tuple[str, ...], bytes] | None:
    """What the framework of that name says in variables in place of Git's words and lines; None where it does not. It
    runs its hooks once for each ref, and names no commit where the remote has nothing of the branch."""
    named = {name: environ.get(f"PRE_COMMIT_{name}", "") for name in ("REMOTE_NAME", "REMOTE_URL", "TO_REF", "FROM_REF",
                                                                      "LOCAL_BRANCH", "REMOTE_BRANCH")}  # fmt: skip
    if not named["REMOTE_NAME"]:
        return None
    sent = named["TO_REF"] or named["LOCAL_BRANCH"] or "HEAD"
    new, old = (_object(cwd, environ, rev) for rev in (sent, named["FROM_REF"]))
    if new is None:
        raise Unsupported(f"{sent} is pushed, and leads to nothing here")
    line = f"{named['LOCAL_BRANCH'] or 'HEAD'} {new} {named['REMOTE_BRANCH'] or 'HEAD'} {old or _NONE}\n"
    return (named["REMOTE_NAME"], named["REMOTE_URL"]), line.encode("utf-8", "surrogateescape")


def _object(cwd: Path, environ: Mapping[str, str], rev: str) -> str | None:
    """Whatever it is: a ref may lead to a tree or a blob, and that is sent as well."""
    words = ("rev-parse", "-q", "--verify", "--end-of-options", f"{rev}^{{object}}")
    return os.fsdecode(run_git(cwd, {**environ, **QUIET}, words).stdout).strip() or None if rev else None


def _pushes(remote: str, said: bytes) -> Iterator[_Push]:
    """Git says `<local ref> <oid> <remote ref> <oid>` a line. Deleted refs send nothing."""
    for line in said.decode("utf-8", "surrogateescape").splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[1].strip("0"):
            yield _Push(remote, fields[1], fields[3] if fields[3].strip("0") else None)


def _gate(making: Making, git: Git, push: _Push, ceiling: Sensitivity | None) -> CommitGate:
    old = push.old if push.old and git.run("cat-file", "-e", f"{push.old}^{{commit}}", check=False).code == 0 else None
    return CommitGate(
        Committing(
            making.place(""),
            git,
            UserIndex(git),
            old or default_of(git, push.remote),
            out=(f"--remotes={push.remote}", *((old,) if old else ())),
            ceiling=ceiling,
        )
    )


def _private(git: Git, push: _Push, sent: Sequence[Sent], gate: CommitGate) -> Iterator[str]:
    """What must not go, in the order of the commits that bring it."""
    data = blobs(git, (file.blob for file in sent), LOOKED_THROUGH)
    laid: dict[str, list[Laid]] = {}
    for file in sent:
        prefix, rel = in_workspace(file.path)
        if not paths.is_private(rel):
            held = data.get(file.blob, b"")
            laid.setdefault(prefix, []).append(Laid(rel, file.blob, held if isinstance(held, bytes) else None))
        elif gate.knows(prefix):
            yield f"{file.path}: is a file of the private tier"
    for prefix, there in laid.items():
        for rel, why in gate.leaks(prefix, there, _home(git, push, prefix)).items():
            yield f"{prefix}/{rel}: {why}"


def _without_commit(making: Making, git: Git, push: _Push, gate: CommitGate) -> Iterator[str]:
    """A tag or ref on a tree or blob: its files are looked at as if each lay in every workspace."""
    sent = without_commit(git, push.new)
    if len(sent) > _LOOSE:
        yield f"{push.new[:12]}: is a tree of {len(sent)} files in no commit, and up to {_LOOSE} are looked through"
        return
    if not sent:
        return
    data = blobs(git, (file.blob for file in sent), LOOKED_THROUGH)
    for prefix in _workspaces(making, git):
        laid = []
        for number, file in enumerate(sent):
            inside, rel = in_workspace(file.path)
            held = data.get(file.blob, b"")
            if rel and paths.is_private(rel) and inside == prefix:
                yield f"{file.path}: is a file of the private tier"
            laid.append(Laid(f"{number}/{file.path}", file.blob, held if isinstance(held, bytes) else None))
        for rel, why in gate.leaks(prefix, laid).items():
            yield f"{rel.partition('/')[2] or push.new[:12]}: {why}"


def _workspaces(making: Making, git: Git) -> tuple[str, ...]:
    place = making.place("")
    engine = open_repository(place, git)
    try:
        return workspaces(place, git, engine)
    finally:
        engine.close()


def _home(git: Git, push: _Push, prefix: str) -> bytes | None:
    """`workspace.toml` as it is pushed."""
    ran = git.run("cat-file", "blob", f"{push.new}:{prefix}/{paths.WORKSPACE_FILE}", check=False)
    return ran.stdout if ran.code == 0 else None


def _ceiling(git: Git, remote: str) -> tuple[Sensitivity | None, tuple[str, ...]]:
    """What a person set for the remote; the lowest where it cannot be read, and what is to be said then."""
    key = f"remote.{remote}.{CEILING}"
    named = git.own_config(key)
    found = next((one for one in SENSITIVITIES if one == named), None)
    if named is None or found is not None:
        return found, ()
    return SENSITIVITIES[0], (f"{key} is {named!r}, so ordinary counts: git config {key} {'|'.join(SENSITIVITIES)}",)
