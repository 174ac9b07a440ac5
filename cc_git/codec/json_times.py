"""How an instant is spelled in JSON: as in the files, ISO 8601 in UTC with a `Z`."""

from __future__ import annotations

from datetime import UTC, datetime


def in_json(value: object) -> str:
    """For `json.dumps(default=…)`: no finer than is needed. Raises TypeError for anything but an instant."""
    if isinstance(value, datetime):
        spec = "auto" if value.microsecond % 1000 else "milliseconds" if value.microsecond else "seconds"
        return value.astimezone(UTC).isoformat(timespec=spec).replace("+00:00", "Z")
    raise TypeError(f"JSON cannot hold {type(value).__name__}")
