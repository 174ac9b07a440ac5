"""Paths and blobs → values: the files of a snapshot, read and sorted, with a fault for each that cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from cc_git.codec import paths
from cc_git.codec.files import MODELS, decode
from cc_git.errors import Damaged
from cc_git.model.fault import Fault, too_large
from cc_git.model.filed import Filed, Files, gather
from cc_git.model.marks import Tombstone
from cc_git.model.policy import Workspace
from cc_git.model.value import Value
from cc_git.model.working_context import WorkingContext
from cc_git.store.engine import MissingObject, TooLarge

_D = TypeVar("_D", bound=Value)

Read = Callable[[str], bytes]
"""Blob id → bytes, wherever they are; raises `MissingObject`."""


def reading(*places: Read | Mapping[str, bytes]) -> Read:
    """One reader over several places (bytes at hand, the repository, the journal), asked in this order."""

    def read(blob: str) -> bytes:
        for place in places:
            try:
                return place[blob] if isinstance(place, Mapping) else place(blob)
            except (KeyError, MissingObject):
                continue
        raise MissingObject(blob)

    return read


@dataclass(frozen=True)
class Loaded:
    """`workspace` is None where `workspace.toml` is absent, a Fault where it cannot be read."""

    files: Files
    workspace: Workspace | Fault | None
    context: WorkingContext | Fault | None
    warnings: tuple[str, ...]


def is_object(rel: str) -> bool:
    """What standing, packets and lists read: not attachments, dreams, quarantine or dotfiles."""
    return paths.folder_of(rel) in MODELS and not rel.rpartition("/")[2].startswith(".")


def read_object(rel: str, blob: str, read: Read, warnings: list[str] | None = None) -> Value | Fault:
    """The value in one file, or what is wrong with it; an object that is not in this clone is a fault like others."""
    try:
        data = read(blob)
    except TooLarge as found:
        return too_large(rel, found.size)
    except MissingObject:
        return Fault(rel, "missing", f"its blob {blob} is not in this clone (partial clone, or pruned)")
    except Damaged as damage:
        return Fault(rel, "missing", f"{damage.what}: {damage.why}")
    return decode(rel, data, warnings)


def load(blobs: Mapping[str, str], read: Read, *, forgotten: frozenset[str] = frozenset()) -> Loaded:
    """Read every file of a snapshot (path → blob).

    `forgotten` are ids whose tombstones were seen elsewhere and count here.
    """
    warnings: list[str] = []
    filed: list[Filed[Value]] = []
    faults: list[Fault] = []
    for rel in sorted(blobs):
        if is_object(rel):
            value = read_object(rel, blobs[rel], read, warnings)
            if isinstance(value, Fault):
                faults.append(value)
            else:
                filed.append(Filed(rel, blobs[rel], value))
    tombstones = forgotten.union(item.value.id for item in filed if isinstance(item.value, Tombstone))
    kept = [fault for fault in faults if not explained(fault, tombstones)]
    kept += duplicates(filed)
    files = gather(filed, sorted(kept, key=lambda fault: fault.rel))
    return Loaded(
        files=replace(files, tombstones=files.tombstones | forgotten),
        workspace=document(paths.WORKSPACE_FILE, Workspace, blobs, read, warnings),
        context=document(paths.WORKING_CONTEXT, WorkingContext, blobs, read, warnings),
        warnings=tuple(warnings),
    )


def explained(fault: Fault, tombstones: frozenset[str]) -> bool:
    """A zero-byte file whose id has a tombstone is the place of a forgotten one."""
    return fault.code == "empty" and paths.id_at(fault.rel) in tombstones


def duplicates(filed: list[Filed[Value]]) -> Iterator[Fault]:
    """A fault for each file whose id also names other bytes: none of them can be relied on."""
    first: dict[tuple[type[Value], str], Filed[Value]] = {}
    named: set[str] = set()
    for item in filed:
        identifier = getattr(item.value, "id", None)
        if identifier is None:
            continue
        other = first.setdefault((type(item.value), identifier), item)
        if other.blob != item.blob:
            if other.rel not in named:
                named.add(other.rel)
                yield _duplicate(other.rel, identifier, item.rel)
            yield _duplicate(item.rel, identifier, other.rel)


def _duplicate(rel: str, identifier: str, other: str) -> Fault:
    return Fault(rel, "duplicate", f"{identifier} has other bytes in {other}: one id, two contents")


def document(
    rel: str, kind: type[_D], blobs: Mapping[str, str], read: Read, warnings: list[str] | None = None
) -> _D | Fault | None:
    """One document of the workspace: None where it is absent, a Fault where it cannot be read."""
    blob = blobs.get(rel)
    if blob is None:
        return None
    value = read_object(rel, blob, read, warnings)
    if isinstance(value, Fault | kind):
        return value
    return Fault(rel, "invalid", f"is not a {kind.__name__}")
