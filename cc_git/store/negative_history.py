"""Every file that takes away and that any commit of any branch here ever brought in.

Each commit is looked at once: a file counts as brought in where it stands in the commit and in none of its parents.
What was found is kept in the cache with the tips that it covers, so that the next command walks only what is new. A
tree that is not in this clone is passed over (partial clones); nothing is fetched.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cc_git.codec.paths import is_private
from cc_git.standing.negative import may_be_negative
from cc_git.store.cache import Cache
from cc_git.store.engine import Commit, Engine, MissingObject
from cc_git.store.negative_files import NegativeFiles
from cc_git.store.place import Place

_FORM = 3


class BroughtIn(NamedTuple):
    """`author` is that of the commit, as `name <address>`. Not `certain`: the blob was not in this clone, so whether
    it takes away was not to be seen (a partial clone; it may arrive later)."""

    commit: str
    rel: str
    blob: str
    author: str
    certain: bool


@dataclass(frozen=True, slots=True)
class History:
    """`events` in the order in which they were met: newest commits first within one walk."""

    covered: tuple[str, ...] = ()
    events: tuple[BroughtIn, ...] = ()


def read_history(engine: Engine, place: Place, tips: Collection[str], files: NegativeFiles, cache: Cache) -> History:
    """The history of `tips` (commits) and of every tip that was covered before."""
    key = _key(place)
    known = _parsed(cache.get("history", key))
    new = set(tips) - set(known.covered)
    if not new:
        return known
    walker = _Walk(engine, place.prefix, files)
    fresh = [event for oid in engine.walk(sorted(new), known.covered) for event in walker.brought_in(oid)]
    left = engine.unreached([oid for oid in known.covered if oid not in tips], tips)
    covered = tuple(sorted({*tips, *(oid for oid in left if engine.has(oid))}))
    history = History(covered, (*fresh, *known.events))
    files.remember()
    cache.put("history", {key: json.dumps([_FORM, covered, history.events]).encode()})
    return history


def _key(place: Place) -> str:
    return f"{depth_of(place)} {place.prefix}"


def depth_of(place: Place) -> str:
    """Where a shallow clone ends. One that is deepened gets older commits below those that were covered already."""
    try:
        shallow = (place.common_dir / "shallow").read_bytes()
    except OSError:
        shallow = b""
    return hashlib.sha256(shallow).hexdigest()


def is_cut(place: Place) -> bool:
    """A shallow clone: what older commits brought in is not known here."""
    try:
        return (place.common_dir / "shallow").stat().st_size > 0
    except OSError:
        return False


def _parsed(payload: bytes | None) -> History:
    if payload is None:
        return History()
    form, covered, events = json.loads(payload)
    return History(tuple(covered), tuple(BroughtIn(*event) for event in events)) if form == _FORM else History()


class _Walk:
    def __init__(self, engine: Engine, prefix: str, files: NegativeFiles) -> None:
        self._engine = engine
        self._prefix = prefix
        self._files = files
        self._trees: dict[str, str | None] = {}

    def brought_in(self, oid: str) -> list[BroughtIn]:
        try:
            commit = self._engine.commit(oid)
            here = self._workspace(oid, commit)
            if here is None:
                return []
            parents = [self._workspace(parent) for parent in commit.parents]
            if here in parents:
                return []
            return self._compared(commit, here, parents)
        except MissingObject:
            return []

    def _workspace(self, oid: str, commit: Commit | None = None) -> str | None:
        """The workspace's tree in a commit; None also for a parent that a shallow clone lacks."""
        if oid not in self._trees:
            try:
                commit = commit or self._engine.commit(oid)
                entry = self._engine.entry(commit.tree, self._prefix)
            except MissingObject:
                entry = None
            self._trees[oid] = entry.oid if entry is not None and entry.is_tree else None
        return self._trees[oid]

    def _compared(self, commit: Commit, here: str, parents: list[str | None]) -> list[BroughtIn]:
        first = parents[0] if parents else None
        author = f"{commit.author.name} <{commit.author.email}>"
        found = []
        for rel, change in self._engine.diff(first, here).items():
            # A tracked `private/` is none of our private tier: whoever pushes must not write into it.
            if change.after is None or not may_be_negative(rel) or is_private(rel):
                continue
            if any(self._holds(tree, rel, change.after) for tree in parents[1:]):
                continue
            verdict = self._files.takes_away(rel, change.after)
            if verdict is not False:
                found.append(BroughtIn(commit.oid, rel, change.after, author, certain=verdict is True))
        return found

    def _holds(self, tree: str | None, rel: str, blob: str) -> bool:
        entry = None if tree is None else self._engine.entry(tree, rel)
        return entry is not None and entry.oid == blob


def first_ref(engine: Engine, tips: Mapping[str, str], commits: Collection[str]) -> dict[str, str]:
    """Commit → the first of `tips` (name → commit) that reaches it; one walk for all of them.

    Children come before parents, so whoever is met has been reached by everything that reaches it.
    """
    order = {name: place for place, name in enumerate(tips)}
    names = list(tips)
    best: dict[str, int] = {}
    for name, tip in tips.items():
        best.setdefault(tip, order[name])
    left = set(commits)
    found: dict[str, str] = {}
    for oid in engine.walk(tips.values()):
        if not left:
            break
        place = best.pop(oid)
        if oid in left:
            left.discard(oid)
            found[oid] = names[place]
        for parent in engine.commit(oid).parents:
            best[parent] = min(place, best.get(parent, place))
    return found


class Pasts:
    """Which of the commits that brought something in are in a commit's past; kept for the commits asked last."""

    def __init__(self, engine: Engine, place: Place, history: History, cache: Cache) -> None:
        self._engine = engine
        self._depth = depth_of(place)
        self._where = f"{place.git_dir} {place.prefix}"
        self._commits = {event.commit for event in history.events}
        self._cache = cache

    def of(self, commit: str, role: str) -> set[str]:
        """`role` says whose history it is, so that the next commit on it starts from this one."""
        known = self._known(commit)
        if known is None:
            pointer = f"last {role} {self._where}"
            last = (self._cache.get("past", pointer) or b"").decode()
            known = self._from(last, commit) if last else None
            if known is None:
                known = self._commits - self._engine.unreached(self._commits, [commit])
            payload = json.dumps(sorted(known)).encode()
            self._cache.put("past", {self._key(commit): payload, pointer: commit.encode()})
        return known

    def _from(self, last: str, commit: str) -> set[str] | None:
        before = self._known(last)
        if before is None or not self._engine.has(last) or not self._engine.is_ancestor(last, commit):
            return None
        return before | self._commits.intersection(self._engine.walk([commit], [last]))

    def _known(self, commit: str) -> set[str] | None:
        payload = self._cache.get("past", self._key(commit))
        return None if payload is None else set(json.loads(payload))

    def _key(self, commit: str) -> str:
        return f"{self._depth} {self._where} {commit}"
