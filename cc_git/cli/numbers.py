"""Numbers with their nouns."""

from __future__ import annotations

from collections.abc import Mapping


def files(number: int) -> str:
    return f"{number} file{'' if number == 1 else 's'}"


def records(number: int) -> str:
    return f"{number} record{'' if number == 1 else 's'}"


def ids(number: int) -> str:
    return f"{number} id{'' if number == 1 else 's'}"


def each(counts: Mapping[str, int]) -> str:
    """`3 proposed, 1 revoked`; empty where nothing was counted."""
    return ", ".join(f"{number} {what}" for what, number in counts.items())
