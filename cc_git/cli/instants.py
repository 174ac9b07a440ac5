"""Times as people type them."""

from __future__ import annotations

from datetime import UTC, date, datetime

from cc_git.errors import UsageFault

_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
"""A ULID cannot hold an earlier one."""


def parse_instant(text: str, origin: str) -> datetime:
    """UTC, cut to milliseconds. ISO 8601; a date alone is midnight UTC; a naive time is refused.

    `origin` names the option or field in the error.
    """
    try:
        instant = _parse(text.strip())
    except ValueError as error:
        raise UsageFault(
            f"{origin}: {text!r} is not an instant",
            why=str(error),
            hints=("write ISO 8601, for example 2026-11-30 or 2026-11-30T12:00:00Z",),
        ) from error
    if instant.tzinfo is None:
        raise UsageFault(
            f"{origin}: {text!r} names no time zone",
            hints=(f"write {instant.isoformat()}Z for UTC, or give the offset, as in {instant.isoformat()}+02:00",),
        )
    try:
        instant = instant.astimezone(UTC)
    except OverflowError:
        instant = datetime.min.replace(tzinfo=UTC)
    if instant < _FIRST:
        raise UsageFault(f"{origin}: {text!r} is before 1970, which no id can hold")
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def _parse(text: str) -> datetime:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return datetime.fromisoformat(text)
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
