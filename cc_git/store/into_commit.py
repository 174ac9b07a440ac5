"""Lets waiting files join the commit that the user is making, where that is safe. In every other case they wait.

Conditions, all of them:

 1. The commit is made from the worktree's own index (`index`, or `index.lock` under `commit -a` and `-p`): a partial
    commit and an index of somebody's own are none of ours.
 2. No operation of Git is under way.
 3. The commit holds a change of the user's: an empty or a reworded commit stays what it is.
 4. The file waits: no commit that HEAD is or has been on since the last command holds it; neither the index nor HEAD
    has its path; no tombstone that a person is bound to names its id.
 5. The file lies on disk with the journal's bytes.
 6. Its workspace is in this branch's index, or comes along, and its policy says `commit = "with-code"`.
 7. It holds nothing that is to stay private (`commit_gate.py`).

What is added is noted first, so that `unstage.py` takes it out again if the commit is not made after all. What such a
commit left staged does not count as the user's change (3), with one exception: where the index holds nothing else, it
stays in, for `git status` has shown it as staged, and `git add .continuity` leaves no trace beside it. An empty or a
reworded commit (`--allow-empty`, `--amend`) goes without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from cc_git.codec import paths
from cc_git.codec.toml_read import TomlFault, load
from cc_git.governance.leaks import Laid
from cc_git.store.added_note import AddedNote, read_note, write_note
from cc_git.store.attributes import require_plain_attributes
from cc_git.store.classify import owner_of
from cc_git.store.commit_being_made import Making, may_add, wants_no_change
from cc_git.store.commit_gate import CommitGate
from cc_git.store.confirmations import Confirmations
from cc_git.store.disk import read_file
from cc_git.store.engine import Engine
from cc_git.store.erasure_note import is_begun
from cc_git.store.git import Git
from cc_git.store.git_process import GitFailed
from cc_git.store.holders import Holders
from cc_git.store.journal import Journal
from cc_git.store.journal_state import JournalState, ReflogPosition
from cc_git.store.place import Place
from cc_git.store.position import moves_of_head
from cc_git.store.repository import open_repository
from cc_git.store.trees import object_id
from cc_git.store.unstage import not_committed, take_out
from cc_git.store.user_index import Staged, UserIndex


@dataclass(frozen=True, slots=True)
class Addition:
    """What was done to the index of a commit being made.

    `paths`, relative to the top level, were added. `known` are the blobs of everything that waits, whoever staged it:
    their form was checked when they were written or adopted. `alone`: the commit holds what an earlier one that failed
    left staged, and nothing else. `held_back` is path → why it must stay private, `secrets` is path → a
    sentence about what in it looks like one; those go on waiting.
    """

    paths: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    alone: bool = False
    held_back: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)


def add_waiting(making: Making, prefixes: tuple[str, ...], git: Git, gate: CommitGate) -> Addition:
    """Add what may join the commit, of the workspaces at `prefixes`.

    Raises `CcGitError` and OSError: then nothing was added, or what was added is noted.
    """
    if not prefixes or not may_add(making):
        return Addition()
    index = UserIndex(git, making.index)
    changes = index.changes(making.base)
    if not changes:
        return Addition()
    engine = open_repository(making.place(""), git)
    try:
        earlier = _left_by_earlier(making, git, engine)
        ours = _still_ours(earlier, changes)
        if earlier is not None and changes.keys() == ours.keys() and not wants_no_change(making):
            write_note(making.git_dir, AddedNote(ours, earlier.position, making.process))
            return Addition(known=frozenset(ours.values()), alone=True)
        for path in take_out(ours, index):
            del changes[path]
        if not changes:
            return Addition()
        asked = [_Asked(making, making.place(prefix), git, engine, index, changes) for prefix in prefixes]
        found = [_waiting(one, _pending(one.place)) for one in asked]
    finally:
        engine.close()
    held_back, secrets = dict[str, str](), dict[str, str]()
    for place, one in zip(asked, found, strict=True):
        _hold_back(place.place, one, gate, held_back, secrets)
    files = {path: blob for one in found for path, blob in one.files.items() if path not in {*held_back, *secrets}}
    known = frozenset(blob for one in found for blob in one.known)
    if not files:
        return Addition(known=known, held_back=held_back, secrets=secrets)
    if earlier is None:
        note = AddedNote(files, found[0].position, making.process)
    else:
        note = AddedNote({**earlier.entries, **files}, earlier.position, making.process)
    write_note(making.git_dir, note)
    try:
        index.add(files)
    except GitFailed:
        _require_plain(asked, files)
        raise
    added = _verified(files, index)
    if len(added) < len(files):
        _require_plain(asked, files)
    return Addition(added, known, held_back=held_back, secrets=secrets)


def _hold_back(
    place: Place, waiting: _Waiting, gate: CommitGate, private: dict[str, str], secrets: dict[str, str]
) -> None:
    """Note what somebody laid where it would be committed, and must not be: path → why."""
    start = f"{place.prefix}/"
    laid = [Laid(path.removeprefix(start), blob, read_file(f"{place.top}/{path}") or b"")
            for path, blob in waiting.files.items()]  # fmt: skip
    private |= {start + rel: why for rel, why in gate.leaks(place.prefix, laid).items()}
    secrets |= {start + rel: found[0].told(start + rel) for rel, found in gate.secrets(place.prefix, laid).items()}


def _left_by_earlier(making: Making, git: Git, engine: Engine) -> AddedNote | None:
    """What commits that failed left in the index. It is noted on even where it is taken out: under `commit -a` only a
    copy of the index goes without it."""
    note = read_note(making.git_dir)
    left = not_committed(note, making.place(""), engine, git) if note is not None else {}
    return AddedNote(left, note.position, None) if note is not None and left else None


def _still_ours(earlier: AddedNote | None, changes: Mapping[str, Staged]) -> dict[str, str]:
    entries = {} if earlier is None else earlier.entries
    return {path: blob for path, blob in entries.items() if path in changes and changes[path].after == blob}


@dataclass(frozen=True, slots=True)
class _Asked:
    making: Making
    place: Place
    git: Git
    engine: Engine
    index: UserIndex
    changes: Mapping[str, Staged]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Of one workspace: what may join, as path relative to the top level → blob; all blobs that wait; and where HEAD's
    reflog stands."""

    files: Mapping[str, str]
    known: frozenset[str]
    position: ReflogPosition


def _pending(place: Place) -> JournalState:
    journal = Journal.open(place)
    try:
        return journal.read()
    finally:
        journal.close()


def _waiting(asked: _Asked, state: JournalState) -> _Waiting:
    """Conditions 4 to 6."""
    place, start = asked.place, f"{asked.place.prefix}/"
    moves = moves_of_head(place, asked.git, state.position)
    nothing = _Waiting({}, frozenset(state.pending.values()), moves.position)
    rels = [rel for rel in state.pending if not paths.is_private(rel) and start + rel not in asked.changes]
    # While a forgetting is unfinished, what it has yet to remove still waits.
    if not rels or is_begun(place) or not _joins_commits(place):
        return nothing
    there = asked.index.entries({start + folder for folder in _folders(rels)})
    forgotten = _forgotten(rels, asked, there)
    may_join = {
        rel: state.pending[rel]
        for rel in rels
        if start + rel not in there
        and owner_of(rel) not in forgotten
        and _on_disk(place, rel, state.pending[rel], asked.engine.object_format)
    }
    if start + paths.WORKSPACE_FILE not in there and paths.WORKSPACE_FILE not in may_join:
        return nothing
    seen = Holders(asked.engine, place.prefix, asked.making.head, {}).of_pending(may_join, moves.commits)
    return replace(nothing, files={start + rel: blob for rel, blob in may_join.items() if rel not in seen})


def _joins_commits(place: Place) -> bool:
    """The policy as it is on disk; while it cannot be read nothing new takes effect."""
    assert place.directory is not None
    try:
        policy = load((read_file(place.directory / paths.WORKSPACE_FILE) or b"").decode()).get("policy", {})
    except (TomlFault, UnicodeDecodeError, OSError):
        return False
    return isinstance(policy, dict) and policy.get("commit", "with-code") == "with-code"


def _folders(rels: list[str]) -> set[str]:
    """Where the index must be looked at: the files' folders, their tombstones' and the workspace's own file."""
    folders = {paths.WORKSPACE_FILE}
    for rel in rels:
        folders.add(rel.rpartition("/")[0] or rel)
        owner = owner_of(rel)
        if owner is not None:
            folders.add(paths.tombstone_path(owner).rpartition("/")[0])
    return folders


def _forgotten(rels: list[str], asked: _Asked, there: Mapping[str, str]) -> frozenset[str]:
    """The owners of these files that a tombstone names to which a person is bound."""
    start = f"{asked.place.prefix}/"
    marks = {paths.tombstone_path(owner) for owner in map(owner_of, rels) if owner is not None}
    found = [(mark, there[start + mark]) for mark in sorted(marks) if start + mark in there]
    if not found and not Confirmations(asked.place).marks():
        return frozenset()
    # Their models take longer to load than all else here, and most clones have forgotten nothing.
    from cc_git.store.accepted import find_accepted
    from cc_git.store.graves import Graves

    place, git = asked.place, asked.git
    graves = Graves(asked.engine, place, lambda: find_accepted(asked.engine, place, git.own_config))
    journal = Journal.open(place)
    try:
        return graves.bound(found) | graves.of_clone(journal.engine, asked.engine)
    finally:
        journal.close()


def _on_disk(place: Place, rel: str, blob: str, object_format: Literal["sha1", "sha256"]) -> bool:
    assert place.directory is not None
    try:
        data = read_file(place.directory / rel)
    except OSError:
        return False
    return data is not None and object_id("blob", data, object_format) == blob


def _require_plain(asked: Iterable[_Asked], files: Mapping[str, str]) -> None:
    """Raises `Refused` with the attributes file that has Git change the bytes of these files."""
    for one in asked:
        start = f"{one.place.prefix}/"
        rels = [path.removeprefix(start) for path in files if path.startswith(start)]
        require_plain_attributes(one.place, one.git, rels)


def _verified(files: Mapping[str, str], index: UserIndex) -> tuple[str, ...]:
    """A filter of the user's (an attribute outside our folder, an encoding) may have changed bytes on their way in:
    what is not the journal's goes out again and waits."""
    there = index.entries(files)
    wrong = [path for path, blob in files.items() if path in there and there[path] != blob]
    index.remove(wrong)
    return tuple(path for path, blob in files.items() if there.get(path) == blob)
