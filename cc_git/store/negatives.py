"""Negatives are global: what takes away counts wherever this clone has ever seen it.

Looked at are the histories of all local and remote-tracking branches and of all worktrees' HEADs, and what waits or
is private in any worktree. All of it goes into the journal's grow-only set with its bytes, so that a deleted branch,
a pruned remote, a reverted or dropped commit give nothing back. Where the journal cannot be written, everything is
found anew each time.

Force, first that fits:
 1. In the present snapshot: nothing to add, it stands there.
 2. `counts`: made on this clone; or HEAD's history or the accepted branch's has it (or the set first saw it there); or
    a person accepted it.
    Where history is cut short (a shallow clone), what the set saw first on HEAD's branch counts as HEAD's.
 3. `dismissed`: a person dismissed it. It has no effect.
 4. `withholds`: all others. Whoever may push a branch can hold back, not erase.

A negative of HEAD's history that is not in the snapshot is `lost`: it counts, and `check` reports it. What the accepted
branch holds or ever held (`once`) takes as a person's word, here and in the snapshot, even when that branch takes it
back: see `standing.world`. What takes nothing without a person is not told of while it is anybody's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from cc_git.codec import paths
from cc_git.errors import LostRace, NotWritable, Unsupported
from cc_git.model.attestation import Negatives
from cc_git.model.attestation import SeenNegative as Negative
from cc_git.standing.negative import may_be_negative
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.cache import Cache
from cc_git.store.confirmations import Confirmations
from cc_git.store.engine import Engine
from cc_git.store.graves import Graves
from cc_git.store.journal import Journal
from cc_git.store.journal_state import JournalState
from cc_git.store.loader import reading
from cc_git.store.names import OwnFolder, negatives_ref, writes_ref
from cc_git.store.negative_acts import Item, NegativeActs
from cc_git.store.negative_files import NegativeFiles
from cc_git.store.negative_history import History, Pasts, depth_of, first_ref, is_cut, read_history
from cc_git.store.place import Place
from cc_git.store.present import Entry
from cc_git.store.seen_negatives import SeenNegative, SeenNegatives

_FORM = 3
HERE = ""
"""The branch of what was first seen in this clone's own journal."""

Force = Literal["counts", "withholds", "dismissed"]


class Sighting(NamedTuple):
    """A negative that the present snapshot lacks. `branch` is the full name of the ref where it was first seen (empty:
    made on this clone), `author` as Git has it."""

    rel: str
    blob: str
    force: Force
    branch: str
    author: str
    lost: bool

    @property
    def id(self) -> str:
        return paths.id_at(self.rel) or ""


@dataclass(frozen=True)
class SnapshotAt:
    """The snapshot that is asked about: `head` is the commit whose history is its past, `tree` its committed part;
    `added` lies over it and `hidden` is left out, as in `PresentSnapshot`."""

    head: str | None
    tree: str | None
    entries: Mapping[str, Entry]
    added: Mapping[str, Entry]
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SeenElsewhere:
    """The answer. `value` is what `standing` takes; it is decoded when it is asked for."""

    sightings: tuple[Sighting, ...]
    _files: NegativeFiles
    once: Mapping[str, str] = field(default_factory=dict)
    """Blob → path of every negative that the accepted branch holds or ever held."""
    cut: bool = False
    """History is cut short in this clone: more may have been taken away."""

    @cached_property
    def digest(self) -> str:
        """Equal digests: equal `value`s and equal `once`."""
        parts = [[one for one in self.sightings if one.force != "dismissed"], sorted(self.once.items()), self.cut]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @cached_property
    def value(self) -> Negatives:
        seen: dict[str, Negative] = {}
        for one in self.sightings:
            filed = None if one.force == "dismissed" else self._files.filed(one.rel, one.blob)
            if filed is not None and one.force != "dismissed":
                key = f"{one.rel}@{one.blob}" if one.rel in seen else one.rel
                seen[key] = Negative(filed, one.force, one.branch, one.author, one.lost)
        return Negatives(seen)

    @cached_property
    def forgotten(self) -> frozenset[str]:
        """The ids with a tombstone that counts."""
        return frozenset(one.id for one in self.sightings if one.force == "counts" and _is_tombstone(one.rel))

    @property
    def lost(self) -> tuple[Sighting, ...]:
        return tuple(one for one in self.sightings if one.lost)


def _is_tombstone(rel: str) -> bool:
    return paths.folder_of(rel) == paths.TOMBSTONES


class NegativesOfClone:
    """Gathers for one workspace of one clone. `cache` may be lost at any time."""

    def __init__(self, place: Place, engine: Engine, journal: Journal, cache: Cache) -> None:
        self._place = place
        self._engine = engine
        self._journal = journal
        self._cache = cache
        self._set = SeenNegatives(journal)
        self._files = NegativeFiles(reading(journal.blob, engine.blob), cache)

    def seen_elsewhere(self, snapshot: SnapshotAt, accepted: AcceptedBranch) -> SeenElsewhere:
        """What the snapshot at hand lacks. Writes the journal's set where something new was found and it can be."""
        tips = self._tips()
        key = self._key(snapshot, accepted, tips)
        payload = self._cache.get("negatives", key)
        if payload is None:
            payload = json.dumps(self._gather(snapshot, accepted, tips)).encode()
            # Gathering may have grown the set, which is part of the key.
            self._cache.put("negatives", {self._key(snapshot, accepted, tips): payload})
            self._files.remember()
        sightings, once = json.loads(payload)
        seen = tuple(Sighting(*one) for one in sightings)
        return SeenElsewhere(seen, self._files, once, is_cut(self._place))

    # what is looked at
    def _tips(self) -> dict[str, str]:
        """Full ref name (or the path of a worktree's HEAD) → commit, in the order in which a sighting is attributed."""
        refs = self._engine.refs()
        found = {name: oid for name, oid in refs.items() if name.startswith("refs/heads/")}
        found |= {name: oid for name, oid in refs.items() if name.startswith("refs/remotes/")}
        for folder in self._git_dirs():
            try:
                said = (folder / "HEAD").read_text().strip()
            except (OSError, UnicodeDecodeError):
                continue
            if not said.startswith("ref:"):
                found[f"{folder.name}/HEAD"] = said
        return found

    def _git_dirs(self) -> Iterator[Path]:
        """The Git directories of all worktrees, this one included."""
        yield self._place.common_dir
        try:
            yield from sorted(p for p in (self._place.common_dir / "worktrees").iterdir() if p.is_dir())
        except OSError:
            return

    def _written_here(self) -> dict[Item, str]:
        """What waits, was written or is private in any worktree."""
        found: dict[Item, str] = {}
        for folder in self._git_dirs():
            place = Place(None, folder, self._place.common_dir, self._place.prefix)
            if folder == self._place.git_dir:
                state = self._journal.read()
            else:
                with closing(Journal.open(place)) as other:
                    state = other.read()
            for rel, blob in _written(state):
                found[(rel, blob)] = HERE
        return found

    def _key(self, snapshot: SnapshotAt, accepted: AcceptedBranch, tips: Mapping[str, str]) -> str:
        tokens = [_token(folder) for folder in self._git_dirs()]
        refs = [negatives_ref(self._place.prefix).name]
        refs += [writes_ref(token, self._place.prefix).name for token in tokens if token]
        parts = [
            _FORM, self._engine.head()[0], self._place.prefix, depth_of(self._place), sorted(tips.items()),
            [self._journal.refs.read(ref) for ref in refs],
            accepted.ref, accepted.commit, snapshot.head, snapshot.tree,
            sorted((rel, entry.oid) for rel, entry in snapshot.added.items() if may_be_negative(rel)),
            sorted(snapshot.hidden), sorted(Confirmations(self._place).blobs()),
            sorted((*item, act) for item, act in NegativeActs(self._place).read().items()),
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    # gathering
    def _gather(
        self, snapshot: SnapshotAt, accepted: AcceptedBranch, tips: Mapping[str, str]
    ) -> tuple[list[Sighting], dict[str, str]]:
        commits = [c for c in (*tips.values(), snapshot.head, accepted.commit) if c is not None]
        history = read_history(self._engine, self._place, sorted(set(commits)), self._files, self._cache)
        known = {(one.rel, one.blob): one for one in self._set.read()}
        found = known | {
            item: SeenNegative(*item, HERE, "")
            for item in self._written_here()
            if item not in known and self._files.takes_away(*item)
        }
        found = self._in_history(history, tips, found) | found
        pasts = Pasts(self._engine, self._place, history, self._cache)
        past = _items(history, pasts.of(snapshot.head, "head") if snapshot.head else ())
        attested = _items(history, pasts.of(accepted.commit, "accepted") if accepted.commit else ())
        found |= {item: replace(found[item], attested=True) for item in attested if item in found}
        self._record([one for item, one in found.items() if one != known.get(item)], snapshot, accepted)
        confirmed = Confirmations(self._place).blobs()
        # What HEAD's branch had counts, also where its history was cut short since.
        trusted = {HERE, accepted.ref, self._engine.head()[0] if is_cut(self._place) else None}
        acts = NegativeActs(self._place).read()
        sightings = []
        for item, one in sorted(found.items()):
            if _stands(snapshot.entries, item):
                continue
            force = _force(one, item in past, trusted, acts.get(item))
            if force == "counts" or one.blob in confirmed or not self._files.is_persons(*item):
                sightings.append(Sighting(one.rel, one.blob, force, one.branch, one.author, lost=item in past))
        return sightings, {one.blob: one.rel for one in found.values() if one.attested}

    def _in_history(
        self, history: History, tips: Mapping[str, str], known: Mapping[Item, SeenNegative]
    ) -> dict[Item, SeenNegative]:
        """The events that are not known yet, each with the first ref that reaches it."""
        new = [event for event in history.events if (event.rel, event.blob) not in known]
        new = [event for event in new if event.certain or self._files.takes_away(event.rel, event.blob)]
        branch_of = first_ref(self._engine, tips, {event.commit for event in new}) if new else {}
        return {
            (event.rel, event.blob): SeenNegative(
                event.rel, event.blob, branch_of.get(event.commit, "unknown"), event.author
            )
            for event in reversed(new)
        }

    def _record(self, new: list[SeenNegative], snapshot: SnapshotAt, accepted: AcceptedBranch) -> None:
        # The bytes of the forgotten would only be kept to be removed again. Where history still holds them, they count
        # all the same.
        marks = {mark: snapshot.entries.get(mark) for one in new for mark in _marks_of(one.rel)}
        graves = Graves(self._engine, self._place, lambda: accepted)
        gone = graves.bound((mark, entry.oid) for mark, entry in marks.items() if entry is not None)
        gone |= graves.of_clone(self._journal.engine, self._engine)
        new = [one for one in new if paths.id_at(one.rel) not in gone or _is_mark(one.rel)]
        if not new:
            return
        read = reading(self._journal.blob, self._engine.blob)
        try:
            self._set.add([(one, read(one.blob)) for one in new])
        except (NotWritable, Unsupported, LostRace):
            # A read-only or bare repository keeps nothing: the next command finds the same again.
            return


def _items(history: History, commits: Collection[str]) -> set[Item]:
    """What these commits brought in."""
    return {(event.rel, event.blob) for event in history.events if event.commit in commits}


def _force(one: SeenNegative, past: bool, trusted: Collection[str | None], act: str | None) -> Force:
    if past or one.attested or act == "accept" or one.branch in trusted:
        return "counts"
    return "dismissed" if act == "dismiss" else "withholds"


def _stands(entries: Mapping[str, Entry], item: Item) -> bool:
    entry = entries.get(item[0])
    return entry is not None and entry.oid == item[1]


def _is_mark(rel: str) -> bool:
    return paths.folder_of(rel) in (paths.TOMBSTONES, paths.ENDINGS)


def _marks_of(rel: str) -> tuple[str, ...]:
    """Where the tombstone of a negative may lie."""
    identifier = None if _is_mark(rel) else paths.id_at(rel)
    if identifier is None:
        return ()
    mark = paths.tombstone_path(identifier)
    return mark, paths.private(mark)


def _written(state: JournalState) -> Iterator[Item]:
    for rel, blob in (*state.pending.items(), *state.private.items()):
        if may_be_negative(rel):
            yield rel, blob
    for rel, watched in state.watch.items():
        if may_be_negative(rel):
            yield rel, watched.blob


def _token(git_dir: Path) -> str:
    try:
        return OwnFolder(git_dir).token.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""
