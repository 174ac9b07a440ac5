"""Files of a workspace on disk that HEAD does not explain: which there are, what is in them, whether they are valid."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cc_git.codec import paths
from cc_git.model.fault import LARGEST, Fault, too_large
from cc_git.model.ids import ID_PATTERN
from cc_git.store.classify import is_document
from cc_git.store.disk import read_file
from cc_git.store.engine import LARGEST_KEPT
from cc_git.store.head_tree import HeadTree, beside, files_below
from cc_git.store.trees import object_id

Judge = Callable[[str, bytes], Fault | None]
"""Path below the workspace and bytes → what is wrong with the file, or None for a valid one."""

_FOLDERS = frozenset(
    {
        paths.RECORDS, paths.EPISODES, paths.RULINGS, paths.TRIGGERS, paths.RUNBOOKS, paths.CHECKPOINTS,
        paths.RECEIPTS, paths.TOMBSTONES, paths.ENDINGS, paths.DREAMS, paths.ATTACHMENTS, paths.QUARANTINE,
    }
)  # fmt: skip
_FILES = frozenset((paths.WORKSPACE_FILE, paths.ATTRIBUTES_FILE, paths.public(paths.WORKING_CONTEXT)))
_BY_PATH = {
    paths.DREAMS: re.compile(rf"[0-9]{{4}}-[0-9]{{2}}/{ID_PATTERN}\.toml"),
    paths.ATTACHMENTS: re.compile(rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}/{ID_PATTERN}-[0-9]+"),
    paths.QUARANTINE: re.compile(rf"{ID_PATTERN}/.+"),
}
"""Folders whose files the codec has no say in: the path alone makes them ours."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A file on disk: `data` is None where it was not read because the journal knows the path already."""

    blob: str
    data: bytes | None = None
    fault: Fault | None = None


class Disk:
    """The workspace's folder of one work tree."""

    def __init__(self, directory: Path, object_format: Literal["sha1", "sha256"], judge: Judge) -> None:
        self._directory = directory
        self._format = object_format
        self._judge = judge

    def lying(self, head: HeadTree, known: Mapping[str, str]) -> dict[str, Lying]:
        """Files that HEAD lacks, private ones included, and documents that differ from HEAD's.

        `known` are the journal's paths with their blobs: an immutable one counts with these, whatever is on disk.
        """
        rels = [rel for rel in beside(head, self._directory, (paths.PRIVATE_DIR,)) if _is_ours(rel)]
        rels += self._private()
        found = {}
        for rel in rels:
            if rel in known and not is_document(rel):
                found[rel] = Lying(known[rel])
            elif (lying := self._read(rel)) is not None:
                found[rel] = lying
        for rel in self._documents(head):
            lying = self._read(rel)
            if lying is not None and lying.blob != head[rel]:
                found[rel] = lying
        return found

    def _documents(self, head: HeadTree) -> Iterator[str]:
        yield from (rel for rel in (paths.WORKSPACE_FILE, paths.ATTRIBUTES_FILE) if rel in head)
        yield from head.below(paths.RUNBOOKS)

    def _private(self) -> Iterator[str]:
        for rel in files_below(self._directory / paths.PRIVATE_DIR):
            private = paths.private(rel)
            if private != paths.PRIVATE_IGNORE and _is_ours(private):
                yield private

    def _read(self, rel: str) -> Lying | None:
        path = self._directory / rel
        try:
            about = os.lstat(path)
            if not stat.S_ISREG(about.st_mode):
                return None
            # What is larger was not written by us and is not read to find that out.
            if about.st_size > (LARGEST_KEPT if paths.folder_of(rel) in _BY_PATH else LARGEST):
                return Lying("", None, too_large(rel, about.st_size))
            data = read_file(path)
        except FileNotFoundError:
            return None
        except OSError as fault:
            return Lying("", None, Fault(rel, "invalid", f"cannot be read: {fault.strerror}"))
        if data is None:
            return None
        return Lying(object_id("blob", data, self._format), data, fault_of(self._judge, rel, data))


def fault_of(judge: Judge, rel: str, data: bytes) -> Fault | None:
    """What is wrong with these bytes at this path."""
    folder, _, inside = paths.public(rel).partition("/")
    if rel == paths.ATTRIBUTES_FILE:
        return None
    if folder in _BY_PATH:
        if _BY_PATH[folder].fullmatch(inside):
            return None
        return Fault(rel, "misplaced", "is not named as the files of this folder are")
    return judge(rel, data)


def _is_ours(rel: str) -> bool:
    name = paths.public(rel)
    return name in _FILES or (name.partition("/")[0] in _FOLDERS and not _basename(name).startswith("."))


def _basename(rel: str) -> str:
    return rel.rpartition("/")[2]
