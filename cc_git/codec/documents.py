"""Values ⇄ documents (plain dicts in file order). Defaults are left out; unknown keys keep their place."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

from cc_git.model.kinds import PAYLOADS
from cc_git.model.record import Record
from cc_git.model.value import Value

_ALWAYS = ("format", "id", "kind", "type", "verb", "version")
"""Written even where they equal a default: a file says what it is."""


def to_document(value: Value) -> dict[str, Any]:
    """The stored shape of a value, in the order in which it is written."""
    pairs: list[tuple[str, Any]] = []
    for name, default in _written(type(value)):
        current = getattr(value, name)
        if (name in _ALWAYS and current is not None) or current != default:
            pairs.append((name, _plain(current)))
    pairs += list(value.unknown.items())
    if isinstance(value, Record):
        table = to_document(value.payload)
        if table:
            pairs.append((value.kind, table))
    document = dict(pairs)
    return document if value.order_as_read is None else _in_order(document, value.order_as_read)


def from_document(model: type[Value], document: dict[str, Any], warnings: list[str]) -> Value:
    """Validate a document; raises pydantic.ValidationError. Naive times are noted in `warnings`."""
    context = {"warnings": warnings}
    if model is Record:
        kind = document.get("kind")
        payload_model = PAYLOADS.get(kind) if isinstance(kind, str) else None
        if payload_model is not None:
            table = document.get(payload_model.KIND, {})
            payload = payload_model.model_validate(table, context=context)
            inner = {k: v for k, v in document.items() if k != kind}
            value: Value = Record.model_validate(inner | {"payload": payload}, context=context)
            _remember(payload, table)
            _remember(value, document)
            return value
    value = model.model_validate(document, context=context)
    _remember(value, document)
    return value


@cache
def _written(model: type[Value]) -> tuple[tuple[str, Any], ...]:
    """The fields in the order in which they are written, each with its default; a payload is a table of its own."""
    fields, late = model.model_fields, model.LATE
    names = (*(name for name in fields if name not in late), *(name for name in late if name != "payload"))
    return tuple((name, fields[name].get_default(call_default_factory=True)) for name in names)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, Value):
        return to_document(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _in_order(document: dict[str, Any], order: tuple[str, ...]) -> dict[str, Any]:
    ordered = {key: document[key] for key in order if key in document}
    return ordered | {key: item for key, item in document.items() if key not in ordered}


@cache
def _with_values(model: type[Value]) -> tuple[str, ...]:
    """The fields that may hold values themselves: a task has none, and there are thousands of them."""
    return tuple(name for name, field in model.model_fields.items() if _holds_values(field.annotation))


def _holds_values(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Value):
        return True
    return any(map(_holds_values, get_args(annotation)))


def _remember(value: Value, document: dict[str, Any]) -> None:
    """Note the order of keys wherever a value has some that this version does not know."""
    if value.unknown:
        value.remember_order(tuple(document))
    for name in _with_values(type(value)):
        inner, read = getattr(value, name), document.get(name)
        if isinstance(inner, Value) and isinstance(read, dict):
            _remember(inner, read)
        elif isinstance(inner, tuple) and isinstance(read, list):
            for item, raw in zip(inner, read, strict=True):
                if isinstance(item, Value):
                    _remember(item, raw)
