from __future__ import annotations

from cc_git.cli.acted import told
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, kept_or_shown, opened
from cc_git.cli.options import actor_option, dry_run_option
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import StatementAsked, statement_options


@command()
@statement_options
@actor_option
@dry_run_option
def remember(call: Call, asked: StatementAsked, dry_run: bool) -> Outcome:
    """Keep an explicit request: episode, record and receipt in one step."""
    from cc_git.governance.remember import remember as plan
    from cc_git.wiring.acts import do_remember

    with kept_or_shown(call, plan, lambda: asked.alone(call)), opened(call) as session:
        statement = asked.statement(call, session.workspace.scope)
        return told(do_remember(session, statement, asked.links, hand_of(call, dry_run=dry_run)), dry_run=dry_run)


@command()
@statement_options
@actor_option
@dry_run_option
def propose(call: Call, asked: StatementAsked, dry_run: bool) -> Outcome:
    """Put forward a record that waits for somebody's accept."""
    from cc_git.governance.remember import propose as plan
    from cc_git.wiring.acts import do_remember

    with kept_or_shown(call, plan, lambda: asked.alone(call)), opened(call) as session:
        statement = asked.statement(call, session.workspace.scope)
        acted = do_remember(session, statement, asked.links, hand_of(call, dry_run=dry_run), as_proposal=True)
        return told(acted, dry_run=dry_run)
