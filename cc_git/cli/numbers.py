"""Numbers with their nouns."""

from __future__ import annotations


def files(number: int) -> str:
    return f"{number} file{'' if number == 1 else 's'}"


def records(number: int) -> str:
    return f"{number} record{'' if number == 1 else 's'}"
