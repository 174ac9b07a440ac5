"""Quarantine: imported material that waits for a person, in `quarantine/im_<ulid>/`.

The folder holds the values as they would be written, each at its own path below it, and `manifest.toml`. They are
there to be read and reviewed; nothing in quarantine stands, and each file already has the authority with which it would
arrive, so that moving it elsewhere gains nothing. Accepting plans the import again, for the workspace may have changed
since. Files are never taken out: what was taken in or turned down is known by receipts (`settled.py`), what was
forgotten is empty.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import ValidationError, model_validator

from cc_git.codec import paths
from cc_git.codec.documents import to_document
from cc_git.codec.files import decode, encode, path_for
from cc_git.codec.toml_read import TomlFault, load
from cc_git.codec.toml_write import dump
from cc_git.importers.known import path_and_count
from cc_git.importers.suspicion import signs_in, texts_in
from cc_git.model.authority import SENSITIVITIES, Authority, Sensitivity
from cc_git.model.bundle import EndedRecord
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.ids import KIND_OF_PREFIX, prefix_of
from cc_git.model.record import Record
from cc_git.model.value import FORMAT, Id, Ids, Instant, Lines, Locator, OneLine, Value, has_prefix

MANIFEST = "manifest.toml"


class Item(Value):
    """One thing: where it stood, and the ids under which it waits. `claimed` is whose word the source says it is;
    `signs` are the names of what makes it look like an instruction (`suspicion.py`). The other half of its natural
    key, the blob of its text, is in its episode alone: when that is forgotten, no hash of it is left."""

    path: Locator
    episode: Id
    record: Id | None = None
    claimed: Authority | None = None
    signs: Lines = ()

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.episode, "ep")
        if self.record is not None and prefix_of(self.record) not in KIND_OF_PREFIX:
            raise ValueError(f"{self.record} is no record's id")
        return self

    @property
    def waits_as(self) -> str:
        return self.record or self.episode


class Manifest(Value):
    """`importer` names the foreign format, such as `adr`. `ended` and `forgotten` are ids at the source; `digest` binds
    what was read, where the format has one."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    importer: OneLine
    actor: OneLine
    recorded_at: Instant
    digest: OneLine | None = None
    items: tuple[Item, ...] = ()
    ended: tuple[EndedRecord, ...] = ()
    forgotten: Ids = ()

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "im")
        return self


@dataclass(frozen=True, slots=True)
class Kept:
    """What goes into quarantine: an episode and the record that cites it first, if it would become one."""

    episode: Episode
    record: Record | None
    claimed: Authority | None = None
    signs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quarantine:
    """What is written: `files` by path below the workspace. `sensitivity` is the highest among them."""

    id: str
    files: Mapping[str, bytes]
    sensitivity: Sensitivity = "ordinary"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Where a document waits: the import's id and the record it would become."""

    id: str
    record: str


@dataclass(frozen=True, slots=True)
class HeldItem:
    item: Item
    episode: Episode
    record: Record | None

    @property
    def signs(self) -> tuple[str, ...]:
        """What makes it look like an instruction, looked for again: anybody may have edited the manifest since."""
        found = signs_in(*texts_in(self.episode), *texts_in(self.record))
        return tuple(sorted({*self.item.signs, *found}))

    @property
    def blob(self) -> str:
        """With the item's path the natural key."""
        return self.episode.source.blob or ""


@dataclass(frozen=True)
class Held:
    """A quarantined import as found. A document that was forgotten or is damaged is not among the items; `faults` say
    which and why."""

    manifest: Manifest
    items: tuple[HeldItem, ...]
    faults: tuple[Fault, ...] = ()


def quarantined(about: Manifest, kept: Iterable[Kept]) -> Quarantine:
    """`about` is the manifest without its items; of an episode the source's locator is the natural key's place."""
    files: dict[str, bytes] = {}
    items: list[Item] = []
    highest: Sensitivity = "ordinary"
    for one in kept:
        for value in (one.episode, *((one.record,) if one.record else ())):
            files[paths.quarantine_path(about.id, path_for(value))] = encode(value)
            highest = max(highest, value.sensitivity, key=SENSITIVITIES.index)
        items.append(
            Item(
                path=path_and_count(one.episode.source.locator or "")[0],
                episode=one.episode.id,
                record=one.record.id if one.record else None,
                claimed=one.claimed,
                signs=one.signs,
            )
        )
    manifest = about.model_copy(update={"items": tuple(items)})
    files[paths.quarantine_path(about.id, MANIFEST)] = dump(to_document(manifest)).encode()
    return Quarantine(about.id, files, highest)


def manifests_in(files: Mapping[str, bytes]) -> tuple[dict[str, Manifest], tuple[Fault, ...]]:
    """Every import in quarantine by its id, and the manifests that cannot be read.

    `files`: the bytes of at least every `manifest.toml` in quarantine, by path below the workspace.
    """
    found: dict[str, Manifest] = {}
    faults: list[Fault] = []
    for rel in sorted(files):
        if rel.startswith(f"{paths.QUARANTINE}/") and rel.endswith(f"/{MANIFEST}"):
            manifest = read_manifest(rel, files[rel])
            if isinstance(manifest, Fault):
                faults.append(manifest)
            else:
                found[manifest.id] = manifest
    return found, tuple(faults)


def waiting_in(
    manifests: Mapping[str, Manifest], taken: Container[str], files: Mapping[str, bytes]
) -> dict[tuple[str, str], Waiting]:
    """What waits in quarantine, by (place, blob): not what was taken in, by the ids under which it waited, nor what
    cannot be read, or was forgotten.

    What waits twice is found under the lowest import id.
    """
    found: dict[tuple[str, str], Waiting] = {}
    for identifier in sorted(manifests):
        for item in manifests[identifier].items:
            episode = _value(item.episode, identifier, files) if item.waits_as not in taken else None
            if isinstance(episode, Episode):
                found.setdefault((item.path, episode.source.blob or ""), Waiting(identifier, item.waits_as))
    return found


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
    episode = _value(item.episode, import_id, files)
    record = _value(item.record, import_id, files) if item.record else None
    for value in (episode, record):
        if isinstance(value, Fault):
            return value
    where = paths.quarantine_path(import_id, paths.path_of(item.waits_as))
    if not isinstance(episode, Episode) or not isinstance(record, Record | None):
        return Fault(where, "invalid", "is not what the manifest says")
    path, _ = path_and_count(episode.source.locator or "")
    if path != item.path or not episode.source.blob or (record and record.sources[:1] != (episode.id,)):
        return Fault(where, "invalid", "does not agree with the manifest")
    return HeldItem(item, episode, record)


def _value(identifier: str, import_id: str, files: Mapping[str, bytes]) -> Value | Fault:
    rel = paths.path_of(identifier)
    where = paths.quarantine_path(import_id, rel)
    value = decode(rel, files.get(where, b""))
    return Fault(where, value.code, value.reason, value.line) if isinstance(value, Fault) else value
