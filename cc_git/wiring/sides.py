"""Reading and judging the snapshots that are compared: of a commit, of the present, or of nothing.

The private tier is on neither side: no commit has it. What only another branch takes away is left out of both, and what
only the other side takes away is not held against this one: each is judged as if it were alone. What this clone has
seen taken away elsewhere, and what a side's own history had, counts on both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cc_git.codec import paths
from cc_git.errors import NoWorkspace
from cc_git.model.fault import Fault
from cc_git.model.policy import Policy, Workspace
from cc_git.model.value import Value
from cc_git.review.side import Side
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.attestations import AttestationSources
from cc_git.store.index_pool import Known
from cc_git.store.index_question import Question
from cc_git.store.loader import Read, document, read_object, reading
from cc_git.store.negatives import NegativesOfClone, SeenElsewhere, SnapshotAt
from cc_git.store.present import Entries, Entry, Where
from cc_git.store.snapshot import snapshot_at
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


def judged(session: Session, view: View, other: View, attestations: AttestationSources) -> Side:
    """The view with what stands in it, held against `other`."""
    seen = alone(_seen(session, view), other.blobs)
    values: dict[str, Value | Fault] = {}

    def look(rel: str) -> Value | Fault:
        if rel not in values:
            values[rel] = read_object(rel, view.blobs[rel], view.read)
        return values[rel]

    standings = _known(session, view, attestations, seen).standings
    # What waits is in no tree yet, and a comparison with it is about what counts here and now.
    merged = None if view.snapshot.added or other.snapshot.added else _standing_in(attestations, view)
    return Side(
        label=view.label,
        blobs=view.blobs,
        standings=standings,
        accepted=standings if merged is None else _known(session, view, merged, seen).standings,
        workspace=view.workspace,
        faults=tuple(fault for fault in view.faults if not paths.is_private(fault.rel)),
        look=look,
        attested=lambda rel, blob: attestations.among([(rel, blob)]).holds(blob),
    )


def _known(session: Session, view: View, attestations: AttestationSources, seen: SeenElsewhere) -> Known:
    """What stands in a view; the answer is not kept."""
    question = Question(
        place=session.place,
        engine=session.engine,
        snapshot=view.snapshot,
        read=view.read,
        workspace=view.workspace if isinstance(view.workspace, Workspace) else Workspace(),
        attestations=attestations,
        negatives=seen,
        now=session.now,
    )
    return Known(question, Unkept(session.index))


def _standing_in(attestations: AttestationSources, view: View) -> AttestationSources:
    """The attestations if the view were the accepted branch."""
    return replace(attestations, branch=AcceptedBranch(None, view.snapshot.head, view.snapshot.tree))


def accepting(session: Session, base: View) -> AttestationSources:
    """This clone's attestations; where it names no accepted branch, what `base` holds counts as accepted."""
    own = session.attestations
    return own if own.branch.ref is not None else _standing_in(own, base)


def alone(seen: SeenElsewhere, others: Mapping[str, str]) -> SeenElsewhere:
    """Without what withholds, and without what only the other side (path → blob) takes away."""
    kept = (s for s in seen.sightings if s.force == "counts" and (s.lost or others.get(s.rel) != s.blob))
    return replace(seen, sightings=tuple(kept))


def _seen(session: Session, view: View) -> SeenElsewhere:
    clone = NegativesOfClone(session.place, session.engine, session.journal, session.index)
    return clone.seen_elsewhere(view.snapshot, session.attestations.branch)
