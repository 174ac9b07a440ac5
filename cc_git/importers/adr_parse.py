"""Markdown → `Adr`: architecture decision records in Nygard's form and in MADR's, versions 1 to 4.

Pure: a path and bytes in, a value out. A document is data from outside: nothing in it is run, fetched or followed,
it cannot make the parser raise, and the time grows with its size alone. What had to be guessed is a warning with
its line; what cannot be read at all is a `NotAnAdr` with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from cc_git.importers.adr_choice import read_choice
from cc_git.importers.adr_dates import find_dates
from cc_git.importers.adr_files import name_parts, reason_to_skip
from cc_git.importers.adr_links import LINKS_TO, RELATIONS, Reading, links_in
from cc_git.importers.adr_sections import Sections, find_sections, part_named
from cc_git.importers.adr_status import Status, StatusLine, badge_status, read_status
from cc_git.importers.adr_title import read_title
from cc_git.importers.adr_values import Adr, AdrLink, AdrStatus, AdrWarning, NotAnAdr
from cc_git.importers.front_matter import FrontMatter, read_front_matter
from cc_git.importers.markdown import Markdown, read_markdown
from cc_git.model.value import clean_line

SIZE_LIMIT = 512 * 1024
"""Bytes. A decision is a few pages; above this a file is named and left alone."""

_FIELD = re.compile(r"[\s|]*[*_]{0,2}([A-Za-z][A-Za-z ()-]{0,30}?)[*_]{0,2}\s*[:|][*_]{0,2}\s*(.*)$", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{.*\}|<.*>|\[[^\]]*\](?!\()|list everyone .*|YYYY-MM-DD.*", re.IGNORECASE | re.DOTALL)
_NAMES_END = re.compile(r"[,;]|\band\b|&|\n")
_NAMES_LIMIT = 50


def parse_adr(path: str, data: bytes) -> Adr | NotAnAdr:
    """`path` is POSIX, as it shall be shown and linked from; only its last part is read as a name."""
    if skip := reason_to_skip(path):
        return NotAnAdr(path, skip)
    if len(data) > SIZE_LIMIT:
        return NotAnAdr(path, f"{len(data)} bytes; more than {SIZE_LIMIT} is no decision record", broken=True)
    text = _decoded(path, data)
    if isinstance(text, NotAnAdr):
        return text
    if not text.strip():
        return NotAnAdr(path, "empty")
    lines = text.split("\n")
    matter = read_front_matter(lines)
    sections = find_sections(read_markdown(text, skip=matter.lines))
    return _Reader(path, text, matter, sections).read()


def _decoded(path: str, data: bytes) -> str | NotAnAdr:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return NotAnAdr(path, "UTF-16; save it as UTF-8", broken=True)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        reason = f"not UTF-8 (byte 0x{data[fault.start]:02X} in line {line}); save it as UTF-8"
        return NotAnAdr(path, reason, broken=True)
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Reader:
    """One reading of one document; it gathers warnings on the way."""

    def __init__(self, path: str, text: str, matter: FrontMatter, sections: Sections) -> None:
        self.path, self.text, self.matter, self.sections = path, text, matter, sections
        self.markdown: Markdown = sections.markdown
        self.warnings = list(matter.warnings)
        self.fields = self._head_fields()

    def read(self) -> Adr | NotAnAdr:
        number, slug, filed_on = name_parts(self.path)
        section = self.sections.title
        written, line = (section.title, section.heading.line + 1) if section else self.matter.first("title")
        title, number, warnings = read_title(written, line, number, slug)
        self.warnings += warnings
        if _PLACEHOLDER.fullmatch(title):
            return NotAnAdr(self.path, "a template: its title is still a placeholder")
        status = self._status()
        choice = read_choice(self.sections)
        bare = not self.sections.of("decision")
        if bare and number is None and status.status is AdrStatus.ABSENT:
            return NotAnAdr(self.path, "neither a number, a status nor a decision section: not a decision record")
        decision = choice.decision or self._what_is_written() if bare else choice.decision
        if not choice.decision:
            self.warn(0, "no decision section; the whole text counts" if bare else "the decision section is empty")
        return Adr(
            path=self.path,
            number=number,
            slug=slug,
            title=title,
            status=status.status,
            status_text=clean_line(status.text),
            status_date=status.day,
            date=self._date() or status.decided or filed_on,
            deciders=self._deciders(),
            context=self.sections.text("context"),
            drivers=self.sections.text("drivers"),
            decision=decision,
            chosen=choice.chosen,
            rationale=choice.rationale,
            options=choice.options,
            alternatives=choice.alternatives,
            consequences=self.sections.text("consequences"),
            confirmation=self.sections.text("confirmation"),
            reopen_when=self.sections.text("revisit") or self.matter.first("reopen-when", "revisit-when")[0],
            technical_story=clean_line(self._value("story", "technical-story")[0]),
            tags=self._tags(),
            links=self._links(status),
            text=self.text,
            warnings=tuple(sorted(set(self.warnings), key=lambda w: (w.line, w.text))),
        )

    def warn(self, line: int, text: str) -> None:
        self.warnings.append(AdrWarning(line, text))

    def _head_fields(self) -> dict[str, tuple[str, int]]:
        """`Status: accepted`, as a list item, a paragraph's line or a table row, above the first section."""
        fields: dict[str, tuple[str, int]] = {}
        for piece in self.markdown.pieces_between(0, self.sections.head_end):
            for offset, line in enumerate(piece.text.split("\n")):
                found = _FIELD.match(line)
                part = part_named(found[1]) if found else None
                if found and part and part not in fields:
                    fields[part] = (found[2].strip().rstrip("|").strip(), piece.line + offset + 1)
        return fields

    def _value(self, part: str, *keys: str) -> tuple[str, int]:
        """The text of a small field: front matter, then the head, then a section of that name."""
        found = self.matter.first(part, *keys)
        if not found[0]:
            found = self.fields.get(part, ("", 0))
        if not found[0] and (sections := self.sections.of(part)):
            found = (self.sections.body(sections[0]), sections[0].heading.line + 1)
        if found[0] and _PLACEHOLDER.fullmatch(found[0]):
            self.warn(found[1], f"{part} is still the template's placeholder; read as none")
            return "", 0
        return found

    def _status(self) -> Status:
        lines = [StatusLine(tuple(self.markdown.spans(text)), line) for text, line in self._status_texts()]
        status = read_status(lines)
        self.warnings += status.warnings
        if status.status is AdrStatus.ABSENT:
            self.warn(0, "no status")
        return status

    def _status_texts(self) -> Iterator[tuple[str, int]]:
        if "status" in self.matter.values:
            line = self.matter.line_of.get("status", 1)
            if not self.matter.values["status"]:
                self.warn(line, "the status in the front matter is empty or no text")
            yield from ((text, line) for text in self.matter.values["status"])
            return
        if "status" in self.fields:
            text, line = self.fields["status"]
            yield badge_status(text) or text, line
            return
        sections = self.sections.of("status")
        if sections:
            for piece in self.markdown.pieces_between(sections[0].start, sections[0].end):
                for offset, text in enumerate(piece.text.split("\n")):
                    yield badge_status(text) or text, piece.line + offset + 1
            return
        for piece in self.markdown.pieces_between(0, self.sections.head_end):
            if badge := badge_status(piece.text):
                yield badge, piece.line + 1

    def _date(self) -> date | None:
        text, line = self._value("date", "decided", "decision-date")
        if not text:
            return None
        for found in find_dates(text):
            if found.day:
                return found.day
        self.warn(line, f"{clean_line(text, 40)!r} is no date we can read; write YYYY-MM-DD")
        return None

    def _deciders(self) -> tuple[str, ...]:
        keys = ("deciders", "decision-makers", "decision-maker", "owner", "owners")
        texts = next((self.matter.values[key] for key in keys if self.matter.values.get(key)), ())
        if not texts:
            texts = (self._value("deciders")[0],)
        names = (
            clean_line(self.markdown.plain(name).lstrip("*- "), 60)
            for text in texts
            if not _PLACEHOLDER.fullmatch(text)
            for name in _NAMES_END.split(text[:2000])
        )
        return tuple(dict.fromkeys(name for name in names if name))[:_NAMES_LIMIT]

    def _tags(self) -> tuple[str, ...]:
        texts = self.matter.values.get("tags") or self.matter.values.get("categories")
        texts = texts or tuple(re.split(r"[,;]", self._value("tags")[0][:500]))
        return tuple(dict.fromkeys(tag for text in texts if (tag := clean_line(text.strip("`*# -"), 40))))

    def _links(self, status: Status) -> tuple[AdrLink, ...]:
        links = list(status.links)
        for key in (*RELATIONS, "related", "links"):
            for text in self.matter.values.get(key, ()):
                relation = key if key in RELATIONS else "relates-to"
                links += links_in(self.markdown.spans(text), self.matter.line_of.get(key, 1), relation=relation)
        parts = (*self.sections.of("links"), *self.sections.of("more"))
        prose = {line for section in parts for line in range(section.start, section.end)}
        for piece in self.markdown.pieces:
            reading: Reading = "prose" if piece.line in prose else "targets"
            if reading == "prose" or "[" in piece.text:
                links += links_in(self.markdown.spans(piece.text), piece.line + 1, read=reading)
        return _distinct(links)

    def _what_is_written(self) -> str:
        start = self.sections.title.start if self.sections.title else self.matter.lines
        return self.markdown.between(start, len(self.markdown.lines))


def _distinct(links: list[AdrLink]) -> tuple[AdrLink, ...]:
    """One link for each target and relation, images and anchors left out; a plain pointer yields to a named one."""
    named = {link.target.partition("#")[0] for link in links if link.relation != LINKS_TO}
    kept: dict[tuple[str, str], AdrLink] = {}
    for link in links:
        target = link.target.partition("#")[0]
        if target and not (link.relation == LINKS_TO and target in named):
            kept.setdefault((link.relation, target), AdrLink(link.relation, target, link.text, link.line))
    return tuple(kept.values())
