from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import looked_at, who_of
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Cell, Table
from cc_git.cli.worked import change_options, turned
from cc_git.errors import UsageFault
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.wiring.checkpoints import Listed


@command()
@click.option("--list", "only_list", is_flag=True, help="List the checkpoints here, and change nothing.")
@click.option("--tidy", is_flag=True, help="Then let go of tasks that are over; the checkpoint keeps them.")
@change_options
def checkpoint(call: Call, only_list: bool, tidy: bool, **how: Any) -> Outcome:
    """Freeze the work in hand into a file that travels, for whoever goes on from here; or list them."""
    from cc_git.wiring.checkpoints import freezing

    if not only_list:
        return turned(call, lambda session: freezing(session, who_of(call), tidy=tidy), verb="checkpoint", **how)
    if tidy or how["dry_run"] or how["seen"] is not None:
        raise UsageFault("--list changes nothing")
    return _listed(call)


def _listed(call: Call) -> Outcome:
    from cc_git.wiring.checkpoints import listed

    with looked_at(call) as session:
        found = listed(session)
        columns = ("id", "what", "of", "frozen", "commit", "open", "next step")
        table = Table(columns, [_row(one) for one in found], "No checkpoint here. (cc-git checkpoint)")
        return Outcome(data=[_data(one) for one in found], blocks=(table,))


def _row(one: Listed) -> tuple[Cell, ...]:
    frozen, context = one.checkpoint, one.checkpoint.context
    when, number = frozen.recorded_at.strftime("%Y-%m-%d %H:%M"), sum(task.is_open for task in context.tasks)
    commit = (frozen.commit or "")[:12]
    return (short(frozen.id), one.how, frozen.actor, when, commit, str(number), context.next_step or "")


def _data(one: Listed) -> dict[str, object]:
    frozen = one.checkpoint
    return {"id": frozen.id, "what": one.how, "actor": frozen.actor, "recorded_at": frozen.recorded_at,
            "commit": frozen.commit, "supersedes": frozen.supersedes, "context": frozen.context}  # fmt: skip
