"""The one transaction: written, then published.

In this order, under the clone's lock: objects, a journal commit by compare-and-swap, the files, our index. A writer
that dies before the journal commit has written nothing; one that dies after it has written everything, because its
successor (and the present snapshot) puts the files where the journal says. So it is with a disk that is full or fails:
before the journal commit the write is refused and nothing is kept; after it the write is done, and `Written.unplaced`
says which files the work tree has to wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from cc_git.codec.paths import ATTACHMENTS, QUARANTINE, WORKING_CONTEXT, folder_of, is_private
from cc_git.errors import CcGitError, LostRace, Refused, Unsupported
from cc_git.governance.screen import Screened
from cc_git.model.fault import LARGEST
from cc_git.store.disk import explained, is_full
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.placing import make_folders, missing_files, write_missing
from cc_git.store.private_away import scratch_outside
from cc_git.store.private_folder import exclude, refuse_obstacle
from cc_git.store.waiting_mark import mark_waiting

Indexed = Callable[[Mapping[str, str]], None]
"""Takes what was written, as path → blob, into the index."""


@dataclass(frozen=True, slots=True)
class Written:
    """`commit` is the journal's; `blobs` is path → blob, in the order of writing. `unplaced` is None, or says what is
    kept in the journal alone, and why."""

    commit: str
    blobs: Mapping[str, str]
    unplaced: str | None = None


def write(
    journal: Journal,
    files: Screened,
    *,
    verb: str,
    note: WriteNote,
    indexed: Indexed | None = None,
) -> Written:
    """Write files (path below `.continuity/` → bytes) in which no secret was found, evidence before what cites it: the
    mapping's order is kept.

    When this returns, everything is in the journal, and on the disk too (private files not while a stash holds them)
    but for what `Written.unplaced` names. `verb` goes into the journal: no text.
    Raises `Refused` before anything is written where an immutable file stands with other bytes, and for an object that
    is too large to be read again, `Damaged` where
    something else stands in the place of `private/` and a file is private, `LostRace`, `NotWritable`. A fault of
    `indexed` concerns the index alone and is the caller's to pass over.
    """
    _refuse_too_large(files)
    with journal.locked():
        directory = _directory(journal)
        with explained(directory, lost="nothing was remembered (persistence)"):
            if any(is_private(rel) for rel in files):
                refuse_obstacle(journal.place)
            missing = missing_files(directory, files)
            scratch = scratch_outside(journal.place)
            exclude(journal.place)
            make_folders(directory, missing, scratch=scratch)
            if any(not is_private(rel) for rel in files):
                # Before the journal says so: a mark too many costs time, one too few a record's commit.
                mark_waiting(journal.place, waits=True)
            blobs = {rel: journal.put(data) for rel, data in files.items()}
            commit = journal.append(blobs, verb=verb, note=note)
        try:
            write_missing(directory, missing, durable=journal.durable, scratch=scratch)
            unplaced = None
        except (OSError, CcGitError) as fault:
            journal.leave_unfinished()
            unplaced = _unplaced(directory, fault)
        written = Written(commit, MappingProxyType(blobs), unplaced)
        if indexed is not None:
            indexed(written.blobs)
        return written


def write_working_context(
    journal: Journal,
    files: Screened,
    *,
    replaces: str | None,
    note: WriteNote,
    verb: str = "context",
) -> Written:
    """Replace the working context, atomically; every version goes through the journal. It is the last of `files`; those
    before it are what it refers to.

    `replaces` is the blob of the version that the new one was made from (None: there was none); where the journal has
    another by now, `LostRace`, and nothing is written.
    """
    with journal.locked():
        if working_context(journal) != replaces:
            raise LostRace(
                "the work in hand changed at the same time", why="somebody else wrote first", hints=("run it again",)
            )
        return write(journal, files, verb=verb, note=note)


def working_context(journal: Journal) -> str | None:
    """The blob of the working context that the journal holds now."""
    return journal.read().private.get(WORKING_CONTEXT)


def _unplaced(directory: Path, fault: OSError | CcGitError) -> str:
    if isinstance(fault, CcGitError):
        why, when = fault.what, "that is mended"
    else:
        why = f"cannot write to {fault.filename or directory}: {fault.strerror}"
        when = "there is room" if is_full(fault) else "that is mended"
    return f"kept in the journal; its files appear when {when} (cc-git doctor): {why}"


def _refuse_too_large(files: Mapping[str, bytes]) -> None:
    for rel, data in files.items():
        if len(data) > LARGEST and folder_of(rel) not in (ATTACHMENTS, QUARANTINE):
            raise Refused(
                f"{rel} would have {len(data)} bytes, and more than {LARGEST >> 20} MiB is not read",
                why="what is remembered is read by every later command",
                hints=("keep what matters of it, and name where the rest is in its sources",),
            )


def _directory(journal: Journal) -> Path:
    directory = journal.place.directory
    if directory is None:
        raise Unsupported("a bare repository has no files to write", hints=("run the command in a clone",))
    return directory
