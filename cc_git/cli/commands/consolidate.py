from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.numbers import each
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import actor_option, dry_run_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Prose
from cc_git.errors import Exit
from cc_git.model.ids import short
from cc_git.model.sanitise import escape_inline_markdown as inline

if TYPE_CHECKING:
    from cc_git.governance.consolidate import Finding
    from cc_git.wiring.consolidate import Consolidated


@command()
@click.option("--all", "everything", is_flag=True, help="List the episodes without a durable change as well.")
@click.option("--proposals", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="A host's proposals, in JSON, in place of what the rules find.")  # fmt: skip
@actor_option
@dry_run_option
def consolidate(call: Call, everything: bool, file: Path | None, dry_run: bool) -> Outcome:
    """Compare new episodes with what stands, and put forward what follows from them (a report in Markdown)."""
    from cc_git.wiring.consolidate import consolidate_now, take_in

    with opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        done = take_in(session, file.read_bytes(), hand) if file else consolidate_now(session, hand)
        notes = ["Nothing was written (--dry-run)."] if dry_run else []
        if any(finding.proposal for finding in done.findings) and not dry_run:
            notes.append("They wait for a person: cc-git review")
        return Outcome(
            data=_data(done, dry_run=dry_run),
            blocks=(Prose(_markdown(done, everything=everything, dry_run=dry_run)),),
            notes=notes,
            warnings=(*session.loaded.warnings, *done.warnings),
            receipt=done.receipts[-1] if done.receipts else None,
            exit=Exit.FOUND if done.turned_down else Exit.OK,
        )


def _counts(done: Consolidated) -> dict[str, int]:
    from cc_git.governance.consolidate import SORTS

    counted = Counter(finding.sort for finding in done.findings)
    return {sort: counted[sort] for sort in SORTS}


def _last(done: Consolidated) -> str | None:
    """The last episode that was dealt with, this time or before."""
    this_time = [f.episodes[-1] for f in done.findings if f.sort not in ("deferred", "expire")]
    return this_time[-1] if this_time else done.earlier.last


def _data(done: Consolidated, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "counts": _counts(done),
        "last_episode": _last(done),
        "earlier": dict(done.earlier.fates),
        "findings": [
            {
                "sort": finding.sort,
                "episodes": list(finding.episodes),
                "records": list(finding.records),
                "resembles": list(finding.near),
                "reason": finding.reason,
                "proposal": finding.proposal,
            }
            for finding in done.findings
        ],
        "turned_down": list(done.turned_down),
        "receipts": [receipt.id for receipt in done.receipts],
    }


def _markdown(done: Consolidated, *, everything: bool, dry_run: bool) -> str:
    counts, last = _counts(done), _last(done)
    lines = ["# Consolidation", "", f"Last episode: {short(last) if last else 'none yet'}.", ""]
    lines += [f"- {sort}: {number}" for sort, number in counts.items() if number] or ["- nothing new"]
    lines += ["", "Proposals of earlier consolidations: "
              + each(done.earlier.fates) + "."]  # fmt: skip
    for sort in counts:
        found = [finding for finding in done.findings if finding.sort == sort]
        if found and (sort != "no-change" or everything):
            lines += ["", f"## {sort}{' (would be)' if dry_run else ''}", "", *map(_line, found)]
    if done.turned_down:
        lines += ["", "## turned down", ""]
        lines += [f"- proposal {one.number} ({one.sort}): {inline(one.why)}" for one in done.turned_down]
    return "\n".join(lines)


def _line(finding: Finding) -> str:
    named = f"{short(finding.proposal.id)} {inline(finding.proposal.title)}: " if finding.proposal else ""
    said = f"- {named}{finding.reason} · from {_ids(finding.episodes)}"
    said += f" · against {_ids(finding.records)}" if finding.records else ""
    return said + (f" · resembles {_ids(finding.near)}" if finding.near else "")


def _ids(identifiers: tuple[str, ...]) -> str:
    return ", ".join(map(short, identifiers))
