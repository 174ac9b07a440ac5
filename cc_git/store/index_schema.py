"""How the index is laid out. It holds nothing that cannot be computed again, so a change of layout is a new version.

`cache` keeps payloads under a kind and a key that names everything they depend on. `seal` binds the payload to both:
bytes that were changed on the disk are recognised and count as absent.
"""

from __future__ import annotations

import hashlib

VERSION = 1

SCHEMA = """
CREATE TABLE cache (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, payload BLOB NOT NULL, seal BLOB NOT NULL,
  UNIQUE (kind, key)
);
"""

KEPT = {"base": 2, "state": 8, "paths": 16, "negatives": 32, "history": 16, "past": 64, "text-bags": 20_000}
"""How many entries of a kind stay, newest first; kinds that are not here keep all."""

PIECES = {
    "base": (
        "base-cards", "base-links", "base-facts", "base-verdicts", "base-words", "base-episodes", "base-excluded",
        "text-words", "text-lengths",
    )
}  # fmt: skip
"""Kinds whose keys begin with the key of an entry of another kind, and go with it."""
KEY_LENGTH = 64
"""Characters of the key of an entry that has pieces."""


def seal(kind: str, key: str, payload: bytes) -> bytes:
    digest = hashlib.sha1(f"{kind}\0{key}\0".encode("utf-8", "surrogateescape"), usedforsecurity=False)
    digest.update(payload)
    return digest.digest()
