"""What changed in meaning between two snapshots."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.command import command
from cc_git.cli.compared import blocks_of, told_blocks
from cc_git.cli.context import Call
from cc_git.cli.opening import opened
from cc_git.cli.options import TEXT
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import SENSITIVITIES
from cc_git.cli.tables import Block, Prose
from cc_git.errors import Exit

if TYPE_CHECKING:
    from cc_git.wiring.compare import Comparison


@command()
@click.argument("revisions", metavar="[A [B]]", nargs=-1)
@click.option("--packet", "task", type=TEXT, metavar="TASK",
              help="Also say what an agent with this task will be told differently.")  # fmt: skip
@click.option("--format", "format_", type=click.Choice(["text", "markdown"]), default="text", show_default=True,
              help="Markdown is for a pull request: it names what is above the ceiling by id alone.")  # fmt: skip
@click.option("--ceiling", type=click.Choice(SENSITIVITIES),
              help="The highest sensitivity in Markdown (default ordinary) and in packets (else limited).")  # fmt: skip
@click.option("--exit-code", is_flag=True, help="Exit with 1 where something changed.")
def diff(
    call: Call, revisions: tuple[str, ...], task: str | None, format_: str, ceiling: Any, exit_code: bool
) -> Outcome:
    """Say what changed in meaning: HEAD against the present, A against the present, or A against B."""
    from cc_git.governance.ask import request_from
    from cc_git.wiring.compare import compared

    posted = format_ == "markdown"
    most = ceiling or ("ordinary" if posted else "limited")
    request = None if task is None else request_from(task=task, ceiling=most)
    with opened(call) as session:
        found = compared(session, revisions, request)
        worst = Exit.FOUND if exit_code and not found.review.is_empty else Exit.OK
        return Outcome(
            data=_data(found), blocks=_page(found, most if posted else None), warnings=found.warnings, exit=worst
        )


def _data(found: Comparison) -> dict[str, object]:
    parts = {field.name: getattr(found.review, field.name) for field in fields(found.review)}
    return parts if found.told is None else {**parts, "told": found.told}


def _page(found: Comparison, posted: Any) -> list[Block]:
    from cc_git.review.markdown import markdown

    if posted:
        return [Prose(markdown(found.review, posted, found.told))]
    return blocks_of(found.review) + (told_blocks(found.told) if found.told else [])
