"""How the journal spells itself in Git objects; the stored form, apart from the values it stands for.

A commit is one write. Its message is a subject, an empty line and one line of JSON. Its tree is either

- flat, for an ordinary write (`write`): only what was added, each path as one name with `/` spelled `%2F`;
- or the whole state (`whole`): folders `pending/`, `watch/`, `private/` and `notes/` with the paths as they are, and
  `seen/`, where each path of `watch/` names the commit that it was seen in. That commit lives in the user's
  repository: as a gitlink it is named here without being held.

A whole state has no parent, so everything before it can be pruned. Nested folders let a new whole state share all
that did not change with the one before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from cc_git.codec.paths import PRIVATE_DIR, is_private
from cc_git.errors import Damaged
from cc_git.store.engine import FILE, GITLINK, TREE, Commit, Engine, Entry, Person
from cc_git.store.journal_state import JournalState, ReflogPosition, Watched

WRITE, WHOLE = "write", "whole"
PENDING, WATCH, SEEN, PRIVATE, NOTES = "pending", "watch", "seen", "private", "notes"

WRITER = Person("cc-git", "cc-git@localhost")
SECONDS = 0
"""Journal commits carry no time: ids carry it, and equal writes give equal bytes."""

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class WriteNote:
    """What a write says about the code it was made beside: HEAD, and the blobs of its anchors by path."""

    head: str | None = None
    anchors: Mapping[str, str] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True)
class Message:
    """The message of a journal commit. `since_whole` and `writes` count commits; the texts are as in the state."""

    kind: str
    verb: str
    since_whole: int
    writes: int
    added: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    note: WriteNote = field(default_factory=WriteNote)
    position: ReflogPosition | None = None
    tips: str | None = None

    def text(self) -> str:
        """Ids, verbs and counts: no text of the user's. Defaults are left out."""
        body: dict[str, object] = {"n": self.since_whole, "w": self.writes}
        if self.added:
            body["add"] = dict(self.added)
        if self.note.head:
            body["head"] = self.note.head
        if self.note.anchors:
            body["anchors"] = dict(self.note.anchors)
        if self.position is not None:
            body["reflog"] = [self.position.lines, self.position.last]
        if self.tips is not None:
            body["tips"] = self.tips
        return f"{self.kind} {self.verb}\n\n{json.dumps(body, separators=(',', ':'))}\n"


def message_of(commit: Commit) -> Message:
    subject, _, rest = commit.message.partition("\n\n")
    kind, _, verb = subject.partition(" ")
    try:
        body = json.loads(rest)
        reflog = body.get("reflog")
        return Message(
            kind=kind,
            verb=verb,
            since_whole=int(body["n"]),
            writes=int(body["w"]),
            added=body.get("add", {}),
            note=WriteNote(body.get("head"), body.get("anchors", {})),
            position=None if reflog is None else ReflogPosition(int(reflog[0]), str(reflog[1])),
            tips=body.get("tips"),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as fault:
        raise Damaged(
            f"the journal's commit {commit.oid} cannot be read", why=str(fault), hints=("cc-git doctor",)
        ) from None


def flat_entries(added: Mapping[str, str]) -> Iterator[Entry]:
    for rel, oid in added.items():
        yield Entry(rel.replace("%", "%25").replace("/", "%2F"), FILE, oid)


def section_of(rel: str) -> tuple[str, str]:
    """The folder of the whole state that a path belongs to, and its path in there."""
    if is_private(rel):
        return PRIVATE, rel.removeprefix(f"{PRIVATE_DIR}/")
    return PENDING, rel


def whole_changes(old: JournalState, new: JournalState) -> dict[str, tuple[int, str] | None]:
    """What differs between two states, as changes of the whole state's tree."""
    changes: dict[str, tuple[int, str] | None] = {}
    for before, after in ((old.pending, new.pending), (old.private, new.private)):
        if before is after:
            continue
        for rel in before.keys() - after.keys():
            changes["/".join(section_of(rel))] = None
        for rel, oid in after.items():
            if before.get(rel) != oid:
                changes["/".join(section_of(rel))] = (FILE, oid)
    if old.watch is not new.watch:
        for rel in old.watch.keys() - new.watch.keys():
            changes[f"{WATCH}/{rel}"] = changes[f"{SEEN}/{rel}"] = None
        for rel, seen in new.watch.items():
            if old.watch.get(rel) != seen:
                changes[f"{WATCH}/{rel}"] = (FILE, seen.blob)
                changes[f"{SEEN}/{rel}"] = (GITLINK, seen.commit)
    for rel in (old.pending.keys() | old.watch.keys()) - new.pending.keys() - new.watch.keys():
        changes[f"{NOTES}/{rel}"] = None
    return changes


def note_changes(
    writes: Iterable[Message], state: JournalState, put: Callable[[bytes], str]
) -> dict[str, tuple[int, str] | None]:
    """The notes of writes that the whole state must hold: those of paths that still wait or are watched."""
    changes: dict[str, tuple[int, str] | None] = {}
    blobs: dict[str, str] = {}
    for message in writes:
        if message.note == WriteNote():
            continue
        body = json.dumps({"head": message.note.head, "anchors": dict(message.note.anchors)}, separators=(",", ":"))
        for rel in message.added:
            if rel in state.pending or rel in state.watch:
                if body not in blobs:
                    blobs[body] = put(body.encode())
                changes[f"{NOTES}/{rel}"] = (FILE, blobs[body])
    return changes


def note_of(data: bytes) -> WriteNote:
    body = json.loads(data)
    return WriteNote(body["head"], MappingProxyType(body["anchors"]))


def read_whole(engine: Engine, tree: str, message: Message) -> JournalState:
    sections = {entry.name: entry.oid for entry in engine.tree(tree) if entry.mode == TREE}

    def files(section: str) -> Mapping[str, str]:
        return engine.files(sections[section]) if section in sections else _NOTHING

    watch = _read_watch(engine, sections[WATCH], sections[SEEN]) if WATCH in sections else _NO_WATCH
    private = MappingProxyType({f"{PRIVATE_DIR}/{rel}": oid for rel, oid in files(PRIVATE).items()})
    return JournalState(
        pending=files(PENDING),
        watch=watch,
        private=private,
        position=message.position or ReflogPosition(),
        tips=message.tips or "",
    )


_NO_WATCH: Mapping[str, Watched] = MappingProxyType({})


def _read_watch(engine: Engine, watch: str, seen: str) -> Mapping[str, Watched]:
    """Both folders have the same paths, so they are walked alike and laid side by side.

    A clone without a remote watches all that it ever wrote: a hundred thousand paths are read in a tenth of a second.
    """
    blobs = engine.files(watch)
    commits: list[str] = []
    _gitlinks(engine, seen, commits)
    if len(commits) != len(blobs):
        raise Damaged("the journal's list of watched files is torn", why=f"tree {seen}", hints=("cc-git doctor",))
    pairs = zip(commits, blobs.values(), strict=True)
    return MappingProxyType(dict(zip(blobs, map(Watched._make, pairs), strict=True)))


def _gitlinks(engine: Engine, tree: str, found: list[str]) -> None:
    """The commits that the gitlinks below a tree name, in the order in which `Engine.files` lists paths."""
    for mode, _, rawid in engine.lines(tree):
        if mode == b"160000":
            found.append(rawid.hex())
        else:
            _gitlinks(engine, rawid.hex(), found)


def apply_writes(state: JournalState, writes: list[Message]) -> JournalState:
    """The state after `writes`, oldest first. What is written again waits again: it is watched no longer."""
    if not writes:
        return state
    pending, private = dict(state.pending), dict(state.private)
    position, tips = state.position, state.tips
    for write in writes:
        for rel, oid in write.added.items():
            (private if is_private(rel) else pending)[rel] = oid
        position = write.position or position
        tips = write.tips if write.tips is not None else tips
    watch = state.watch
    if not watch.keys().isdisjoint(pending):
        watch = MappingProxyType({rel: seen for rel, seen in watch.items() if rel not in pending})
    return JournalState(MappingProxyType(pending), watch, MappingProxyType(private), position, tips)
