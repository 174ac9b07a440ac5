"""Markdown → `Adr`: architecture decision records in Nygard's form and in MADR's, versions 1 to 4.

Pure: a path and bytes in, a value out. A document is data from outside: nothing in it is run, fetched or followed,
it cannot make the parser raise, and the time grows with its size alone. What had to be guessed is a warning with
its line; what cannot be read at all is a `NotAnAdr` with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from cc_git.importers.adr_choice import read_choice
from cc_git.importers.adr_fields import Fields, is_placeholder
from cc_git.importers.adr_files import name_parts, reason_to_skip
from cc_git.importers.adr_links import LINKS_TO, RELATIONS, Reading, links_in
from cc_git.importers.adr_sections import Sections, find_sections
from cc_git.importers.adr_status import Status, StatusLine, badge_status, read_status
from cc_git.importers.adr_title import read_title
from cc_git.importers.adr_values import Adr, AdrLink, AdrStatus, NotAnAdr
from cc_git.importers.front_matter import FrontMatter, read_front_matter
from cc_git.importers.markdown import Markdown, read_markdown
from cc_git.importers.outcomes import Note
from cc_git.model.value import clean_line

SIZE_LIMIT = 512 * 1024
"""Bytes. A decision is a few pages; above this a file is named and left alone."""


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
        self.fields = Fields(matter, sections)
        self.warnings = self.fields.warnings
        self.warnings += matter.warnings

    def read(self) -> Adr | NotAnAdr:
        number, slug, filed_on = name_parts(self.path)
        section = self.sections.title
        written, line = (section.title, section.heading.line + 1) if section else self.matter.first("title")
        title, number, warnings = read_title(written, line, number, slug)
        self.warnings += warnings
        if is_placeholder(title):
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
            date=self.fields.date() or status.decided or filed_on,
            deciders=self.fields.deciders(),
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
            technical_story=clean_line(self.fields.value("story", "technical-story")[0]),
            tags=self.fields.tags(),
            links=self._links(status),
            text=self.text,
            warnings=tuple(sorted(set(self.warnings), key=lambda w: (w.line, w.text))),
        )

    def warn(self, line: int, text: str) -> None:
        self.warnings.append(Note(line, text))

    def _status(self) -> Status:
        lines = [StatusLine(tuple(self.markdown.spans(text)), line) for text, line in self._status_texts()]
        status = read_status(lines)
        self.warnings += status.warnings
        if status.status is AdrStatus.ABSENT:
            self.warn(0, "no status: it counts as accepted where it is tracked at HEAD")
        return status

    def _status_texts(self) -> Iterator[tuple[str, int]]:
        if texts := self.matter.values.get("status"):
            yield from ((text, self.matter.line_of.get("status", 1)) for text in texts)
            return
        if "status" in self.fields.head:
            text, line = self.fields.head["status"]
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
