"""Hypotheses: rank, list, show, relate, merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cc_git.cli.acted import standing_cell, told, verdict_data
from cc_git.cli.command import command
from cc_git.cli.commands.graph import CEILING
from cc_git.cli.context import Call
from cc_git.cli.lines import hypothesis_data, hypothesis_row
from cc_git.cli.opening import hand_of, looked_at, opened
from cc_git.cli.options import ID_PART, actor_option, dry_run_option, reason_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Fields, Heading, Table
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.governance.hypotheses import Evidence
    from cc_git.governance.lineage import Link
    from cc_git.model.authority import Sensitivity
    from cc_git.wiring.hypotheses import Hypotheses, Seen

_WORDS = ("competes-with", "merged-into", "supersedes", "derived-from", "borrows-evidence-from")
_AT = click.option("--at", metavar="REV", help="As of this commit, branch or tag.")


@command()
@click.argument("one", type=ID_PART, metavar="ID")
@click.argument("word", type=click.Choice(_WORDS))
@click.argument("other", type=ID_PART, metavar="ID")
@reason_option
@actor_option
@dry_run_option
def hypothesis_relate(call: Call, one: IdPart, word: str, other: IdPart, reason: str | None, dry_run: bool) -> Outcome:
    """Say how two hypotheses hang together; what each of them counts as stays as it is."""
    return _related(call, one, word, other, reason, dry_run=dry_run)


@command()
@click.argument("one", type=ID_PART, metavar="ID")
@click.option("--into", type=ID_PART, metavar="ID", required=True, help="The one that it is worked on with from now.")
@reason_option
@actor_option
@dry_run_option
def hypothesis_merge(call: Call, one: IdPart, into: IdPart, reason: str | None, dry_run: bool) -> Outcome:
    """Let a hypothesis go into another: its evidence counts there, and they are ranked as one."""
    return _related(call, one, "merged-into", into, reason, dry_run=dry_run)


@command()
@click.option("-a", "--all", "everything", is_flag=True, help="Those that do not stand too.")
@_AT
def hypothesis_list(call: Call, everything: bool, at: str | None) -> Outcome:
    """List the hypotheses that stand, with what they were merged into and what speaks for and against them."""
    from cc_git.wiring.hypotheses import hypotheses

    with looked_at(call, at) as session:
        found = hypotheses(session)
        shown = [one for one in found.seen if everything or one.verdict.eligible]
        columns = ("id", "standing", "score", "for", "against", "merged into", "title")
        table = Table(columns, [_row(one) for one in shown], "No hypotheses.", frozenset({"id", "merged into"}))
        return Outcome(data=[_data(one, found) for one in shown], blocks=(table,), warnings=found.circles)


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@_AT
def hypothesis_show(call: Call, part: IdPart, at: str | None) -> Outcome:
    """Show a hypothesis with its score, all that speaks for and against it, and how it hangs together with others."""
    from cc_git.wiring.finding import find
    from cc_git.wiring.hypotheses import hypotheses

    with looked_at(call, at) as session:
        identifier = find(session, part, "hyp")
        found = hypotheses(session)
        one = found.one(identifier)
        return Outcome(data=_data(one, found), blocks=_whole(one, found), warnings=found.circles,
                       notes=_left_behind(one, found))  # fmt: skip


@command()
@CEILING
def hypothesis_rank(call: Call, ceiling: Sensitivity) -> Outcome:
    """List the hypotheses that stand, the one most worth testing first, with the factors of its place."""
    from cc_git.wiring.hypotheses import ranked

    with looked_at(call) as session:
        found, left_out, circles = ranked(session, ceiling)
        columns = ("id", "score", "factors", "for", "against", "merged", "title")
        table = Table(columns, [hypothesis_row(one, title) for one, title in found], "No hypothesis stands.")
        notes = (f"{left_out} left out: above the ceiling (--ceiling).",) if left_out else ()
        return Outcome(data=[hypothesis_data(one) for one, _ in found], blocks=(table,), notes=notes, warnings=circles)


def _related(call: Call, one: IdPart, word: str, other: IdPart, reason: str | None, *, dry_run: bool) -> Outcome:
    from cc_git.wiring.graph import do_relate

    with opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        return told(do_relate(session, one, word, other, hand, reason=reason, prefix="hyp"), dry_run=dry_run)


def _row(one: Seen) -> tuple[Cell, ...]:
    within = short(one.within) if one.within else ""
    cells = hypothesis_row(one.weighed, "") if one.weighed is not None else ("",) * 7
    return (short(one.record.id), standing_cell(one.verdict), cells[1], *cells[3:5], within, one.record.title)


def _whole(one: Seen, found: Hypotheses) -> list[Block]:
    from cc_git.model.kinds import Hypothesis

    record, payload = one.record, one.record.payload
    assert isinstance(payload, Hypothesis)
    rows: list[tuple[str, Cell]] = [
        ("id", record.id),
        ("title", record.title),
        ("standing", standing_cell(one.verdict)),
    ]
    said = {"text": record.content, "test": payload.test, "leap": payload.leap, "impact": payload.impact,
            "cost to validate": payload.cost_to_validate}  # fmt: skip
    rows += [(name, text) for name, text in said.items() if text]
    rows += [("counterevidence", f"{text} (in words, so it does not count)") for text in payload.counterevidence]
    rows += [("expires", f"{record.ends:%Y-%m-%d %H:%M}")] if record.ends else []
    rows += [("merged into", f"{short(one.within)} {found.nodes[one.within].title}")] if one.within else []
    blocks: list[Block] = [Fields(rows)]
    if one.weighed is not None:
        _, score, factors, *_ = hypothesis_row(one.weighed, "")
        blocks = [Fields([*rows, ("score", score), ("factors", factors)])]
        evidence = [_bearing(each, one, found) for each in one.weighed.evidence]
        columns = ("id", "what", "weight", "said of", "text")
        blocks += [Heading("\nEvidence"), Table(columns, evidence, "None.", frozenset({"id", "said of"}))]
    if links := found.lineage.about(record.id):
        blocks += [Heading("\nHow it hangs together"), Table(("one", "word", "other", "said by"),
                   [_link(link, found) for link in links], "", frozenset({"said by"}))]  # fmt: skip
    return blocks


def _bearing(one: Evidence, of: Seen, found: Hypotheses) -> tuple[Cell, ...]:
    what, said_of = "supports" if one.supports else "contradicts", "" if one.of == of.record.id else short(one.of)
    return (short(one.id), what, f"{one.weight / 1000:g}", said_of, found.nodes[one.id].title)


def _link(link: Link, found: Hypotheses) -> tuple[Cell, ...]:
    one, other = (f"{short(i)} {found.nodes[i].title if i in found.nodes else '(not here)'}"
                  for i in (link.source, link.target))  # fmt: skip
    return (one, link.word, other, "itself" if link.said_by in (link.source, link.target) else short(link.said_by))


def _left_behind(one: Seen, found: Hypotheses) -> tuple[str, ...]:
    """Evidence is evidence of what it was said of: a correction starts without it."""
    about = found.lineage.about(one.record.id)
    lent = {link.target for link in about if link.word == "borrows-evidence-from"}
    return tuple(
        f"What speaks for or against {short(link.target)}, which it took the place of, does not count here. Where it "
        f"still holds: cc-git hypothesis relate {short(link.source)} borrows-evidence-from {short(link.target)}"
        for link in about
        if link.word == "supersedes" and link.source == one.record.id and link.target in found.spoken_of - lent
    )


def _data(one: Seen, found: Hypotheses) -> dict[str, object]:
    return {
        "id": one.record.id,
        "title": one.record.title,
        "verdict": verdict_data(one.verdict),
        "merged_into": one.within,
        "weighed": hypothesis_data(one.weighed) if one.weighed else None,
        "links": list(found.lineage.about(one.record.id)),
    }
