"""Words from a command line → the fields of a kind."""

from __future__ import annotations

import typing
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from cc_git.errors import UsageFault
from cc_git.model.kinds import PAYLOADS


def fields_from_words(kind: str, words: Iterable[str]) -> dict[str, Any]:
    """`name=value` words as the kind's fields; a field that is a list takes every word with its name.

    Raises UsageFault for a word without `=` and for a number that is none; unknown names are left to `payload_for`.
    """
    found: dict[str, Any] = {}
    model = PAYLOADS[kind]
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageFault(f"{word!r} does not set a field", hints=("--set NAME=VALUE",))
        field = model.model_fields.get(name)
        if field is not None and typing.get_origin(field.annotation) is tuple:
            found.setdefault(name, []).append(value)
        elif field is not None and field.annotation is int:
            found[name] = _number(name, value)
        else:
            found[name] = _instant(value) if name in ("due", "decided_at") else value
    return found


def _number(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise UsageFault(f"{name} takes a number, not {value!r}") from None


def _instant(value: str) -> datetime | str:
    """A time where the words are one; a condition in words stays as it is."""
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return value
