"""The only speller of paths inside a workspace.

A *relative path* (`rel`) is a POSIX path below `.continuity/`, for example `records/decision/2026-11/dec_….toml`.
The private tier repeats the same folders below `private/`.
"""

from __future__ import annotations

from datetime import datetime

from cc_git.model.ids import KIND_OF_PREFIX, is_id, prefix_of, time_of

WORKSPACE_DIR = ".continuity"
WORKSPACE_FILE = "workspace.toml"
ATTRIBUTES_FILE = ".gitattributes"
ATTRIBUTES_TEXT = "* -text -ident -filter -working-tree-encoding\n"
PRIVATE_DIR = "private"
PRIVATE_IGNORE = "private/.gitignore"
PRIVATE_IGNORE_TEXT = "*\n"
WORKING_CONTEXT = "private/working-context.json"
TEMP_PREFIX = ".tmp-"
"""Temporary files lie in `private/` and begin so."""

RECORDS, EPISODES, RULINGS, TRIGGERS = "records", "episodes", "rulings", "triggers"
RUNBOOKS, CHECKPOINTS, RECEIPTS = "runbooks", "checkpoints", "receipts"
TOMBSTONES, ENDINGS, DREAMS = "tombstones", "endings", "dreams"
ATTACHMENTS, QUARANTINE = "attachments", "quarantine"

MUTABLE = (WORKSPACE_FILE, RUNBOOKS + "/")
"""What people edit by hand; everything else under the workspace is written once."""

_DAY_FOLDER = {"ep": EPISODES, "cp": CHECKPOINTS, "rc": RECEIPTS}
_MONTH_FOLDER = {"ru": RULINGS, "tr": TRIGGERS, "dr": DREAMS, "wr": DREAMS}


def _day(when: datetime) -> str:
    return when.strftime("%Y-%m-%d")


def _month(when: datetime) -> str:
    return when.strftime("%Y-%m")


def path_of(identifier: str, *, folders: str = "month") -> str:
    """The place of the object with this id; `folders` is `policy.folders` and concerns records alone.

    Runbooks are named by slug, not by id, and quarantined items have paths of their own.
    """
    prefix, when = prefix_of(identifier), time_of(identifier)
    if prefix in KIND_OF_PREFIX:
        bucket = _day(when) if folders == "day" else _month(when)
        return f"{RECORDS}/{KIND_OF_PREFIX[prefix]}/{bucket}/{identifier}.toml"
    if prefix in _DAY_FOLDER:
        suffix = "json" if prefix == "cp" else "toml"
        return f"{_DAY_FOLDER[prefix]}/{_day(when)}/{identifier}.{suffix}"
    if prefix in _MONTH_FOLDER:
        return f"{_MONTH_FOLDER[prefix]}/{_month(when)}/{identifier}.toml"
    raise ValueError(f"objects with the prefix {prefix!r} have no path of their own")


def places_of(identifier: str) -> tuple[str, ...]:
    """Where the tracked file of an id may be, by month or by day; nowhere for what has no path of its own."""
    try:
        return tuple(dict.fromkeys(path_of(identifier, folders=folders) for folders in ("month", "day")))
    except ValueError:
        return ()


def tombstone_path(identifier: str) -> str:
    return f"{TOMBSTONES}/{_month(time_of(identifier))}/{identifier}.toml"


def ending_path(identifier: str) -> str:
    return f"{ENDINGS}/{_month(time_of(identifier))}/{identifier}.toml"


def runbook_path(slug: str) -> str:
    return f"{RUNBOOKS}/{slug}.toml"


def runbook_name(rel: str) -> str:
    """The slug in a runbook's path."""
    return public(rel).removeprefix(RUNBOOKS + "/").removesuffix(".toml")


def attachment_path(episode: str, number: int) -> str:
    return f"{ATTACHMENTS}/{_day(time_of(episode))}/{episode}-{number}"


def quarantine_path(import_id: str, rel: str) -> str:
    """Where the file with the path `rel` waits for review; `manifest.toml` beside it names the import."""
    return f"{QUARANTINE}/{import_id}/{rel}"


def private(rel: str) -> str:
    """The private twin of a path."""
    return f"{PRIVATE_DIR}/{rel}"


def is_private(rel: str) -> bool:
    return rel.startswith(PRIVATE_DIR + "/")


def public(rel: str) -> str:
    """The path without the private tier's prefix."""
    return rel.removeprefix(PRIVATE_DIR + "/")


def id_at(rel: str) -> str | None:
    """The id that a path's last part names, or None."""
    stem = rel.rpartition("/")[2].partition(".")[0]
    return stem if is_id(stem) else None


def folder_of(rel: str) -> str:
    """The first folder (`records`, `episodes`, …) with the private tier's prefix taken off."""
    return public(rel).partition("/")[0]


def is_immutable(rel: str) -> bool:
    """Written once and never edited: every file named by an id, and attachments."""
    return folder_of(rel) in {
        RECORDS, EPISODES, RULINGS, TRIGGERS, CHECKPOINTS, RECEIPTS, TOMBSTONES, ENDINGS, DREAMS, ATTACHMENTS,
        QUARANTINE,
    }  # fmt: skip
