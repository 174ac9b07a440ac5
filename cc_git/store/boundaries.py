"""Where forgotten content is still held beyond our reach, each place looked up: nothing here changes anything.

A commit holds an id when the workspace's tree in it has a file of that id with content; the zero-byte file that marks
the place of a forgotten one is none. One walk over all refs counts for every ref the commits that it reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cc_git.codec import paths
from cc_git.codec.files import decode
from cc_git.codec.named import ids_in
from cc_git.errors import Damaged
from cc_git.model.ruling import Ruling
from cc_git.store.disk import read_file
from cc_git.store.engine import Engine
from cc_git.store.erase import belongs
from cc_git.store.erase_site import Site
from cc_git.store.exports import Exports
from cc_git.store.graves import entombed
from cc_git.store.head_tree import Folders, HeadTree, files_below
from cc_git.store.names import HEADS, NOTES, REMOTES, REPLACE, STASH, TAGS
from cc_git.store.trees import object_id
from cc_git.store.user_index import UserIndex
from cc_git.store.worktrees import siblings, state_of

Kind = Literal[
    "branch", "remote", "tag", "stash", "reflog", "notes", "replace", "ref", "worktree", "beside", "ruling", "index",
    "unreachable", "loose objects", "packed objects", "shallow", "alternates", "export",
]  # fmt: skip
_KINDS: tuple[tuple[str, Kind], ...] = (
    (HEADS, "branch"), (REMOTES, "remote"), (TAGS, "tag"), (NOTES, "notes"), (REPLACE, "replace"),
)  # fmt: skip
_PSEUDO = ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
_LARGEST = 1 << 20
Finds = Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class Boundary:
    """`name` is a full ref name, the name of a worktree, or empty; `number` counts commits, or files, or objects."""

    kind: Kind
    name: str
    number: int


@dataclass(frozen=True)
class Residue:
    """`blobs` are the objects with content that were found, `rels` where commits have them; `commits` are those that
    hold one, children first."""

    boundaries: tuple[Boundary, ...]
    commits: tuple[str, ...]
    blobs: frozenset[str]
    rels: frozenset[str] = frozenset()


def look_up(site: Site, ids: Collection[str], known_blobs: Collection[str], finds: Finds) -> Residue:
    """`known_blobs` are objects that held content when it was forgotten; `finds` says whether bytes hold some of it."""
    return _LookUp(site, frozenset(ids), finds).residue(frozenset(known_blobs))


class _LookUp:
    def __init__(self, site: Site, ids: frozenset[str], finds: Finds) -> None:
        self.site, self.ids, self.finds = site, ids, finds
        self.engine: Engine = site.engine
        self.empty = object_id("blob", b"", self.engine.object_format)
        self._folders: Folders = {}
        self._by_tree: dict[str, frozenset[str]] = {}
        self.blobs: set[str] = set()
        self.rels: set[str] = set()

    def residue(self, known: frozenset[str]) -> Residue:
        counts, commits = self._on_refs()
        found = [Boundary(_kind(name), name, number) for name, number in sorted(counts.items()) if number]
        stashes = self._stashes()
        if held := [oid for oid in stashes if self._stash_holds(oid)]:
            found.append(Boundary("stash", STASH, len(held)))
        logged = {oid for oid in self._reflog_only() if oid not in stashes and self._holds(oid)}
        if logged:
            found.append(Boundary("reflog", "", len(logged)))
        found += self._notes()
        found += self._pseudo(set(commits) | logged)
        found += self._worktrees()
        found += self._rulings()
        if staged := self._staged():
            found.append(Boundary("index", "", staged))
        reached = frozenset(self.blobs)
        unreached = {blob for blob in known - reached if self.engine.has(blob)} | self._unreachable()
        if unreached:
            found.append(Boundary("unreachable", "", len(unreached)))
        found += self._stored(reached | unreached)
        exports = (one for one in Exports(self.site.place).all() if not one.ids.isdisjoint(self.ids))
        found += [Boundary("export", str(one.file), len(one.ids & self.ids)) for one in exports]
        for mark, kind in (("shallow", "shallow"), ("objects/info/alternates", "alternates")):
            if (self.site.place.common_dir / mark).is_file():
                found.append(Boundary(kind, "", 1))  # type: ignore[arg-type]
        return Residue(tuple(found), tuple(commits), reached | unreached, frozenset(self.rels))

    def _held(self, commit: str) -> frozenset[str]:
        """The blobs with content that a commit's workspace has for the ids."""
        try:
            below = self.engine.entry(self.engine.commit(commit).tree, self.site.place.prefix)
        except Damaged:
            return frozenset()
        if below is None or not below.is_tree:
            return frozenset()
        known = self._by_tree.get(below.oid)
        if known is None:
            tree = HeadTree(self.engine, below.oid, self._folders)
            # A stash with ignored files (`git stash -a`) has the private tier in it.
            private = (rel for rel in tree.below(paths.PRIVATE_DIR) if belongs(rel, self.ids))
            found = entombed(tree, self.ids) | {rel: tree[rel] for rel in private}
            held = {rel: blob for rel, blob in found.items() if blob != self.empty}
            known = self._by_tree[below.oid] = frozenset(held.values())
            self.blobs |= known
            self.rels |= held.keys()
        return known

    def _holds(self, commit: str) -> bool:
        return bool(self._held(commit))

    def _is_commit(self, oid: str) -> bool:
        with suppress(Damaged):
            self.engine.commit(oid)
            return True
        return False

    def _on_refs(self) -> tuple[Mapping[str, int], list[str]]:
        """Ref → number of commits that it reaches and that hold; and those commits."""
        tips = {n: oid for n, oid in self.engine.refs().items() if not n.startswith(NOTES) and n != STASH}
        head, commit = self.engine.head()
        if head is None and commit is not None:
            tips["HEAD"] = commit
        tips = {name: oid for name, oid in tips.items() if self._is_commit(oid)}
        names = list(tips)
        reached_by: dict[str, int] = {}
        for place, name in enumerate(names):
            reached_by[tips[name]] = reached_by.get(tips[name], 0) | 1 << place
        counts, holding = dict.fromkeys(names, 0), []
        for oid in self.engine.walk(set(tips.values())):
            mask = reached_by.pop(oid, 0)
            if self._holds(oid):
                holding.append(oid)
                for place, name in enumerate(names):
                    counts[name] += mask >> place & 1
            for parent in self.engine.commit(oid).parents:
                reached_by[parent] = reached_by.get(parent, 0) | mask
        return counts, holding

    def _stashes(self) -> list[str]:
        said = self.site.git.run("log", "-g", "--format=%H", STASH, check=False)
        return said.stdout.decode("ascii", "replace").split() if said.code == 0 else []

    def _stash_holds(self, oid: str) -> bool:
        """A stash is its own tree, the index (^2) and the untracked files (^3); its base is history like any other."""
        with suppress(Damaged):
            return any(self._holds(one) for one in (oid, *self.engine.commit(oid).parents[1:]))
        return False

    def _reflog_only(self) -> list[str]:
        words = ("rev-list", "--reflog", "--not", "--branches", "--remotes", "--tags", "--glob=*", "HEAD")
        said = self.site.git.run(*words, check=False)
        return said.stdout.decode("ascii", "replace").split() if said.code == 0 else []

    def _notes(self) -> Iterator[Boundary]:
        for name, oid in self.engine.refs(NOTES).items():
            with suppress(Damaged):
                blobs = set(self.engine.files(self.engine.commit(oid).tree).values())
                if number := sum(self.finds(self.engine.blob(blob)) for blob in blobs):
                    yield Boundary("notes", name, number)

    def _pseudo(self, counted: Collection[str]) -> Iterator[Boundary]:
        for name in _PSEUDO:
            commit = self.engine.resolve(name)
            if commit is not None and commit not in counted and self._holds(commit):
                yield Boundary("ref", name, 1)

    def _worktrees(self) -> Iterator[Boundary]:
        """Files of other worktrees of this clone, on disk or in their part of the journal."""
        for one in siblings(self.site.place):
            directory = one.top / self.site.place.prefix
            held = {rel for rel in files_below(directory) if belongs(rel, self.ids) and _has_bytes(directory / rel)}
            state = state_of(self.site.journal, one.ref)
            held |= {rel for rel in (*state.pending, *state.watch, *state.private) if belongs(rel, self.ids)}
            if held:
                yield Boundary("worktree", one.name, len(held))

    def _rulings(self) -> Iterator[Boundary]:
        """Rulings that stay and name the blob of a forgotten file: a hash of what was in it."""
        directory = self.site.directory
        for rel in files_below(directory):
            data = (read_file(directory / rel) or b"") if paths.folder_of(rel) == paths.RULINGS else b""
            if not self.ids.isdisjoint(ids_in(data.decode("utf-8", "replace"))):
                value = decode(rel, data)
                if isinstance(value, Ruling) and (number := len(self.ids & set(value.targets)) if value.saw else 0):
                    yield Boundary("ruling", value.id, number)

    def _staged(self) -> int:
        entries = UserIndex(self.site.git).entries((self.site.place.prefix,))
        head, start = self.site.head_files(), f"{self.site.place.prefix}/"
        staged = {path.removeprefix(start): blob for path, blob in entries.items() if blob != self.empty}
        held = {blob for rel, blob in staged.items() if belongs(rel, self.ids) and head.get(rel) != blob}
        self.blobs |= held
        return len(held)

    def _unreachable(self) -> set[str]:
        words = ("fsck", "--unreachable", "--connectivity-only", "--no-dangling", "--no-progress")
        said = self.site.git.run(*words, check=False).stdout.decode("ascii", "replace")
        lines = (line.split() for line in said.splitlines())
        oids = [line[2] for line in lines if len(line) == 3 and line[:2] == ["unreachable", "blob"]]
        found = set()
        for oid in oids:
            with suppress(Damaged):
                data = self.engine.blob(oid)
                if len(data) <= _LARGEST and self.finds(data):
                    found.add(oid)
        return found

    def _stored(self, blobs: Collection[str]) -> Iterator[Boundary]:
        objects = self.site.place.common_dir / "objects"
        there = {blob for blob in blobs if self.engine.has(blob)}
        loose = {blob for blob in there if (objects / blob[:2] / blob[2:]).is_file()}
        if loose:
            yield Boundary("loose objects", "", len(loose))
        if there - loose:
            yield Boundary("packed objects", "", len(there - loose))


def _has_bytes(path: Path) -> bool:
    with suppress(OSError):
        return path.stat().st_size > 0
    return False


def _kind(name: str) -> Kind:
    return next((kind for prefix, kind in _KINDS if name.startswith(prefix)), "ref")
