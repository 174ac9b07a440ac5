"""The only reader of the wall clock. A command reads it once and hands the instant down."""

from __future__ import annotations

from datetime import UTC, datetime


def read_clock() -> datetime:
    """The present instant in UTC, cut to milliseconds (the resolution of a ULID)."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
