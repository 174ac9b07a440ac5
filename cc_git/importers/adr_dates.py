"""Dates as people write them in documents, with the day-month order guessed only where one reading exists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    r"(?<![\w/-])(?:"
    r"(?P<y>\d{4})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?:[T ]\d{1,2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of )?(?P<m1>{_MONTH})[ ,-]{{1,2}}(?P<y1>\d{{4}})"
    rf"|(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y2>\d{{4}})"
    r"|(?P<d3>\d{1,2})\.(?P<m3>\d{1,2})\.(?P<y3>\d{4})"
    r"|(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y4>\d{4})"
    r")(?![\w/-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundDate:
    """`day` is None where the text looks like a date and cannot be read as one; `start` and `end` are its place."""

    day: date | None
    start: int
    end: int


def find_dates(text: str) -> list[FoundDate]:
    return [FoundDate(_read(match), match.start(), match.end()) for match in _DATE.finditer(text)]


def without_dates(text: str) -> str:
    """The same text with its dates taken out, so that their numbers are not taken for anything else."""
    return _DATE.sub(" ", text)


def _read(match: re.Match[str]) -> date | None:
    part = match.groupdict()
    if part["y"]:
        return _day(part["y"], int(part["m"]), part["d"])
    for year, month, day in (("y1", "m1", "d1"), ("y2", "m2", "d2")):
        if part[year]:
            return _day(part[year], _MONTHS.index(part[month][:3].lower()) + 1, part[day])
    if part["y3"]:
        return _day(part["y3"], int(part["m3"]), part["d3"])
    first, second = int(part["a"]), int(part["b"])
    if first > 12 >= second:
        return _day(part["y4"], second, part["a"])
    if second > 12 >= first:
        return _day(part["y4"], first, part["b"])
    return _day(part["y4"], first, part["b"]) if first == second else None


def _day(year: str, month: int, day: str) -> date | None:
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None
