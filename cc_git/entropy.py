"""The only source of chance: for ids, and for names that must not meet. Nothing that is decided may depend on it."""

from __future__ import annotations

import os


def fresh_entropy() -> bytes:
    """Ten random bytes: the random part of a ULID."""
    return os.urandom(10)


def fresh_token(size: int) -> str:
    """`size` random bytes in hex, for the name of a temporary file or a worktree's token."""
    return os.urandom(size).hex()
