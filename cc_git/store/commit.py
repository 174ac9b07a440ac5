"""`cc-git commit`: a commit of `.continuity/` alone, made by the git program.

Hooks, signing, identity and the rest of the index stay the user's: new files are added to the index by their paths, and
`git commit --only` then takes those paths. What joins: waiting files that are on disk with the journal's bytes, what
is staged below the workspace, documents that people edited, and forgotten files that were emptied. An immutable file
with other bytes, or one missing on disk, is left out and named: it is no change that anybody should make by accident.
So is what is to stay private, wherever it lies (`commit_gate.py`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from cc_git.codec import paths
from cc_git.errors import NoWorkspace, Refused
from cc_git.governance.leaks import Laid
from cc_git.store.added_note import AddedNote, drop_note, read_note, write_note
from cc_git.store.attributes import require_plain_attributes, unreadable_attributes
from cc_git.store.classify import is_document, owner_of
from cc_git.store.commit_gate import CommitGate, Committing
from cc_git.store.committing_process import process, runs
from cc_git.store.disk import explained, read_file
from cc_git.store.engine import Engine
from cc_git.store.git import Git
from cc_git.store.git_process import GitFailed, Ran
from cc_git.store.journal_state import ReflogPosition
from cc_git.store.place import Place
from cc_git.store.position import moves_of_head
from cc_git.store.trees import object_id
from cc_git.store.underway import INDEX_LOCKED, underway
from cc_git.store.unstage import take_out
from cc_git.store.user_index import UserIndex

_FINISH = {
    "merge": "git merge --continue",
    "rebase": "git rebase --continue",
    "cherry-pick": "git cherry-pick --continue",
    "revert": "git revert --continue",
    "bisect": "git bisect reset",
}
_ONE_OF = {
    paths.RECORDS: ("record", "records"),
    paths.EPISODES: ("episode", "episodes"),
    paths.RULINGS: ("ruling", "rulings"),
    paths.TRIGGERS: ("trigger", "triggers"),
    paths.RUNBOOKS: ("runbook", "runbooks"),
    paths.CHECKPOINTS: ("checkpoint", "checkpoints"),
    paths.RECEIPTS: ("receipt", "receipts"),
    paths.TOMBSTONES: ("tombstone", "tombstones"),
    paths.ENDINGS: ("ending", "endings"),
}


@dataclass(frozen=True, slots=True)
class CommitPlan:
    """What a commit would hold. All paths are below `.continuity/` and sorted.

    `added` is path → blob of the waiting files that join, `changed` are paths that Git knows already, `left_out` those
    with a change that does not join, and `absent` waiting files that are not on disk with the journal's bytes.
    `held_back` is path → why, of what would be committed and must stay private, `secrets` is path → a sentence.
    """

    added: Mapping[str, str]
    changed: tuple[str, ...]
    left_out: tuple[str, ...]
    absent: tuple[str, ...]
    held_back: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted((*self.added, *self.changed)))


@dataclass(frozen=True, slots=True)
class Committed:
    """`commit` is the new commit's id, None where there was nothing to commit. `said` is what Git and the user's
    hooks wrote."""

    commit: str | None
    files: tuple[str, ...]
    left_out: tuple[str, ...]
    absent: tuple[str, ...]
    said: str = ""


def plan_commit(
    place: Place,
    engine: Engine,
    git: Git,
    waiting: Mapping[str, str],
    allowed: Callable[[Place], Collection[str]] = lambda _: (),
) -> CommitPlan:
    """`waiting` is the journal's pending, path → blob, after `observe`; `allowed` as of `Committing`. Raises `Refused`
    while Git is busy."""
    if place.directory is None:
        raise Refused("a bare repository has nothing to commit", hints=("run the command in a clone",))
    busy = underway(place.git_dir)
    if busy and busy[0] == INDEX_LOCKED:
        lock = place.git_dir / "index.lock"
        raise Refused(
            "another program is changing the index",
            why=f"{lock} is there; what waits goes on waiting",
            hints=("when it is done: cc-git commit", f"if no Git runs here any more: rm {lock}"),
        )
    if busy:
        raise Refused(
            f"nothing is committed during a {busy[0]}",
            why="what waits would become part of it",
            hints=(_FINISH.get(busy[0], "git status"), "cc-git commit"),
        )
    _require_workspace(place, git, len(waiting))
    known = _changes(place, git, waiting, engine)
    added: dict[str, str] = {}
    absent: list[str] = []
    for rel, blob in sorted(waiting.items()):
        if rel in known or paths.is_private(rel):
            continue
        if _blob_on_disk(place, rel, engine) == blob:
            added[rel] = blob
        else:
            absent.append(rel)
    changed = tuple(sorted(rel for rel, joins in known.items() if joins))
    left_out = tuple(sorted(rel for rel, joins in known.items() if not joins))
    made = Committing(place, git, UserIndex(git), engine.head()[1], allowed)
    return _without_leaks(CommitPlan(added, changed, left_out, tuple(absent)), made, engine)


def _without_leaks(plan: CommitPlan, made: Committing, engine: Engine) -> CommitPlan:
    place = made.place
    assert place.directory is not None
    laid = [
        Laid(rel, object_id("blob", data, engine.object_format), data)
        for rel in plan.files
        if (data := read_file(place.directory / rel)) is not None
    ]
    gate = CommitGate(made)
    leaks = gate.leaks(place.prefix, laid)
    secrets = {rel: found[0].told(rel) for rel, found in gate.secrets(place.prefix, laid).items() if rel not in leaks}
    added = {rel: blob for rel, blob in plan.added.items() if rel not in {*leaks, *secrets}}
    changed = tuple(rel for rel in plan.changed if rel not in {*leaks, *secrets})
    return replace(plan, added=added, changed=changed, held_back=leaks, secrets=secrets)


def carry_out(plan: CommitPlan, place: Place, engine: Engine, git: Git, *, message: str | None = None) -> Committed:
    """Make the commit; without a message it gets one of counts alone. When Git refuses, the index is as it was.

    Raises `GitFailed` with what Git and the user's hooks said, `NotWritable`, and `Refused` where Git would commit
    other bytes than those that were written.
    """
    rels = plan.files
    if not rels:
        return Committed(None, (), plan.left_out, plan.absent)
    require_plain_attributes(place, git, rels)
    entries = {f"{place.prefix}/{rel}": blob for rel, blob in plan.added.items()}
    with _noted(entries, place, git), _taken_out_unless_made(entries, UserIndex(git)) as index:
        index.add(entries)
        _require_the_same_bytes(entries, index)
        ran = _commit(git, (f"{place.prefix}/{rel}" for rel in rels), message or summary(rels))
        if ran.code:
            raise GitFailed(
                "Git did not make the commit",
                why=ran.said or ran.stdout.decode("utf-8", "replace").strip() or None,
                hints=("the records go on waiting; mend what Git names, then: cc-git commit",),
            )
    return Committed(engine.head()[1], rels, plan.left_out, plan.absent, ran.said)


def summary(rels: Iterable[str]) -> str:
    """What is committed, by number and kind of file: no text of the user's."""
    numbers = Counter(paths.folder_of(rel) for rel in rels)
    others = sum(number for folder, number in numbers.items() if folder not in _ONE_OF)
    parts = [f"{numbers[folder]} {words[numbers[folder] > 1]}" for folder, words in _ONE_OF.items() if numbers[folder]]
    if others:
        parts.append(f"{others} file{'s' * (others > 1)}" if not parts else f"{others} other{'s' * (others > 1)}")
    return f"continuity: {', '.join(parts)}"


@contextmanager
def _noted(entries: Mapping[str, str], place: Place, git: Git) -> Iterator[None]:
    """Keep the note of what is in the index as long as it may have to be taken out by somebody else."""
    earlier = read_note(place.git_dir)
    if earlier is not None and earlier.process is not None and runs(earlier.process):
        raise Refused(
            "another commit is being made here",
            why=f"process {earlier.process.number} has not ended yet",
            hints=("finish or abort it, then: cc-git commit",),
        )
    if earlier is None:
        position = moves_of_head(place, git, ReflogPosition()).position
        note = AddedNote(entries, position, process(os.getpid()))
    else:
        note = AddedNote({**earlier.entries, **entries}, earlier.position, process(os.getpid()))
    with explained(place.git_dir, lost="nothing was committed"):
        write_note(place.git_dir, note)
    try:
        yield
    finally:
        if earlier is None:
            drop_note(place.git_dir)
        else:
            write_note(place.git_dir, earlier)


@contextmanager
def _taken_out_unless_made(entries: Mapping[str, str], index: UserIndex) -> Iterator[UserIndex]:
    try:
        yield index
    except BaseException:
        take_out(entries, index)
        raise


def _require_the_same_bytes(entries: Mapping[str, str], index: UserIndex) -> None:
    """An attribute that stands above those beside our files may send them through a filter of the user's."""
    there = index.entries(entries)
    wrong = sorted(path for path, blob in entries.items() if there.get(path, blob) != blob)
    if wrong:
        index.remove(wrong)
        raise Refused(
            f"Git would not commit {wrong[0]} with its own bytes",
            why="a filter, an encoding or line endings from info/attributes or core.attributesFile apply to it",
            hints=(f"git check-attr -a {wrong[0]}", "leave the workspace out there: **/.continuity/** -filter -text …"),
        )


def _commit(git: Git, names: Iterable[str], message: str) -> Ran:
    listed = b"".join(name.encode("utf-8", "surrogateescape") + b"\0" for name in names)
    words = ("--literal-pathspecs", "commit", "--quiet", "--only", "--pathspec-from-file=-", "--pathspec-file-nul")
    return git.run_for_user(*words, "--message", message, input=listed)


def _require_workspace(place: Place, git: Git, number: int) -> None:
    assert place.directory is not None
    home = f"{place.prefix}/{paths.WORKSPACE_FILE}"
    if not os.path.lexists(place.directory / paths.WORKSPACE_FILE) and not UserIndex(git).entries((home,)):
        raise NoWorkspace(
            f"this branch has no {home}",
            why=f"{number} file{'s' * (number != 1)} wait for a branch that has the workspace",
            hints=("git switch <branch>", "cc-git init"),
        )


def _changes(place: Place, git: Git, waiting: Mapping[str, str], engine: Engine) -> dict[str, bool]:
    """What Git sees changed below the workspace: path → whether it joins."""
    words = ("status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all")
    if (stuck := unreadable_attributes(place)) is not None:
        raise Refused(f"{place.prefix}/{stuck}")
    found: dict[str, bool] = {}
    for line in git.run("--literal-pathspecs", *words, "--", place.prefix).stdout.split(b"\0"):
        kind, _, rest = line.decode("utf-8", "surrogateescape").partition(" ")
        if kind == "u":
            raise Refused("there are unmerged files below .continuity/", hints=("git status", "git add <path>"))
        if kind == "1":
            # `1 <XY> <sub> <mH> <mI> <mW> <hH> <hI> <path>`, see git-status(1).
            fields = rest.split(" ", 7)
            rel = fields[7].removeprefix(f"{place.prefix}/")
            found[rel] = _joins(place, rel, fields[0], waiting, engine)
    return found


def _joins(place: Place, rel: str, state: str, waiting: Mapping[str, str], engine: Engine) -> bool:
    assert place.directory is not None
    if paths.is_private(rel):
        return False
    if state[1] == ".":
        # `rm --cached`: the file is still there, and `commit --only` would take it in again.
        return state[0] != "D" or not os.path.lexists(place.directory / rel)
    if state == ".A":
        return rel in waiting and _blob_on_disk(place, rel, engine) == waiting[rel]
    if state[1] != "M":
        return False
    return is_document(rel) or (_emptied(place, rel) and state[0] == ".")


def _emptied(place: Place, rel: str) -> bool:
    """Forgotten: the file has no bytes, and a tombstone says why."""
    assert place.directory is not None
    owner = owner_of(rel)
    if owner is None or read_file(place.directory / paths.tombstone_path(owner)) is None:
        return False
    return read_file(place.directory / rel) == b""


def _blob_on_disk(place: Place, rel: str, engine: Engine) -> str | None:
    assert place.directory is not None
    try:
        data = read_file(place.directory / rel)
    except OSError:
        return None
    return None if data is None else object_id("blob", data, engine.object_format)
