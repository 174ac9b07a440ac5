from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import ScopeAsked, actor_option, dry_run_option, scope_options
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import SENSITIVITIES
from cc_git.cli.tables import Cell, Prose, Table

if TYPE_CHECKING:
    from cc_git.wiring.export import Given


@command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@scope_options
@click.option("--ceiling", type=click.Choice(SENSITIVITIES), default="ordinary", show_default=True,
              help="The highest sensitivity that leaves; above 'ordinary' a scope must be named.")  # fmt: skip
@actor_option
@dry_run_option
def export(call: Call, file: Path, scope: ScopeAsked, ceiling: str, dry_run: bool) -> Outcome:
    """Write what stands in a scope to a bundle, for another workspace to import."""
    from cc_git.model.scope import EVERYWHERE
    from cc_git.wiring.export import export_bundle

    with opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        given = export_bundle(session, call.start / file, scope.over(EVERYWHERE), ceiling, hand)  # type: ignore[arg-type]
        return _told(given, dry_run=dry_run)


def _told(given: Given, *, dry_run: bool) -> Outcome:
    bundle = given.plan.bundle
    counts = dict(given.plan.receipt.counts)
    rows: list[tuple[Cell, ...]] = [(name, str(number), "in the bundle") for name, number in counts.items()]
    rows += [(name.replace("_", " "), str(number), "left out") for name, number in bundle.left_out.items()]
    warnings = []
    if given.in_work_tree and not dry_run:
        warnings.append(f"{given.file} lies in the work tree: keep it out of your commits")
    if held := bundle.left_out.get("restraints_above_ceiling"):
        warnings.append(f"{held} restraints are above the ceiling: the destination will not know of them")
    notes = ("Nothing was written (--dry-run).",) if dry_run else ("This clone keeps a note of where it went.",)
    sentence = f"\n{given.file}  {'would hold' if dry_run else 'holds'} what stands in: {bundle.scope}"
    return Outcome(
        data={"file": given.file, "scope": bundle.scope, "ceiling": bundle.ceiling, "counts": counts,
              "left_out": dict(bundle.left_out), "ids": list(given.plan.ids), "dry_run": dry_run},
        blocks=(Table(("what", "number", "where"), rows, ""), Prose(sentence)),
        notes=notes,
        warnings=warnings,
        receipt=None if dry_run else given.plan.receipt,
    )  # fmt: skip
