from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import actor_option, dry_run_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Cell, Prose, Table, Toned
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.wiring.imports import Imported

_TONE = {"imported": "good", "changed": "good", "quarantined": "warn", "conflicting": "bad", "broken": "bad"}


@command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@actor_option
@dry_run_option
def import_adr(call: Call, folder: Path, dry_run: bool) -> Outcome:
    """Read architecture decision records (Nygard, MADR) into episodes and decisions."""
    from cc_git.wiring.imports import import_adr as read_folder

    with opened(call) as session:
        return imported(read_folder(session, call.start / folder, hand_of(call, dry_run=dry_run)), dry_run=dry_run)


def imported(result: Imported, *, dry_run: bool) -> Outcome:
    """What happened to every file, with its standing; nothing is passed over in silence."""
    rows: list[tuple[Cell, ...]] = []
    warnings = []
    for one in result.plan.outcomes:
        verdict = result.verdicts.get(one.record or "")
        counts_as = verdict.standing if verdict else ""
        done = Toned(one.done, _TONE.get(one.done, "dim"))  # type: ignore[arg-type]
        rows.append((one.path, done, short(one.record) if one.record else "", counts_as, one.title or one.reason))
        if one.done in ("imported", "changed", "quarantined"):
            warnings += [f"{one.path}{f':{w.line}' if w.line else ''}: {w.text}" for w in one.warnings]
    counts: dict[str, int] = {}
    for one in result.plan.outcomes:
        counts[one.done] = counts.get(one.done, 0) + 1
    sentence = ", ".join(f"{number} {done}" for done, number in counts.items()) or "no files there"
    notes = []
    if result.plan.quarantine is not None:
        notes.append(f"Not tracked at HEAD, so in quarantine: cc-git accept {result.plan.quarantine.id}")
    if dry_run:
        notes.append("Nothing was written (--dry-run).")
    return Outcome(
        data={"files": list(result.plan.outcomes), "counts": counts,
              "quarantine": result.plan.quarantine.id if result.plan.quarantine else None},
        blocks=(Table(("file", "what", "id", "counts as", "title"), rows, "No files there."), Prose(f"\n{sentence}")),
        notes=notes,
        warnings=[*(result.done.warnings if result.done else ()), *warnings],
        receipt=result.done.receipt if result.done else None,
    )  # fmt: skip
