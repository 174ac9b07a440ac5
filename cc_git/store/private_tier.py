"""What is private on this clone, by id and by bytes: what its worktrees keep in the journal, what takes away and was
private once, and what lies in the private folders at hand.

It is asked by the pre-commit hook as well, which must not wait for libgit2: so the git program lists the journal.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cc_git.codec import paths
from cc_git.codec.named import ids_in, named_in
from cc_git.codec.texts import document_in
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity
from cc_git.model.fault import LARGEST
from cc_git.store.disk import read_file
from cc_git.store.git_process import QUIET, run_git
from cc_git.store.names import NEGATIVES, WRITES, OwnFolder, writes_ref

_MARKS = (paths.TOMBSTONES, paths.ENDINGS)
_LISTING = ("--root", "--raw", "--no-abbrev", "-r", "-m", "--no-renames", "--diff-filter=AM", "--format=", "-z")
_WHERE = (paths.PRIVATE_DIR, f":(glob){paths.PRIVATE_DIR}%2F*", f"files/{paths.PRIVATE_DIR}")
"""Where `journal_form` and `seen_negatives` keep private files: in a whole state, in one write, and in the set."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A private file: its path below a workspace, and its bytes by their blob in the journal or by where they lie."""

    rel: str
    blob: str | None = None
    file: Path | None = None


class PrivateTier:
    """Looked at once, when first asked. `committed` says whether HEAD holds one of these paths: what is there is known.

    `folders` are the workspaces on disk, `environ` is that of `Git`.
    """

    def __init__(
        self,
        common_dir: Path,
        folders: Iterable[Path],
        environ: Mapping[str, str],
        committed: Callable[[Iterable[str]], bool],
    ) -> None:
        self._journal = OwnFolder(common_dir).journal
        self._folders = tuple(folders)
        self._environ = {**environ, **QUIET}
        self._committed = committed
        self._by_id: dict[str, list[_Item]] | None = None
        self._by_blob: dict[str, _Item] = {}
        self._weights: dict[str, Sensitivity | None] = {}
        self.is_read = True
        """False once the journal could not be read: then only what lies on disk is known."""

    def holds(self, identifier: str) -> bool:
        return self.weight(identifier) is not None

    def tracks(self, identifier: str) -> bool:
        """HEAD has a file of it, or one lies at its place on disk. What has no path of its own is taken at its word."""
        rels = paths.places_of(identifier)
        laid = any((folder / rel).is_file() for folder in self._folders for rel in rels)
        return not rels or laid or self._committed(rels)

    def weight(self, identifier: str) -> Sensitivity | None:
        """The highest that its private files say. One that says nothing is there for a reason: it counts as sensitive,
        and as no less than what it names (a ruling, a receipt)."""
        if identifier not in self._weights:
            items = self._items().get(identifier, ())
            unknown = not items or self._is_committed(identifier)
            self._weights[identifier] = None if unknown else highest(*map(self._weigh, items))
        return self._weights[identifier]

    def weight_of_bytes(self, blob: str) -> Sensitivity | None:
        """The same; what HEAD holds under the id of such a file is known to all."""
        self._items()
        item = self._by_blob.get(blob)
        if item is None or not self._read(item):
            return None
        own = paths.id_at(item.rel)
        return None if own is not None and self._is_committed(own) else self._weigh(item)

    def _is_committed(self, identifier: str) -> bool:
        """A runbook is known by its name."""
        items = self._items().get(identifier, ())
        named = (paths.public(item.rel) for item in items if paths.folder_of(item.rel) == paths.RUNBOOKS)
        return self._committed(paths.places_of(identifier) or tuple(named))

    def _weigh(self, item: _Item) -> Sensitivity:
        said = named_in(item.rel, self._read(item))
        if said.sensitivity != "ordinary":
            return said.sensitivity
        others = (other for named in said.ids | set(ids_in(item.rel)) for other in self._items().get(named, ()))
        return highest("sensitive", *(named_in(other.rel, self._read(other)).sensitivity for other in others))

    def _read(self, item: _Item) -> bytes:
        if item.file is not None:
            try:
                return read_file(item.file) or b""
            except OSError:
                # It lies there for a reason, like what is too large.
                return b"cannot be read"
        ran = self._ask("cat-file", "blob", item.blob or "")
        return ran if len(ran) <= LARGEST else b"too large"

    def _items(self) -> Mapping[str, list[_Item]]:
        if self._by_id is None:
            self._by_id = {}
            for item in (*self._in_journal(), *self._on_disk()):
                for identifier in self._ids_of(item):
                    self._by_id.setdefault(identifier, []).append(item)
                if item.blob is not None and paths.folder_of(item.rel) not in _MARKS:
                    self._by_blob[item.blob] = item
        return self._by_id

    def _ids_of(self, item: _Item) -> Iterable[str]:
        """Those in its path; a runbook's stands in it."""
        if paths.folder_of(item.rel) != paths.RUNBOOKS:
            return ids_in(item.rel)
        own = (document_in(self._read(item)) or {}).get("id")
        return ids_in(own) if isinstance(own, str) else ()

    def _in_journal(self) -> Iterator[_Item]:
        if not self._journal.is_dir():
            self.is_read = not self._journal.exists()
            return
        words = ("log", f"--glob={WRITES}*", f"--glob={NEGATIVES}*", *_LISTING, "--", *_WHERE)
        listed = self._ask(*words).decode("utf-8", "surrogateescape").split("\0")
        seen: set[tuple[str, str]] = set()
        for about, path in zip(listed[::2], listed[1::2], strict=False):
            blob, rel = about.split(" ")[3], _rel_of(path)
            if (rel, blob) not in seen:
                seen.add((rel, blob))
                yield _Item(rel, blob)

    def _on_disk(self) -> Iterator[_Item]:
        for folder in self._folders:
            for where, _, names in os.walk(folder / paths.PRIVATE_DIR):
                for name in names:
                    file = Path(where) / name
                    yield _Item(file.relative_to(folder).as_posix(), file=file)

    def _ask(self, *words: str) -> bytes:
        start = (f"--git-dir={self._journal}", "-c", "log.showSignature=false")
        ran = run_git(self._journal, self._environ, (*start, *words))
        self.is_read = self.is_read and ran.code == 0
        return ran.stdout


def has_writes(common_dir: Path, prefix: str, environ: Mapping[str, str]) -> bool:
    """Whether some worktree of the clone ever wrote into a workspace at `prefix`."""
    journal = OwnFolder(common_dir).journal
    if not journal.is_dir():
        return False
    words = (f"--git-dir={journal}", "for-each-ref", "--count=1", str(writes_ref("*", prefix)))
    return bool(run_git(journal, {**environ, **QUIET}, words).stdout)


def _rel_of(path: str) -> str:
    """The path below a workspace of one in the journal."""
    if "/" not in path:
        return path.replace("%2F", "/").replace("%25", "%")
    return path.removeprefix("files/").rpartition("/")[0] if path.startswith("files/") else path
