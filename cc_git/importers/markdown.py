"""Markdown as a reader of structure needs it: headings, list items and paragraphs with their lines.

Only the block pass of CommonMark runs over the whole file; it is linear, so a hostile file costs time in proportion
to its size. Headings inside fences, quotes and comments are none. Link definitions are gathered by a rule of our own:
the library's takes quadratic time in a paragraph of nothing else. The inline pass runs on single pieces of bounded
length.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

INLINE_LIMIT = 4_000
"""Characters of a paragraph that are looked at for links and emphasis."""

_DEFINITION = re.compile(r" {0,3}\[([^\[\]\n]{1,200})\]:[ \t]*<?([^\s<>]{1,500})>?[ \t]*(?:[\"'(].{0,300})?$")


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str
    line: int
    """Line of the heading, from 0; its body begins at `body`."""
    body: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of inline text: a paragraph, a list item's first paragraph. `depth` is the number of lists around it."""

    text: str
    line: int
    depth: int
    marks_item: bool
    """True for the first paragraph of a list item."""


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    target: str


@dataclass(frozen=True, slots=True)
class Markdown:
    """`lines` are the file's, with HTML comments blanked out (code keeps them); line numbers count from 0."""

    lines: tuple[str, ...]
    headings: tuple[Heading, ...]
    pieces: tuple[Piece, ...]
    definitions: dict[str, Any]

    def between(self, start: int, end: int) -> str:
        return "\n".join(self.lines[start:end]).strip("\n").rstrip()

    def pieces_between(self, start: int, end: int) -> Iterator[Piece]:
        first = bisect_left(self.pieces, start, key=lambda piece: piece.line)
        return takewhile(lambda piece: piece.line < end, (self.pieces[n] for n in range(first, len(self.pieces))))

    def spans(self, text: str) -> list[str | Link]:
        """The inline text as plain strings and links, markup taken off; a line break is a space."""
        return _spans(text[:INLINE_LIMIT], self.definitions)

    def plain(self, text: str) -> str:
        """The inline text without markup, on one line."""
        parts = (span if isinstance(span, str) else span.text for span in self.spans(text))
        return " ".join("".join(parts).split())


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # lazy: only an import of documents needs it

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.disable("reference")


def read_markdown(text: str, *, skip: int = 0) -> Markdown:
    """`text` has LF line ends; its first `skip` lines (front matter) are counted and not read."""
    lines = text.split("\n")
    body = [""] * skip + lines[skip:]
    tokens = _parser().parse("\n".join(body))
    _blank_comments(body, tokens)
    headings: list[Heading] = []
    pieces: list[Piece] = []
    depth, fresh_item = 0, False
    for token, before in zip(tokens, [None, *tokens], strict=False):
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            depth += 1
        elif token.type in {"bullet_list_close", "ordered_list_close"}:
            depth -= 1
        elif token.type == "list_item_open":
            fresh_item = True
        elif token.type == "inline" and token.map and before is not None:
            content = _without_comments(token.content)
            if before.type == "heading_open":
                if before.level == 0 and before.map:
                    headings.append(Heading(int(before.tag[1]), content, before.map[0], before.map[1]))
            else:
                pieces.append(Piece(content, token.map[0], depth, fresh_item))
            fresh_item = False
        elif token.type in {"fence", "code_block", "html_block"}:
            fresh_item = False
    return Markdown(tuple(body), tuple(headings), tuple(pieces), _definitions(pieces))


def _definitions(pieces: list[Piece]) -> dict[str, Any]:
    from markdown_it.common.utils import normalizeReference  # lazy: only an import of documents needs it

    found: dict[str, Any] = {}
    for piece in pieces:
        if piece.text.startswith("["):
            for line in piece.text.split("\n"):
                if match := _DEFINITION.match(line):
                    found.setdefault(normalizeReference(match[1]), {"href": match[2], "title": ""})
    return {"references": found}


def _blank_comments(lines: list[str], tokens: list[Token]) -> None:
    """Take HTML comments out of everything that is not code; the number of lines stays."""
    for token in tokens:
        if token.type not in {"inline", "html_block"} or not token.map:
            continue
        start, end = token.map
        block = "\n".join(lines[start:end])
        if "<!--" in block:
            cut = _without_comments(block, code_spans=token.type == "inline")
            lines[start:end] = cut.split("\n")


def _without_comments(text: str, *, code_spans: bool = True) -> str:
    """Each comment becomes the line breaks it held. A run of backticks hides what it encloses; linear."""
    if "<!--" not in text:
        return text
    ticks: dict[int, list[int]] = {}
    if code_spans:
        for run in re.finditer(r"`+", text):
            ticks.setdefault(len(run[0]), []).append(run.start())
        for starts in ticks.values():
            starts.reverse()
    out: list[str] = []
    position = 0
    for mark in re.finditer(r"`+|<!--", text):
        if mark.start() < position:
            continue
        if mark[0] == "<!--":
            close = text.find("-->", mark.start() + 4)
            end = len(text) if close < 0 else close + 3
            out += [text[position : mark.start()], "\n" * text.count("\n", mark.start(), end)]
            position = end
        elif code_spans:
            later = ticks[len(mark[0])]
            while later and later[-1] <= mark.start():
                later.pop()
            if later:
                end = later[-1] + len(mark[0])
                out.append(text[position:end])
                position = end
    out.append(text[position:])
    return "".join(out)


def _spans(text: str, env: dict[str, Any]) -> list[str | Link]:
    parser = _parser()
    tokens: list[Token] = []
    parser.inline.parse(text, parser, dict(env), tokens)
    out: list[str | Link] = []
    label: list[str] | None = None
    target = ""
    for token in tokens:
        if token.type == "link_open":
            label, target = [], str(token.attrGet("href") or "")
        elif token.type == "link_close":
            out.append(Link("".join(label or ()), target))
            label = None
        else:
            part = {"softbreak": " ", "hardbreak": " ", "html_inline": ""}.get(token.type, token.content)
            out.append(part) if label is None else label.append(part)
    return out
