"""Immutable files whose bytes were changed on disk or in the index, or that are gone from disk: looked for on demand,
never used.

The present snapshot takes the bytes of HEAD or of the journal, so an edit changes nothing until it is committed; but
looking for one means an `lstat` of every file, which at 100,000 files costs as much as the rest of `git status`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cc_git.codec import paths
from cc_git.store.classify import owner_of
from cc_git.store.disk import blob_of_file
from cc_git.store.facts import Sources
from cc_git.store.index_entries import modified_in_index, modified_on_disk
from cc_git.store.present import Edit, EditedAt, PresentSnapshot, Where
from cc_git.store.user_index import EMPTY_TREE


def edits(sources: Sources, present: PresentSnapshot) -> tuple[Edit, ...]:
    """All edits of immutable files: those that the snapshot knows, in the index, and on disk. Sorted by path.

    What became of a forgotten file is none: it was emptied, or its content came back."""
    if sources.place.top is None:
        return present.edited
    found = {*present.edited, *_staged(sources, present), *_on_disk(sources, present), *_beside(sources, present)}
    known = (edit for edit in found if not _is_forgotten(edit.rel, present))
    return tuple(sorted(known, key=lambda edit: (edit.rel, edit.at)))


def _is_forgotten(rel: str, present: PresentSnapshot) -> bool:
    owner = owner_of(rel)
    if owner is None:
        return False
    mark = paths.tombstone_path(owner)
    return owner in present.tombstones or mark in present.entries or paths.private(mark) in present.entries


def _staged(sources: Sources, present: PresentSnapshot) -> Iterator[Edit]:
    base = present.head or EMPTY_TREE[sources.engine.object_format]
    for change in modified_in_index(sources.git, sources.place, base):
        if paths.is_immutable(change.rel) and change.after is not None:
            yield Edit(change.rel, EditedAt.STAGED, change.before, change.after)


def _on_disk(sources: Sources, present: PresentSnapshot) -> Iterator[Edit]:
    for change in modified_on_disk(sources.git, sources.place):
        first = present.committed.get(change.rel)
        if first is None or not paths.is_immutable(change.rel):
            continue
        if change.gone:
            yield Edit(change.rel, EditedAt.MISSING, first, "")
        else:
            yield from _differing(sources, change.rel, first)


def _beside(sources: Sources, present: PresentSnapshot) -> Iterator[Edit]:
    """Waiting and private files: Git does not know them, so each is read."""
    for rel, entry in present.added.items():
        if entry.where in (Where.WAITING, Where.PRIVATE) and paths.is_immutable(rel):
            yield from _differing(sources, rel, entry.oid)


def _differing(sources: Sources, rel: str, first: str) -> Iterator[Edit]:
    assert sources.place.directory is not None
    now = blob_of_file(sources.place.directory / rel, sources.engine.object_format)
    if now is not None and now != first:
        yield Edit(rel, EditedAt.ON_DISK, first, now)
