"""Everything of ours that could still hold a text, byte for byte, for the search that verifies a forgetting."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cc_git.codec import paths
from cc_git.store.disk import read_file
from cc_git.store.engine import Engine
from cc_git.store.erase_site import Site
from cc_git.store.erasure_note import note_path
from cc_git.store.exports import Exports
from cc_git.store.ledger import Ledger
from cc_git.store.names import WRITES, OwnFolder, writes_ref


class Kept(NamedTuple):
    """One thing with its bytes. `place` says in which class of places it is, `name` which one: a path, an id of Git's
    or of ours. `ours`: this worktree and workspace could have taken it away; what is not belongs to a sibling."""

    place: str
    name: str
    data: bytes
    ours: bool = True


def everywhere(site: Site) -> Iterator[Kept]:
    yield from _work_tree(site)
    yield from _own_folders(site)
    yield from _packets(site)
    yield from _exports(site)
    yield from _journal(site)


def _work_tree(site: Site) -> Iterator[Kept]:
    for folder, _, names in os.walk(site.directory):
        for name in names:
            path = Path(folder, name)
            data = read_file(path)
            if data:
                yield Kept("files", path.relative_to(site.directory).as_posix(), data)


def _own_folders(site: Site) -> Iterator[Kept]:
    """Our folders of the common Git directory and of the worktree's own, but for the journal's objects."""
    note = note_path(site.place)
    for base in {OwnFolder(site.place.common_dir).path, OwnFolder(site.place.git_dir).path}:
        for folder, _, names in os.walk(base):
            if f"{os.sep}objects" in folder.removeprefix(str(base)):
                continue
            for name in names:
                path = Path(folder, name)
                if path == note:
                    continue
                data = read_file(path)
                if data:
                    yield Kept("own folder", path.relative_to(base).as_posix(), data)


def _packets(site: Site) -> Iterator[Kept]:
    ledger = Ledger(site.place)
    try:
        for packet, text in ledger.texts():
            yield Kept("packets", packet, text.encode("utf-8", "surrogateescape"))
    finally:
        ledger.close()


def _exports(site: Site) -> Iterator[Kept]:
    for export in Exports(site.place).all():
        data = read_file(export.file)
        if data:
            yield Kept("exports", str(export.file), data)


def _journal(site: Site) -> Iterator[Kept]:
    """Every object that is in the journal's repository, also those that nothing names any more."""
    engine = site.journal.engine
    if engine is None:
        return
    siblings = _named_by_siblings(site, engine)
    for oid, _, data in engine.all_objects():
        yield Kept("journal", oid, data, oid not in siblings)


def _named_by_siblings(site: Site, engine: Engine) -> set[str]:
    """What only other worktrees and workspaces of this clone hold."""
    mine = writes_ref(_token(site.place.git_dir), site.place.prefix).name
    refs = engine.refs()
    others = {oid for name, oid in refs.items() if name != mine and name.startswith(WRITES)}
    ours = {oid for name, oid in refs.items() if name == mine or not name.startswith(WRITES)}
    return _reached(engine, others) - _reached(engine, ours)


def _reached(engine: Engine, tips: set[str]) -> set[str]:
    found: set[str] = set()
    for commit in engine.walk(tips):
        found |= {commit, engine.commit(commit).tree}
        trees = [engine.commit(commit).tree]
        while trees:
            for entry in engine.tree(trees.pop()):
                if entry.is_tree and entry.oid not in found:
                    trees.append(entry.oid)
                found.add(entry.oid)
    return found


def _token(git_dir: Path) -> str:
    return (read_file(OwnFolder(git_dir).token) or b"").decode("ascii", "replace").strip()


def is_mark(rel: str) -> bool:
    """Marks and receipts hold ids and nothing else, and are there to stay."""
    return paths.folder_of(rel) in (paths.TOMBSTONES, paths.ENDINGS, paths.RECEIPTS)
