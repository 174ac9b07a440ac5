"""What a push would send below any `.continuity/`: every file of every commit that the remote lacks, also one that a
later commit takes away again. It is sent all the same, and stays readable there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from cc_git.store.git import Git
from cc_git.store.names import REMOTES
from cc_git.store.staged import ANYWHERE

_NAME = re.compile(r"[^\s:*?\[\\~^-][^\s:*?\[\\~^]*")
"""A remote by its name, not by its address: what such a one has is not known here."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A file as one commit brings it; `path` is from the top level."""

    path: str
    blob: str
    commit: str


def outgoing(git: Git, tips: Iterable[str], remote: str, known: Collection[str] = ()) -> tuple[Sent, ...]:
    """`tips` are what is pushed: commits, or tags of such; all else brings no file. `known` are objects that the remote
    says it has, `remote` its name, whose branches are those last seen, or its address: of one that leads to no object
    here nothing is known. Oldest commit first, each file with the same bytes once."""
    commits = [commit for tip in tips for commit in _commit(git, tip)]
    if not commits:
        return ()
    there = [commit for one in known for commit in _commit(git, one)]
    seen = (f"--remotes={remote}",) if _NAME.fullmatch(remote) else ()
    listed = git.run("rev-list", "--reverse", "--ignore-missing", *commits, "--not", *there, *seen).stdout
    found: dict[tuple[str, str], Sent] = {}
    for sent in _brought(git, listed):
        found.setdefault((sent.path, sent.blob), sent)
    return tuple(found.values())


def without_commit(git: Git, tip: str) -> tuple[Sent, ...]:
    """The files that a ref sends which leads to a tree or blob: nothing names them but their paths in it, if any."""
    kind = git.run("cat-file", "-t", f"{tip}^{{}}", check=False).stdout.strip()
    if kind == b"blob":
        oid = git.run("rev-parse", "--verify", f"{tip}^{{}}").stdout.decode("ascii").strip()
        return (Sent("", oid, tip),)
    if kind != b"tree":
        return ()
    lines = git.run("ls-tree", "-r", "-z", "--full-tree", f"{tip}^{{}}").stdout.split(b"\0")
    told = (line.partition(b"\t") for line in lines if line.startswith(b"100"))
    found = ((about.split(b" ")[2].decode("ascii"), path.decode("utf-8", "surrogateescape")) for about, _, path in told)
    return tuple(Sent(path, blob, tip) for blob, path in found)


def default_of(git: Git, remote: str) -> str | None:
    """The commit of the remote's default branch, as far as it is known here."""
    return next(iter(_commit(git, f"{REMOTES}{remote}/HEAD")), None)


def _commit(git: Git, name: str) -> tuple[str, ...]:
    ran = git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", check=False)
    return (ran.stdout.decode("ascii").strip(),) if ran.code == 0 else ()


def _brought(git: Git, commits: bytes) -> Iterator[Sent]:
    """Of a merge, against each of its parents: what both sides had is sent with their own commits, or is there."""
    words = ("diff-tree", "--stdin", "-r", "-m", "--root", "--raw", "--no-abbrev", "--no-renames", "-z")
    told = git.run(*words, "--diff-filter=AMT", "--", ANYWHERE, input=commits).stdout.split(b"\0")
    commit = ""
    parts = iter(told)
    for part in parts:
        if not part.startswith(b":"):
            commit = part.decode("ascii").split(" ")[0].strip()
            continue
        _, mode, _, blob, _ = part.split(b" ")
        path = next(parts).decode("utf-8", "surrogateescape")
        if mode.startswith(b"100"):
            yield Sent(path, blob.decode("ascii"), commit)
