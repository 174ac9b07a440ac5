"""What earlier imports left in the workspace, by natural key.

The natural key of an imported document, or of a part of one, is where it stood and its blob. It stands in the episode:
`source.locator` is the place, and `source.blob` the Git blob of the text. What returns to a text that it had before is
a new statement of an old text, so its locator carries the count (`docs/adr/0001-x.md#2`): without it the new record
would be taken for the twin of the old one, which has been superseded since.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cc_git.model.authority import Authority

_COUNTED = re.compile(r"(.+)#([2-9]|[1-9]\d+)")

Key = tuple[str, int, str]
"""(source path, which time the document has this text, blob)."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A record of an earlier import. `supersedes` are the record's own links."""

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


def known(earlier: Iterable[Earlier]) -> Known:
    """Sorted by place, then id."""
    by_path: dict[str, list[Earlier]] = {}
    for one in sorted(earlier, key=lambda e: (e.path, e.record)):
        by_path.setdefault(one.path, []).append(one)
    return Known({path: tuple(group) for path, group in by_path.items()})


def locator_for(path: str, count: int) -> str:
    return path if count == 1 else f"{path}#{count}"


def path_and_count(locator: str) -> tuple[str, int]:
    counted = _COUNTED.fullmatch(locator)
    return (counted[1], int(counted[2])) if counted else (locator, 1)
