"""The parts of an architecture decision record, found by their headings at any level.

The names are Nygard's (Context, Decision, Status, Consequences), those of MADR 1 to 4, and the common ones of other
templates (Tyree and Akerman's Argument and Implications, for example). A part ends at the next heading of its own or
a higher level; a known part inside another (Consequences inside Decision Outcome) is taken out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cc_git.importers.markdown import Heading, Markdown

PARTS: dict[str, tuple[str, ...]] = {
    "status": ("status", "adr status", "decision status"),
    "date": ("date", "decision date"),
    "deciders": ("deciders", "decision makers", "decision-makers", "decision maker", "owner", "owners"),
    "context": (
        "context", "context and problem statement", "context and problem", "problem statement", "problem",
        "background", "motivation", "issue",
    ),
    "drivers": ("decision drivers", "drivers", "forces"),
    "options": (
        "considered options", "considered alternatives", "alternatives considered", "options considered", "options",
        "alternatives", "positions",
    ),
    "decision": ("decision", "decision outcome", "the decision", "outcome"),
    "rationale": ("rationale", "justification", "argument", "reasons", "reasoning"),
    "consequences": (
        "consequences", "positive consequences", "negative consequences", "neutral consequences", "implications",
    ),
    "confirmation": ("confirmation", "validation", "compliance"),
    "pros": ("pros and cons of the options", "pros and cons"),
    "more": ("more information", "notes"),
    "links": ("links", "references", "related", "related decisions", "related adrs", "see also"),
    "revisit": ("reopen when", "revisit when", "when to revisit", "revisit", "reconsider when", "review criteria"),
    "story": ("technical story",),
    "tags": ("tags", "categories"),
}  # fmt: skip
_PART_OF = {name: part for part, names in PARTS.items() for name in names}
_TRIMMINGS = re.compile(r"^[\W\d_]+|[\W_]+$")


@dataclass(frozen=True, slots=True)
class Section:
    """`part` is a key of PARTS or None; `start` to `end` is the body with all that is below it, in lines from 0.
    `place` is its index among all sections."""

    part: str | None
    heading: Heading
    title: str
    start: int
    end: int
    place: int


@dataclass(frozen=True, slots=True)
class Sections:
    """`head_end`: where the region above the first section ends, which holds the title and the lines that say status
    and date. `parts` holds for each part the sections that are in no other of the same part."""

    markdown: Markdown
    all: tuple[Section, ...]
    head_end: int
    title: Section | None
    parts: Mapping[str, list[Section]]

    def of(self, part: str) -> list[Section]:
        return self.parts.get(part, [])

    def text(self, part: str) -> str:
        """The bodies of a part joined; where there are several, each is led in by its heading."""
        found = self.of(part)
        out: list[str] = []
        for section in found:
            body = self.body(section)
            if body and len(found) > 1 and section.title.casefold() != part:
                body = f"{section.title}:\n\n{body}"
            if body:
                out.append(body)
        return "\n\n".join(out)

    def body(self, section: Section) -> str:
        """The text of a section without the known parts inside it."""
        out, position = [], section.start
        for inner in self.inside(section):
            if inner.part is not None and inner.part != section.part and inner.heading.line >= position:
                out.append(self.markdown.between(position, inner.heading.line))
                position = inner.end
        out.append(self.markdown.between(position, section.end))
        return "\n\n".join(text for text in out if text.strip())

    def inside(self, section: Section) -> Iterator[Section]:
        for place in range(section.place + 1, len(self.all)):
            if self.all[place].heading.line >= section.end:
                return
            yield self.all[place]


def part_named(name: str) -> str | None:
    """The part that a heading or a `key: value` line names."""
    return _PART_OF.get(" ".join(_TRIMMINGS.sub("", name).casefold().replace("(s)", "s").split()))


def find_sections(markdown: Markdown) -> Sections:
    headings = markdown.headings
    ends = _ends(headings, len(markdown.lines))
    titles = [markdown.plain(heading.text) for heading in headings]
    title_at = next(
        (n for n, heading in enumerate(headings) if heading.level == 1 and not part_named(titles[n])),
        0 if headings and not part_named(titles[0]) else None,
    )
    everything = tuple(
        Section(None if n == title_at else part_named(name), heading, name, heading.body, end, n)
        for n, (heading, name, end) in enumerate(zip(headings, titles, ends, strict=True))
    )
    after_title = [heading.line for n, heading in enumerate(headings) if n != title_at]
    head_end = min(after_title, default=len(markdown.lines))
    if title_at is not None and head_end < headings[title_at].line:
        head_end = headings[title_at].line
    title = None if title_at is None else everything[title_at]
    return Sections(markdown, everything, head_end, title, _parts(everything))


def _parts(everything: tuple[Section, ...]) -> dict[str, list[Section]]:
    found: dict[str, list[Section]] = {}
    for section in everything:
        if section.part is not None:
            same = found.setdefault(section.part, [])
            if not same or section.start >= same[-1].end:
                same.append(section)
    return found


def _ends(headings: tuple[Heading, ...], last: int) -> list[int]:
    """For each heading the line of the next one of its own or a higher level."""
    ends = [last] * len(headings)
    open_ones: list[int] = []
    for n, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.line
        open_ones.append(n)
    return ends
