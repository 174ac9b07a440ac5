"""Bring back a file that is withdrawn, elsewhere, stranded or left behind by a worktree that is gone: it waits again,
with the bytes first seen (a private one is in the private tier again)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

from cc_git.codec import paths
from cc_git.codec.texts import texts_in
from cc_git.errors import NoWorkspace, Refused, UsageFault
from cc_git.model.ids import is_id
from cc_git.store.classify import owner_of
from cc_git.store.disk import explained
from cc_git.store.engine import LARGEST_KEPT, MissingObject, TooLarge
from cc_git.store.facts import Sources
from cc_git.store.holders import tip_files
from cc_git.store.journal_state import JournalState
from cc_git.store.left_worktrees import Left, left_behind, let_go
from cc_git.store.observe import observe
from cc_git.store.placing import missing_files, place_files
from cc_git.store.present import PresentSnapshot, Workspace
from cc_git.store.private_away import scratch_outside
from cc_git.store.unknown_files import fault_of
from cc_git.store.waiting_mark import mark_waiting


@dataclass(frozen=True, slots=True)
class Restored:
    """What waits again: its path below the workspace and its blob. `along`: it was not named, something rests on it."""

    rel: str
    blob: str
    along: bool


def restore(sources: Sources, wanted: Sequence[str]) -> tuple[Restored, ...]:
    """Each of `wanted` is a whole id or a path below the workspace; it waits from then on, with its file on disk.

    What it rests on (sources, what it was derived from) comes along where that can be brought back too.

    All of them or none. The bytes come from the journal, else from a branch that holds them. Raises `UsageFault` where
    there is nothing to bring back, `Refused` for what was forgotten and while a Git operation is under way (the file
    could stand in its way), `NotWritable`.
    """
    with sources.journal.locked():
        present = observe(sources)
        if present.workspace is Workspace.ABSENT:
            raise NoWorkspace("this branch has no workspace", hints=("git switch -", "cc-git init"))
        if present.underway:
            raise Refused(
                f"{', '.join(wanted[:3])} cannot be restored now",
                why=f"in progress: {', '.join(present.underway)}",
                hints=("git status",),
            )
        state = sources.journal.read()
        left = left_behind(sources, present)
        files = dict(_found(sources, state, present, one, left) for one in wanted)
        named = frozenset(files)
        _add_grounds(sources, state, present, left, files)
        blobs = {rel: sources.journal.put(data) for rel, data in files.items()}
        again = _waiting_again(state, blobs)
        with _placed(sources, files):
            mark_waiting(sources.place, waits=bool(again.pending))
            sources.journal.replace(again, verb="restore")
        let_go(sources.journal, {rel: left[rel] for rel in blobs if rel in left})
        return tuple(Restored(rel, blob, along=rel not in named) for rel, blob in blobs.items())


def _add_grounds(
    sources: Sources, state: JournalState, present: PresentSnapshot, left: Mapping[str, Left], files: dict[str, bytes]
) -> None:
    """Add what the files rest on, and that in turn, as far as it is gone from here as they were."""
    gone = {i: rel for rel in (*state.watch, *left) if (i := paths.id_at(rel)) and rel not in present.entries}
    unread = list(files.values())
    while unread:
        for ground in texts_in(unread.pop()).rests_on:
            rel = gone.pop(ground, None)
            if rel is not None and rel not in files:
                with suppress(Refused, UsageFault):
                    found, data = _found(sources, state, present, ground, left)
                    files[found] = data
                    unread.append(data)


@contextmanager
def _placed(sources: Sources, files: Mapping[str, bytes]) -> Iterator[None]:
    """Put the files in before the journal says that they wait: the present snapshot puts nothing back that another
    branch holds, so one without room would not be restored. Where the journal does not follow, they go out again."""
    directory = sources.place.directory
    assert directory is not None
    missing = missing_files(directory, files)
    try:
        with explained(directory, lost="nothing was restored"):
            scratch = scratch_outside(sources.place)
            place_files(directory, missing, durable=sources.journal.durable, scratch=scratch)
            yield
    except BaseException:
        for rel in missing:
            (directory / rel).unlink(missing_ok=True)
        raise


def _found(
    sources: Sources, state: JournalState, present: PresentSnapshot, wanted: str, left: Mapping[str, Left]
) -> tuple[str, bytes]:
    for rel in _places((*state.watch, *left), wanted):
        if owner_of(rel) in present.tombstones:
            raise Refused(f"{wanted} was forgotten", why="a forgotten id does not come back")
        if rel in present.entries and rel not in present.guests:
            raise UsageFault(f"{wanted} is here", why=f"its class is {present.entries[rel].where}")
        for data in _copies(sources, state, rel, left):
            if fault_of(sources.judge, rel, data) is None:
                return rel, data
    raise UsageFault(
        f"there is nothing to restore at {wanted}", hints=("cc-git status", f"git log --all -- '*{wanted}*'")
    )


def _places(known: Iterable[str], wanted: str) -> Iterator[str]:
    if not is_id(wanted):
        yield wanted
        return
    found = [rel for rel in known if paths.id_at(rel) == wanted]
    yield from found
    if not found:
        with suppress(ValueError):
            yield from dict.fromkeys(paths.path_of(wanted, folders=folders) for folders in ("month", "day"))


def _copies(sources: Sources, state: JournalState, rel: str, left: Mapping[str, Left]) -> Iterator[bytes]:
    """The bytes first seen, from wherever they are still kept; where they are not known, those of any branch."""
    seen = state.watch.get(rel) or left.get(rel)
    if seen is not None:
        with suppress(MissingObject):
            yield sources.journal.blob(seen.blob)
        with suppress(MissingObject, TooLarge):
            yield sources.engine.blob(seen.blob, LARGEST_KEPT)
        return
    for files in tip_files(sources.engine, sources.place.prefix):
        with suppress(MissingObject, TooLarge, KeyError):
            yield sources.engine.blob(files[rel], LARGEST_KEPT)


def _waiting_again(state: JournalState, blobs: Mapping[str, str]) -> JournalState:
    private = {rel: blob for rel, blob in blobs.items() if paths.is_private(rel)}
    public = {rel: blob for rel, blob in blobs.items() if rel not in private}
    return replace(
        state,
        pending=MappingProxyType({**state.pending, **public}),
        private=MappingProxyType({**state.private, **private}),
        watch=MappingProxyType({rel: watched for rel, watched in state.watch.items() if rel not in blobs}),
    )
