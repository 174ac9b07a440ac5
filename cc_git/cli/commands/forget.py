"""Forgetting: the plan, its confirmation, and what is still held elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.forgotten import explained, history_outcome, outcome_of, residue_outcome
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import ID_PART, LINE, TEXT, ScopeAsked, actor_option, dry_run_option, scope_options
from cc_git.cli.show import Outcome

if TYPE_CHECKING:
    from cc_git.model.id_part import IdPart


@command()
@click.argument("ids", type=ID_PART, metavar="ID…", nargs=-1)
@scope_options
@click.option(
    "--source",
    type=LINE,
    metavar="SOURCE",
    help="All that comes from it: an episode, an import, human:NAME or agent:NAME, a path, a URL.",
)
@click.option(
    "--entity",
    type=LINE,
    metavar="NAME",
    help="All that is about it: its subject, or who owns, promises, gains or grants.",
)
@click.option("--match", type=TEXT, help="Forget whatever contains this text; '-' reads standard input.")
@click.option(
    "--keep", type=ID_PART, metavar="ID", multiple=True, help="Keep this one though it quotes or was meant; repeatable."
)
@click.option("--residue", is_flag=True, help="Look up again where these (or a receipt's) are still held.")
@click.option("--history-plan", is_flag=True, help="Write how git filter-repo would take them out; run nothing.")
@click.option("--confirm", metavar="DIGEST", help="The digest of the plan that was looked at; else you are asked.")
@actor_option
@dry_run_option
def forget(
    call: Call,
    ids: tuple[IdPart, ...],
    scope: ScopeAsked,
    residue: bool,
    history_plan: bool,
    dry_run: bool,
    **asked: Any,
) -> Outcome:
    """Remove things for good, with everything that quotes them, and say where they are still held.

    Named are ids, a text (--match), or a scope, a source and an entity, which narrow each other. A scope is all that
    lies in it: --project NAME takes what belongs to that project and to its threads, and nothing that holds everywhere.
    """
    from cc_git.model.scope import EVERYWHERE
    from cc_git.wiring.forget import ForgetRequest, do_forget
    from cc_git.wiring.residue import look_again

    request = ForgetRequest(ids, scope.over(EVERYWHERE), **asked)
    with opened(call) as session:
        if residue or history_plan:
            again = look_again(session, ids)
            return history_outcome(again) if history_plan else residue_outcome(again)
        done = do_forget(session, request, hand_of(call, dry_run=dry_run), explain=explained)
        return outcome_of(done, dry_run=dry_run)
