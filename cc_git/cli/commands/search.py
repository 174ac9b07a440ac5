from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cc_git.cli.acted import standing_cell
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import looked_at
from cc_git.cli.options import TEXT
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import KINDS, STANDINGS
from cc_git.cli.tables import Cell, Table
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.store.search import Hit


@command()
@click.argument("text", type=TEXT)
@click.option("-k", "--kind", "kinds", type=click.Choice([*KINDS, "episode", "ruling"]), multiple=True)
@click.option("--standing", "standings", type=click.Choice(STANDINGS), multiple=True, help="Only what counts as this.")
@click.option("-n", "--number", type=click.IntRange(1), default=20, show_default=True, help="At most so many.")
@click.option("--at", metavar="REV", help="As of this commit, branch or tag.")
def search(
    call: Call, text: str, kinds: tuple[str, ...], standings: tuple[str, ...], number: int, at: str | None
) -> Outcome:
    """Find records, episodes and rulings by words, whatever they count as."""
    from cc_git.store.search import Wanted
    from cc_git.wiring.reading import search as find

    with looked_at(call, at) as session:
        hits = find(session, Wanted(text, frozenset(kinds), frozenset(standings), number))
        columns = ("id", "kind", "standing", "recorded", "text")
        table = Table(columns, [_row(hit) for hit in hits], "Nothing has these words.")
        return Outcome(data=[_data(hit) for hit in hits], blocks=(table,))


def _text(hit: Hit) -> str:
    value = hit.filed.value
    said = getattr(value, "title", "") or getattr(value, "content", "") or getattr(value, "reason", "")
    return next((line.strip() for line in said.splitlines() if line.strip()), "")


def _row(hit: Hit) -> tuple[Cell, ...]:
    value = hit.filed.value
    stands = standing_cell(hit.verdict) if hit.verdict else ""
    return (short(value.id), hit.kind, stands, str(value.recorded_at.date()), _text(hit))


def _data(hit: Hit) -> dict[str, object]:
    stands = hit.verdict.standing if hit.verdict else None
    return {"id": hit.filed.value.id, "kind": hit.kind, "standing": stands, "score": hit.score, "text": _text(hit)}
