"""Which ids are forgotten here, and which of HEAD's files belong to them.

A tombstone takes a file out of the snapshot when a person is bound to it: the accepted branch has it at its place, or
it was confirmed on this clone; then it takes it out on every branch and in every worktree of the clone. It has the same
bytes whoever writes it, so it is known by them; anything else at its place, and these bytes anywhere else, are no
tombstone. One that nobody is bound to takes nothing out: standing makes
ineligible what it names, and keeps what that takes away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.model.ids import prefix_of, time_of
from cc_git.model.marks import Tombstone
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.confirmations import Confirmations
from cc_git.store.engine import Engine
from cc_git.store.head_tree import HeadTree
from cc_git.store.place import Place
from cc_git.store.trees import object_id


class Graves:
    """Asked about one workspace. `accepted` is called only where there is a tombstone: most clones have forgotten
    nothing, and finding the accepted branch starts a process."""

    def __init__(self, engine: Engine, place: Place, accepted: Callable[[], AcceptedBranch]) -> None:
        self._engine = engine
        self._place = place
        self._accepted = accepted

    def bound(self, files: Iterable[tuple[str, str]]) -> frozenset[str]:
        """The ids that have, among these files (path, blob), a tombstone that a person is bound to."""
        marks = {blob: identifier for rel, blob in files if (identifier := self._marked(rel, blob)) is not None}
        if not marks:
            return frozenset()
        confirmed = Confirmations(self._place).blobs()
        accepted = HeadTree(self._engine, self._accepted().tree)
        return frozenset(
            identifier
            for blob, identifier in marks.items()
            if blob in confirmed or accepted.get(paths.tombstone_path(identifier)) == blob
        )

    def of_clone(self, *held_by: Engine | None) -> frozenset[str]:
        """The ids that a person forgot on this clone, on whichever branch and in whichever worktree their tombstones
        lie. A word about a tombstone that none of these repositories has was given and never carried out."""
        return frozenset(
            identifier
            for blob, rel in Confirmations(self._place).marks().items()
            if (identifier := self._marked(rel, blob)) and any(one is not None and one.has(blob) for one in held_by)
        )

    def _marked(self, rel: str, blob: str) -> str | None:
        """The id whose tombstone this is."""
        identifier = paths.id_at(rel) if paths.folder_of(rel) == paths.TOMBSTONES else None
        if identifier is None or paths.public(rel) != paths.tombstone_path(identifier):
            return None
        same = object_id("blob", encode(Tombstone(id=identifier)), self._engine.object_format) == blob
        return identifier if same else None


def entombed(head: HeadTree, forgotten: Iterable[str]) -> dict[str, str]:
    """HEAD's files of forgotten ids, path → blob. Runbooks are named by slug: their id is not in the path."""
    found = {}
    imported = _in_quarantine(head) if forgotten else {}
    for identifier in forgotten:
        for rel in _places(head, identifier) | imported.get(identifier, set()):
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


def _in_quarantine(head: HeadTree) -> dict[str, set[str]]:
    """Imported copies by their own id, wherever their bundle keeps them."""
    found: dict[str, set[str]] = {}
    for rel in head.below(paths.QUARANTINE):
        identifier = paths.id_at(rel)
        if identifier is not None:
            found.setdefault(identifier, set()).add(rel)
    return found
