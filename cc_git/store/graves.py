"""Which ids are forgotten here, and which of HEAD's files belong to them."""

from __future__ import annotations

from collections.abc import Iterable

from cc_git.codec import paths
from cc_git.model.ids import prefix_of, time_of
from cc_git.store.head_tree import HeadTree


def tombstones(head: HeadTree, others: Iterable[str]) -> frozenset[str]:
    """The ids that have a tombstone in HEAD or among `others` (paths of waiting, private and found files)."""
    rels = [*head.below(paths.TOMBSTONES), *(rel for rel in others if paths.folder_of(rel) == paths.TOMBSTONES)]
    return frozenset(identifier for rel in rels if (identifier := paths.id_at(rel)) is not None)


def entombed(head: HeadTree, forgotten: Iterable[str]) -> dict[str, str]:
    """HEAD's files of forgotten ids, path → blob. Runbooks are named by slug: their id is not in the path."""
    found = {}
    for identifier in forgotten:
        for rel in _places(head, identifier):
            blob = head.get(rel)
            if blob is not None:
                found[rel] = blob
    return found


def _places(head: HeadTree, identifier: str) -> set[str]:
    prefix = prefix_of(identifier)
    places: set[str] = set()
    if prefix == "im":
        return set(head.below(f"{paths.QUARANTINE}/{identifier}"))
    if prefix in ("rb", "tsk", "pk"):
        return places
    places |= {paths.path_of(identifier, folders=folders) for folders in ("month", "day")}
    if prefix == "ep":
        folder = f"{paths.ATTACHMENTS}/{time_of(identifier):%Y-%m-%d}"
        places |= {rel for rel in head.below(folder) if rel.startswith(f"{folder}/{identifier}-")}
    return places
