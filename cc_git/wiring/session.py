"""One command's view of a workspace: opened once, the present observed once, everything else computed when asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cc_git.codec import paths
from cc_git.codec.files import decode
from cc_git.errors import Damaged, NoWorkspace
from cc_git.governance.screen import NOTHING, Screened, screen
from cc_git.governance.sensitivity import ceiling
from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed
from cc_git.model.policy import Policy, Workspace
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.model.trigger import Trigger
from cc_git.model.verdict import Standings
from cc_git.model.working_context import WorkingContext
from cc_git.store.accepted import said_ceiling
from cc_git.store.attestations import AttestationSources, attestation_sources
from cc_git.store.engine import Engine
from cc_git.store.erase_site import Site
from cc_git.store.erasure_note import is_begun
from cc_git.store.facts import Sources
from cc_git.store.git import Git
from cc_git.store.index import Index
from cc_git.store.index_pool import Known
from cc_git.store.index_question import Question
from cc_git.store.journal import Journal
from cc_git.store.loader import Loaded, Read, document, read_object, reading
from cc_git.store.negatives import NegativesOfClone, SeenElsewhere, SnapshotAt
from cc_git.store.observe import look, observe
from cc_git.store.place import ForeignWorkspace, Place, discover, repository_at
from cc_git.store.present import Entry, PresentSnapshot, Where, below
from cc_git.store.present import Workspace as WorkspaceState
from cc_git.store.private_tier import PrivateTier
from cc_git.store.repository import open_repository, workspaces
from cc_git.store.snapshot import snapshot_at, tree_with
from cc_git.store.trust import Trust
from cc_git.store.unstage import take_back

if TYPE_CHECKING:
    from cc_git.model.work import Work


@dataclass(frozen=True)
class Asked:
    """What every command was asked: where to look from, in which environment, at which instant and revision."""

    start: Path
    environ: Mapping[str, str]
    now: datetime
    workspace: Path | None = None
    at: str | None = None
    actor: Callable[[], str] | None = None
    """Who acts, for what only that agent may be given; asked where it matters."""
    look_only: bool = False
    """Keep nothing of what is seen: a hook runs in the middle of a commit."""


def judge(rel: str, data: bytes) -> Fault | None:
    """What is wrong with a file of ours, or None."""
    value = decode(rel, data)
    return value if isinstance(value, Fault) else None


class Session:
    """Made by `open_session`. With `asked.at` it reads that revision and nothing that waits or is private."""

    def __init__(self, asked: Asked, place: Place, git: Git | None = None) -> None:
        self.asked = asked
        self.now = asked.now
        self.place = place
        self.git = git or Git(place, asked.environ)
        self.engine: Engine = open_repository(place, self.git)
        self.journal = Journal.open(place, object_format=self.engine.object_format)
        self.index = Index(place.common_dir)

    @cached_property
    def sources(self) -> Sources:
        return Sources(self.place, self.engine, self.git, self.journal, judge)

    @property
    def site(self) -> Site:
        return Site(self.place, self.engine, self.git, self.journal, self.index)

    @cached_property
    def present(self) -> PresentSnapshot:
        """What this worktree remembers now; the first look takes back what a failed commit left staged, and empties
        what came back of the forgotten."""
        if self.asked.look_only:
            return look(self.sources)
        take_back(self.place, self.engine, self.git)
        seen = observe(self.sources)
        if seen.workspace is WorkspaceState.ABSENT:
            raise _absent(self.place, len(seen.waiting))
        if seen.tombstones:
            # Most clones have forgotten nothing.
            from cc_git.wiring.sweep import sweep

            if sweep(self.site, seen, self.now):
                seen = observe(self.sources)
        return seen

    @cached_property
    def blobs(self) -> Mapping[str, str]:
        """Path → blob of everything that is in."""
        if self.asked.at is not None:
            return snapshot_at(self.engine, self.place, self.asked.at)[1]
        return {rel: entry.oid for rel, entry in self.present.entries.items()}

    @cached_property
    def snapshot(self) -> RepositorySnapshot:
        if self.asked.at is not None:
            return snapshot_at(self.engine, self.place, self.asked.at)[0]
        over = {rel: e.oid for rel, e in self.present.added.items() if not paths.is_private(rel)}
        return RepositorySnapshot(tree_with(self.engine, self.present.tree, over), self.present.head, "present")

    @cached_property
    def read(self) -> Read:
        loose = {} if self.asked.at is not None else self.present.loose
        return reading(loose, self.engine.blob, self.journal.blob)

    @cached_property
    def known(self) -> Known:
        """What stands, from the index where it helps and from the files where it does not."""
        return Known(self.question, self.index)

    @cached_property
    def question(self) -> Question:
        return Question(
            place=self.place,
            engine=self.engine,
            snapshot=self.seen,
            read=self.read,
            workspace=self.workspace,
            attestations=self.attestations,
            negatives=self.elsewhere,
            now=self.now,
        )

    @property
    def loaded(self) -> Loaded:
        """Every file as a value: for what must look at all of them."""
        return self.known.loaded

    @property
    def standings(self) -> Standings:
        return self.known.standings

    @cached_property
    def _workspace(self) -> Workspace | Fault | None:
        return document(paths.WORKSPACE_FILE, Workspace, self._blobs_of_seen, self.read)

    @property
    def _blobs_of_seen(self) -> Mapping[str, str]:
        entries = self.seen.entries
        documents = (paths.WORKSPACE_FILE, paths.WORKING_CONTEXT)
        return {rel: entries[rel].oid for rel in documents if rel in entries}

    @cached_property
    def context(self) -> WorkingContext | None:
        """The work in hand in this worktree."""
        found = document(paths.WORKING_CONTEXT, WorkingContext, self._blobs_of_seen, self.read)
        return found if isinstance(found, WorkingContext) else None

    @cached_property
    def triggers(self) -> Mapping[str, Filed[Trigger]]:
        """Every trigger of the snapshot, archived ones too."""
        found: dict[str, Filed[Trigger]] = {}
        for folder in (paths.TRIGGERS, paths.private(paths.TRIGGERS)):
            for rel, entry in sorted(below(self.seen.entries, folder).items()):
                value = read_object(rel, entry.oid, self.read)
                if isinstance(value, Trigger):
                    found.setdefault(value.id, Filed(rel, entry.oid, value))
        return found

    @cached_property
    def work(self) -> Work:
        """Where the work stands, for whoever acts: this worktree's state, or the checkpoint that it goes on from."""
        # Most commands do not ask.
        from cc_git.wiring.work import work_of

        return work_of(self, self.context)

    @property
    def workspace(self) -> Workspace:
        """The workspace's file as a value; the defaults, which grant nothing, where it cannot be read."""
        return self._workspace if isinstance(self._workspace, Workspace) else Workspace()

    @property
    def policy(self) -> Policy:
        return self.workspace.policy

    @cached_property
    def ceiling(self) -> Sensitivity:
        """Up to which sensitivity files are tracked."""
        most = self.attestations.policy
        asks_for_more = not at_most(self.policy.tracked_ceiling, Policy().tracked_ceiling)
        # A process, and only a policy that raises the default needs the answer.
        said = said_ceiling(self.git.own_config) if most is None and asks_for_more else None
        return ceiling(self.policy, most, said)

    @cached_property
    def private_tier(self) -> PrivateTier:
        """What is private on this clone, in whichever of its worktrees."""
        folders = () if self.place.directory is None else (self.place.directory,)
        return PrivateTier(self.place.common_dir, folders, self.git.environ, self._is_committed)

    def _is_committed(self, rels: Iterable[str]) -> bool:
        return any(rel in self.present.committed for rel in rels)

    @cached_property
    def attestations(self) -> AttestationSources:
        return attestation_sources(self.engine, self.place, self.git.own_config)

    @cached_property
    def elsewhere(self) -> SeenElsewhere:
        """What this clone has seen taken away that the snapshot at hand lacks."""
        clone = NegativesOfClone(self.place, self.engine, self.journal, self.index)
        return clone.seen_elsewhere(self.seen, self.attestations.branch)

    @cached_property
    def seen(self) -> SnapshotAt:
        """The snapshot at hand, as the index and the negatives are asked about it."""
        if self.asked.at is None:
            present = self.present
            return SnapshotAt(present.head, present.tree, present.entries, present.added, present.hidden)
        entries = {rel: Entry(blob, Where.COMMITTED) for rel, blob in self.blobs.items()}
        return SnapshotAt(self.snapshot.commit, self.snapshot.tree, entries, {})

    @cached_property
    def trusted(self) -> bool:
        return Trust(self.place).mark() is not None

    @property
    def policy_fault(self) -> Fault | None:
        """Why `workspace.toml` cannot be read, or None; the present then stands with HEAD's, or with the defaults."""
        if self.asked.at is None and self.present.workspace_fault is not None:
            return self.present.workspace_fault
        return self._workspace if isinstance(self._workspace, Fault) else None

    def screened(
        self, files: Mapping[str, bytes], more: Collection[str] = (), before: Mapping[str, bytes] = NOTHING
    ) -> Screened:
        """The files, in which nothing looks like a secret but what a person allowed, or allows with this act (`more`).
        Raises Refused. `before` as of `screen`."""
        return screen(files, lambda: (*self.public, *more), before)

    @cached_property
    def public(self) -> tuple[str, ...]:
        """The texts that look like secrets and may be written: a person said so, and it stands."""
        # Hardly any text looks like one.
        from cc_git.wiring.public_texts import allowed_texts

        return tuple(one.text for one in allowed_texts(self.known, self.workspace.scope))

    def require_readable_policy(self) -> None:
        """While `workspace.toml` does not parse nothing new takes effect."""
        if self.policy_fault is not None:
            raise Damaged(
                f"{self.place.prefix}/{self.policy_fault}",
                why="while the policy cannot be read only what takes away is written",
                hints=(f"edit {self.place.prefix}/{paths.WORKSPACE_FILE}, then run the command again",),
            )

    def look_again(self) -> None:
        """After a write: everything is asked anew when it is needed."""
        for name in list(self.__dict__):
            if isinstance(getattr(type(self), name, None), cached_property):
                del self.__dict__[name]

    def close(self) -> None:
        self.index.close()
        self.journal.close()
        self.engine.close()


def open_session(asked: Asked) -> Session:
    """Find the workspace and open it. Raises NoWorkspace: with the number of records that wait where some do, and
    with the workspaces that there are."""
    try:
        session = Session(asked, _place(asked))
    except ForeignWorkspace:
        raise
    except NoWorkspace as missing:
        raise _waiting_without(asked) or _others(asked) or missing from None
    if is_begun(session.place):
        # Once in the life of most clones: no other command waits for it.
        from cc_git.wiring.finish_forget import finish_interrupted

        finish_interrupted(session.site)
    return session


def _place(asked: Asked) -> Place:
    """The nearest workspace, or exactly the one that was named: the folder around it, or its `.continuity` itself."""
    if asked.workspace is None:
        return discover(asked.start, asked.environ)
    named = asked.workspace.resolve()
    folder = named.parent if named.name == paths.WORKSPACE_DIR else named
    where = repository_at(folder if folder.is_dir() else asked.start, asked.environ)
    if where.top is None:
        return discover(asked.start, asked.environ, prefix=paths.WORKSPACE_DIR)
    below = folder.relative_to(where.top).as_posix() if folder.is_relative_to(where.top) else None
    if below is None:
        raise NoWorkspace(f"{asked.workspace} is not in this repository", hints=("cc-git -C DIR …",))
    prefix = paths.WORKSPACE_DIR if below == "." else f"{below}/{paths.WORKSPACE_DIR}"
    try:
        return discover(where.top, asked.environ, prefix=prefix)
    except NoWorkspace:
        raise NoWorkspace(f"there is no workspace at {asked.workspace}") from None


def _others(asked: Asked) -> NoWorkspace | None:
    """Workspaces elsewhere in this repository: one of them was probably meant."""
    try:
        place = repository_at(asked.start, asked.environ)
        git = Git(place, asked.environ)
        engine = open_repository(place, git)
    except NoWorkspace:
        return None
    try:
        found = workspaces(place, git, engine)
    finally:
        engine.close()
    if not found:
        return None
    folders = [prefix.rpartition("/")[0] or "." for prefix in found]
    what = (
        f"there is no workspace at {asked.workspace}" if asked.workspace else f"no workspace at {asked.start} or above"
    )
    hints = tuple(f"cc-git --workspace {folder} …" for folder in folders[:5])
    return NoWorkspace(what, why=f"this repository has them at {', '.join(folders)}", hints=hints)


def _waiting_without(asked: Asked) -> NoWorkspace | None:
    """A branch without the workspace: what waits keeps waiting, and is counted."""
    if asked.workspace is not None:
        return None
    try:
        place = repository_at(asked.start, asked.environ)
    except NoWorkspace:
        return None
    journal = Journal.open(place)
    try:
        number = len(journal.read().pending)
    finally:
        journal.close()
    return _absent(place, number) if number else None


def _absent(place: Place, number: int) -> NoWorkspace:
    return NoWorkspace(
        f"this branch has no {place.prefix}/{paths.WORKSPACE_FILE}",
        why=f"{number} {'file waits' if number == 1 else 'files wait'} for a branch that has it" if number else None,
        hints=("git switch to a branch that has it", "cc-git init, to begin one here"),
    )
