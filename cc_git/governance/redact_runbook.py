"""A runbook without what is forgotten: it loses fields and items, not the file, and stays the runbook it was."""

from __future__ import annotations

from collections.abc import Collection

from cc_git.codec.files import decode, encode
from cc_git.codec.runbook_file import edited
from cc_git.governance.quotes import Quotes
from cc_git.governance.runbook import LISTS
from cc_git.model.runbook import Runbook

NO_TITLE = "(forgotten)"


def redacted_runbook(rel: str, data: bytes, quotes: Quotes, gone: Collection[str]) -> bytes | None:
    """Its bytes without every text that quotes. Comments and unknown keys stay as long as none of them quotes; else
    all of them go. None where it cannot be read."""
    book = decode(rel, data)
    if not isinstance(book, Runbook):
        return None

    def says(text: str) -> bool:
        return quotes.found_in((text,)) == "quote" or any(identifier in text for identifier in gone)

    changes: dict[str, str | tuple[str, ...]] = {}
    if says(book.title):
        changes["title"] = NO_TITLE
    if says(book.when_to_use):
        changes["when_to_use"] = ""
    for name in LISTS:
        items: tuple[str, ...] = getattr(book, name)
        left = tuple(item for item in items if not says(item))
        if left != items:
            changes[name] = left
    after = edited(data, changes)
    if not says(after.decode()):
        return after
    known = {name: getattr(book, name) for name in Runbook.model_fields}
    return encode(Runbook(**{**known, **changes}))
