"""The only source of chance. It feeds ids, and nothing else may depend on it."""

from __future__ import annotations

import os


def fresh_entropy() -> bytes:
    """Ten random bytes: the random part of a ULID."""
    return os.urandom(10)
