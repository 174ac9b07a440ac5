"""Where the shipped folders `hooks/` and `templates/` are: in the wheel under `_shipped`, else in the checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The directory `hooks` or `templates`, wherever this installation keeps it."""
    inside = _PACKAGE / "_shipped" / folder
    return inside if inside.is_dir() else _PACKAGE.parent / folder
