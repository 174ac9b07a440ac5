"""Where a result reaches people: plain text, or colour and fitted tables on a terminal that can show them.

Nothing gets past the sanitiser, and nothing stored is ever read as rich's markup: it enters as `rich.text.Text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cc_git.cli.context import Call
from cc_git.cli.streams import is_rich, wants_colour, width_of, write, write_utf8
from cc_git.cli.tables import Block, Cell, Fields, Heading, Prose, Table, Toned, fields, plain, stacked, text_of
from cc_git.errors import Exit
from cc_git.model.sanitise import in_one_line, visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text  # lazy: see `_show_rich`

NARROW = 60
"""Below so many columns a table is shown row by row."""

LONGEST_ID = 32
_STYLE = {"plain": "", "good": "green", "warn": "yellow", "bad": "bold red", "dim": "dim"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command has to say.

    data:     for `--json`: values, mappings and sequences (see `envelope.plain_data`).
    blocks:   for people, on standard output.
    notes:    what helps a person and is not the result; standard error, left out by `--quiet`.
    warnings: what may be wrong with the result; in the JSON too.
    receipt:  the proof of a change, for `--json`.
    """

    data: object = None
    blocks: Sequence[Block] = ()
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    receipt: object = None
    exit: Exit = Exit.OK


def show(call: Call, outcome: Outcome) -> None:
    """Print the outcome in the form that the call asks for."""
    if call.as_json:
        from cc_git.cli.envelope import envelope  # people do not pay for it

        write_utf8(
            call.streams.stdout, envelope(call.words, replace(outcome, warnings=(*call.lost, *outcome.warnings)))
        )
        return
    if not call.quiet:
        for warning in (*call.lost, *outcome.warnings):
            write(call.streams.stderr, f"{label(call, 'Warning:', 'warn')} {in_one_line(warning)}\n")
    if is_rich(call.streams.stdout, call.environ):
        _show_rich(call, outcome.blocks)
    else:
        write(call.streams.stdout, "".join(plain(block) for block in outcome.blocks))
    if not call.quiet:
        for note in outcome.notes:
            write(call.streams.stderr, visible(note, multiline=True) + "\n")


def label(call: Call, words: str, tone: str) -> str:
    """Words of ours for standard error, coloured where that is wanted; without rich, which an error need not load."""
    if not wants_colour(call.streams.stderr, call.environ):
        return words
    return f"\x1b[{'1;31' if tone == 'bad' else '33' if tone == 'warn' else '2'}m{words}\x1b[0m"


def _show_rich(call: Call, blocks: Sequence[Block]) -> None:
    from rich.console import Console  # for a terminal alone: it costs more than click

    width = width_of(call.streams.stdout, call.environ)
    console = Console(
        file=call.streams.stdout,
        width=width,
        force_terminal=True,
        no_color=not wants_colour(call.streams.stdout, call.environ),
        markup=False,
        emoji=False,
        highlight=False,
        _environ=call.environ,
    )
    with console.capture() as captured:
        for block in blocks:
            _print(console, block, narrow=width < NARROW)
    write(call.streams.stdout, captured.get())


def _print(console: Console, block: Block, *, narrow: bool) -> None:
    match block:
        case Heading(text):
            console.print(_text(in_one_line(text), "bold"))
        case Table() if block.rows and narrow:
            console.print(_text(stacked(block).rstrip("\n")), soft_wrap=True)
        case Table() if block.rows:
            console.print(_table(block))
        case Fields(rows) if narrow:
            console.print(_text(fields(rows).rstrip("\n")), soft_wrap=True)
        case Fields(rows):
            console.print(_fields(rows))
        case Prose() | Table():
            # the terminal folds long lines itself, and what is copied from it stays whole
            console.print(_text(plain(block).rstrip("\n")), soft_wrap=True)


def _text(clean: str, style: str = "") -> Text:
    from rich.text import Text  # lazy: see `_show_rich`

    return Text(clean, style=style)


def _table(table: Table) -> RenderableType:
    from rich.box import SIMPLE_HEAD  # lazy: see `_show_rich`
    from rich.table import Table as RichTable

    drawn = RichTable(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for at, column in enumerate(table.columns):
        # a cell longer than any id must not push the other columns off the screen
        whole = column in table.fixed and all(len(text_of(row[at])) <= LONGEST_ID for row in table.rows)
        drawn.add_column(_text(in_one_line(column)), no_wrap=whole, overflow="fold")
    for row in table.rows:
        drawn.add_row(*(_cell(cell, text_of(cell)) for cell in row))
    return drawn


def _fields(rows: Sequence[tuple[str, Cell]]) -> RenderableType:
    from rich.table import Table as RichTable  # lazy: see `_show_rich`

    drawn = RichTable.grid(padding=(0, 2, 0, 0))
    drawn.add_column(max_width=LONGEST_ID, overflow="fold", style="dim")
    drawn.add_column(overflow="fold")
    for name, cell in rows:
        whole = visible(cell.text if isinstance(cell, Toned) else cell, multiline=True)
        drawn.add_row(_text(in_one_line(name)), _cell(cell, whole))
    return drawn


def _cell(cell: Cell, clean: str) -> Text:
    return _text(clean, _STYLE[cell.tone] if isinstance(cell, Toned) else "")
