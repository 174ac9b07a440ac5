"""Which paths a stash holds. What a stash holds must not be put back: `git stash pop` would then refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from cc_git.store.disk import read_file
from cc_git.store.engine import Engine, MissingObject
from cc_git.store.git import Git
from cc_git.store.names import STASH
from cc_git.store.place import Place

_AUTOSTASHES = ("rebase-merge/autostash", "rebase-apply/autostash", "MERGE_AUTOSTASH")


def any_stash(place: Place) -> bool:
    """Whether a look at the stashes can find anything; one look at the disk where refs are files."""
    common = place.common_dir
    return (common / "logs" / STASH).exists() or (common / "reftable").is_dir()


def stashed(place: Place, engine: Engine, git: Git, wanted: Iterable[str]) -> frozenset[str]:
    """Those of the paths below the workspace that a stash or an autostash holds, whatever bytes it has there."""
    left, held = set(wanted), set[str]()
    for tree in dict.fromkeys(_trees(place, engine, git)):
        if not left:
            break
        with suppress(MissingObject):
            below = engine.entry(tree, place.prefix)
            if below is not None and below.is_tree:
                here = {rel for rel in left if engine.entry(below.oid, rel) is not None}
                held |= here
                left -= here
    return frozenset(held)


def _trees(place: Place, engine: Engine, git: Git) -> Iterator[str]:
    """Of each stash its tree (the work tree), ^2 (the index) and ^3 (the untracked files)."""
    for oid in _commits(place, engine, git):
        with suppress(MissingObject):
            stash = engine.commit(oid)
            yield stash.tree
            for parent in stash.parents[1:]:
                yield engine.commit(parent).tree


def _commits(place: Place, engine: Engine, git: Git) -> list[str]:
    found = [
        text.decode("ascii", "replace").strip()
        for name in _AUTOSTASHES
        if (text := read_file(place.git_dir / name)) is not None
    ]
    top = engine.refs(STASH).get(STASH)
    if top is None:
        return found
    log = read_file(place.common_dir / "logs" / STASH)
    if log is None:
        log = git.run("log", "-g", "--format=x %H", STASH, check=False).stdout
    entries = [words[1].decode("ascii", "replace") for line in log.splitlines() if len(words := line.split(b" ")) > 1]
    return [*found, top, *entries]
