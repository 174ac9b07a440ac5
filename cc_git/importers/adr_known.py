"""What earlier imports left in the workspace, by natural key.

The natural key of a document is its source path and blob. It stands in the episode: `source.locator` is the path, and
`source.blob` the document's Git blob. A document that returns to a text that it had before is a new statement of an
old text, so its locator carries the count (`docs/adr/0001-x.md#2`): without it the new record would be taken for the
twin of the old one, which has been superseded since.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cc_git.model.authority import Authority
from cc_git.model.filed import Files
from cc_git.model.value import ONE_LINE_LIMIT, clean_line, slug

_COUNTED = re.compile(r"(.+)#([2-9]|[1-9]\d+)")
_SUBJECT_TAIL = 100

Key = tuple[str, int, str]
"""(source path, which time the document has this text, blob)."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A decision record of an earlier import. `supersedes` are the record's own links."""

    path: str
    count: int
    blob: str
    record: str
    record_blob: str
    title: str
    authority: Authority
    supersedes: tuple[str, ...]

    @property
    def key(self) -> Key:
        return (self.path, self.count, self.blob)


@dataclass(frozen=True)
class Known:
    """All earlier imports by document. Two clones may have imported the same text: then a key has several records."""

    by_path: Mapping[str, tuple[Earlier, ...]]

    def of(self, path: str) -> tuple[Earlier, ...]:
        return self.by_path.get(path, ())

    def heads(self, path: str) -> tuple[Earlier, ...]:
        """The records of the latest text of a document, twins included.

        More than one key: the document was changed in two lines of history, and nobody has imported it since.
        """
        earlier = self.of(path)
        key_of = {one.record: one.key for one in earlier}
        past = {key_of[old] for one in earlier for old in one.supersedes if old in key_of}
        return tuple(one for one in earlier if one.key not in past)

    def left(self, gone: Iterable[str]) -> tuple[str, ...]:
        """Of documents that are not at HEAD any more those whose latest record nothing has taken the place of."""
        past = {old for group in self.by_path.values() for one in group for old in one.supersedes}
        return tuple(path for path in sorted(gone) if any(one.record not in past for one in self.heads(path)))

    def count(self, path: str, blob: str) -> int:
        """How often the document has had this text."""
        return max((one.count for one in self.of(path) if one.blob == blob), default=0)


def known_imports(files: Files) -> Known:
    """The earlier imports among a snapshot's files: decisions whose source is an imported document of their subject."""
    documents: dict[str, tuple[str, int, str]] = {}
    for identifier, variants in files.episodes.items():
        episode = variants[0].value
        source = episode.source
        if episode.type == "import" and source.kind == "document" and source.locator and source.blob:
            documents[identifier] = (*path_and_count(source.locator), source.blob)
    found: list[Earlier] = []
    for identifier, records in files.records.items():
        record = records[0].value
        key = next((documents[source] for source in record.sources if source in documents), None)
        if key and record.kind == "decision" and record.subject == subject_for(key[0]):
            found.append(Earlier(*key, identifier, records[0].blob, record.title, record.authority, record.supersedes))
    return known(found)


def known(earlier: Iterable[Earlier]) -> Known:
    by_path: dict[str, list[Earlier]] = {}
    for one in sorted(earlier, key=lambda e: (e.path, e.record)):
        by_path.setdefault(one.path, []).append(one)
    return Known({path: tuple(group) for path, group in by_path.items()})


def locator_for(path: str, count: int) -> str:
    return path if count == 1 else f"{path}#{count}"


def path_and_count(locator: str) -> tuple[str, int]:
    counted = _COUNTED.fullmatch(locator)
    return (counted[1], int(counted[2])) if counted else (locator, 1)


def subject_for(path: str) -> str:
    """`docs/adr/0007-use-x`: the folder belongs to it, for every collection has a number 1.

    A path too long for a subject keeps its end and gets a digest of the whole.
    """
    bare = slug(clean_line(path, 10_000).rpartition(".")[0] or path)
    if len(bare) <= ONE_LINE_LIMIT:
        return bare
    digest = hashlib.sha256(path.encode()).hexdigest()[:12]
    return slug(f"{digest}…{bare[-_SUBJECT_TAIL:]}")
