"""Lines of work: thread, closeout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.commands.graph import CEILING
from cc_git.cli.context import Call
from cc_git.cli.opening import looked_at
from cc_git.cli.options import ID_PART
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Prose
from cc_git.model.id_part import IdPart

if TYPE_CHECKING:
    from cc_git.model.authority import Sensitivity


@command()
@click.argument("part", type=ID_PART, metavar="[TASK]", required=False)
@CEILING
@click.option("--format", "form", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True,
              help="The form of the output.")  # fmt: skip
def thread(call: Call, part: IdPart | None, form: str, ceiling: Sensitivity) -> Outcome:
    """Write the reasoning of a task in order: why, what was tried, on what evidence, what came of it, and when."""
    from cc_git.cli.envelope import plain_json
    from cc_git.cli.lines import left_out, thread_data, thread_markdown
    from cc_git.wiring.line import thread as reconstruct

    with looked_at(call) as session:
        found = reconstruct(session, part, ceiling)
        data = thread_data(found)
        text = plain_json(data) if form == "json" else thread_markdown(found)
        return Outcome(data=data, blocks=(Prose(text),), notes=left_out(found.line))


@command()
def closeout(call: Call) -> Outcome:
    """Say what separates the present from the last commit, what is open, and what to run; it changes nothing."""
    from cc_git.cli.lines import closed_out
    from cc_git.wiring.closeout import closeout as look

    with looked_at(call) as session:
        return closed_out(look(session))
