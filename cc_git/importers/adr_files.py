"""Which files of a folder are decision records, by name alone, and what the name says."""

from __future__ import annotations

import re
from datetime import date

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
# fmt: off
_NOT_RECORDS = frozenset((
    "readme", "index", "_index", "summary", "changelog", "contributing", "license", "toc", "log", "decision-log",
    "adr-log", "adrs", "decisions", "about", "overview",
))
# fmt: on
_DATED = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})[-_ ]+(.+)$")
_NUMBERED = re.compile(r"(?:adr[-_ ]?)?(\d{1,5})(?:[-_. ]+(.*))?$", re.IGNORECASE)
_TEMPLATE = re.compile(r"(?:^|[-_.])template(?:$|[-_.])", re.IGNORECASE)


def reason_to_skip(path: str) -> str | None:
    """Why this file is not read as a decision record, or None. Nothing is skipped without a reason."""
    name = path.rpartition("/")[2]
    lower = name.lower()
    if name.startswith("."):
        return "a hidden file"
    if not lower.endswith(_MARKDOWN):
        return "not Markdown"
    stem = _stem(name)
    if stem.lower() in _NOT_RECORDS:
        return "an index or introduction, not a decision record"
    numbered = _NUMBERED.match(stem)
    bare = (numbered[2] or "") if numbered else stem
    if (numbered is None and _TEMPLATE.search(stem)) or bare.lower() in {"template", "adr-template", "madr-template"}:
        return "a template"
    return None


def name_parts(path: str) -> tuple[int | None, str, date | None]:
    """(number, slug, date) from `0007-use-x.md`, `adr-7-use-x.md`, `20260207-use-x.md`, `use-x.md`."""
    stem = _stem(path.rpartition("/")[2])
    if dated := _DATED.match(stem):
        try:
            return None, dated[4], date(int(dated[1]), int(dated[2]), int(dated[3]))
        except ValueError:
            pass
    if numbered := _NUMBERED.match(stem):
        return int(numbered[1]), numbered[2] or stem, None
    return None, stem, None


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name
