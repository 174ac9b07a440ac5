"""The small fields of a decision record: date, deciders, tags, and whatever else is a key with a short value.

They stand in front matter, else above the first section (`* Date: …`, `**Deciders**: …`, a table's row), else in a
section of their own. What the template's author left for the writer to fill in is no value.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

from cc_git.importers.adr_dates import find_dates
from cc_git.importers.adr_sections import Sections, part_named
from cc_git.importers.front_matter import FrontMatter
from cc_git.importers.outcomes import Note
from cc_git.model.value import clean_line

_FIELD = re.compile(r"[\s|]*[*_]{0,2}([A-Za-z][A-Za-z ()-]{0,30}?)[*_]{0,2}\s*[:|][*_]{0,2}\s*(.*)$", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{.*\}|<.*>|\[[^\]]*\](?!\()|list everyone .*|YYYY-MM-DD.*", re.IGNORECASE | re.DOTALL)
_NAMES_END = re.compile(r"[,;]|\band\b|&|\n")
_NAMES_LIMIT = 50
_NAMES_TEXT_LIMIT = 2000
_DECIDERS = ("deciders", "decision-makers", "decision-maker", "owner", "owners")


def is_placeholder(text: str) -> bool:
    return _PLACEHOLDER.fullmatch(text) is not None


class Fields:
    """`head`: part → (text, line), for the lines above the first section. `warnings` grow as values are asked for."""

    def __init__(self, matter: FrontMatter, sections: Sections) -> None:
        self._matter = matter
        self._sections = sections
        self.warnings: list[Note] = []
        self.head: Mapping[str, tuple[str, int]] = _head_fields(sections)

    def value(self, part: str, *keys: str) -> tuple[str, int]:
        """Text and line of a part, which is a key of front matter too; `keys` are its other names there."""
        found = self._matter.first(part, *keys)
        if not found[0]:
            found = self.head.get(part, ("", 0))
        if not found[0] and (sections := self._sections.of(part)):
            found = (self._sections.body(sections[0]), sections[0].heading.line + 1)
        if found[0] and is_placeholder(found[0]):
            self.warnings.append(Note(found[1], f"{part} is still the template's placeholder; read as none"))
            return "", 0
        return found

    def date(self) -> datetime.date | None:
        text, line = self.value("date", "decided", "decision-date")
        if not text:
            return None
        for found in find_dates(text):
            if found.day:
                return found.day
        self.warnings.append(Note(line, f"{clean_line(text, 40)!r} is no date we can read; write YYYY-MM-DD"))
        return None

    def deciders(self) -> tuple[str, ...]:
        texts = next((self._matter.values[key] for key in _DECIDERS if self._matter.values.get(key)), ())
        if not texts:
            texts = (self.value("deciders")[0],)
        names = (
            clean_line(self._sections.markdown.plain(name).lstrip("*- "), 60)
            for text in texts
            if not is_placeholder(text)
            for name in _NAMES_END.split(text[:_NAMES_TEXT_LIMIT])
        )
        return tuple(dict.fromkeys(name for name in names if name))[:_NAMES_LIMIT]

    def tags(self) -> tuple[str, ...]:
        texts = self._matter.values.get("tags") or self._matter.values.get("categories")
        texts = texts or tuple(re.split(r"[,;]", self.value("tags")[0][:500]))
        return tuple(dict.fromkeys(tag for text in texts if (tag := clean_line(text.strip("`*# -"), 40))))


def _head_fields(sections: Sections) -> dict[str, tuple[str, int]]:
    fields: dict[str, tuple[str, int]] = {}
    for piece in sections.markdown.pieces_between(0, sections.head_end):
        for offset, line in enumerate(piece.text.split("\n")):
            found = _FIELD.match(line)
            part = part_named(found[1]) if found else None
            if found and part and part not in fields:
                fields[part] = (found[2].strip().rstrip("|").strip(), piece.line + offset + 1)
    return fields
