"""Lets waiting files join the commit that the user is making, where that is safe. In every other case they wait.

Conditions, all of them:

 1. The commit is made from the worktree's own index (`index`, or `index.lock` under `commit -a` and `-p`): a partial
    commit and an index of somebody's own are none of ours.
 2. No operation of Git is under way.
 3. The commit holds a change of the user's: an empty or a reworded commit stays what it is.
 4. The file waits: no commit that HEAD is or has been on since the last command holds it; neither the index nor HEAD
    has its path; no tombstone names its id.
 5. The file lies on disk with the journal's bytes.
 6. Its workspace is in this branch's index, or comes along, and its policy says `commit = "with-code"`.

What is added is noted first, so that `unstage.py` takes it out again if the commit is not made after all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cc_git.codec import paths
from cc_git.codec.toml_read import TomlFault, load
from cc_git.store.added_note import AddedNote, read_note, write_note
from cc_git.store.classify import owner_of
from cc_git.store.committing_process import Process
from cc_git.store.disk import read_file
from cc_git.store.engine import Engine
from cc_git.store.git import Git
from cc_git.store.holders import Holders
from cc_git.store.journal import Journal
from cc_git.store.journal_state import ReflogPosition
from cc_git.store.place import Place
from cc_git.store.position import moves_of_head
from cc_git.store.pygit2_engine import open_engine
from cc_git.store.trees import object_id
from cc_git.store.underway import INDEX_LOCKED, underway
from cc_git.store.unstage import not_committed, take_out
from cc_git.store.user_index import Staged, UserIndex


@dataclass(frozen=True, slots=True)
class Making:
    """The commit being made, as a pre-commit hook sees it.

    `index` is the file that Git named (None: none), `head` HEAD's commit, `base` what the index is compared with,
    `process` the git process that makes the commit.
    """

    top: Path
    git_dir: Path
    common_dir: Path
    index: Path | None
    head: str | None
    base: str
    process: Process | None

    def place(self, prefix: str) -> Place:
        return Place(self.top, self.git_dir, self.common_dir, prefix)


@dataclass(frozen=True, slots=True)
class Addition:
    """What was done to the index of a commit being made.

    `paths`, relative to the top level, were added. `emptied`: all that the index held were entries of an earlier commit
    that failed; they are out of it, and nothing of the user's is in it.
    """

    paths: tuple[str, ...] = ()
    emptied: bool = False


def may_add(making: Making) -> bool:
    """Conditions 1 and 2. `--git-path index` would not do: it obeys the variable that is in question."""
    index = making.index
    if index is None or index.name not in ("index", "index.lock") or not _same(index.parent, making.git_dir):
        return False
    # Git itself holds `index.lock` under `commit -a`.
    return not set(underway(making.git_dir)) - {INDEX_LOCKED}


def add_waiting(making: Making, prefixes: tuple[str, ...], git: Git) -> Addition:
    """Add what may join the commit, of the workspaces at `prefixes`.

    Raises `CcGitError` and OSError: then nothing was added, or what was added is noted.
    """
    if not prefixes or not may_add(making):
        return Addition()
    index = UserIndex(git, making.index)
    changes = index.changes(making.base)
    if not changes:
        return Addition()
    engine = open_engine(making.git_dir)
    try:
        earlier = _take_out_earlier(making, git, engine, index, changes)
        if not changes:
            return Addition(emptied=True)
        files: dict[str, str] = {}
        position = ReflogPosition()
        for prefix in prefixes:
            asked = _Asked(making, making.place(prefix), git, engine, index, changes)
            found, position = _waiting(asked)
            files |= found
    finally:
        engine.close()
    if not files:
        return Addition()
    if earlier is None:
        note = AddedNote(files, position, making.process)
    else:
        note = AddedNote({**earlier.entries, **files}, earlier.position, making.process)
    write_note(making.git_dir, note)
    index.add(files)
    return Addition(_verified(files, index))


def _take_out_earlier(
    making: Making, git: Git, engine: Engine, index: UserIndex, changes: dict[str, Staged]
) -> AddedNote | None:
    """What a commit that failed left in the index, out of it and of `changes`: without it must show whether the user
    changed anything. Returns what is to be noted on: under `commit -a` it was only taken out of a copy."""
    note = read_note(making.git_dir)
    if note is None:
        return None
    left = not_committed(note, making.place(""), engine, git)
    for path in take_out({path: left[path] for path in left.keys() & changes.keys()}, index):
        del changes[path]
    return AddedNote(left, note.position, None) if left else None


@dataclass(frozen=True, slots=True)
class _Asked:
    making: Making
    place: Place
    git: Git
    engine: Engine
    index: UserIndex
    changes: Mapping[str, Staged]


def _waiting(asked: _Asked) -> tuple[dict[str, str], ReflogPosition]:
    """Conditions 4 to 6 for one workspace: path relative to the top level → blob, and where the reflog stands."""
    place = asked.place
    journal = Journal.open(place)
    try:
        state = journal.read()
    finally:
        journal.close()
    moves = moves_of_head(place, asked.git, state.position)
    start = f"{place.prefix}/"
    rels = [rel for rel in state.pending if not paths.is_private(rel) and start + rel not in asked.changes]
    if not rels or not _joins_commits(place):
        return {}, moves.position
    there = asked.index.entries({start + folder for folder in _folders(rels)})
    home = start + paths.WORKSPACE_FILE
    pending = {
        rel: state.pending[rel]
        for rel in rels
        if start + rel not in there
        and not _forgotten(rel, place.prefix, there)
        and _on_disk(place, rel, state.pending[rel], asked.engine.object_format)
    }
    if home not in there and paths.WORKSPACE_FILE not in pending:
        return {}, moves.position
    seen = Holders(asked.engine, place.prefix, asked.making.head, {}).of_pending(pending, moves.commits)
    return {start + rel: blob for rel, blob in pending.items() if rel not in seen}, moves.position


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


def _forgotten(rel: str, prefix: str, there: Mapping[str, str]) -> bool:
    owner = owner_of(rel)
    return owner is not None and f"{prefix}/{paths.tombstone_path(owner)}" in there


def _on_disk(place: Place, rel: str, blob: str, object_format: Literal["sha1", "sha256"]) -> bool:
    assert place.directory is not None
    try:
        data = read_file(place.directory / rel)
    except OSError:
        return False
    return data is not None and object_id("blob", data, object_format) == blob


def _verified(files: Mapping[str, str], index: UserIndex) -> tuple[str, ...]:
    """A filter of the user's (an attribute outside our folder, an encoding) may have changed bytes on their way in:
    what is not the journal's goes out again and waits."""
    there = index.entries(files)
    wrong = [path for path, blob in files.items() if path in there and there[path] != blob]
    index.remove(wrong)
    return tuple(path for path, blob in files.items() if there.get(path) == blob)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
