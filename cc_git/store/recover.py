"""What the next writer does after one that was interrupted: clear up, then complete the last write.

Without the first, one kill between a ref's lock and its rename would stop every later write. The second gives back the
files of the one journal commit whose writer was killed before it was done, and only while HEAD is where that write
saw it: whatever the user did since then is for the present snapshot to judge, by its own rule for putting back.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from cc_git.codec.paths import WORKING_CONTEXT
from cc_git.errors import CcGitError
from cc_git.store import journal_form as form
from cc_git.store.disk import read_file
from cc_git.store.engine import LARGEST_KEPT, Engine
from cc_git.store.git import Git
from cc_git.store.journal_pack import sweep_unfinished
from cc_git.store.journal_refs import JournalRefs
from cc_git.store.journal_repository import open_journal
from cc_git.store.locks import Unfinished
from cc_git.store.names import OwnFolder, writes_ref
from cc_git.store.place import Place
from cc_git.store.placing import place_files, sweep_temporary
from cc_git.store.private_away import scratch_outside
from cc_git.store.repository import open_repository


def recover(own: OwnFolder, here: Place, unfinished: Unfinished | None, *, durable: bool) -> None:
    """Look after what the last writer left, in the journal, `here` and where it wrote; hold the clone's write lock."""
    for left in own.path.glob(f"{own.temporary_prefix}*"):
        shutil.rmtree(left, ignore_errors=True)
        left.unlink(missing_ok=True)
    for place in (here, unfinished.place if unfinished else here):
        if place.directory is not None:
            sweep_temporary(place.directory)
    if (own.journal / "HEAD").is_file():
        sweep_unfinished(own.journal)
        if unfinished is not None:
            engine = open_journal(own)
            try:
                _complete(engine, unfinished, durable=durable)
            finally:
                engine.close()


def _complete(engine: Engine, unfinished: Unfinished, *, durable: bool) -> None:
    place = unfinished.place
    if place.directory is None or not place.directory.is_dir():
        return
    try:
        token = OwnFolder(place.git_dir).token.read_text().strip()
    except FileNotFoundError:
        return
    tip = JournalRefs(OwnFolder(place.common_dir).journal).read(writes_ref(token, place.prefix).name)
    if tip is None or tip == unfinished.since:
        return
    write = form.message_of(engine.commit(tip))
    missing = {rel: oid for rel, oid in write.added.items() if _left_undone(engine, place.directory, rel, oid)}
    if missing and _head_is(place, write.note.head):
        files = {rel: engine.blob(oid, LARGEST_KEPT) for rel, oid in missing.items()}
        # What finds no room even now must not stop this writer too; the present snapshot goes on trying.
        with suppress(OSError, CcGitError):
            place_files(place.directory, files, durable=durable, scratch=scratch_outside(place))


def _left_undone(engine: Engine, directory: Path, rel: str, oid: str) -> bool:
    """A file that is not there, or a working context that is the one before."""
    stands = read_file(directory / rel)
    return stands is None or (rel == WORKING_CONTEXT and stands != engine.blob(oid, LARGEST_KEPT))


def _head_is(place: Place, commit: str | None) -> bool:
    try:
        engine = open_repository(place, Git(place))
    except CcGitError:
        return False
    try:
        return engine.head()[1] == commit
    finally:
        engine.close()
