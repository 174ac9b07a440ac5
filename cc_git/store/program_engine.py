"""The engine on the git program, for what libgit2 cannot open: SHA-256, reftable, whatever extension comes next.

Objects are read through one child that stays open (`program_objects.py`); trees are worked on as bytes, as beside
libgit2. Writing one object is one process; many are written as one pack.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import new
from typing import Literal

from cc_git.errors import Damaged, LostRace, NotWritable, Unsupported
from cc_git.model.fault import LARGEST
from cc_git.store.commits import commit_bytes, commit_of
from cc_git.store.disk import not_writable
from cc_git.store.engine import Commit, Entry, Person
from cc_git.store.git_files import common_dir
from cc_git.store.git_process import Ran
from cc_git.store.program import Program, failed
from cc_git.store.program_objects import ProgramObjects
from cc_git.store.reaching import unreached
from cc_git.store.trees import Line, TreeReading, object_id, raw, text, tree_bytes

_LOCK_TRIES, _LOCK_PAUSE = 10, 0.025
"""Git itself waits a tenth of a second each time."""
_LOCKED = re.compile(r"\.lock'?:? File exists|cannot lock ref|Unable to create '.*\.lock'")
_TOO_NEW = re.compile(r"repository extension|repo version|extensions\.|ref storage|object format|hash algorithm")
_NUMBERS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
"""How a pack says of what kind an object is (https://git-scm.com/docs/gitformat-pack)."""
_HEAD = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) (blob|tree|commit|tag) (\d+)\n")

Format = Literal["sha1", "sha256"]


class ProgramEngine(TreeReading):
    """`why` it is the program that serves this repository, in words for people."""

    def __init__(self, program: Program, why: str, object_format: Format | None = None) -> None:
        super().__init__()
        self._program = program
        self._why = why
        self._format = object_format or _format(program)
        self._objects = ProgramObjects(program)
        self._collected: dict[str, tuple[str, bytes]] | None = None
        self._led_to: dict[str, str | None] = {}
        """Of what refs name: they are listed again and again, and an object leads where it led."""

    @property
    def object_format(self) -> Format:
        return self._format

    @property
    def served_by(self) -> str:
        version = self._program.ask("--version").decode("utf-8", "replace").strip().removeprefix("git version ")
        return f"the git program {version} ({self._why})"

    def close(self) -> None:
        self._objects.close()

    def durable(self, wanted: bool, /) -> None:
        self._program.set("core.fsync", "all" if wanted else "none")

    # objects
    def has(self, oid: str) -> bool:
        return self._is_collected(oid) or self._objects.about(oid) is not None

    def _is_collected(self, oid: str) -> bool:
        return self._collected is not None and oid in self._collected

    def _read(self, oid: str, wanted: str, most: int | None = None) -> bytes:
        if self._collected is not None and oid in self._collected:
            kind, data = self._collected[oid]
        else:
            kind, data = self._objects.read(oid, most)
            if object_id(kind, data, self._format) != oid:
                why = "its bytes have another id"
                raise Damaged(f"the Git object {oid} cannot be read", why=why, hints=("git fsck",))
        if kind != wanted:
            raise Damaged(f"the Git object {oid} is a {kind}, not a {wanted}", hints=("git fsck",))
        return data

    def all_objects(self) -> Iterator[tuple[str, str, bytes]]:
        out = self._program.ask("cat-file", "--batch-all-objects", "--batch", "--buffer", "--unordered")
        at = 0
        while found := _HEAD.match(out, at):
            end = found.end() + int(found[3])
            yield found[1].decode(), found[2].decode(), out[found.end() : end]
            at = end + 1

    def blob(self, oid: str, most: int = LARGEST) -> bytes:
        return self._read(oid, "blob", most)

    def tree_data(self, oid: str) -> bytes:
        return self._read(oid, "tree")

    def commit(self, oid: str) -> Commit:
        return commit_of(oid, self._read(oid, "commit"))

    def _write(self, kind: str, data: bytes) -> str:
        if self._collected is not None:
            oid = object_id(kind, data, self._format)
            self._collected[oid] = kind, data
            return oid
        # As libgit2, it looks at nothing but the bytes: a newer Git would refuse what its fsck warns of.
        ran = self._program.run("hash-object", "-w", "-t", kind, "--literally", "--stdin", data=data)
        if ran.code:
            raise self._not_written(ran)
        return ran.stdout.decode().strip()

    def _not_written(self, ran: Ran) -> NotWritable:
        where = common_dir(self._program.git_dir) / "objects"
        return not_writable(where, ran.said, lost="nothing was remembered (persistence)")

    def write_blob(self, data: bytes) -> str:
        return self._write("blob", data)

    def write_tree(self, entries: Iterable[Entry]) -> str:
        lines: list[Line] = [(b"%o" % e.mode, raw(e.name), bytes.fromhex(e.oid)) for e in entries]
        return self.write_tree_bytes(tree_bytes(lines))

    def write_tree_bytes(self, data: bytes) -> str:
        return self._write("tree", data)

    def write_commit(self, tree: str, parents: Sequence[str], message: str, author: Person, *, seconds: int) -> str:
        return self._write("commit", commit_bytes(tree, parents, message, author, seconds=seconds))

    def write_pack(self, oids: Iterable[str]) -> str:
        where = common_dir(self._program.git_dir) / "objects" / "pack" / "pack"
        told = "".join(f"{oid}\n" for oid in oids).encode()
        ran = self._program.run("pack-objects", "-q", "--threads=1", str(where), data=told)
        if ran.code:
            raise self._not_written(ran)
        return f"pack-{ran.stdout.decode().strip()}"

    @contextmanager
    def many(self) -> Iterator[None]:
        self._collected = {}
        try:
            yield
            collected, self._collected = self._collected, None
            if collected:
                ran = self._program.run("index-pack", "--stdin", data=_pack(collected, self._format))
                if ran.code:
                    raise self._not_written(ran)
        finally:
            self._collected = None

    # names and history
    def resolve(self, revision: str) -> str | None:
        named = self._objects.about(revision)
        commit = self._objects.about(f"{named.oid}^{{commit}}") if named is not None else None
        return None if commit is None else commit.oid

    def ref(self, name: str) -> str | None:
        return self._listed(name).get(name)

    def refs(self, prefix: str = "refs/") -> Mapping[str, str]:
        found = {}
        for name, oid in self._listed("" if prefix == "refs/" else prefix).items():
            commit = self._peeled(name, oid) if name.startswith(prefix) else None
            if commit is not None:
                found[name] = commit
        return found

    def _peeled(self, name: str, oid: str) -> str | None:
        """The commit that a ref leads to. One that is not here is told all the same, but for tags."""
        if oid not in self._led_to:
            if self._objects.about(oid) is None:
                return None if name.startswith("refs/tags/") else oid
            commit = self._objects.about(f"{oid}^{{commit}}")
            self._led_to[oid] = None if commit is None else commit.oid
        return self._led_to[oid]

    def _listed(self, below: str) -> dict[str, str]:
        words = ("for-each-ref", "--format=%(objectname) %(refname)", *((below,) if below else ()))
        lines = self._program.ask(*words).splitlines()
        return {text(name): oid.decode() for oid, _, name in (line.partition(b" ") for line in lines)}

    def head(self) -> tuple[str | None, str | None]:
        branch = text(self._program.run("symbolic-ref", "--quiet", "HEAD").stdout.removesuffix(b"\n"))
        found = self._objects.about("HEAD^{}")
        return branch or None, None if found is None else found.oid

    def move_ref(self, name: str, new: str | None, expected: str | None) -> bool:
        for _ in range(_LOCK_TRIES):
            now = self.ref(name)
            if now != expected:
                return False
            if new is None and expected is None:
                return True
            ran = self._program.run("update-ref", "--no-deref", "--stdin", "-z", data=_update(name, new, expected))
            if ran.code == 0:
                return True
            if not _LOCKED.search(ran.said):
                raise Damaged(f"the ref {name} cannot be moved", why=ran.said)
            time.sleep(_LOCK_PAUSE)
        if self.ref(name) != expected:
            return False
        raise LostRace(f"the ref {name} stays locked", why=ran.said)

    def walk(self, tips: Iterable[str], hidden: Iterable[str] = ()) -> Iterator[str]:
        return self._walk(tips, hidden, "--date-order")

    def _walk(self, tips: Iterable[str], hidden: Iterable[str], *order: str) -> Iterator[str]:
        """A ref may name a blob or a tree, and a shallow clone may lack a tip: neither has a history here."""
        starts = self._commits(tips)
        if starts:
            told = (*starts, *(f"^{oid}" for oid in self._commits(hidden)))
            yield from self._program.lines(("rev-list", *order, "--stdin"), told)

    def _commits(self, oids: Iterable[str]) -> list[str]:
        found = (self._objects.about(f"{oid}^{{commit}}") for oid in dict.fromkeys(oids))
        return [about.oid for about in found if about is not None]

    def unreached(self, commits: Iterable[str], tips: Iterable[str]) -> frozenset[str]:
        return unreached(commits, tips, self.has, self._walk)

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        return not self.unreached((ancestor,), (descendant,))


def _format(program: Program) -> Format:
    ran = program.run("rev-parse", "--show-object-format")
    said = ran.stdout.decode().strip()
    if ran.code and not _TOO_NEW.search(ran.said):
        raise failed("rev-parse", ran.said)
    if said not in ("sha1", "sha256"):
        raise Unsupported(
            f"this Git cannot open the repository at {program.git_dir}",
            why=ran.said or f"its object format is {said}",
            hints=("install a newer Git, the one that made it",),
        )
    return "sha1" if said == "sha1" else "sha256"


def _update(name: str, new: str | None, expected: str | None) -> bytes:
    """One command of `update-ref --stdin -z`; an empty old value says that the ref must not be there."""
    zero = "0" * len(new or expected or "")
    fields = ("delete", name, expected) if new is None else ("update", name, new, expected or zero)
    command, ref, *ids = (field or "" for field in fields)
    return f"{command} {ref}\0{''.join(f'{oid}{chr(0)}' for oid in ids)}".encode("utf-8", "surrogateescape")


def _pack(objects: Mapping[str, tuple[str, bytes]], object_format: Format) -> bytes:
    """A pack of whole objects, none as a difference from another."""
    parts = [b"PACK" + (2).to_bytes(4, "big") + len(objects).to_bytes(4, "big")]
    for kind, data in objects.values():
        size, first = len(data) >> 4, _NUMBERS[kind] << 4 | len(data) & 15
        head = bytearray()
        while size:
            head.append(first | 0x80)
            first, size = size & 0x7F, size >> 7
        head.append(first)
        parts += [bytes(head), zlib.compress(data)]
    body = b"".join(parts)
    return body + new(object_format, body, usedforsecurity=False).digest()
