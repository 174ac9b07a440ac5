"""How one architecture decision record points to another: the words, and the three ways to name the other.

The words are those of adr-tools (https://github.com/npryce/adr-tools), of MADR's "Links" and of Log4brains, with
the spellings that occur. The other is named by a link, by `[[wiki link]]`, or by number (`ADR-0005`, or a bare number
right after the words).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from cc_git.importers.adr_dates import without_dates
from cc_git.importers.adr_values import AdrLink
from cc_git.importers.markdown import Link

LINKS_TO = "links-to"

_SUPERSEDE = r"(?:super[sc]+e+d|replac|obsolet)"
_PHRASES: tuple[tuple[str, str], ...] = (
    ("partially-superseded-by", rf"part(?:ial)?ly {_SUPERSEDE}ed (?:by|with)"),
    ("partially-supersedes", rf"part(?:ial)?ly {_SUPERSEDE}e?s"),
    ("superseded-by", rf"{_SUPERSEDE}ed(?: (?:by|with|in favou?r of))?|deprecated (?:by|in favou?r of)"),
    ("supersedes", rf"{_SUPERSEDE}(?:e?s|ing|e)"),
    ("amended-by", r"(?:amended|updated|extended|modified|revised) by"),
    ("amends", r"(?:amend|update|extend|modifie|revise)s"),
    ("clarified-by", r"clarified by"),
    ("clarifies", r"clarifies"),
    ("refined-by", r"refined by"),
    ("refines", r"refines"),
    ("depends-on", r"depends on|based on|builds on"),
    ("required-by", r"required by"),
    ("relates-to", r"relate[sd] to|see also"),
)
SUPERSEDING = ("supersedes", "superseded-by")
Reading = Literal["targets", "lines", "prose"]
RELATIONS = tuple(relation for relation, _ in _PHRASES)

_TOKEN = re.compile(
    "|".join(f"(?P<p{n}>\\b(?:{phrase})(?![\\w-]))" for n, (_, phrase) in enumerate(_PHRASES))
    + r"|\[\[(?P<wiki>[^\[\]|\n]{1,200})(?:\|[^\[\]\n]{0,200})?\]\]"
    r"|(?<![\w/.-])(?P<file>[\w.-]{1,120}\.md)\b"
    r"|\bADR[\s#_-]{0,2}(?P<adr>\d{1,5})\b(?![-.]\d)"
    r"|#?\b(?P<number>\d{1,5})\b(?![-.\w]*\d)"
    r"|(?P<joint>\b(?:and|adrs?|decisions?|record|number|no|nr)\b)"
    r"|(?P<lead>\b(?:this|the|it|is|was|has|been|now|which)\b)"
    r"|(?P<word>[^\W\d_]+)",
    re.IGNORECASE,
)
_NUMBER_IN_LABEL = re.compile(r"^\s*(?:ADR[\s#_-]{0,2})?(\d{1,5})\b", re.IGNORECASE)


def links_in(
    spans: Iterable[str | Link], line: int, *, relation: str = LINKS_TO, read: Reading = "lines"
) -> list[AdrLink]:
    """The pointers in one paragraph or list item; `relation` is theirs until words say another.

    `read`: "targets" takes the links alone. "lines" reads the words before a pointer as its relation, up to the next
    relation in words. "prose" does too, but lets one document supersede another only where the text begins with it:
    "this replaces the format of [ADR 2]" inside a sentence is no supersession of ADR 2.
    """
    found: list[AdrLink] = []
    current, begun = relation, False
    for span in spans:
        if isinstance(span, Link):
            for kind, _ in _tokens(span.text) if read != "targets" else ():
                current = kind if kind in RELATIONS else current
            if span.target:
                found.append(AdrLink(current, span.target, " ".join(span.text.split()), line))
            continue
        if read == "targets":
            continue
        armed = current != LINKS_TO
        for kind, value in _tokens(without_dates(span)):
            if kind in RELATIONS and not (read == "prose" and begun and kind in SUPERSEDING):
                current, armed = kind, True
            elif kind in RELATIONS or kind == "word":
                armed, begun = False, True
            elif kind in {"wiki", "file"}:
                found.append(AdrLink(current, value, value, line))
            elif kind == "adr" or (kind == "number" and armed):
                found.append(AdrLink(current, f"ADR-{int(value)}", value, line))
                armed = current != LINKS_TO
    return found


def number_in_label(text: str) -> int | None:
    """The number that a link's text begins with: `3. Use X`, `ADR-0003`."""
    found = _NUMBER_IN_LABEL.match(text)
    return int(found[1]) if found else None


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind.startswith("p") and kind[1:].isdigit():
            yield _PHRASES[int(kind[1:])][0], match[0]
        else:
            yield kind, match[kind]
