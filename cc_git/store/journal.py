"""The journal: our own chain of writes, in a bare repository of our own inside the common Git directory.

`<common>/continuity/journal.git` has one ref per worktree (by a random token in the worktree's own Git directory) and
workspace. It is made on the first write; until then, and where nothing can be written, it reads as empty.

A commit holds what one write added; every 256th, and every change that is more than an addition, holds the whole
state and drops the chain before it. All changes happen under one lock for the clone and move the ref by
compare-and-swap; a reader takes no lock, and starts again if what it walks is pruned under it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from cc_git.entropy import fresh_token
from cc_git.errors import CcGitError, Damaged, LostRace, NotWritable, Unsupported
from cc_git.store import journal_form as form
from cc_git.store.disk import explained, make_file_once
from cc_git.store.engine import LARGEST_KEPT, Engine, MissingObject
from cc_git.store.journal_chain import NOTHING, Chain, Reading
from cc_git.store.journal_form import Message, WriteNote
from cc_git.store.journal_pack import pack_all, pack_new
from cc_git.store.journal_refs import JournalRefs
from cc_git.store.journal_repository import create_repository, open_journal
from cc_git.store.journal_state import JournalState, ReflogPosition
from cc_git.store.locks import Unfinished, WriteLock
from cc_git.store.names import OwnFolder, writes_ref
from cc_git.store.place import Place
from cc_git.store.recover import recover

WHOLE_EVERY = 256
PACK_EVERY = 500
_TRIES = 5
_NONE: Mapping[str, str] = MappingProxyType({})


class Journal:
    """The journal as one worktree and workspace see it; made by `Journal.open`."""

    def __init__(self, place: Place, *, object_format: Literal["sha1", "sha256"], durable: bool) -> None:
        self.place = place
        self.durable = durable
        self.own = OwnFolder(place.common_dir)
        self._format = object_format
        self.refs = JournalRefs(self.own.journal)
        self._lock = WriteLock(self.own)
        self._known_ref: str | None = None
        self._engine: Engine | None = None
        self._chain = Chain()
        self._pack_due = False

    @classmethod
    def open(cls, place: Place, *, object_format: Literal["sha1", "sha256"] = "sha1", durable: bool = True) -> Journal:
        """Touches nothing on disk. `durable` syncs every object to the disk before a write returns."""
        return cls(place, object_format=object_format, durable=durable)

    def beside(self, ref: str) -> Journal:
        """The same journal as the worktree saw it that wrote to this ref; close it apart."""
        other = Journal(self.place, object_format=self._format, durable=self.durable)
        other._known_ref = ref
        return other

    # the repository behind it
    @property
    def engine(self) -> Engine | None:
        """The journal's repository, or None while there is none."""
        if self._engine is None and (self.own.journal / "HEAD").is_file():
            self._engine = open_journal(self.own)
            self._engine.durable(self.durable)
        return self._engine

    def writable(self) -> Engine:
        """The journal's repository, made where it is missing; hold the lock."""
        engine = self.engine
        if engine is None:
            create_repository(self.own, self._format)
            engine = self.engine
        assert engine is not None
        return engine

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None
        self._chain.forget()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the clone's write lock (nests); recovers first if its last holder was interrupted."""
        if self.place.top is None:
            raise Unsupported(
                "this is a bare repository: it is read, never written",
                hints=("run the command in a clone with a work tree",),
            )
        lost = explained(self.own.path, lost="nothing was remembered (persistence)")
        with lost, self._lock.hold(self.place, self._recover) as outermost:
            yield
            if outermost:
                self._pack_when_due()

    def leave_unfinished(self) -> None:
        """The last commit's files could not all be written: the next holder of the lock tries again. Hold the lock."""
        self._lock.leave_unfinished()

    def _recover(self, unfinished: Unfinished | None) -> None:
        recover(self.own, self.place, unfinished, durable=self.durable)

    def _token(self) -> str | None:
        try:
            return OwnFolder(self.place.git_dir).token.read_text().strip() or None
        except (FileNotFoundError, NotADirectoryError):
            return None
        except PermissionError as fault:
            raise NotWritable(
                f"cannot read {fault.filename}",
                why="the journal belongs to another user, so what waits here is not known",
                hints=("run the command as the owner of this clone",),
            ) from fault

    @property
    def ref(self) -> str | None:
        """The ref of this worktree and workspace; None before the first write."""
        if self._known_ref is None:
            token = self._token()
            self._known_ref = None if token is None else writes_ref(token, self.place.prefix).name
        return self._known_ref

    def _made_ref(self) -> str:
        if self.ref is None:
            own = OwnFolder(self.place.git_dir)
            own.path.mkdir(mode=0o700, exist_ok=True)
            make_file_once(own.token, fresh_token(16).encode() + b"\n")
        ref = self.ref
        assert ref is not None
        return ref

    # reading
    def read(self) -> JournalState:
        """The present state; empty where there is no journal. Raises Damaged where it is broken, naming it."""
        try:
            return self._read().state
        except Damaged as fault:
            raise Damaged(
                f"the journal at {self.own.journal} is damaged",
                why=f"{fault.what}; what lies on disk is safe and waits again once the journal is put aside",
                hints=("cc-git doctor", f"mv {self.own.journal} {self.own.journal}.damaged"),
            ) from fault

    def _read(self) -> Reading:
        ref, engine = self.ref, self.engine
        if ref is None or engine is None:
            return NOTHING
        for attempt in range(_TRIES):
            tip = self.refs.read(ref)
            if tip is None:
                self._chain.forget()
            elif tip != self._chain.reading.tip:
                try:
                    self._chain.read(engine, tip)
                except Damaged:
                    # Another process dropped the chain that we were walking, or packed it anew.
                    if attempt + 1 == _TRIES:
                        raise
                    self.close()
                    engine = self.engine
                    if engine is None:
                        return NOTHING
                    continue
            return self._chain.reading
        raise AssertionError("the last try returns or raises")

    def note(self, rel: str) -> WriteNote | None:
        """HEAD and anchors as the write that added this path noted them; None when it is not (or no longer) ours."""
        basis, engine = self._read(), self.engine
        for write in reversed(basis.writes):
            if rel in write.added:
                return write.note
        if engine is None or basis.whole_tree is None:
            return None
        entry = engine.entry(basis.whole_tree, f"{form.NOTES}/{rel}")
        return None if entry is None else form.note_of(engine.blob(entry.oid))

    def blob(self, oid: str) -> bytes:
        """The bytes of a blob that the journal holds; raises `MissingObject`."""
        if self.engine is None:
            raise MissingObject(oid)
        try:
            return self.engine.blob(oid, LARGEST_KEPT)
        except Damaged:
            self.close()
        if self.engine is None:
            raise MissingObject(oid)
        return self.engine.blob(oid, LARGEST_KEPT)

    # writing
    def put(self, data: bytes) -> str:
        """Store bytes and return their blob. Hold the lock from here until a commit names it."""
        return self.writable().write_blob(data)

    def append(
        self,
        added: Mapping[str, str] = _NONE,
        *,
        verb: str = "write",
        note: WriteNote | None = None,
        position: ReflogPosition | None = None,
        tips: str | None = None,
    ) -> str:
        """Add paths with their blobs (from `put`) to pending or, below `private/`, to private; the commit's id.

        None leaves position and tips as they are. Losing a race only means to append after the winner.
        """
        with self.locked():
            engine, ref = self.writable(), self._made_ref()
            for _ in range(_TRIES):
                tip = self.refs.read(ref)
                self._lock.announce(tip)
                before = self._chain.message(engine, tip)
                message = Message(
                    kind=form.WRITE,
                    verb=verb,
                    since_whole=before.since_whole + 1,
                    writes=before.writes + 1,
                    added=added,
                    note=note or WriteNote(),
                    position=position,
                    tips=tips,
                )
                if message.since_whole < WHOLE_EVERY:
                    tree = engine.write_tree(form.flat_entries(added))
                    moved = self._publish(engine, ref, tip, tree, message)
                else:
                    basis = self._read()
                    state = form.apply_writes(basis.state, [message])
                    moved = self._whole(engine, ref, basis, state, message)
                if moved:
                    return moved
        raise _lost(self.own.journal)

    def replace(self, state: JournalState, *, verb: str = "observe") -> str:
        """Set the whole state. It must follow from the last `read`: if somebody wrote since then, `LostRace`.

        Read and replace inside one `locked()`, and nobody can.
        """
        with self.locked():
            engine, ref, basis = self.writable(), self._made_ref(), self._chain.reading
            writes = self._chain.message(engine, basis.tip).writes + 1
            moved = self._whole(engine, ref, basis, state, Message(form.WHOLE, verb, 0, writes))
        if moved is None:
            raise _lost(self.own.journal)
        return moved

    def _whole(self, engine: Engine, ref: str, basis: Reading, state: JournalState, write: Message) -> str | None:
        changes = form.whole_changes(basis.whole, state)
        changes |= form.note_changes((*basis.writes, write), state, engine.write_blob)
        tree = engine.overlay(basis.whole_tree, changes) or engine.write_tree(())
        message = replace(write, kind=form.WHOLE, since_whole=0, position=state.position, tips=state.tips)
        moved = self._publish(engine, ref, basis.tip, tree, message)
        if moved:
            self._chain.reading = Reading(moved, tree, state, (), state)
        return moved

    def _publish(self, engine: Engine, ref: str, tip: str | None, tree: str, message: Message) -> str | None:
        """Commit and move the ref from `tip`; None if it was moved by somebody else."""
        parents = [] if tip is None or message.kind == form.WHOLE else [tip]
        commit = engine.write_commit(tree, parents, message.text(), form.WRITER, seconds=form.SECONDS)
        if not self.refs.move(ref, commit, tip, durable=self.durable):
            return None
        self._chain.wrote(commit, parents[0] if parents else None, message)
        self._pack_due = self._pack_due or message.writes % PACK_EVERY == 0
        return commit

    # size
    def _pack_when_due(self) -> None:
        if self._pack_due:
            self._pack_due = False
            # A saving of space that waits for the next occasion: what was written is written.
            with suppress(CcGitError, OSError):
                pack_new(self.writable(), self.own.journal)
            self.close()

    def prune_now(self) -> None:
        """Drop from the disk all that no ref of the journal reaches, and pack the rest into one."""
        with self.locked():
            if self.engine is not None:
                pack_all(self.engine, self.own.journal)
                self.close()


def _lost(journal: Path) -> LostRace:
    return LostRace(
        "somebody else wrote to the journal at the same time",
        why=f"its ref in {journal} moved again and again",
        hints=("run the command again",),
    )
