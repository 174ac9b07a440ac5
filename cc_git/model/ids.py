"""Identifiers: `<prefix>_<ulid>`, lower case.

The ULID (https://github.com/ulid/spec) carries 48 bits of time in milliseconds and 80 random bits, so an id alone
says in which folder its file lies. It is never derived from content: a tombstone must not let anyone test a guess.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_VALUE = {c: i for i, c in enumerate(_ALPHABET)}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_TIME = "76ez91zpzz"
"""The end of the year 9999 as ten digits of a ULID."""

KIND_OF_PREFIX = {
    "idn": "identity",
    "usr": "user_model",
    "rel": "relationship",
    "prm": "permission",
    "goal": "goal",
    "cmt": "commitment",
    "blf": "belief",
    "dec": "decision",
    "prc": "procedure",
    "fail": "failure",
    "hyp": "hypothesis",
}
"""Prefix → record kind, for the eleven kinds of record."""

OTHER_PREFIXES = ("ep", "ru", "tr", "rb", "cp", "rc", "dr", "wr", "im", "tsk", "pk")
PREFIXES = (*KIND_OF_PREFIX, *OTHER_PREFIXES)

ULID_PATTERN = rf"[0-7][{_ALPHABET}]{{25}}"
ID_PATTERN = rf"(?:{'|'.join(PREFIXES)})_{ULID_PATTERN}"
_ID = re.compile(ID_PATTERN)


def is_id(text: str) -> bool:
    """Also false where the time inside lies beyond the year 9999, which no calendar here can hold."""
    return _ID.fullmatch(text) is not None and text.rpartition("_")[2][:10] <= _LAST_TIME


def prefix_of(identifier: str) -> str:
    return identifier.partition("_")[0]


def new_id(prefix: str, when: datetime, entropy: bytes) -> str:
    """An id for `when` (aware, millisecond resolution) with ten random bytes."""
    if prefix not in PREFIXES:
        raise ValueError(f"unknown id prefix {prefix!r}")
    if len(entropy) != 10:
        raise ValueError("an id takes ten random bytes")
    millis = (when - _EPOCH) // timedelta(milliseconds=1)
    if millis < 0:
        raise ValueError(f"{when.isoformat()} is before 1970, where the time of a ULID begins")
    number = millis << 80 | int.from_bytes(entropy, "big")
    ulid = "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
    return f"{prefix}_{ulid}"


def time_of(identifier: str) -> datetime:
    """The instant inside an id, UTC, in milliseconds."""
    millis = 0
    for char in identifier.rpartition("_")[2][:10]:
        millis = millis << 5 | _VALUE[char]
    return _EPOCH + timedelta(milliseconds=millis)


def short(identifier: str) -> str:
    """The form people see: prefix and the last six characters (ids of one minute share their beginning)."""
    prefix, _, ulid = identifier.partition("_")
    return f"{prefix}…{ulid[-6:]}"
