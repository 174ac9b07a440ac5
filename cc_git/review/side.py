"""One of the two snapshots that are compared, read and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from cc_git.codec import paths
from cc_git.model.fault import Fault
from cc_git.model.policy import Workspace
from cc_git.model.record import Record
from cc_git.model.value import Value
from cc_git.model.verdict import Restraint, Standings

Look = Callable[[str], Value | Fault]
"""Path → the value of that file of the side, or what is wrong with it."""


@dataclass(frozen=True)
class Side:
    """`blobs` are the files of the tracked tier, path → blob. `standings` is what they count as on this clone,
    `accepted` what they count as once these very files are in the accepted branch (the same where nobody asks).
    `attested` says whether a person is bound to a file (path, blob) now. `label` names the side as it was asked for.
    `forgotten` are the ids with a tombstone that is there or known, `faults` files beside it, in no commit, that cannot
    be used."""

    label: str
    blobs: Mapping[str, str]
    standings: Standings
    accepted: Standings
    workspace: Workspace | Fault | None
    forgotten: frozenset[str]
    faults: tuple[Fault, ...]
    look: Look
    attested: Callable[[str, str], bool]

    @cached_property
    def places(self) -> Mapping[str, str]:
        """Id → path of its file; of several the lowest. Marks lie under the id of what they mark, and are left out."""
        found: dict[str, str] = {}
        for rel in sorted(self.blobs, reverse=True):
            if paths.folder_of(rel) not in (paths.TOMBSTONES, paths.ENDINGS, paths.QUARANTINE, paths.ATTACHMENTS):
                identifier = paths.id_at(rel)
                if identifier is not None:
                    found[identifier] = rel
        return found

    @cached_property
    def ghosts(self) -> Mapping[str, Restraint]:
        """Restraints in force that no whole record of the side holds, by id."""
        return {one.filed.value.id: one for one in self.standings.restraining}

    def record(self, identifier: str) -> Record | None:
        """The record with this id, from its file or from where a restraint outlived it."""
        rel = self.places.get(identifier)
        value = None if rel is None else self.look(rel)
        if isinstance(value, Record):
            return value
        ghost = self.ghosts.get(identifier)
        return None if ghost is None else ghost.filed.value


def tombstones(blobs: Iterable[str]) -> frozenset[str]:
    """The ids that these paths have tombstones of."""
    marks = (rel for rel in blobs if paths.folder_of(rel) == paths.TOMBSTONES)
    return frozenset(identifier for rel in marks if (identifier := paths.id_at(rel)) is not None)
