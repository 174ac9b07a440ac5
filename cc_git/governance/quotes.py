"""What counts as a quote of a removed text: six consecutive words of it, or thirty-two letters and digits in a row.

Compared are normal forms: escapes undone, NFKC, case folded, invisible characters dropped, and of the rest letters and
digits alone, so that neither white space nor punctuation nor a line that was broken hides a copy. A text that is
shorter than both measures cannot be told from a chance likeness: where the whole of it occurs, that is a likeness, for
a person to look at, unless they asked for exactly this text.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Literal

from cc_git.model.ids import ID_PATTERN

WORDS, LETTERS, LEAST = 6, 32, 8
"""Consecutive words, letters and digits in a row, and the shortest text that is worth comparing as a whole."""

_WORD = re.compile(r"[^\W_]+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([nrtbf\"'\\/]))")
_IDS = re.compile(rf"(?=({ID_PATTERN}))")
_INVISIBLE = re.compile("[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff]")

Found = Literal["quote", "like"]


@dataclass(frozen=True, slots=True)
class Needle:
    """A text to look for. `whole`: what finding all of a short one means; None, that it is not looked for."""

    text: str
    whole: Found | None


def needles_of(texts: Iterable[str]) -> tuple[Needle, ...]:
    """The texts of one object: of those that are short only the longest says what it is about."""
    ordered = sorted(set(texts), key=lambda text: (-len(text), text))
    return tuple(Needle(text, "like" if text is ordered[0] else None) for text in ordered)


def words_of(text: str) -> list[str]:
    """The words of the normal form."""
    return _WORD.findall(unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold())


def spellings(text: str) -> set[str]:
    """The text as it is, and with the escapes of JSON, TOML and XML undone where it has some."""
    found = {text}
    if "\\" in text:
        found.add(_ESCAPE.sub(_unescaped, text))
    if "&" in text:
        found |= {html.unescape(one) for one in found}
    return found


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code is None:
        return " " if found[4] in "nrtbf" else found[4]
    number = int(code, 16)
    return chr(number) if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else " "


class Quotes:
    """Finds quotes of the needles that it is made from; more can be added."""

    def __init__(self, needles: Iterable[Needle] = ()) -> None:
        self.needles: list[Needle] = []
        self._runs: set[str] = set()
        self._windows: set[str] = set()
        self._wholes: dict[str, Found] = {}
        self._lengths: dict[str, set[int]] = {}
        self._tiny: set[str] = set()
        self._known: dict[str, Found | None] = {}
        self.add(needles)

    def add(self, needles: Iterable[Needle]) -> None:
        for needle in needles:
            self._known.clear()
            self.needles.append(needle)
            words = words_of(needle.text)
            joined = "".join(words)
            self._runs.update(_runs(words))
            self._windows.update(_windows(joined))
            short = len(words) < WORDS and len(joined) < LETTERS
            if short and needle.whole and (len(joined) >= LEAST or (joined and needle.whole == "quote")):
                self._wholes[joined] = needle.whole
                if len(joined) < LEAST:
                    self._tiny.add(joined)
                else:
                    self._lengths.setdefault(joined[:LEAST], set()).add(len(joined))

    def found_in(self, texts: Iterable[str]) -> Found | None:
        """The strongest that is found in one of the texts."""
        likes = False
        for text in texts:
            found = self._known[text] if text in self._known else self._known.setdefault(text, self._in(text))
            if found == "quote":
                return "quote"
            likes = likes or found == "like"
        return "like" if likes else None

    def _in(self, text: str) -> Found | None:
        likes = False
        for spelling in spellings(text):
            words = words_of(spelling)
            joined = "".join(words)
            if not self._runs.isdisjoint(_runs(words)) or not self._windows.isdisjoint(_windows(joined)):
                return "quote"
            for means in self._wholes_in(joined):
                if means == "quote":
                    return "quote"
                likes = True
        return "like" if likes else None

    def _wholes_in(self, joined: str) -> Iterable[Found]:
        """What the short texts mean that occur in there: one pass for all that begin with `LEAST` letters, however many
        they are. The shortest are looked for one by one: somebody asked for each."""
        yield from (self._wholes[tiny] for tiny in self._tiny if tiny in joined)
        for at in range(len(joined) - LEAST + 1) if self._lengths else ():
            for length in self._lengths.get(joined[at : at + LEAST], ()):
                means = self._wholes.get(joined[at : at + length])
                if means is not None:
                    yield means


def names_one(text: str, ids: Container[str]) -> bool:
    """Whether one of these ids stands in the text, whatever stands around it; one pass, however many they are."""
    return "_" in text and any(one[1] in ids for one in _IDS.finditer(text))


def _runs(words: list[str]) -> Iterable[str]:
    return (" ".join(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1))


def _windows(joined: str) -> Iterable[str]:
    return (joined[at : at + LETTERS] for at in range(len(joined) - LETTERS + 1))
