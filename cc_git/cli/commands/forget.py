"""Forgetting: the plan, its confirmation, and what is still held elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.forgotten import explained, outcome_of
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import ID_PART, TEXT, actor_option, dry_run_option
from cc_git.cli.show import Outcome

if TYPE_CHECKING:
    from cc_git.model.id_part import IdPart


@command()
@click.argument("ids", type=ID_PART, metavar="ID…", nargs=-1)
@click.option("--match", type=TEXT, help="Forget whatever contains this text; '-' reads standard input.")
@click.option("--keep", type=ID_PART, metavar="ID", multiple=True, help="Keep this one though it quotes; repeatable.")
@click.option("--confirm", metavar="DIGEST", help="The digest of the plan that was looked at; else you are asked.")
@actor_option
@dry_run_option
def forget(
    call: Call,
    ids: tuple[IdPart, ...],
    match: str | None,
    keep: tuple[IdPart, ...],
    confirm: str | None,
    dry_run: bool,
) -> Outcome:
    """Remove things for good, with everything that quotes them, and say where they are still held."""
    from cc_git.wiring.forget import ForgetRequest, do_forget

    request = ForgetRequest(ids, match, keep, confirm)
    with opened(call) as session:
        done = do_forget(session, request, hand_of(call, dry_run=dry_run), explain=explained)
        return outcome_of(done, dry_run=dry_run)
