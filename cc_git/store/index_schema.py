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

TEXT_SCHEMA = """
CREATE VIRTUAL TABLE IF NOT EXISTS text USING fts5 (words, content = '', tokenize = "unicode61 remove_diacritics 0")
"""
"""Contentless: it proposes candidates by number, and the text itself stays in the object database alone."""

KEPT = {"negatives": 64, "history": 16, "state": 64, "base": 4, "paths": 64}
"""How many entries of a kind stay, newest first; kinds that are not here keep all."""


def seal(kind: str, key: str, payload: bytes) -> bytes:
    digest = hashlib.sha1(f"{kind}\0{key}\0".encode("utf-8", "surrogateescape"), usedforsecurity=False)
    digest.update(payload)
    return digest.digest()
