from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.numbers import records
from cc_git.cli.opening import opened
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Fields, Heading, Prose, Table, Toned
from cc_git.errors import Exit
from cc_git.model.ids import is_id, short

if TYPE_CHECKING:
    from cc_git.governance.audit import Audit, Need

_BAD = frozenset({"lost", "broken", "edited", "forgotten", "conflict"})


@command()
@click.option(
    "--within", type=click.IntRange(0), default=30, show_default=True, metavar="DAYS",
    help="Permissions that are over within so many days need a look.",
)  # fmt: skip
def audit(call: Call, within: int) -> Outcome:
    """Say what is remembered, what needs a person, and whether anything vanished (exit 1 if so)."""
    from cc_git.wiring.audit import audit_now

    with opened(call) as session:
        found = audit_now(session, within_days=within)
        worst = Exit.FOUND if found.needs else Exit.OK
        return Outcome(data=found, blocks=_blocks(found), warnings=session.loaded.warnings, exit=worst)


def _blocks(found: Audit) -> list[Block]:
    rows: list[tuple[str, Cell]] = [
        (f"by {name}" if name != "standing" else "all records", ", ".join(f"{n} {what}" for what, n in counts.items()))
        for name, counts in found.remembered.items()
        if counts
    ]
    blocks: list[Block] = [Heading("What is remembered"), Fields(rows) if rows else Prose("No records yet.")]
    claim = "claims" if len(found.reported) == 1 else "claim"
    rows = [("reported", f"{records(len(found.reported))} {claim} a person's word that nobody attested here")]
    if found.never_used is not None:
        rows.append(("never used", f"{records(len(found.never_used))} in no packet that is kept here"))
    rows.append(("nothing rests on", f"{len(found.uncited)} episode{'' if len(found.uncited) == 1 else 's'}"))
    blocks += [Heading("\nWorth knowing"), Fields(rows)]
    columns = ("what", "id", "says", "what helps", "title")
    table = Table(columns, [_row(need) for need in found.needs], "Nothing needs a person.")
    return [*blocks, Heading("\nNeeds a person"), table]


def _row(need: Need) -> tuple[Cell, ...]:
    what = Toned(need.sort, "bad" if need.sort in _BAD else "warn")
    return (what, short(need.id) if is_id(need.id) else need.id, need.says, need.helps, need.title)
