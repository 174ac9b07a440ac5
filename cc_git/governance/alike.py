"""Whether two texts say the same, and which are near each other.

*The same*: equal words in equal order, whatever their case, quotes, stops, commas, Unicode form, articles, and an `s`
at the end. *Near*: 90 % of the characters alike; that is told to a reader and decides nothing, for one digit or one
"not" is a small difference of text and a great one of meaning.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rapidfuzz import fuzz, process

Words = tuple[str, ...]

NEAR = 90
_AROUND = ".,;:\"'`()[]…“”‘’„«»*_"
"""Says nothing at the edge of a word; `<`, `-`, `%` or `?` do."""
_ARTICLES = frozenset({"a", "an", "the"})
_STEM = 3


def words_of(text: str) -> Words:
    """Equal for texts that say the same."""
    found = [word.strip(_AROUND).rstrip("!") for word in unicodedata.normalize("NFKC", text).casefold().split()]
    return tuple(_bare(word) for word in found if word and word not in _ARTICLES) or (text.strip(),)


def _bare(word: str) -> str:
    return word[:-1] if word.isalpha() and word[-1] == "s" and word[-2:] != "ss" and len(word) > _STEM else word


class Near:
    """Texts by name; asked which are near another."""

    def __init__(self) -> None:
        self._text: dict[str, str] = {}

    def add(self, name: str, words: Iterable[str]) -> None:
        self._text[name] = " ".join(words)

    def to(self, words: Iterable[str]) -> tuple[str, ...]:
        """Names, the nearest first, equals by name."""
        found = process.extract(
            " ".join(words), self._text, scorer=fuzz.ratio, processor=None, score_cutoff=NEAR, limit=None
        )
        ranked = sorted((-int(score * 100), name) for _, score, name in found)
        return tuple(name for _, name in ranked)
