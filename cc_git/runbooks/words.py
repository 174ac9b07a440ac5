"""Is a phrase in a text? As whole words, whatever the case, the width or the hidden characters.

Scripts that are written without spaces have no whole words to look for: each of their characters stands alone, so a
phrase of them is found wherever its characters stand in a row.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Kana, Han, Hangul, Thai, Lao, Myanmar, Khmer, and the supplementary ideographs.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_JOINS = re.compile(r"[\s\-_./:]+")
"""What may stand between the words of a trigger without being part of them."""


@lru_cache(maxsize=512)
def folded(text: str) -> str:
    """NFKC, case folded, format characters dropped, white space to single blanks."""
    shown = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", shown.casefold()).split())


def has_phrase(text: str, phrase: str) -> bool:
    """The phrase stands in the text letter by letter, and cuts no word at its ends."""
    wanted, where = folded(phrase), folded(text)
    if not wanted:
        return False
    at = where.find(wanted)
    while at >= 0:
        if not _cut(where, at, at) and not _cut(where, at + len(wanted), at + len(wanted)):
            return True
        at = where.find(wanted, at + 1)
    return False


def has_words(text: str, phrase: str) -> bool:
    """The words of the phrase stand in a row, whatever separates them: `git-commit` is in "then git commit". A phrase
    that is more than words (`c++`) is looked for letter by letter."""
    if all(map(_is_word, _JOINS.sub("", folded(phrase)))):
        return row_of(phrase) != " " and row_of(phrase) in row_of(text)
    return has_phrase(text, phrase)


@lru_cache(maxsize=512)
def row_of(text: str) -> str:
    """The words of a text in order, each between blanks."""
    marked = (f" {c} " if _UNSPACED.match(c) else c if _is_word(c) else " " for c in folded(text))
    words = "".join(marked).split()
    return f" {' '.join(words)} " if words else " "


def _is_word(char: str) -> bool:
    """Marks belong to their letters, which `\\w` does not know."""
    return unicodedata.category(char)[0] in "LNM" or char == "_"


def _cut(text: str, before: int, after: int) -> bool:
    """A word of a spaced script goes on over this place."""
    left, right = text[before - 1 : before], text[after : after + 1]
    if not left or not right or _UNSPACED.match(left) or _UNSPACED.match(right):
        return False
    return _is_word(left) and _is_word(right)
