"""Takes our entries out of the index again when the commit that they were added for was not made.

Rules:

 1. While the git process that makes the commit runs, nothing is touched: its tree is fixed, and the index will be
    expected to match it.
 2. An entry that a commit holds, on which HEAD is or has been since, went where it should.
 3. Any other entry that is still in the index with the blob that we added, and not in HEAD, is taken out; the file
    stays on disk and goes on waiting. An entry with other bytes is the user's own.
 4. An entry whose file is nowhere (a stash took both) is remembered: the stash may bring it back staged.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from cc_git.store.added_note import AddedNote, drop_note, read_note, write_note
from cc_git.store.committing_process import runs
from cc_git.store.engine import Engine, MissingObject
from cc_git.store.git import Git
from cc_git.store.git_process import GitFailed
from cc_git.store.place import Place
from cc_git.store.position import moves_of_head
from cc_git.store.user_index import UserIndex


def take_back(place: Place, engine: Engine, git: Git) -> tuple[str, ...]:
    """To be called at the start of every command, before `observe`; without a note it costs one look at the disk.

    Returns the paths, relative to the top level, that were taken out. Where Git holds the index or nothing can be
    written, everything stays as it is until the next command.
    """
    note = None if place.top is None else read_note(place.git_dir)
    if note is None or place.top is None or (note.process is not None and runs(note.process)):
        return ()
    left = not_committed(note, place, engine, git)
    try:
        taken = take_out(left, UserIndex(git))
        gone = {path: blob for path, blob in left.items() if path not in taken and not _lies(place.top, path)}
        if gone:
            write_note(place.git_dir, AddedNote(gone, note.position, None))
        else:
            drop_note(place.git_dir)
    except (GitFailed, OSError):
        return ()
    return taken


def not_committed(note: AddedNote, place: Place, engine: Engine, git: Git) -> Mapping[str, str]:
    """Those of the note's entries that no commit holds on which HEAD is or has been since."""
    left = dict(note.entries)
    head = engine.head()[1]
    moves = moves_of_head(place, git, note.position).commits
    for commit in dict.fromkeys((*((head,) if head else ()), *moves)):
        if not left:
            break
        try:
            held = _held(engine, engine.commit(commit).tree, left)
            left = {path: blob for path, blob in left.items() if held.get(path) != blob}
        except MissingObject:
            continue
    return left


def take_out(entries: Mapping[str, str], index: UserIndex) -> tuple[str, ...]:
    """Remove exactly the entries that the index has with these blobs; their paths."""
    there = index.entries(entries)
    ours = tuple(path for path, blob in entries.items() if there.get(path) == blob)
    index.remove(ours)
    return ours


def _held(engine: Engine, tree: str, paths: Iterable[str]) -> dict[str, str]:
    """Path → blob of those that the tree has; each folder is read once."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    found: dict[str, str] = {}
    for folder, inside in folders.items():
        entry = engine.entry(tree, folder)
        names = {one.name: one.oid for one in engine.tree(entry.oid)} if entry is not None and entry.is_tree else {}
        found |= {path: names[name] for path in inside if (name := path.rpartition("/")[2]) in names}
    return found


def _lies(top: Path, path: str) -> bool:
    return os.path.lexists(top / path)
