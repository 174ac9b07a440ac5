"""English word stems after M. F. Porter, "An algorithm for suffix stripping" (Program 14/3, 1980).

Written from the paper, because the stems are part of a packet's bytes: a library that changes one changes packets.
Words of other languages mostly pass through unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_V = "(?:[aeiou]|(?<=[^aeiou])y)"
_C = "(?:[^aeiouy]|(?<![^aeiou])y)"
_HAS_VOWEL = re.compile(f"^{_C}*{_V}")
_MEASURE_1 = re.compile(f"^{_C}*{_V}+{_C}")
_MEASURE_EXACTLY_1 = re.compile(f"^{_C}*{_V}+{_C}+{_V}*$")
_MEASURE_2 = re.compile(f"^{_C}*{_V}+{_C}+{_V}+{_C}")
_SHORT_END = re.compile(f"{_C}{_V}(?![wxy]){_C}$")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def _ending(suffixes: Iterable[str]) -> re.Pattern[str]:
    # the longest suffix that matches is the only one that is tried
    return re.compile("(" + "|".join(sorted(suffixes, key=len, reverse=True)) + ")$")


_END_2, _END_3, _END_4 = _ending(_STEP_2), _ending(_STEP_3), _ending(_STEP_4)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """`word` is lower-case ASCII letters; anything else, or up to two letters, comes back as it is."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _HAS_VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    for ending, table in ((_END_2, _STEP_2), (_END_3, _STEP_3)):
        if (found := ending.search(word)) and _MEASURE_1.match(word[: found.start()]):
            word = word[: found.start()] + table[found[1]]
    return _final(_derived(word))


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_1.match(word[:-3]) else word
    base = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else None
    if base is None or not _HAS_VOWEL.match(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _DOUBLE.search(base):
        return base[:-1]
    return base + "e" if _MEASURE_EXACTLY_1.match(base) and _SHORT_END.search(base) else base


def _derived(word: str) -> str:
    found = _END_4.search(word)
    if not found or not _MEASURE_2.match(word[: found.start()]):
        return word
    base = word[: found.start()]
    return word if found[1] == "ion" and not base.endswith(("s", "t")) else base


def _final(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _MEASURE_2.match(base) or (_MEASURE_1.match(base) and not _SHORT_END.search(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _MEASURE_2.match(word[:-1]) else word
