"""The status of a decision, from the words of a status line, section or front matter.

Words are looked for at the *beginning* of a line, so that "This was first proposed in May" is no status. A section
with several lines is a history: the newest dated line counts, else the last; `superseded` and `deprecated` win over
an older word that was left standing, as adr-tools leaves it. A line that still offers a choice is the template's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from cc_git.importers.adr_dates import find_dates, without_dates
from cc_git.importers.adr_links import links_in
from cc_git.importers.adr_values import AdrLink, AdrStatus
from cc_git.importers.markdown import Link
from cc_git.importers.outcomes import Note

_WORDS: tuple[tuple[AdrStatus, str], ...] = (
    (AdrStatus.ACCEPTED, r"part(?:ial)?ly super[sc]+e+ded"),
    (AdrStatus.SUPERSEDED, r"super[sc]+e+ded|replaced by|obsoleted by"),
    (AdrStatus.DEPRECATED, r"deprecated|obsolete|retired|archived|expired"),
    (AdrStatus.REJECTED, r"rejected|declined|refused|withdrawn|cancell?ed|abandoned"),
    (AdrStatus.ON_HOLD, r"on[ -]?hold|deferred|postponed|parked|paused|suspended"),
    (AdrStatus.DRAFT, r"draft|wip|work in progress"),
    (AdrStatus.PROPOSED, r"propos(?:ed|al)|pending|(?:in|under) (?:review|discussion)|open|rfc"),
    (AdrStatus.ACCEPTED, r"accepted|approved|adopted|agreed|decided|active|final|implemented|done|in force"),
)
KNOWN = "accepted, proposed, draft, on hold, rejected, deprecated, superseded by …"

_STATUS_WORD = re.compile("|".join(f"(?P<w{n}>{words})" for n, (_, words) in enumerate(_WORDS)), re.IGNORECASE)
_BEGINNING = re.compile(r"[^\w\[(]*(?:status\b[\s:*_]*)?[^\w]*", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~]{0,300}~~")
_UNCHECKED, _CHECKED = re.compile(r"\s*\[ \]"), re.compile(r"\s*\[[xX]\]")
_CHOICE = re.compile(r"[|/]|\bor\b")
_ENDED = (AdrStatus.SUPERSEDED, AdrStatus.DEPRECATED)
_BADGE = re.compile(
    r"!\[[^\]\n]{0,200}\]\([^)\s]{0,200}/badge/status-([^)\s/?]{1,80}?)-\w{1,20}(?:\.\w{1,5})?[?)]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class StatusLine:
    spans: tuple[str | Link, ...]
    line: int
    """Counted from 1."""

    @property
    def plain(self) -> str:
        return " ".join("".join(s if isinstance(s, str) else s.text for s in self.spans).split())


@dataclass(frozen=True, slots=True)
class Status:
    status: AdrStatus = AdrStatus.ABSENT
    text: str = ""
    day: date | None = None
    decided: date | None = None
    """The day of the newest line that says accepted or rejected, where a line says so."""
    links: tuple[AdrLink, ...] = ()
    warnings: tuple[Note, ...] = ()


def read_status(lines: Iterable[StatusLine]) -> Status:
    shown = [line for line in lines if line.plain and not _UNCHECKED.match(line.plain)]
    checked = [line for line in shown if _CHECKED.match(line.plain)]
    links = tuple(link for line in shown for link in links_in(line.spans, line.line))
    said: list[tuple[StatusLine, AdrStatus, date | None]] = []
    warnings: list[Note] = []
    for line in checked or shown:
        text = _STRUCK.sub("", line.plain)
        if _is_choice(text):
            warnings.append(Note(line.line, "the status is still the template's choice; read as not decided"))
            return Status(AdrStatus.UNKNOWN, "not chosen yet", warnings=tuple(warnings))
        status = _word_at_beginning(_CHECKED.sub("", text))
        if status is None:
            continue
        dates = find_dates(text)
        warnings += [Note(line.line, f"{text[d.start:d.end]!r} is no date we can read; write YYYY-MM-DD")
                     for d in dates if d.day is None]  # fmt: skip
        said.append((line, status, next((d.day for d in dates if d.day), None)))
    if not said:
        return _unread(shown, links, warnings)
    if len({status for _, status, _ in said}) > 1 and not any(status in _ENDED for _, status, _ in said):
        warnings.append(Note(said[-1][0].line, "several statuses; the newest, else the last, counts"))
    line, status, day = _last_word(said)
    settled = (AdrStatus.ACCEPTED, AdrStatus.REJECTED)
    decided = max((d for _, word, d in said if d and word in settled), default=None)
    return Status(status, line.plain, day, decided, links, tuple(warnings))


def badge_status(text: str) -> str:
    """The status that a shields.io badge spells, or nothing."""
    found = _BADGE.search(text)
    return found[1].replace("--", "-").replace("_", " ").replace("%20", " ") if found else ""


def _last_word(said: list[tuple[StatusLine, AdrStatus, date | None]]) -> tuple[StatusLine, AdrStatus, date | None]:
    if all(day for _, _, day in said):
        return max(enumerate(said), key=lambda pair: (pair[1][2] or date.min, pair[0]))[1]
    for ended in _ENDED:
        for entry in reversed(said):
            if entry[1] is ended:
                return entry
    return said[-1]


def _word_at_beginning(text: str) -> AdrStatus | None:
    start = _BEGINNING.match(without_dates(text[:300]))
    rest = without_dates(text[:300])[start.end() if start else 0 :]
    found = _STATUS_WORD.match(rest)
    if found is None or rest[found.end() : found.end() + 1].isalnum() or found.lastgroup is None:
        return None
    return _WORDS[int(found.lastgroup[1:])][0]


def _is_choice(text: str) -> bool:
    """`proposed | rejected | accepted`, bracketed or not."""
    words = [found.end() for found in _STATUS_WORD.finditer(text[:400])]
    if len(words) < 2:
        return False
    starts = [found.start() for found in _STATUS_WORD.finditer(text[:400])][1:]
    between = [text[end:start] for end, start in zip(words, starts, strict=False)]
    return all(_CHOICE.search(gap) and len(gap) <= 4 for gap in between[:2])


def _unread(shown: list[StatusLine], links: tuple[AdrLink, ...], warnings: list[Note]) -> Status:
    if not shown:
        return Status(links=links, warnings=tuple(warnings))
    relations = {link.relation for link in links}
    if "superseded-by" in relations:
        return Status(AdrStatus.SUPERSEDED, shown[0].plain, None, None, links, tuple(warnings))
    if relations - {"links-to"} and len(shown) <= len(links):
        return Status(links=links, warnings=tuple(warnings))
    first = shown[0]
    text = f"the status {first.plain[:60]!r} is not one we know ({KNOWN}); read as not decided"
    return Status(AdrStatus.UNKNOWN, first.plain, None, None, links, (*warnings, Note(first.line, text)))
