"""Where something comes from and what became of it: why and blame."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from cc_git.cli.acted import standing_cell, verdict_data
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import looked_at, opened
from cc_git.cli.options import ID_PART
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Fields, Heading, Prose, Table
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id, short

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_git.wiring.blame import Hand
    from cc_git.wiring.why import Link, Use, Why

_AT = click.option("--at", metavar="REV", help="As of this commit, branch or tag.")


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@click.option("-n", "--packets", type=click.IntRange(0), default=10, show_default=True, help="At most so many packets.")
def why(call: Call, part: IdPart, packets: int) -> Outcome:
    """Say what something rests on, what rests on it, and which packets used it or left it out."""
    from cc_git.wiring.why import why as ask

    with looked_at(call) as session:
        found = ask(session, part, packets=packets)
        data = {
            "id": found.id,
            "verdict": verdict_data(found.verdict) if found.verdict else None,
            "rests_on": list(found.rests_on),
            "dependants": list(found.dependants),
            "rulings": [{"id": r.id, "verb": r.verb, "actor": r.actor, "reason": r.reason} for r in found.rulings],
            "packets": list(found.uses),
        }
        return Outcome(data=data, blocks=_whole(found))


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@_AT
def blame(call: Call, part: IdPart, at: str | None) -> Outcome:
    """Say who made something what it is, when, and in which commit."""
    from cc_git.wiring.blame import blame as ask

    with opened(call, at) as session:
        hands = ask(session, part)
        columns = ("what", "id", "actor", "authority", "when", "trigger", "commit", "text")
        return Outcome(data=list(hands), blocks=(Table(columns, [_hand(one) for one in hands], ""),))


def _whole(found: Why) -> list[Block]:
    rows: list[tuple[str, Cell]] = [("id", found.id)]
    if found.verdict is not None:
        rows.append(("counts as", standing_cell(found.verdict)))
        if found.verdict.reason:
            rows.append(("because", found.verdict.reason))
        rows += [("doubt", _shortened(line)) for line in found.verdict.doubts]
    blocks: list[Block] = [Fields(rows)]
    blocks += _links("\nRests on", found.rests_on, "It names nothing that it rests on.")
    blocks += _links("\nWhat rests on it or replaces it", found.dependants, "Nothing rests on it.")
    if found.rulings:
        ruled = [(str(r.recorded_at.date()), r.verb, short(r.id), r.actor, r.reason) for r in found.rulings]
        blocks += [Heading("\nRulings"), Table(("when", "verb", "id", "actor", "reason"), ruled, "")]
    columns = ("compiled", "id", "how", "why", "task", "stale")
    empty = "No packet that is kept here had to do with it."
    return [*blocks, Heading("\nPackets"), Table(columns, [_use(use) for use in found.uses], empty)]


def _shortened(line: str) -> str:
    return " ".join(short(word) if is_id(word) else word for word in line.split(" "))


def _links(heading: str, links: Iterable[Link], empty: str) -> list[Block]:
    rows = [(short(i.id) if is_id(i.id) else i.id, i.what, i.state, i.actor, i.text) for i in links]
    table = Table(("id", "how", "state", "actor", "text"), rows, "")
    return [Heading(heading), table] if rows else [Prose(f"\n{empty}")]


def _use(use: Use) -> tuple[Cell, ...]:
    how = f"shown ({use.form})" if use.form else "left out" if use.reason != "named" else "named"
    why_ = use.sentence if use.form or use.reason == "named" else f"{use.reason}: {use.sentence}"
    when = use.compiled.strftime("%Y-%m-%d %H:%M")
    return (when, short(use.packet), how, why_, use.task, "; ".join(use.stale))


def _hand(one: Hand) -> tuple[Cell, ...]:
    commit = one.state
    if one.came is not None:
        day = datetime.fromtimestamp(one.came.when, UTC).date()
        commit = f"{one.came.commit[:12]} {one.came.author} {day}"
    trigger = f"{short(one.trigger)} {one.summary}" if one.trigger else ""
    when = one.recorded_at.strftime("%Y-%m-%d %H:%M")
    return (one.what, short(one.id), one.actor, one.authority, when, trigger, commit, one.text)
