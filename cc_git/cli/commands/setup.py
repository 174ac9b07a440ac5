from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import asked, opened, who_of
from cc_git.cli.options import LINE, actor_option
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import SENSITIVITIES
from cc_git.cli.tables import Prose

if TYPE_CHECKING:
    from cc_git.model.authority import Sensitivity


@command()
@click.option("--name", type=LINE, help="The workspace's name and project scope. Default: the folder's name.")
@click.option(
    "--folders",
    type=click.Choice(["month", "day"]),
    default="month",
    show_default=True,
    help="A folder of records per month, or per day above some 500 a day.",
)
@click.option("--here", is_flag=True, help="In this directory, not at the top level (a monorepo has several).")
@actor_option
def init(call: Call, name: str | None, folders: str, here: bool) -> Outcome:
    """Begin a workspace in this repository."""
    from cc_git.wiring.setup import init as begin

    begun = begin(asked(call), who_of(call), name, folders, here=here)
    said = "is a workspace already" if begun.was_there else f"begun as {begun.name!r}"
    notes = [] if begun.was_there else ["Commit it with your next commit (or: cc-git commit)."]
    if not begun.trusted:
        notes.append("Nobody has adopted it on this machine yet: cc-git trust")
    return Outcome(data=begun, blocks=(Prose(f"{begun.directory}: {said}"),), notes=notes)


@command()
@click.option("--accepted-ref", metavar="REF", help="The branch whose content counts as reviewed, as origin/main.")
@click.option(
    "--tracked-ceiling",
    type=click.Choice(SENSITIVITIES),
    help="The most that a workspace without an accepted branch may put into commits; else limited.",
)
@click.option("--take-back", is_flag=True, help="Trust it no longer.")
@actor_option
def trust(call: Call, accepted_ref: str | None, tracked_ceiling: Sensitivity | None, take_back: bool) -> Outcome:
    """Adopt this workspace on this machine: its records may then instruct, not only inform."""
    from cc_git.wiring.setup import trust as adopt

    said = {"accepted_ref": accepted_ref, "tracked_ceiling": tracked_ceiling}
    with opened(call) as session:
        trusted = adopt(session, who_of(call), **said, take_back=take_back)  # type: ignore[arg-type]
        sentence = "is trusted on this machine" if trusted else "is not trusted on this machine any more"
        if accepted_ref:
            sentence += f"; what stands in {accepted_ref} counts as people's word"
        if tracked_ceiling:
            sentence += f"; up to {tracked_ceiling}, what its policy lets be tracked may get into commits"
        data = {"trusted": trusted, **said}
        return Outcome(data=data, blocks=(Prose(f"{session.workspace.name} {sentence}"),))
