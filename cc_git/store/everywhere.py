"""Everything of ours that could still hold a text, byte for byte, for the search that verifies a forgetting."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from cc_git.store.disk import read_file
from cc_git.store.engine import Engine
from cc_git.store.erase_site import Site
from cc_git.store.erasure_note import note_path
from cc_git.store.exports import Exports
from cc_git.store.ledger import Ledger
from cc_git.store.names import WRITES, OwnFolder
from cc_git.store.worktrees import siblings

ANOTHER = "another workspace"


class Kept(NamedTuple):
    """One thing with its bytes. `place` says in which class of places it is, `name` which one: a path, an id of Git's
    or of ours. `sibling` is the other worktree (or workspace) that alone holds it: no command here takes it away."""

    place: str
    name: str
    data: bytes
    sibling: str | None = None


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
    theirs = _held_by_siblings(site, engine)
    for oid, _, data in engine.all_objects():
        yield Kept("journal", oid, data, theirs.get(oid))


def _held_by_siblings(site: Site, engine: Engine) -> Mapping[str, str]:
    """What only other worktrees and workspaces of this clone hold → the name of the first that does."""
    refs, place = engine.refs(), site.place
    mine = site.journal.ref
    names = {one.ref: one.name for one in siblings(place)}
    others = {name: oid for name, oid in refs.items() if name.startswith(WRITES) and name != mine}
    ours = _reached(engine, {oid for name, oid in refs.items() if name not in others})
    found: dict[str, str] = {}
    for ref, oid in sorted(others.items(), key=lambda one: names.get(one[0], ANOTHER)):
        for held in _reached(engine, {oid}) - ours:
            found.setdefault(held, names.get(ref, ANOTHER))
    return found


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
