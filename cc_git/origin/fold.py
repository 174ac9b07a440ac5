"""Text in the one form in which phrases are compared, whatever the language: letters and digits, one space between."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_NOT_WORDS = re.compile(r"[^\w]+|_+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""Kana and Han: written without spaces between words."""


def fold(text: str) -> str:
    """Compatibility forms and case undone, accents gone, everything but letters and digits a space."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return _NOT_WORDS.sub(" ", kept).strip()


def is_unspaced(char: str) -> bool:
    return _UNSPACED.match(char) is not None


def words_of(folded: str) -> list[str]:
    """Words; of unspaced script each pair of neighbouring characters."""
    found: list[str] = []
    for word in folded.split():
        if is_unspaced(word[0]):
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        else:
            found.append(word)
    return found


def fingerprint(text: str) -> str:
    """SHA-256 of the text: NFC, trimmed, white space folded."""
    return hashlib.sha256(" ".join(unicodedata.normalize("NFC", text).split()).encode()).hexdigest()
