"""Quarantine: imported material that waits for a person, in `quarantine/im_<ulid>/`.

The folder holds the values as they would be written, each at its own path below it, and `manifest.toml`. They are
there to be read and reviewed; nothing in quarantine stands. Accepting plans the import again from the episodes, for
the workspace may have changed since. Files are never taken out: what has been accepted is known by its natural key,
what was forgotten is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import Field, ValidationError, model_validator

from cc_git.codec import paths
from cc_git.codec.documents import to_document
from cc_git.codec.files import decode, encode, path_for
from cc_git.codec.toml_read import TomlFault, load
from cc_git.codec.toml_write import dump
from cc_git.governance.plan import Mint
from cc_git.importers.adr_known import path_and_count
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.record import Record
from cc_git.model.value import FORMAT, Blob, Id, Instant, Locator, OneLine, Value, has_prefix

MANIFEST = "manifest.toml"


class Item(Value):
    """One document: its natural key and the ids under which it waits."""

    path: Locator
    blob: Blob
    episode: Id
    record: Id


class Manifest(Value):
    """`importer` names the foreign format, such as `adr`."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    importer: OneLine
    actor: OneLine
    recorded_at: Instant
    items: tuple[Item, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "im")
        return self


@dataclass(frozen=True)
class Quarantine:
    """What is written: `files` by path below the workspace."""

    id: str
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Where a document waits: the import's id and the record it would become."""

    id: str
    record: str


@dataclass(frozen=True, slots=True)
class HeldItem:
    item: Item
    episode: Episode
    record: Record


@dataclass(frozen=True)
class Held:
    """A quarantined import as found. A document that was forgotten or is damaged is not among the items; `faults` say
    which and why."""

    manifest: Manifest
    items: tuple[HeldItem, ...]
    faults: tuple[Fault, ...] = ()


def quarantined(importer: str, pairs: Iterable[tuple[Episode, Record]], actor: str, mint: Mint) -> Quarantine:
    """`pairs` of an episode and the record that cites it; the source path is the locator."""
    identifier = mint("im")
    files: dict[str, bytes] = {}
    items: list[Item] = []
    for episode, record in pairs:
        for value in (episode, record):
            files[paths.quarantine_path(identifier, path_for(value))] = encode(value)
        path, _ = path_and_count(episode.source.locator or "")
        items.append(Item(path=path, blob=episode.source.blob or "", episode=episode.id, record=record.id))
    manifest = Manifest(id=identifier, importer=importer, actor=actor, recorded_at=mint.now, items=tuple(items))
    files[paths.quarantine_path(identifier, MANIFEST)] = dump(to_document(manifest)).encode()
    return Quarantine(identifier, files)


def waiting_in(files: Mapping[str, bytes]) -> tuple[dict[tuple[str, str], Waiting], tuple[Fault, ...]]:
    """What waits in all quarantined imports, by (source path, blob), and the manifests that cannot be read.

    `files`: the bytes of at least every `manifest.toml` in quarantine, by path below the workspace. A document that
    waits twice is found under the lowest import id.
    """
    found: dict[tuple[str, str], Waiting] = {}
    faults: list[Fault] = []
    for rel in sorted(files):
        if rel.startswith(f"{paths.QUARANTINE}/") and rel.endswith(f"/{MANIFEST}"):
            manifest = read_manifest(rel, files[rel])
            if isinstance(manifest, Fault):
                faults.append(manifest)
                continue
            for item in manifest.items:
                found.setdefault((item.path, item.blob), Waiting(manifest.id, item.record))
    return found, tuple(faults)


def read_quarantine(import_id: str, files: Mapping[str, bytes]) -> Held | Fault:
    """`files`: those below `quarantine/<import_id>/`, by path below the workspace."""
    rel = paths.quarantine_path(import_id, MANIFEST)
    if rel not in files:
        return Fault(rel, "empty", "there is no such import in quarantine")
    manifest = read_manifest(rel, files[rel])
    if isinstance(manifest, Fault):
        return manifest
    items: list[HeldItem] = []
    faults: list[Fault] = []
    for item in manifest.items:
        held = _held(item, manifest.id, files)
        if isinstance(held, Fault):
            faults.append(held)
        else:
            items.append(held)
    return Held(manifest, tuple(items), tuple(faults))


def read_manifest(rel: str, data: bytes) -> Manifest | Fault:
    try:
        document = load(data.decode())
        named = document.get("format")
        if isinstance(named, str) and named.startswith("cc-git/") and named != FORMAT:
            return Fault(rel, "future", f"has the format {named}, not {FORMAT}: upgrade cc-git to read it")
        manifest = Manifest.model_validate(document)
    except UnicodeDecodeError:
        return Fault(rel, "encoding", "is not UTF-8")
    except TomlFault as fault:
        return Fault(rel, "syntax", fault.reason, fault.line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return Fault(rel, "invalid", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    if rel != paths.quarantine_path(manifest.id, MANIFEST):
        return Fault(rel, "misplaced", f"holds {manifest.id}, which is not its folder")
    return manifest


def _held(item: Item, import_id: str, files: Mapping[str, bytes]) -> HeldItem | Fault:
    values: list[Value] = []
    for identifier in (item.episode, item.record):
        rel = paths.path_of(identifier)
        where = paths.quarantine_path(import_id, rel)
        value = decode(rel, files.get(where, b""))
        if isinstance(value, Fault):
            return Fault(where, value.code, value.reason, value.line)
        values.append(value)
    episode, record = values
    if not isinstance(episode, Episode) or not isinstance(record, Record):
        return Fault(where, "invalid", "is not what the manifest says")
    path, _ = path_and_count(episode.source.locator or "")
    if (path, episode.source.blob) != (item.path, item.blob) or record.sources != (episode.id,):
        return Fault(where, "invalid", "does not agree with the manifest")
    return HeldItem(item, episode, record)
