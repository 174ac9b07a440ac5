"""What changed in meaning between two snapshots."""

from __future__ import annotations

import click

from cc_git.cli.command import command
from cc_git.cli.compared import blocks_of
from cc_git.cli.context import Call
from cc_git.cli.opening import opened
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import SENSITIVITIES
from cc_git.cli.tables import Prose
from cc_git.errors import Exit


@command()
@click.argument("revisions", metavar="[A [B]]", nargs=-1)
@click.option("--format", "format_", type=click.Choice(["text", "markdown"]), default="text", show_default=True,
              help="Markdown is for a pull request: it names what is above the ceiling by id alone.")  # fmt: skip
@click.option("--ceiling", type=click.Choice(SENSITIVITIES), default="ordinary", show_default=True,
              help="The highest sensitivity whose text may be in the Markdown.")  # fmt: skip
@click.option("--exit-code", is_flag=True, help="Exit with 1 where something changed.")
def diff(call: Call, revisions: tuple[str, ...], format_: str, ceiling: str, exit_code: bool) -> Outcome:
    """Say what changed in meaning: HEAD against the present, A against the present, or A against B."""
    from cc_git.review.markdown import markdown
    from cc_git.wiring.compare import compared

    with opened(call) as session:
        found = compared(session, revisions)
        review = found.review
        page = [Prose(markdown(review, ceiling))] if format_ == "markdown" else blocks_of(review)  # type: ignore[arg-type]
        worst = Exit.FOUND if exit_code and not review.is_empty else Exit.OK
        return Outcome(data=review, blocks=page, warnings=found.warnings, exit=worst)
