"""Dreaming: the material out, the report in, the waking review, and what there is of both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.acted import standing_cell, verdict_data
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import ID_PART, TEXT, ScopeAsked, actor_option, dry_run_option, scope_options
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import SENSITIVITIES
from cc_git.cli.tables import Block, Cell, Fields, Heading, Prose, Table
from cc_git.errors import UsageFault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.wiring.acts import Hand
    from cc_git.wiring.dream import Dreamt, Kept
    from cc_git.wiring.dream_sweep import SweptDreams
    from cc_git.wiring.session import Session

_MODES = ("replay", "down-selection", "perturbation", "threat-rehearsal", "incubation")
_DISPOSITIONS = ("discard", "hypothesis", "test", "proposal", "procedure")


@command()
@click.argument("target", type=TEXT)
@click.option("--mode", "modes", type=click.Choice(_MODES), multiple=True, help="Repeatable. Default: replay.")
@click.option("--source", "sources", type=ID_PART, metavar="ID", multiple=True,
              help="What it may start from; repeatable. Default: what a packet for the target would hold.")  # fmt: skip
@click.option("--strength", type=click.Choice(["light", "moderate", "strong"]), default="moderate", show_default=True)
@click.option(
    "-b", "--budget", type=click.IntRange(1), default=4000, show_default=True, help="Tokens, of the material."
)
@click.option("--wake-when", type=TEXT, help="The condition under which the host stops.")
@click.option("--ceiling", type=click.Choice(SENSITIVITIES), default="ordinary", show_default=True,
              help="What is more sensitive stays redacted.")  # fmt: skip
@scope_options
def dream_pack(call: Call, scope: ScopeAsked, modes: tuple[Any, ...], **asked: Any) -> Outcome:
    """Write the bounded material of a dream, for a host to recombine; nothing is kept."""
    from cc_git.cli.envelope import plain_json
    from cc_git.wiring.dream import PackAsked, pack

    with opened(call) as session:
        given = {name: value for name, value in asked.items() if value is not None}
        made = pack(session, PackAsked(scope=scope.over(session.workspace.scope), modes=modes or ("replay",), **given))
        return Outcome(data=made, blocks=(Prose(plain_json(made)),))


@command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@actor_option
@dry_run_option
def dream_report(call: Call, file: Path, dry_run: bool) -> Outcome:
    """Check a dream's report and keep it; nothing that stands changes."""
    from cc_git.wiring.dream import keep_report, read_report

    with opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        return _with_sweep(session, hand, _kept(keep_report(session, read_report(file.read_bytes()), hand), dry_run))


@command()
@click.argument("part", type=ID_PART, metavar="DREAM")
@click.option(
    "--as", "said", metavar="N=WHAT", multiple=True, help=f"What becomes of a candidate: {', '.join(_DISPOSITIONS)}."
)
@click.option("--rest", type=click.Choice(_DISPOSITIONS), help="What becomes of every other one.")
@click.option("--review", "reviewed", type=TEXT, required=True, help="What was seen, awake.")
@actor_option
@dry_run_option
def dream_wake(call: Call, part: IdPart, said: tuple[str, ...], dry_run: bool, **asked: Any) -> Outcome:
    """Review a dream's report awake; what is not discarded goes on as a proposal that expires."""
    from cc_git.wiring.dream import dreamt, wake_up

    with opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        found = dreamt(session, part)
        kept = wake_up(session, found, _dispositions(said), asked["rest"], asked["reviewed"], hand)
        return _with_sweep(session, hand, _kept(kept, dry_run))


@command()
def dream_list(call: Call) -> Outcome:
    """List the dream reports that are kept here, newest first."""
    from cc_git.wiring.dream import dreams

    with opened(call) as session:
        found = dreams(session)
        rows = [_line(one) for one in found]
        table = Table(("id", "state", "expires", "candidates", "target"), rows, "Nothing was dreamt here.")
        notes = ("What is expired goes with: cc-git dream sweep",) if any(d.state == "expired" for d in found) else ()
        return Outcome(data=[_data(one) for one in found], blocks=(table,), notes=notes)


@command()
@click.argument("part", type=ID_PART, metavar="DREAM")
def dream_show(call: Call, part: IdPart) -> Outcome:
    """Show a dream's report: every candidate with its leap and what speaks against it."""
    from cc_git.wiring.dream import dreamt

    with opened(call) as session:
        found = dreamt(session, part)
        return Outcome(data=_data(found), blocks=_whole(found))


@command()
@actor_option
@dry_run_option
def dream_sweep(call: Call, dry_run: bool) -> Outcome:
    """Take out the reports that are past their end, with the reviews of them.

    They are emptied like what was forgotten, with a receipt. What came of them is a record of its own, and expired. A
    person at a terminal takes out all of them, an agent those that it alone wrote and reviewed.
    """
    from cc_git.wiring.dream_sweep import sweep_dreams

    with opened(call) as session:
        return _swept(sweep_dreams(session, hand_of(call, dry_run=dry_run)), dry_run)


def _with_sweep(session: Session, hand: Hand, outcome: Outcome) -> Outcome:
    """What is expired goes with whoever dreams or wakes next, as far as it is theirs."""
    from dataclasses import replace

    from cc_git.wiring.dream_sweep import sweep_dreams

    if hand.dry_run or session.present.underway:
        return outcome
    swept = sweep_dreams(session, hand)
    if swept.receipt is None:
        return outcome
    gone = f"Expired, and taken out: {', '.join(map(short, swept.over.goes))} (receipt {short(swept.receipt.id)})."
    return replace(outcome, notes=[*outcome.notes, gone])


def _swept(swept: SweptDreams, dry_run: bool) -> Outcome:
    goes, stays = swept.over.goes, swept.over.stays
    would = "would go" if dry_run else "is gone"
    lines = [f"{short(one)} {would}" for one in goes] or ["No report goes." if stays else "No report is expired."]
    notes = ["Nothing was written (--dry-run)."] if dry_run else []
    if stays:
        notes.append(f"Expired and not yours to take out: {', '.join(map(short, stays))}. A person at a terminal does.")
    if swept.receipt is not None:
        notes.append("The emptied files and tombstones wait for your next commit (or: cc-git commit).")
        notes.append("Where history still holds them: cc-git forget --residue " + short(swept.receipt.id))
    data = {"dry_run": dry_run, "gone": list(goes), "left": list(stays)}
    return Outcome(data=data, blocks=(Prose("\n".join(lines)),), notes=notes, receipt=swept.receipt)


def _dispositions(said: tuple[str, ...]) -> dict[int, Any]:
    found = {}
    for one in said:
        number, _, what = one.partition("=")
        if not number.isdecimal() or what not in _DISPOSITIONS:
            raise UsageFault(f"--as {one}: write the number of a candidate and what becomes of it",
                             hints=(f"--as 1={_DISPOSITIONS[0]}", f"one of {', '.join(_DISPOSITIONS)}"))  # fmt: skip
        found[int(number)] = what
    return found


def _kept(kept: Kept, dry_run: bool) -> Outcome:
    plan = kept.done.plan
    lines = [f"{short(kept.value.id)} {'would be' if dry_run else 'is'} kept: no standing changed"]
    rows: list[tuple[Cell, ...]] = [(short(i), standing_cell(verdict)) for i, verdict in kept.verdicts.items()]
    blocks: list[Block] = [Prose("\n".join(lines)), *([Table(("id", "counts as"), rows, "")] if rows else [])]
    notes = ["Nothing was written (--dry-run)."] if dry_run else []
    if plan.operation == "dream" and not dry_run:
        notes.append(f"Awake, review it: cc-git dream wake {short(kept.value.id)}")
    if rows and not dry_run:
        notes.append("A person can let it stand: cc-git review")
    return Outcome(
        data={"operation": plan.operation, "dry_run": dry_run, "made": [] if dry_run else list(plan.ids),
              "files": kept.done.rels, "private": kept.done.private,
              "standings": {i: verdict_data(v) for i, v in kept.verdicts.items()}},
        blocks=blocks, notes=notes, warnings=kept.done.warnings, receipt=kept.done.receipt,
    )  # fmt: skip


def _data(found: Dreamt) -> dict[str, object]:
    return {"state": found.state, "dream": found.dream, "reviews": list(found.reviews)}


def _line(found: Dreamt) -> tuple[Cell, ...]:
    one = found.dream
    return (short(one.id), found.state, str(one.expires_at.date()), str(len(one.candidates)), one.target)


def _whole(found: Dreamt) -> list[Block]:
    one = found.dream
    about: list[tuple[str, Cell]] = [
        ("id", one.id), ("state", found.state), ("target", one.target), ("modes", ", ".join(one.modes)),
        ("by", one.actor), ("expires", str(one.expires_at.date())), ("rests on", "  ".join(map(short, one.sources))),
    ]  # fmt: skip
    blocks: list[Block] = [Fields(about)]
    became = {v.candidate: v.disposition for review in found.reviews for v in review.verdicts}
    for number, c in enumerate(one.candidates, 1):
        rows: list[tuple[str, Cell]] = [
            ("title", c.title), ("text", c.text), ("kind", c.kind or ""), ("became", became.get(number, "")),
            ("starts from", "  ".join(map(short, c.anchors))), ("transformation", c.transformation), ("leap", c.leap),
            ("against it", c.counterevidence), ("if wrong", c.consequence), ("next test", c.next_test),
            ("expires", str(c.expires_at.date())),
        ]  # fmt: skip
        blocks += [Heading(f"\nCandidate {number} (dreamt, not evidence)"), Fields([row for row in rows if row[1]])]
    return blocks
