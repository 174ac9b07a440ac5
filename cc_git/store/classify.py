"""In which class each file is: the state machine of the present snapshot. Pure: facts in, verdict out.

Rules, in this order:

 1. A pending file that HEAD's tree, a commit that HEAD has been on since, or another tip (there with the same bytes)
    holds moves to watch, with that commit and the blob it was written with. Tips are asked when one moved, and
    always for a file that is missing on disk: put back, it would stand in the way of going to that branch.
 2. A watched file is let go when a remote-tracking branch holds it with the same bytes. After an amend, a rebase or a
    squash it is anchored anew: to a commit of HEAD's history that holds it, or, where nothing reaches its own commit
    any more, to any that is reached.
 3. A valid file on disk that is neither in HEAD, nor in the index, nor forgotten is adopted, unless an operation of Git
    is under way or this branch has no workspace. Was it watched, it comes back with the bytes first seen; does HEAD
    reach its commit, then it was taken out of this history and left lying (`git rm --cached`): it stays a guest. So
    does one that the private tier holds at the same place: it was copied or moved from there, and joins no commit by
    itself. A pending file that was moved to the private tier waits no longer, unless it may take something away.
 4. Then each path is, first that fits: forgotten (a tombstone names its id, and a
    person is bound to it), committed (in HEAD), waiting (pending),
    guest (valid, on disk, kept from adoption by rule 3), withdrawn (watched, HEAD reaches its commit),
    elsewhere (a ref reaches it), stranded (nothing does).
 5. A waiting or private file that is missing on disk is put back, unless an operation is under way, a stash holds the
    path, sparse checkout leaves it out, or this branch has no workspace. Guests never are.
 6. Documents that people edit (`workspace.toml`, runbooks) count with their bytes on disk; those of an immutable file
    never do: it counts with the bytes of HEAD or of the journal, and the difference is named.
 7. Nothing of a `private/` that Git tracks counts: whoever pushes a branch must not write our private tier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from cc_git.codec import paths
from cc_git.model.fault import Fault
from cc_git.model.ids import is_id
from cc_git.store.journal_state import JournalState, Watched
from cc_git.store.present import Edit, EditedAt, Entry, Where, Workspace
from cc_git.store.present_facts import Facts, Found, Reach, Verdict

_MARKS = (paths.TOMBSTONES, paths.ENDINGS)


def is_document(rel: str) -> bool:
    """Edited by people in place. The working context is not: it is written by us alone, and the journal's counts."""
    name = paths.public(rel)
    return name in (paths.WORKSPACE_FILE, paths.ATTRIBUTES_FILE) or name.startswith(paths.RUNBOOKS + "/")


def owner_of(rel: str) -> str | None:
    """The id whose forgetting takes this file: its own, or its episode's, or its quarantined bundle's."""
    folder = paths.folder_of(rel)
    if folder in _MARKS:
        return None
    if folder == paths.ATTACHMENTS:
        episode = rel.rpartition("/")[2].partition("-")[0]
        return episode if is_id(episode) else None
    if folder == paths.QUARANTINE:
        bundle = paths.public(rel).split("/")[1]
        return paths.id_at(rel) or (bundle if is_id(bundle) else None)
    return paths.id_at(rel)


def classify(facts: Facts) -> Verdict:
    return _Sorting(facts).verdict()


class _Sorting:
    """One run of the rules; the fields are what they hand to each other."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.found: Mapping[str, Found] = facts.found if facts.found is not None else {}
        self.pending = dict(facts.state.pending)
        self.watch = dict(facts.state.watch)
        self.private = dict(facts.state.private)
        self.calm = not facts.underway and facts.workspace is not Workspace.ABSENT
        self.adopted: list[str] = []
        self.edited: list[Edit] = []
        self.faults: list[Fault] = []

    def verdict(self) -> Verdict:
        self._seen_in_commits()
        self._let_go_of_published()
        self._adopt()
        self._put_away()
        added = self._private_entries()
        waiting = [rel for rel in self.pending if not self._is_forgotten(rel)]
        added |= {rel: Entry(self.pending[rel], Where.WAITING) for rel in waiting}
        guests = self._guests()
        added |= {rel: Entry(self.found[rel].blob, self._beside(rel)) for rel in guests}
        self._find_edits(waiting)
        out = self._watched_outside(frozenset(guests))
        hidden = frozenset(self.facts.entombed) | self.facts.tracked_private
        return Verdict(
            state=self._state(),
            added=MappingProxyType(added),
            hidden=hidden,
            waiting=tuple(sorted(waiting)),
            guests=tuple(rel for rel in guests if self._beside(rel) is Where.GUEST),
            withdrawn=out[Reach.HEAD],
            elsewhere=out[Reach.REF],
            stranded=out[None],
            edited=tuple(sorted(self.edited, key=lambda edit: edit.rel)),
            forgotten=self._forgotten(),
            kept=tuple(sorted(r for r in (*self.pending, *self.private, *self.watch) if self._is_forgotten(r))),
            faults=tuple(sorted(self.faults, key=lambda fault: fault.rel)),
            adopt=tuple(self.adopted),
            put_back=self._to_put_back(waiting),
        )

    def _is_forgotten(self, rel: str) -> bool:
        return bool(self.facts.tombstones) and owner_of(rel) in self.facts.tombstones

    def _seen_in_commits(self) -> None:
        facts = self.facts
        for rel, blob in facts.state.pending.items():
            holder = facts.head_commit if rel in facts.head else facts.holders.get(rel)
            if holder is not None:
                self.watch[rel] = Watched(holder, blob)
                del self.pending[rel]

    def _let_go_of_published(self) -> None:
        for rel in self.facts.published:
            self.watch.pop(rel, None)
        for rel, commit in self.facts.anchors.items():
            if rel in self.watch:
                self.watch[rel] = Watched(commit, self.watch[rel].blob)

    def _adopt(self) -> None:
        facts = self.facts
        for rel, file in sorted(self.found.items()):
            if self._is_forgotten(rel):
                continue
            if paths.is_private(rel) and file.staged:
                self.faults.append(Fault(rel, "misplaced", "is in Git's index, and the private tier must not be"))
            elif file.fault is not None:
                self.faults.append(file.fault)
            elif self.calm and rel not in facts.head:
                self._adopt_one(rel, file)

    def _adopt_one(self, rel: str, file: Found) -> None:
        kept = self.private if paths.is_private(rel) else self.pending
        if rel in kept:
            if not is_document(rel) or kept[rel] == file.blob:
                return
        elif file.staged or self._was_taken_out(rel):
            return
        elif paths.private(rel) in self.private and paths.folder_of(rel) not in _MARKS:
            self.faults.append(Fault(rel, "misplaced", "is private: the private tier holds it; remove it here"))
            return
        earlier = self.watch.pop(rel, None)
        kept[rel] = file.blob if earlier is None or is_document(rel) else earlier.blob
        if kept[rel] not in self._held_for(rel):
            self.adopted.append(rel)

    def _put_away(self) -> None:
        if not self.calm or self.facts.found is None:
            return
        moved = [rel for rel, blob in self.pending.items()
                 if rel not in self.found and self.private.get(paths.private(rel)) == blob]  # fmt: skip
        if moved:
            # Its models take long to load, and hooks need other rules of this module.
            from cc_git.standing.negative import may_be_negative

            for rel in moved:
                if not may_be_negative(rel):
                    del self.pending[rel]

    def _was_taken_out(self, rel: str) -> bool:
        watched = self.watch.get(rel)
        return watched is not None and self.facts.reach.get(watched.commit) is Reach.HEAD

    def _held_for(self, rel: str) -> tuple[str | None, ...]:
        """The blobs that the journal holds for a path already."""
        state, watched = self.facts.state, self.facts.state.watch.get(rel)
        return state.pending.get(rel), state.private.get(rel), watched.blob if watched else None

    def _private_entries(self) -> dict[str, Entry]:
        """A copy of what HEAD holds is no more private than that."""
        return {
            rel: Entry(blob, Where.PRIVATE)
            for rel, blob in self.private.items()
            if not self._is_forgotten(rel) and self.facts.head.get(paths.public(rel)) != blob
        }

    def _beside(self, rel: str) -> Where:
        return Where.DRAFT if rel in self.facts.head or rel in self.pending else Where.GUEST

    def _guests(self) -> list[str]:
        """Guests, and documents that an operation keeps from being adopted or that differ from HEAD's."""
        return [
            rel
            for rel, file in sorted(self.found.items())
            if file.fault is None
            and not paths.is_private(rel)
            and (rel not in self.facts.head or is_document(rel))
            and (rel not in self.pending or (is_document(rel) and self.pending[rel] != file.blob))
            and not self._is_forgotten(rel)
        ]

    def _find_edits(self, waiting: Iterable[str]) -> None:
        head = self.facts.head
        for rel, watched in self.watch.items():
            now = head.get(rel)
            if now is None or now == watched.blob:
                continue
            if paths.is_immutable(rel) and not self._is_forgotten(rel):
                self.edited.append(Edit(rel, EditedAt.COMMITTED, watched.blob, now))
        kept = {rel: self.pending[rel] for rel in waiting} | self.private
        for rel, blob in kept.items():
            file = self.found.get(rel)
            if file is not None and file.blob != blob and paths.is_immutable(rel):
                self.edited.append(Edit(rel, EditedAt.ON_DISK, blob, file.blob))

    def _watched_outside(self, guests: frozenset[str]) -> dict[Reach | None, tuple[str, ...]]:
        out: dict[Reach | None, list[str]] = {Reach.HEAD: [], Reach.REF: [], None: []}
        for rel, watched in self.watch.items():
            if rel not in self.facts.head and rel not in guests and not self._is_forgotten(rel):
                out[self.facts.reach.get(watched.commit)].append(rel)
        return {reach: tuple(sorted(rels)) for reach, rels in out.items()}

    def _forgotten(self) -> tuple[str, ...]:
        empty = self.facts.empty_blob
        there = {rel for rel, blob in self.facts.entombed.items() if blob != empty}
        there |= {rel for rel in (*self.pending, *self.private) if self._is_forgotten(rel)}
        there |= {rel for rel, file in self.found.items() if file.blob != empty and self._is_forgotten(rel)}
        return tuple(sorted(there))

    def _to_put_back(self, waiting: Iterable[str]) -> tuple[str, ...]:
        facts = self.facts
        if facts.found is None or not self.calm:
            return ()
        kept = [*waiting, *(rel for rel in self.private if not self._is_forgotten(rel))]
        barred = facts.stashed | facts.excluded
        return tuple(sorted(rel for rel in kept if rel not in facts.found and rel not in barred))

    def _state(self) -> JournalState:
        return JournalState(
            pending=MappingProxyType(self.pending),
            watch=MappingProxyType(self.watch),
            private=MappingProxyType(self.private),
            position=self.facts.position,
            tips=self.facts.tips,
        )
