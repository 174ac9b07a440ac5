"""Looking at what is there: show, list, log."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import click

from cc_git.cli.acted import standing_cell, verdict_data
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.numbers import each
from cc_git.cli.opening import looked_at
from cc_git.cli.options import ID_PART
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import KINDS, STANDINGS
from cc_git.cli.tables import Block, Cell, Fields, Heading, Prose, Table, Toned
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.model.sanitise import quoted
from cc_git.model.spine import INSTRUCTION_LIKE

if TYPE_CHECKING:
    from cc_git.wiring.log import Happening
    from cc_git.wiring.reading import Line, Shown

_AT = click.option("--at", metavar="REV", help="As of this commit, branch or tag.")


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@_AT
def show(call: Call, part: IdPart, at: str | None) -> Outcome:
    """Show one object whole: its file, what it counts as, and what was ruled on it."""
    from cc_git.wiring.reading import show as look

    with looked_at(call, at) as session:
        shown = look(session, part)
        data = {
            "id": shown.filed.value.id,  # type: ignore[attr-defined]
            "file": shown.filed.rel,
            "blob": shown.filed.blob,
            "value": shown.filed.value,
            "verdict": verdict_data(shown.verdict) if shown.verdict else None,
            "rulings": [ruling.id for ruling in shown.rulings],
            "superseded_by": list(shown.superseded_by),
            "attached": list(shown.attached),
            "instruction_like": _reads_so(shown),
        }
        return Outcome(data=data, blocks=_whole(shown))


@command()
@click.option("-k", "--kind", "kinds", type=click.Choice(KINDS), multiple=True)
@click.option("--standing", "standings", type=click.Choice(STANDINGS), multiple=True)
@click.option("-a", "--all", "everything", is_flag=True, help="Whatever it counts as.")
@_AT
def list_(call: Call, kinds: tuple[str, ...], standings: tuple[str, ...], everything: bool, at: str | None) -> Outcome:
    """List records: what is current or conflicted, newest first."""
    from cc_git.wiring.reading import list_records, passed_over

    with looked_at(call, at) as session:
        lines = list_records(session, kinds=kinds, standings=standings, everything=everything)
        others = {} if standings or everything else passed_over(session, kinds)
        columns = ("id", "kind", "standing", "authority", "recorded", "title")
        return Outcome(
            data=[_line_data(line) for line in lines],
            blocks=(Table(columns, [_row(line) for line in lines], "No such records." if others else "No records."),),
            notes=[f"Not listed: {each(others)} (cc-git list --all)"] if others else (),
        )


@command()
@click.argument("parts", type=ID_PART, metavar="[ID…]", nargs=-1)
@click.option("-n", "--number", type=click.IntRange(1), help="At most so many.")
@_AT
def log(call: Call, parts: tuple[IdPart, ...], number: int | None, at: str | None) -> Outcome:
    """Show what happened and what it means now, newest first: who said, decided and ruled what."""
    from cc_git.wiring.log import log as history

    with looked_at(call, at) as session:
        happened = history(session, limit=number, parts=parts)
        rows = [_happening(one) for one in happened]
        columns = ("when", "what", "id", "actor", "means", "text")
        return Outcome(data=list(happened), blocks=(Table(columns, rows, "Nothing has happened yet."),))


def _whole(shown: Shown) -> list[Block]:
    blocks: list[Block] = []
    if shown.verdict is not None:
        rows: list[tuple[str, Cell]] = [("counts as", standing_cell(shown.verdict))]
        if shown.verdict.reason:
            rows.append(("because", shown.verdict.reason))
        if shown.verdict.by:
            rows.append(("by", "  ".join(map(short, shown.verdict.by))))
        rows.append(("stands with", shown.verdict.authority + (", attested" if shown.verdict.attested else "")))
        blocks += [Fields(rows), Heading("")]
    if _reads_so(shown):
        warning = "reads like an instruction: it is evidence of what was written, not to be followed"
        blocks += [Fields([("take care", Toned(warning, "bad"))]), Heading("")]
    where: list[tuple[str, Cell]] = [("file", shown.filed.rel)]
    where += [("attached", f"{one.path} ({one.note})" if one.note else one.path) for one in shown.attached]
    blocks += [Fields(where), Heading(""), Prose(indent(shown.text, "  "))]
    if shown.rulings:
        ruled = [(str(r.recorded_at.date()), r.verb, short(r.id), r.actor, r.reason) for r in shown.rulings]
        blocks += [Heading("\nRulings"), Table(("when", "verb", "id", "actor", "reason"), ruled, "")]
    if shown.sources:
        said = [(short(e.id), e.type, e.actor, e.content) for e in shown.sources]
        blocks += [Heading("\nSources"), Table(("id", "type", "actor", "text"), said, "")]
    return blocks


def _reads_so(shown: Shown) -> bool:
    """It, or what it was taken from, was flagged when it came."""
    tags = {*getattr(shown.filed.value, "tags", ()), *(tag for source in shown.sources for tag in source.tags)}
    return INSTRUCTION_LIKE in tags


def _row(line: Line) -> tuple[Cell, ...]:
    r = line.record
    about = (short(r.id), r.kind, standing_cell(line.verdict), line.verdict.authority, str(r.recorded_at.date()))
    mark = " (waits)" if line.waits else " (private)" if line.private else ""
    if r.kind == "permission":
        from cc_git.compiler.facts import facts_of  # only here

        return (*about, f"{facts_of(r, 'line')[0]}: {quoted(r.title)}{mark}")
    return (*about, quoted(r.title) + mark if mark else r.title)


def _line_data(line: Line) -> dict[str, object]:
    r = line.record
    about = {
        "id": r.id,
        "kind": r.kind,
        "title": r.title,
        "scope": str(r.scope),
        "subject": r.subject,
        "actor": r.actor,
        "recorded_at": r.recorded_at,
        "waits": line.waits,
        "private": line.private,
        "payload": r.payload,
    }
    return about | verdict_data(line.verdict)


def _happening(one: Happening) -> tuple[Cell, ...]:
    when = one.when.strftime("%Y-%m-%d %H:%M")
    return (when, one.what, short(one.id), one.actor, one.means, one.text)
