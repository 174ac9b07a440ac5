"""What a result is made of, as values, and its plain form: for pipes, files, dumb terminals and agents.

The columns of a plain table are the same whatever is in it and however wide the reader is; nothing is cut.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cc_git.model.sanitise import in_one_line, visible

Tone = Literal["plain", "good", "warn", "bad", "dim"]


@dataclass(frozen=True, slots=True)
class Toned:
    """A cell with a meaning that colour may carry; the words must carry it too."""

    text: str
    tone: Tone


Cell = str | Toned


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """Text of any number of lines, shown as it is and not wrapped: a packet, a file, a sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Fields:
    """Names with values, one a line: one object looked at closely."""

    rows: Sequence[tuple[str, Cell]]


@dataclass(frozen=True, slots=True)
class Table:
    """`empty` is the sentence that stands in for a table without rows. `fixed` columns are never folded (ids)."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str
    fixed: frozenset[str] = frozenset({"id"})


Block = Heading | Prose | Fields | Table


def text_of(cell: Cell) -> str:
    """A cell's text, on one line."""
    return in_one_line(cell.text if isinstance(cell, Toned) else cell)


def cell_width(text: str) -> int:
    """Columns on a terminal: East Asian wide letters take two, marks and joiners none."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(char) or char in "\u200d\ufe0e\ufe0f"
        else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def plain(block: Block) -> str:
    """The block as text that ends in a line feed."""
    match block:
        case Heading(text):
            return f"{in_one_line(text)}\n"
        case Prose(text):
            return visible(text.rstrip("\n"), multiline=True) + "\n"
        case Fields(rows):
            return fields(rows)
        case Table():
            return aligned(block) if block.rows else f"{in_one_line(block.empty)}\n"


def fields(rows: Sequence[tuple[str, Cell]]) -> str:
    """Values of several lines continue below their first one."""
    widest = max((cell_width(in_one_line(name)) for name, _ in rows), default=0)
    lines = []
    for name, cell in rows:
        label = in_one_line(name)
        value = visible(cell.text if isinstance(cell, Toned) else cell, multiline=True)
        padded = label + " " * (widest - cell_width(label))
        lines.append(f"{padded}  {value}".rstrip().replace("\n", "\n" + " " * (widest + 2)) + "\n")
    return "".join(lines)


def aligned(table: Table) -> str:
    """A header and the rows, in columns two spaces apart."""
    lines = [list(map(in_one_line, table.columns)), *([text_of(cell) for cell in row] for row in table.rows)]
    widths = [max(cell_width(line[at]) for line in lines) for at in range(len(table.columns))]
    return "".join(
        "  ".join(text + " " * (width - cell_width(text)) for text, width in zip(line, widths, strict=True)).rstrip()
        + "\n"
        for line in lines
    )


def stacked(table: Table) -> str:
    """One row after the other, a line a column: what a narrow terminal can show."""
    return "\n".join(fields(list(zip(table.columns, map(text_of, row), strict=True))) for row in table.rows)
