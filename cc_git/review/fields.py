"""A value field by field, as text that people compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from cc_git.compiler.facts import instant_text
from cc_git.governance.differ import differences
from cc_git.model.record import Record
from cc_git.model.scope import Scope
from cc_git.model.value import Value
from cc_git.review.changes import FieldChange

_SELF_EVIDENT = frozenset({"format", "id", "kind", "title", "recorded_at", "authority", "actor", "payload", "sources"})
"""Told beside the fields, or new in every record."""


def said_by(record: Record) -> tuple[FieldChange, ...]:
    """Everything that a new record says beyond its title, who wrote it and what it rests on."""
    default = type(record).model_fields
    own = [(name, getattr(record, name)) for name in default if name not in _SELF_EVIDENT]
    told = [(name, value) for name, value in own if value != default[name].default]
    told += [(f"{record.kind}.{name}", getattr(record.payload, name)) for name in type(record.payload).model_fields]
    return tuple(FieldChange(name, None, text) for name, value in told if (text := as_text(value)))


def between(old: Record, new: Record) -> tuple[FieldChange, ...]:
    """In what a record differs from the one whose place it takes."""
    return tuple(
        FieldChange(name, as_text(_field(old, name)), as_text(_field(new, name))) for name in differences(old, new)
    )


def edited(old: Value, new: Value) -> tuple[FieldChange, ...]:
    """In what two contents of one file differ, whatever they are; unknown keys too."""
    before, after = dict(_flat(old)), dict(_flat(new))
    names = [*before, *(name for name in after if name not in before)]
    return tuple(
        FieldChange(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)
    )


def as_text(value: object) -> str:
    """One field's value; the empty text where it says nothing."""
    match value:
        case None | () | {}:
            return ""
        case str():
            return value
        case datetime():
            return instant_text(value)
        case Scope():
            return str(value)
        case bool():
            return "yes" if value else "no"
        case tuple() | list():
            return "; ".join(as_text(item) for item in value)
        case Value():
            return ", ".join(f"{name} {text}" for name, text in _flat(value))
        case Mapping():
            return ", ".join(f"{key} {as_text(item)}" for key, item in value.items())
    return str(value)


def _field(record: Record, name: str) -> object:
    kind, dot, own = name.partition(".")
    return getattr(record.payload, own) if dot and kind == record.kind else getattr(record, name)


def _flat(value: Value, before: str = "") -> Iterator[tuple[str, str]]:
    items = [*((name, getattr(value, name)) for name in type(value).model_fields), *value.unknown.items()]
    for name, item in items:
        if isinstance(item, Value) and not isinstance(item, Scope):
            yield from _flat(item, f"{before}{name}.")
        elif isinstance(item, dict):
            for key, inner in item.items():
                yield f"{before}{name}.{key}", as_text(inner)
        elif text := as_text(item):
            yield f"{before}{name}", text
