"""Keeping the journal small: packing what is reachable, dropping the rest. Only ever under the clone's write lock.

Nothing outside the lock writes here, so what no ref reaches is nobody's work in progress. New packs are on the disk
before the files that they replace go away: a crash leaves duplicates, never a gap.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cc_git.store.engine import Engine

_MOST_PACKS = 8
_TEMPORARY = ("tmp_", "pack_git2_", "pack-tmp")
"""How Git's and libgit2's unfinished objects and packs begin."""


def pack_new(engine: Engine, repository: Path) -> None:
    """Move the loose objects that a ref reaches into a pack and drop the others; all into one at many packs."""
    objects = repository / "objects"
    if len(list((objects / "pack").glob("*.pack"))) >= _MOST_PACKS:
        pack_all(engine, repository)
        return
    loose = dict(_loose(objects))
    wanted = reachable(engine) & loose.keys()
    if wanted:
        engine.write_pack(sorted(wanted))
    _unlink(loose.values())


def pack_all(engine: Engine, repository: Path) -> None:
    """One pack of all that a ref reaches, and nothing else: what was dropped is gone from the disk."""
    objects = repository / "objects"
    loose = dict(_loose(objects))
    wanted = reachable(engine)
    kept = engine.write_pack(sorted(wanted)) if wanted else ""
    _unlink(loose.values())
    # Indexes first: a reader that finds no index does not look for the pack.
    old = sorted((objects / "pack").iterdir(), key=lambda path: path.suffix != ".idx")
    _unlink(path for path in old if path.stem != kept)


@contextmanager
def many_at_once(engine: Engine, repository: Path) -> Iterator[None]:
    """Write many objects without a sync for each; when this ends they are on the disk, packed."""
    with engine.many():
        yield
    loose = dict(_loose(repository / "objects"))
    if loose:
        engine.write_pack(sorted(loose))
    _unlink(loose.values())


def reachable(engine: Engine) -> set[str]:
    """Every object that a ref of this repository reaches; gitlinks name commits of another and are not followed."""
    seen: set[str] = set()
    commits = list(engine.refs().values())
    trees: list[str] = []
    while commits:
        oid = commits.pop()
        if oid not in seen:
            seen.add(oid)
            commit = engine.commit(oid)
            commits.extend(commit.parents)
            trees.append(commit.tree)
    while trees:
        oid = trees.pop()
        if oid not in seen:
            seen.add(oid)
            for mode, _, rawid in engine.lines(oid):
                if mode == b"40000":
                    trees.append(rawid.hex())
                elif mode != b"160000":
                    seen.add(rawid.hex())
    return seen


def sweep_unfinished(repository: Path) -> None:
    """Remove what a killed writer left: lock files of refs, unfinished objects and packs.

    The git program begins an object inside its final folder; those go with the next packing.
    """
    for path in repository.glob("*.lock"):
        path.unlink(missing_ok=True)
    for path in (repository / "refs").rglob("*.lock"):
        path.unlink(missing_ok=True)
    objects = repository / "objects"
    for folder in (objects, objects / "pack"):
        for path in folder.iterdir():
            if path.name.startswith(_TEMPORARY):
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _loose(objects: Path) -> Iterator[tuple[str, Path]]:
    for folder in objects.glob("[0-9a-f][0-9a-f]"):
        for path in folder.iterdir():
            yield folder.name + path.name, path


def _unlink(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
