"""The engine on libgit2, in process. What libgit2 cannot open is refused by name (`Unsupported`).

Whom to trust is not asked here (`engines.py` does, of the git program).
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pygit2
from pygit2.enums import ObjectType, ReferenceType, SortMode

from cc_git.errors import Damaged, LostRace, NotWritable, Unsupported
from cc_git.model.fault import LARGEST
from cc_git.store.commits import commit_bytes, commit_of
from cc_git.store.disk import not_writable
from cc_git.store.engine import Commit, Entry, MissingObject, Person, TooLarge
from cc_git.store.git_files import common_dir
from cc_git.store.loose_objects import LooseObjects
from cc_git.store.reaching import unreached
from cc_git.store.trees import Line, TreeReading, object_id, raw, tree_bytes

_LOCK_TRIES = 40
_LOCK_PAUSE = 0.025
"""Seconds between two looks at a lock that another program holds: one second in all, as patient as Git's own."""

_UNREADABLE = re.compile(r"unknown object format|unsupported (?:extension|repository)", re.IGNORECASE)

_KINDS = {kind: kind.name.lower() for kind in (ObjectType.BLOB, ObjectType.TREE, ObjectType.COMMIT, ObjectType.TAG)}

_EMPTY_TREE = object_id("tree", b"", "sha1")


def open_engine(git_dir: Path) -> Pygit2Engine:
    """Open the repository whose Git directory this is (of a linked worktree: its own), whoever owns it."""
    settings = pygit2.settings
    before = settings.owner_validation
    settings.owner_validation = False
    try:
        return Pygit2Engine(pygit2.Repository(str(git_dir)), git_dir)
    except pygit2.GitError as fault:
        said = str(fault)
    finally:
        settings.owner_validation = before
    if _UNREADABLE.search(said):
        raise Unsupported(
            f"libgit2 cannot open the repository at {git_dir}",
            why=said,
            hints=("git rev-parse --show-object-format --show-ref-format",),
        )
    raise Damaged(f"the repository at {git_dir} cannot be opened", why=said, hints=("git fsck",))


def durable_objects(wanted: bool, /) -> None:
    """Whether libgit2 syncs objects, packs and refs to the disk before it returns; holds for the process."""
    pygit2.settings.enable_fsync_gitdir(wanted)


class Pygit2Engine(TreeReading):
    def __init__(self, repository: pygit2.Repository, git_dir: Path) -> None:
        super().__init__()
        self._repo = repository
        self._odb = repository.odb
        self._objects = common_dir(git_dir) / "objects"
        self._durable = False
        self._kinds: dict[str, int] = {}
        self._loose = LooseObjects(self._objects, self.object_format)

    @property
    def object_format(self) -> Literal["sha1"]:
        return "sha1"

    @property
    def served_by(self) -> str:
        return f"libgit2 {pygit2.LIBGIT2_VERSION}"

    def close(self) -> None:
        self._repo.free()

    def durable(self, wanted: bool, /) -> None:
        self._durable = wanted
        durable_objects(wanted)

    @contextmanager
    def many(self) -> Iterator[None]:
        durable_objects(False)
        try:
            yield
        finally:
            durable_objects(self._durable)

    # objects
    def has(self, oid: str) -> bool:
        return oid == _EMPTY_TREE or bool(self._odb.exists(oid))

    def _read(self, oid: str, wanted: str, most: int | None = None) -> bytes:
        found = self._loose.read(oid, most)
        if found is None:
            try:
                if most is not None and (size := self._odb.read_header(oid)[1]) > most:
                    raise TooLarge(oid, size)
                number, stored = self._odb.read(oid)
            except KeyError:
                raise MissingObject(oid) from None
            except pygit2.GitError as fault:
                why = str(fault)
                raise Damaged(f"the Git object {oid} cannot be read", why=why, hints=("git fsck",)) from None
            found = _KINDS.get(number, ""), bytes(stored)
        kind, data = found
        if kind != wanted:
            raise Damaged(f"the Git object {oid} is a {kind}, not a {wanted}", hints=("git fsck",))
        return data

    def all_objects(self) -> Iterator[tuple[str, str, bytes]]:
        for oid in self._odb:
            number, data = self._odb.read(oid)
            yield str(oid), _KINDS.get(number, ""), bytes(data)

    def blob(self, oid: str, most: int = LARGEST) -> bytes:
        return self._read(oid, "blob", most)

    def tree_data(self, oid: str) -> bytes:
        # Git knows the empty tree without storing it.
        return b"" if oid == _EMPTY_TREE else self._read(oid, "tree")

    def commit(self, oid: str) -> Commit:
        return commit_of(oid, self._read(oid, "commit"))

    def _write(self, kind: ObjectType, data: bytes) -> str:
        try:
            return str(self._odb.write(kind, data))
        except (pygit2.GitError, OSError) as fault:
            raise self._not_written(fault) from None

    def _not_written(self, fault: Exception) -> NotWritable:
        # libgit2 hands over the system's words without its number.
        return not_writable(self._objects, str(fault), lost="nothing was remembered (persistence)")

    def write_blob(self, data: bytes) -> str:
        return self._write(ObjectType.BLOB, data)

    def write_tree(self, entries: Iterable[Entry]) -> str:
        lines: list[Line] = [(b"%o" % e.mode, raw(e.name), bytes.fromhex(e.oid)) for e in entries]
        return self.write_tree_bytes(tree_bytes(lines))

    def write_tree_bytes(self, data: bytes) -> str:
        return self._write(ObjectType.TREE, data)

    def write_commit(self, tree: str, parents: Sequence[str], message: str, author: Person, *, seconds: int) -> str:
        return self._write(ObjectType.COMMIT, commit_bytes(tree, parents, message, author, seconds=seconds))

    def write_pack(self, oids: Iterable[str]) -> str:
        builder = pygit2.PackBuilder(self._repo)
        builder.set_threads(1)
        for oid in oids:
            builder.add(pygit2.Oid(hex=oid))
        # libgit2 does not say how it named the pack: in a folder of its own there is only one.
        with tempfile.TemporaryDirectory(prefix="tmp_pack_", dir=self._objects) as made:
            try:
                builder.write(made)
            except (pygit2.GitError, OSError) as fault:
                raise self._not_written(fault) from None
            (index,) = Path(made).glob("*.idx")
            for suffix in (".pack", ".idx"):
                index.with_suffix(suffix).rename((self._objects / "pack" / index.name).with_suffix(suffix))
        return index.stem

    # names and history
    def resolve(self, revision: str) -> str | None:
        try:
            return str(self._repo.revparse_single(revision).peel(pygit2.Commit).id)
        except (KeyError, ValueError, pygit2.GitError):
            return None

    def ref(self, name: str) -> str | None:
        found = self._repo.references.get(name)
        return None if found is None else str(found.resolve().target)

    def refs(self, prefix: str = "refs/") -> Mapping[str, str]:
        found = {}
        for name in self._repo.references.iterator():
            if name.name.startswith(prefix):
                oid = self._peeled(name)
                if oid is not None:
                    found[name.name] = oid
        return found

    def _peeled(self, ref: pygit2.Reference) -> str | None:
        try:
            if ref.type == ReferenceType.SYMBOLIC:
                ref = ref.resolve()
            oid = str(ref.target)
            kind = self._kind(oid)
            if kind == ObjectType.TAG:
                return str(ref.peel(pygit2.Commit).id)
            if kind is None and ref.name.startswith("refs/tags/"):
                return None
            return oid if kind in (ObjectType.COMMIT, None) else None
        except (KeyError, ValueError, pygit2.GitError):
            return None

    def _kind(self, oid: str) -> int | None:
        """None where the object is not here; it is asked once for each that is: refs are listed again and again."""
        if oid not in self._kinds:
            try:
                self._kinds[oid] = self._odb.read_header(oid)[0]
            except KeyError:
                return None
        return self._kinds[oid]

    def head(self) -> tuple[str | None, str | None]:
        ref = self._repo.lookup_reference("HEAD")
        if ref.type != ReferenceType.SYMBOLIC:
            return None, str(ref.target)
        branch = str(ref.target)
        target = self._repo.references.get(branch)
        return branch, None if target is None else str(target.peel().id)

    def move_ref(self, name: str, new: str | None, expected: str | None) -> bool:
        for attempt in range(_LOCK_TRIES):
            transaction = self._repo.transaction()
            try:
                with transaction:
                    transaction.lock_ref(name)
                    ref = self._repo.references.get(name)
                    if (None if ref is None else str(ref.target)) != expected:
                        return False
                    if new is not None:
                        transaction.set_target(name, pygit2.Oid(hex=new))
                    elif ref is not None:
                        transaction.remove(name)
                return True
            except pygit2.GitError as fault:
                if "failed to lock" not in str(fault):
                    raise Damaged(f"the ref {name} cannot be moved", why=str(fault)) from None
                if attempt + 1 == _LOCK_TRIES:
                    raise LostRace(f"the ref {name} stays locked", why=str(fault)) from None
            time.sleep(_LOCK_PAUSE)
        raise AssertionError("the last try returns or raises")

    def walk(self, tips: Iterable[str], hidden: Iterable[str] = ()) -> Iterator[str]:
        return self._walk(tips, hidden, SortMode.TOPOLOGICAL | SortMode.TIME)

    def _walk(self, tips: Iterable[str], hidden: Iterable[str], order: SortMode = SortMode.NONE) -> Iterator[str]:
        walker = self._repo.walk(None, order)
        for oid in tips:
            self._mark(walker.push, oid)
        for oid in hidden:
            self._mark(walker.hide, oid)
        try:
            for commit in walker:
                yield str(commit.id)
        except (KeyError, pygit2.GitError) as fault:
            why = str(fault)
            raise Damaged("the history of the repository cannot be read", why=why, hints=("git fsck",)) from None

    def _mark(self, mark: Callable[[pygit2.Oid], None], oid: str) -> None:
        """A ref may name a blob or a tree, and a shallow clone may lack a tip: neither has a history here."""
        try:
            mark(pygit2.Oid(hex=oid))
        except (KeyError, ValueError, pygit2.GitError):
            return

    def unreached(self, commits: Iterable[str], tips: Iterable[str]) -> frozenset[str]:
        return unreached(commits, tips, self.has, self._walk)

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        return not self.unreached((ancestor,), (descendant,))
