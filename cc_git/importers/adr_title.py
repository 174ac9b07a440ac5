"""The title of a decision record and the number that may stand before it."""

from __future__ import annotations

import re

from cc_git.importers.outcomes import Note
from cc_git.model.value import ONE_LINE_LIMIT, clean_line

_TITLE_NUMBER = re.compile(
    r"(?:(?:ADR|Decision)[\s#_-]{0,2}(\d{1,5})|#?(\d{1,5})(?=\s*[.:)–—-]\s))\s*[.:)–—-]*\s+", re.IGNORECASE
)
_TITLE_WORD = re.compile(r"(?:ADR|Decision record)\s*[:–—-]\s*", re.IGNORECASE)


def read_title(written: str, line: int, number: int | None, slug: str) -> tuple[str, int | None, list[Note]]:
    """(title, number, warnings) from a heading such as `7. Use X`, `ADR-0007: Use X` or `Use X`, in plain text.

    `number` and `slug` are the file name's. Its number counts; a bare number in the heading that differs from it
    belongs to the title (`2020: a plan`). The title fits the grammar of a one-line field and is never empty.
    """
    warnings: list[Note] = []
    text = written
    if match := _TITLE_NUMBER.match(text):
        named = int(match[1] or match[2])
        if number is None or named == number or match[1]:
            text = text[match.end() :]
            if number is not None and named != number:
                what = f"the title says {named}, the file name {number}; the file name counts"
                warnings.append(Note(line, what))
            number = named if number is None else number
    text = _TITLE_WORD.sub("", text, count=1)
    title = clean_line(text)
    if not title:
        title = clean_line(slug.replace("-", " ").replace("_", " ").strip().capitalize()) or "Untitled"
        warnings.append(Note(line, "no title; taken from the file name"))
    elif title != " ".join(text.split()):
        what = "cut to 120 characters" if len(text) > ONE_LINE_LIMIT else "cleaned of control characters"
        warnings.append(Note(line, f"title {what}"))
    return title, number, warnings
