"""Files ⇄ values. A file that cannot be read becomes a Fault that names path, line and reason; nothing is rewritten."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from pydantic import ValidationError

from cc_git.codec import paths
from cc_git.codec.documents import from_document, to_document
from cc_git.codec.json_times import in_json
from cc_git.codec.toml_read import TomlFault, load
from cc_git.codec.toml_write import dump
from cc_git.model.dream import Dream, WakingReview
from cc_git.model.episode import Episode
from cc_git.model.fault import LARGEST, Fault, too_large
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import Workspace
from cc_git.model.receipt import Receipt
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.runbook import Runbook
from cc_git.model.trigger import Trigger
from cc_git.model.value import FORMAT, Value
from cc_git.model.working_context import Checkpoint, WorkingContext

MODELS: dict[str, type[Value]] = {
    paths.RECORDS: Record,
    paths.EPISODES: Episode,
    paths.RULINGS: Ruling,
    paths.TRIGGERS: Trigger,
    paths.RUNBOOKS: Runbook,
    paths.CHECKPOINTS: Checkpoint,
    paths.RECEIPTS: Receipt,
    paths.TOMBSTONES: Tombstone,
    paths.ENDINGS: Ending,
}
"""Folder → what lies in it. Attachments are plain bytes; dreams and quarantine are read by their own commands."""

DREAM_MODELS: dict[str, type[Value]] = {"dr": Dream, "wr": WakingReview}
"""Prefix → what lies in the folder of dreams."""

_PLACED_BY = {
    paths.TOMBSTONES: paths.tombstone_path,
    paths.ENDINGS: paths.ending_path,
}
_MARKERS = re.compile(rb"^(<{7}|>{7})( |$)", re.MULTILINE)
_FORMAT = re.compile(r"cc-git/([0-9]+)")
_UNSAFE_IN_JSON = {"Cf", "Zl", "Zp"}


def encode(value: Value) -> bytes:
    """The exact bytes of a value's file: UTF-8, LF, fixed key order."""
    document = to_document(value)
    if isinstance(value, Checkpoint | WorkingContext):
        return _json(document)
    return dump(document).encode()


def path_for(value: Value, folders: str = "month") -> str:
    """Where the file of an immutable value belongs."""
    if isinstance(value, Tombstone):
        return paths.tombstone_path(value.id)
    if isinstance(value, Ending):
        return paths.ending_path(value.id)
    return paths.path_of(value.id, folders=folders)  # type: ignore[attr-defined]


def model_at(rel: str) -> type[Value] | None:
    """What a path should hold, or None where the codec has no say (attachments, quarantine)."""
    if rel == paths.WORKSPACE_FILE:
        return Workspace
    if rel == paths.WORKING_CONTEXT:
        return WorkingContext
    if paths.folder_of(rel) == paths.DREAMS:
        return DREAM_MODELS.get((paths.id_at(rel) or "").partition("_")[0])
    return MODELS.get(paths.folder_of(rel))


def decode(rel: str, data: bytes, warnings: list[str] | None = None) -> Value | Fault:
    """The value in a file, or what is wrong with it.

    A zero-byte file is the Fault `empty`: only the caller knows whether a tombstone explains it. Warnings (a naive
    time read as UTC) are appended to `warnings`, one line each.
    """
    model = model_at(rel)
    if model is None:
        return Fault(rel, "misplaced", "no object of cc-git belongs here")
    if model is Runbook and not rel.endswith(".toml"):
        return Fault(rel, "misplaced", "is no runbook: that is a file NAME.toml (cc-git runbook add)")
    notes: list[str] = []
    try:
        document = _parse(rel, data)
        if isinstance(document, Fault):
            return document
        if fault := _format_fault(rel, document):
            return fault
        value = from_document(model, document, notes)
    except ValidationError as error:
        return _invalid(rel, data, error)
    if warnings is not None:
        warnings += [f"{rel}: {note}" for note in notes]
    return _misplaced(rel, value) or _as_it_counts(rel, value)


def _as_it_counts(rel: str, value: Value) -> Value:
    """What lies in the private tier is there for a reason: where it says nothing itself, it counts as sensitive."""
    if not (paths.is_private(rel) and isinstance(value, Record | Episode | Dream | WakingReview)):
        return value
    if value.sensitivity == "ordinary":
        return value.model_copy(update={"sensitivity": "sensitive"})
    return value


def _parse(rel: str, data: bytes) -> dict[str, Any] | Fault:
    if len(data) > LARGEST:
        return too_large(rel, len(data))
    if not data:
        return Fault(rel, "empty", "the file is empty and no tombstone explains it")
    # Looking for a line that begins so takes a hundred times as long as looking for the sign.
    if (b"<<<<<<<" in data or b">>>>>>>" in data) and (marker := _MARKERS.search(data)):
        line = data.count(b"\n", 0, marker.start()) + 1
        return Fault(rel, "conflict-markers", "has merge conflict markers; resolve them by hand", line)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Fault(rel, "encoding", f"is not UTF-8 (byte {error.start})", line)
    try:
        document = json.loads(text) if rel.endswith(".json") else load(text)
    except TomlFault as fault:
        return Fault(rel, "syntax", fault.reason, fault.line)
    except json.JSONDecodeError as error:
        return Fault(rel, "syntax", error.msg, error.lineno)
    except ValueError as error:  # a number with more digits than Python converts
        return Fault(rel, "syntax", str(error))
    except RecursionError:
        return Fault(rel, "syntax", "is nested too deeply")
    if not isinstance(document, dict):
        return Fault(rel, "syntax", "is not an object")
    return document


def _format_fault(rel: str, document: dict[str, Any]) -> Fault | None:
    named = document.get("format")
    if named == FORMAT:
        return None
    known = _FORMAT.fullmatch(named) if isinstance(named, str) else None
    if known and int(known[1]) > int(FORMAT.partition("/")[2]):
        return Fault(rel, "future", f"has the format {known[0]}, newer than {FORMAT}: upgrade cc-git to read it")
    return Fault(rel, "invalid", f'does not name its format (expected format = "{FORMAT}")')


def _misplaced(rel: str, value: Value) -> Fault | None:
    identifier = getattr(value, "id", None)
    if identifier is None or isinstance(value, Runbook):
        return None
    folder = paths.folder_of(rel)
    placed = _PLACED_BY.get(folder, paths.path_of)(identifier)
    if paths.public(rel) == placed:
        return None
    if folder == paths.RECORDS and paths.public(rel) == paths.path_of(identifier, folders="day"):
        return None
    return Fault(rel, "misplaced", f"holds {identifier}, whose place is {placed}")


def _invalid(rel: str, data: bytes, error: ValidationError) -> Fault:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    reason = first["msg"].removeprefix("Value error, ")
    line = line_of(data, *(part for part in first["loc"] if isinstance(part, str)))
    return Fault(rel, "invalid", f"{where}: {reason}" if where else reason, line)


def line_of(data: bytes, *names: str) -> int | None:
    """The line on which a field stands, looked for from the innermost name outwards; None where there is none."""
    for name in reversed(names):
        pattern = rb'^\s*"?' + re.escape(name.encode()) + rb'"?\s*[=:]'
        if found := re.search(pattern, data, re.MULTILINE):
            return data.count(b"\n", 0, found.start()) + 1
    return None


def _json(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, indent=2, ensure_ascii=False, default=in_json)
    if not text.isascii():
        text = "".join(_json_escape(c) if unicodedata.category(c) in _UNSAFE_IN_JSON else c for c in text)
    return text.encode() + b"\n"


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[i] << 8 | units[i + 1]:04x}" for i in range(0, len(units), 2))
