"""What of a payload is text to read and to search, in the order in which it is shown."""

from __future__ import annotations

from collections.abc import Iterator

from cc_git.model.kinds import Payload

_NOT_PROSE = frozenset(
    {"effect", "mode", "severity", "priority", "assertion", "basis", "parent", "depends_on", "decided_at", "version"}
)
"""Shown in an item's facts, or links and times: no words to search for."""


def payload_fields(payload: Payload) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """(field, its text or its items) of every field that holds some."""
    for name in type(payload).model_fields:
        if name in _NOT_PROSE:
            continue
        value = getattr(payload, name)
        if value and isinstance(value, str | tuple):
            yield name, value


def payload_texts(payload: Payload) -> Iterator[str]:
    for _, value in payload_fields(payload):
        if isinstance(value, str):
            yield value
        else:
            yield from value
