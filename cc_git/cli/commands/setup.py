from __future__ import annotations

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import asked, opened, who_of
from cc_git.cli.options import LINE, actor_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Prose


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
@click.option("--take-back", is_flag=True, help="Trust it no longer.")
@actor_option
def trust(call: Call, accepted_ref: str | None, take_back: bool) -> Outcome:
    """Adopt this workspace on this machine: its records may then instruct, not only inform."""
    from cc_git.wiring.setup import trust as adopt

    with opened(call) as session:
        trusted = adopt(session, who_of(call), accepted_ref=accepted_ref, take_back=take_back)
        sentence = "is trusted on this machine" if trusted else "is not trusted on this machine any more"
        if accepted_ref:
            sentence += f"; what stands in {accepted_ref} counts as people's word"
        data = {"trusted": trusted, "accepted_ref": accepted_ref}
        return Outcome(data=data, blocks=(Prose(f"{session.workspace.name} {sentence}"),))
