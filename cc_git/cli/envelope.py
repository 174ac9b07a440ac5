"""The JSON that programs read: one document on one line, UTF-8, always with the same keys in the same order.

    {"schema": "cc-git/packet-verify/1", "ok": true, "data": …, "warnings": [], "receipt": null}

`ok` says that the exit code is 0. A command that was stopped has one key more, at the end:

    "error": {"kind": "refused", "exit": 3, "what": …, "why": …, "hints": […]}

Keys inside `data` stand in the order of the value they come from. Text is the stored text itself: what a terminal
must not see is written as a JSON escape, so that reading the document gives it back whole.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any

from cc_git.cli.show import Outcome
from cc_git.errors import Exit
from cc_git.model.sanitise import harmless_json

_VERSION = 1


def envelope(words: tuple[str, ...], outcome: Outcome) -> str:
    """The document of a command that ran to its end, with a line feed."""
    return _written(
        {
            "schema": _schema(words),
            "ok": outcome.exit is Exit.OK,
            "data": plain_data(outcome.data),
            "warnings": list(outcome.warnings),
            "receipt": plain_data(outcome.receipt),
        }
    )


def error_envelope(words: tuple[str, ...], error: Mapping[str, object]) -> str:
    """The document of a command that was stopped, with a line feed."""
    return _written(
        {"schema": _schema(words), "ok": False, "data": None, "warnings": [], "receipt": None, "error": dict(error)}
    )


def _schema(words: tuple[str, ...]) -> str:
    # before any command is known there is only an error to report
    return f"cc-git/{'-'.join(words) or 'error'}/{_VERSION}"


def _written(document: dict[str, Any]) -> str:
    return harmless_json(json.dumps(document, ensure_ascii=False, allow_nan=False)) + "\n"


def plain_data(value: Any) -> Any:
    """What JSON can hold. A set is refused: it has no order, and the same input must give the same bytes."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Enum):
        return plain_data(value.value)
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        utc = value.astimezone(UTC)
        return utc.isoformat(timespec="milliseconds" if utc.microsecond else "seconds").replace("+00:00", "Z")
    if isinstance(value, date | PurePath):
        return str(value)
    if isinstance(value, Mapping):
        return {_key(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain_data(item) for item in value]
    if hasattr(value, "model_dump"):  # a pydantic value, recognised without importing pydantic
        return plain_data(value.model_dump(mode="python"))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_data(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form of ours")


def plain_json(value: Any) -> str:
    """One value as indented JSON, for people to hand on."""
    return harmless_json(json.dumps(plain_data(value), ensure_ascii=False, allow_nan=False, indent=2))


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a JSON key must be text, not {type(key).__name__}")
    return key
