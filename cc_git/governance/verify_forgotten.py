"""The search that verifies a forgetting. It shares no code with the plan: what one overlooks the other should find.

It takes bytes from anywhere (a file, a page of a database, an object of Git) and looks in them as they are and in every
way that they can be read: UTF-8, UTF-16, the values of TOML and JSON, with the escapes of both and of XML undone,
without markup. Each reading is compared as letters and digits in a row, whatever the case, the composition of
characters, the white space and the line breaks. A copy is thirty-two of them in a row that the text has, six of its
words in a row, or all of a short one.
"""

from __future__ import annotations

import html
import json
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Any
from unicodedata import category, normalize

_ROW, _SEED = 32, 16
"""A row of 32 has a whole piece of 16 that begins at a multiple of 16: it is looked for, then grown to both sides."""
_WORDS, _ROW_OF_WORDS, _SHORTEST = 6, 18, 8
_FEW = 64
"""So many pieces are each found faster than a window is moved over the text."""
_AFTER_PREFIX = re.compile(rb"_(?=([0-9a-z]{26}))")
_LONGEST_PREFIX = 4
_MARKUP = re.compile(r"<[^<>]{0,2000}>")
_HEX = re.compile(r"\\[uUx]([0-9A-Fa-f]{8}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})")
_REST = re.compile(r"[\W_]+")
_CONTROL = re.compile(r"\\[nrtbf]")


def letters(text: str) -> str:
    """Letters and digits in a row. What is invisible inside a character's composition must go before it."""
    return _REST.sub("", normalize("NFKC", _REST.sub(_keep_marks, text)).casefold())


def _keep_marks(found: re.Match[str]) -> str:
    return "".join(c for c in found[0] if category(c)[0] == "M")


class Search:
    """`texts` are (text, whole): a short text is looked for as a whole where that is asked.

    What is looked for is filed under its first letters. However much that is, a text is gone through once: a few
    beginnings are each looked for in it, many are met by a window that is moved over it.
    """

    def __init__(self, ids: Collection[str], texts: Iterable[tuple[str, bool]]) -> None:
        self._ids = frozenset(ids)
        self._id_bytes = [identifier.encode() for identifier in sorted(ids)]
        self._known_bytes = frozenset(self._id_bytes)
        self._rows: dict[str, set[tuple[str, int]]] = {}
        self._pieces: dict[str, set[str]] = {}
        self._short: dict[str, set[str]] = {}
        for text, whole in texts:
            self._add(text, whole=whole)
        self._seeds = frozenset({*self._rows, *self._pieces})

    def _add(self, text: str, *, whole: bool) -> None:
        row = letters(text)
        if len(row) >= _ROW:
            for start in range(0, len(row) - _SEED + 1, _SEED):
                self._rows.setdefault(row[start : start + _SEED], set()).add((row, start))
        words = [word for part in text.split() if (word := letters(part))]
        for at in range(len(words) - _WORDS + 1):
            piece = "".join(words[at : at + _WORDS])
            if len(piece) >= _ROW_OF_WORDS:
                self._pieces.setdefault(piece[:_SEED], set()).add(piece)
        if whole and len(row) < _ROW and len(words) < _WORDS and len(row) >= _SHORTEST:
            self._short.setdefault(row[:_SHORTEST], set()).add(row)

    def finds_text(self, data: bytes) -> bool:
        """Whether any of the texts is in there."""
        return any(self._in_letters(letters(reading)) for reading in readings(data))

    def _in_letters(self, there: str) -> bool:
        for start in _met(self._short, there, _SHORTEST):
            if any(piece in there for piece in self._short[start]):
                return True
        for seed in _met(self._seeds, there, _SEED):
            if any(piece in there for piece in self._pieces.get(seed, ())):
                return True
            if any(_shares_a_row(row, start, there) for row, start in self._rows.get(seed, ())):
                return True
        return False

    def finds_id(self, data: bytes) -> bool:
        """Whether any of the ids is named in there."""
        if len(self._id_bytes) <= _FEW:
            return any(identifier in data for identifier in self._id_bytes)
        return any(
            data[start : found.end(1)] in self._known_bytes
            for found in _AFTER_PREFIX.finditer(data)
            for start in range(max(0, found.start() - _LONGEST_PREFIX), found.start())
        )

    def is_one(self, data: bytes) -> bool:
        """Whether this is the file of one of the ids, with content: more than the mark that it was there."""
        document = _document(data.decode("utf-8", "replace")) if data else None
        return document is not None and document.get("id") in self._ids and bool(document.keys() - {"format", "id"})


def readings(data: bytes) -> Iterator[str]:
    """Every way to read these bytes as text."""
    plain = [data.decode("utf-8", "replace")]
    if data.count(0) * 5 > len(data):
        plain += [part.decode(form, "replace") for form in ("utf-16-le", "utf-16-be") for part in (data, data[1:])]
    document = _document(plain[0])
    if document is not None:
        plain += _strings(document)
    for text in plain:
        yield text
        undone = _CONTROL.sub(" ", _HEX.sub(_character, text)) if "\\" in text else text
        if undone != text:
            yield undone
        if "&" in undone or "<" in undone:
            yield html.unescape(undone)
            yield html.unescape(_MARKUP.sub(" ", undone))


def _met(beginnings: Collection[str], there: str, size: int) -> Iterable[str]:
    """Which of the beginnings, all of one size, are in there."""
    if len(beginnings) <= _FEW:
        return [one for one in beginnings if one in there]
    return {one for at in range(len(there) - size + 1) if (one := there[at : at + size]) in beginnings}


def _shares_a_row(row: str, start: int, there: str) -> bool:
    """Whether what they have in common around the piece that begins at `start` in the row is long enough."""
    seed = row[start : start + _SEED]
    at = there.find(seed)
    while at >= 0:
        if _grown(row, start, there, at) >= _ROW:
            return True
        at = there.find(seed, at + 1)
    return False


def _grown(row: str, start: int, there: str, at: int) -> int:
    left = 0
    while left < start and left < at and row[start - left - 1] == there[at - left - 1]:
        left += 1
    right = _SEED
    while start + right < len(row) and at + right < len(there) and row[start + right] == there[at + right]:
        right += 1
    return left + right


def _document(text: str) -> dict[str, Any] | None:
    for parse in (json.loads, tomllib.loads):
        try:
            found = parse(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    return None


def _strings(value: Any) -> Iterator[str]:
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            left.extend(chain(item.keys(), item.values()))
        elif isinstance(item, list):
            left.extend(item)


def _character(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    return chr(number) if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else " "
