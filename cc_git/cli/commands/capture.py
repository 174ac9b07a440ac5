from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.acted import told
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, kept_or_shown, opened, who_of
from cc_git.cli.options import LINE, TEXT, ScopeAsked, actor_option, dry_run_option, relate_option, scope_options
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import AUTHORITIES, SENSITIVITIES

if TYPE_CHECKING:
    from cc_git.model.scope import Scope

_TYPES = ("assertion", "decision", "correction", "permission", "commitment", "observation", "action", "outcome",
          "request", "message")  # fmt: skip


@command()
@click.argument("text", type=TEXT)
@click.option(
    "--type",
    "type_",
    type=click.Choice(_TYPES),
    default="assertion",
    show_default=True,
    help="What sort of thing it is.",
)
@click.option("--authority", type=click.Choice(AUTHORITIES), help="Who stands behind it. Default: who acts.")
@click.option("--from", "locator", metavar="WHERE", help="Where it can be looked up: a path, URL or run.")
@click.option("--speaker", type=LINE, help="Who said it, where that is somebody else.")
@click.option(
    "--sensitivity",
    type=click.Choice(SENSITIVITIES),
    default="ordinary",
    show_default=True,
    help="Above the policy's ceiling it stays private, on this machine.",
)
@click.option("--subject", type=LINE, metavar="SLUG", help="What it is about: it is compared with the record of that.")
@click.option("--tag", "tags", type=LINE, multiple=True, help="A word to find it by; repeatable.")
@click.option(
    "--attach",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A small file that comes with it, as a log; repeatable.",
)
@relate_option
@scope_options
@actor_option
@dry_run_option
def capture(
    call: Call, text: str, type_: str, scope: ScopeAsked, authority: str, dry_run: bool, **rest: Any
) -> Outcome:
    """Keep what was said or happened, as evidence, before anything is derived from it."""
    from cc_git.governance.capture import capture as plan
    from cc_git.governance.evidence import Said
    from cc_git.governance.permit import authority_of
    from cc_git.model.scope import EVERYWHERE
    from cc_git.wiring.acts import do_capture

    beside = {"attach": rest.pop("attach"), "relations": rest.pop("relations")}

    def said(base: Scope) -> Said:
        claimed = authority_of(who_of(call), authority)  # type: ignore[arg-type]
        return Said(text, type_, claimed, scope=scope.over(base), **rest)  # type: ignore[arg-type]

    with kept_or_shown(call, plan, lambda: None if beside["relations"] else said(EVERYWHERE)), opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        return told(do_capture(session, said(session.workspace.scope), hand, **beside), dry_run=dry_run)
