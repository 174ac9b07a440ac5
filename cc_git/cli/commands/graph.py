"""What hangs together: relate, graph export, graph lineage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from cc_git.cli.acted import told
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, looked_at, opened
from cc_git.cli.options import ID_PART, WORD, actor_option, dry_run_option, reason_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Prose
from cc_git.model.authority import SENSITIVITIES
from cc_git.model.id_part import IdPart

if TYPE_CHECKING:
    from cc_git.governance.graph import Direction, Graph
    from cc_git.model.authority import Sensitivity

F = TypeVar("F")


CEILING = click.option("--ceiling", type=click.Choice(SENSITIVITIES), default="limited", show_default=True,
                        help="The highest sensitivity that may be in it.")  # fmt: skip


def _form_options(function: F) -> F:
    decorated: Any = function
    for option in (
        CEILING,
        click.option("--format", "form", type=click.Choice(["mermaid", "dot", "json"]), default="mermaid",
                     show_default=True, help="The form of the output."),
    ):  # fmt: skip
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


@command()
@_form_options
def graph_export(call: Call, form: str, ceiling: Sensitivity) -> Outcome:
    """Write what hangs together: goals, tasks, hypotheses, evidence, decisions and rulings with their links."""
    from cc_git.wiring.graph import whole_graph

    with looked_at(call) as session:
        return _outcome(whole_graph(session, ceiling), form)


@command()
@click.argument("identifier", type=ID_PART, metavar="ID")
@click.option("--direction", type=click.Choice(["up", "down", "both"]), default="both", show_default=True,
              help="What it comes from, what comes from it, or both.")  # fmt: skip
@click.option("--most", type=click.IntRange(1), default=200, show_default=True, help="So many things at most.")
@_form_options
def graph_lineage(
    call: Call, identifier: IdPart, direction: Direction, most: int, form: str, ceiling: Sensitivity
) -> Outcome:
    """Write what one thing comes from and what comes from it, link by link."""
    from cc_git.wiring.graph import lineage_of

    with looked_at(call) as session:
        return _outcome(lineage_of(session, identifier, direction, most, ceiling), form)


@command()
@click.argument("one", type=ID_PART, metavar="ID")
@click.argument("word", type=WORD, metavar="WORD")
@click.argument("other", type=ID_PART, metavar="ID")
@reason_option
@actor_option
@dry_run_option
def relate(call: Call, one: IdPart, word: str, other: IdPart, reason: str | None, dry_run: bool) -> Outcome:
    """Say how two things hang together that are there: `relate X supports Y`; nothing is edited for it."""
    from cc_git.wiring.graph import do_relate

    with opened(call) as session:
        return told(
            do_relate(session, one, word, other, hand_of(call, dry_run=dry_run), reason=reason), dry_run=dry_run
        )


def _outcome(graph: Graph, form: str) -> Outcome:
    from cc_git.cli.envelope import plain_data
    from cc_git.governance.graph_text import dot, mermaid

    data = {
        "nodes": list(graph.nodes), "edges": list(graph.edges), "gaps": list(graph.gaps),
        "left_out": graph.left_out, "cut": graph.cut,
    }  # fmt: skip
    if form == "json":
        import json

        text = json.dumps(plain_data(data), indent=2)
    else:
        text = (dot if form == "dot" else mermaid)(graph).rstrip("\n")
    return Outcome(data=data, blocks=(Prose(text),), notes=_notes(graph))


def _notes(graph: Graph) -> tuple[str, ...]:
    notes = []
    if graph.left_out:
        notes.append(f"{graph.left_out} left out: above the ceiling (--ceiling).")
    if graph.gaps:
        notes.append(f"{len(graph.gaps)} {'link leads' if len(graph.gaps) == 1 else 'links lead'} to what is not here.")
    if graph.cut:
        notes.append("There is more: --most takes more of it.")
    return tuple(notes)
