"""Reading and judging the snapshots that are compared: of a commit, of the present, or of nothing.

The private tier is on neither side: no commit has it. What only another branch takes away is left out of both, and what
only the other side takes away is not held against this one: each is judged as if it were alone. What this clone has
seen taken away elsewhere, and what a side's own history had, counts on both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from cc_git.codec import paths
from cc_git.errors import NoWorkspace
from cc_git.model.fault import Fault
from cc_git.model.policy import Policy, Workspace
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.model.value import Value
from cc_git.review.side import Side, tombstones
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.attestations import AttestationSources
from cc_git.store.cache import Cache, LayeredCache
from cc_git.store.index_pool import Known
from cc_git.store.loader import Read, document, read_object, reading
from cc_git.store.negatives import NegativesOfClone, SeenElsewhere, SnapshotAt
from cc_git.store.present import Entries, Entry, Where
from cc_git.store.snapshot import snapshot_at, tree_with
from cc_git.wiring.knowledge import Unkept
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class View:
    """One snapshot without its private tier, not judged yet. `workspace` is None where the file is absent, `faults` are
    what lies on disk, in no commit, and cannot be used."""

    label: str
    snapshot: SnapshotAt
    blobs: Mapping[str, str]
    read: Read
    workspace: Workspace | Fault | None
    faults: tuple[Fault, ...] = ()

    @property
    def policy(self) -> Policy:
        """The policy that this snapshot brings along; the defaults where it has none that can be read."""
        return self.workspace.policy if isinstance(self.workspace, Workspace) else Policy()


def view_of(label: str, snapshot: SnapshotAt, read: Read) -> View:
    blobs = {rel: entry.oid for rel, entry in snapshot.entries.items()}
    return View(label, snapshot, blobs, read, document(paths.WORKSPACE_FILE, Workspace, blobs, read))


def at_revision(session: Session, revision: str, label: str | None = None) -> View:
    """What a commit holds; nothing where it is older than the workspace."""
    read = reading(session.engine.blob, session.journal.blob)
    try:
        found, files = snapshot_at(session.engine, session.place, revision)
    except NoWorkspace:
        return view_of(label or revision, SnapshotAt(session.engine.resolve(revision), None, {}, {}), read)
    hidden = frozenset(rel for rel in files if paths.is_private(rel))
    entries = {rel: Entry(blob, Where.COMMITTED) for rel, blob in files.items() if rel not in hidden}
    return view_of(label or revision, SnapshotAt(found.commit, found.tree, entries, {}, hidden), read)


def at_nothing(session: Session) -> View:
    """Before the first commit."""
    return view_of("nothing", SnapshotAt(None, None, {}, {}), session.engine.blob)


def at_present(session: Session) -> View:
    """What this worktree remembers now: HEAD's files with what waits."""
    present = session.present
    added = {rel: entry for rel, entry in present.added.items() if not paths.is_private(rel)}
    entries = Entries(present.committed, added, present.hidden)
    snapshot = SnapshotAt(present.head, present.tree, entries, added, present.hidden)
    read = reading(present.loose, session.engine.blob, session.journal.blob)
    faults = {*present.faults, *((present.workspace_fault,) if present.workspace_fault else ())}
    return replace(view_of("the present", snapshot, read), faults=tuple(sorted(faults, key=lambda fault: fault.rel)))


class Beheld(Session):
    """A session that sees one view, judged by these attestations and negatives. What is open belongs to the session
    that it was made from, which closes it."""

    def __init__(
        self, session: Session, view: View, attestations: AttestationSources, elsewhere: SeenElsewhere, cache: Cache
    ) -> None:
        self.asked = replace(session.asked, at=None if view.snapshot.added else view.label)
        self.now, self.place, self.git = session.now, session.place, session.git
        self.engine, self.journal, self.index = session.engine, session.journal, session.index
        self._view, self._attested_by, self._seen_elsewhere, self._cache = view, attestations, elsewhere, cache
        self._present_snapshot = session.snapshot if view.snapshot.added else None

    @cached_property
    def known(self) -> Known:
        """What stands."""
        return Known(self.question, self._cache)

    @cached_property
    def snapshot(self) -> RepositorySnapshot:
        """As it is named in packets."""
        seen = self._view.snapshot
        tree = seen.tree or tree_with(self.engine, None, {})
        return self._present_snapshot or RepositorySnapshot(tree, seen.head, self._view.label)

    @cached_property
    def seen(self) -> SnapshotAt:
        """The view's."""
        return self._view.snapshot

    @cached_property
    def read(self) -> Read:
        """Whatever the view holds."""
        return self._view.read

    @cached_property
    def attestations(self) -> AttestationSources:
        """As they were given."""
        return self._attested_by

    @cached_property
    def elsewhere(self) -> SeenElsewhere:
        """As it was given."""
        return self._seen_elsewhere


@dataclass(frozen=True)
class Compared:
    """One side of a comparison: as it counts now, and once it is in the accepted branch (the same where that is not
    asked: what waits is in no tree yet)."""

    now: Beheld
    accepted: Beheld


def for_comparing(session: Session) -> Cache:
    """One for all sides: each begins where the last one was judged, and nothing of it is kept."""
    return LayeredCache(Unkept(session.index))


def beheld(session: Session, view: View, other: View, attestations: AttestationSources, cache: Cache) -> Compared:
    """The view, held against `other`."""
    seen = _alone(_seen(session, view), other.blobs)
    now = Beheld(session, view, attestations, seen, cache)
    if view.snapshot.added or other.snapshot.added or attestations.branch.tree == view.snapshot.tree:
        return Compared(now, now)
    return Compared(now, Beheld(session, view, _standing_in(attestations, view), seen, cache))


def side_of(view: View, sees: Compared) -> Side:
    """What the rules of the comparison ask of a side."""
    values: dict[str, Value | Fault] = {}

    def look(rel: str) -> Value | Fault:
        if rel not in values:
            values[rel] = read_object(rel, view.blobs[rel], view.read)
        return values[rel]

    return Side(
        label=view.label,
        blobs=view.blobs,
        standings=sees.now.standings,
        accepted=sees.accepted.standings,
        workspace=view.workspace,
        forgotten=sees.now.elsewhere.forgotten | tombstones(view.blobs),
        faults=tuple(fault for fault in view.faults if not paths.is_private(fault.rel)),
        look=look,
        attested=lambda rel, blob: sees.now.attestations.among([(rel, blob)]).holds(blob),
    )


def _standing_in(attestations: AttestationSources, view: View) -> AttestationSources:
    """The attestations if the view were the accepted branch."""
    return replace(attestations, branch=AcceptedBranch(None, view.snapshot.head, view.snapshot.tree))


def accepting(session: Session, base: View) -> AttestationSources:
    """This clone's attestations; where it names no accepted branch, what `base` holds counts as accepted."""
    own = session.attestations
    return own if own.branch.ref is not None else _standing_in(own, base)


def _alone(seen: SeenElsewhere, others: Mapping[str, str]) -> SeenElsewhere:
    """Without what withholds, and without what only the other side (path → blob) takes away."""
    kept = (s for s in seen.sightings if s.force == "counts" and (s.lost or others.get(s.rel) != s.blob))
    return replace(seen, sightings=tuple(kept))


def _seen(session: Session, view: View) -> SeenElsewhere:
    clone = NegativesOfClone(session.place, session.engine, session.journal, session.index)
    return clone.seen_elsewhere(view.snapshot, session.attestations.branch)
