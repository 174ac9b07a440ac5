"""The ten verbs that change what stands. Each takes ids and a reason; some take more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cc_git.cli.acted import told
from cc_git.cli.command import Command, command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import (
    ID_PART,
    INSTANT,
    TEXT,
    actor_option,
    dry_run_option,
    ids_argument,
    reason_option,
    source_option,
)
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import AUTHORITIES
from cc_git.errors import UsageFault
from cc_git.model.id_part import IdPart

Decorator = Callable[[Any], Any]

_OVER = click.option("--lifts", "over", type=ID_PART, metavar="RULING", multiple=True, help="A ruling that this lifts.")
_EVIDENCE = click.option("--evidence", type=TEXT, multiple=True, help="What shows it; repeatable.")
_WHEN = click.option("--from", "effective_from", type=INSTANT, help="When it takes effect. Default: at once.")
_AUTHORITY = click.option(
    "--authority", type=click.Choice(AUTHORITIES), help="Who stands behind it. Default: who acts."
)


def _ruling(verb: Any, text: str, *more: Decorator) -> Command:
    def run(call: Call, ids: tuple[IdPart, ...], dry_run: bool, reason: str | None, **asked: Any) -> Outcome:
        from cc_git.wiring.acts import do_rule

        with opened(call) as session:
            hand = hand_of(call, dry_run=dry_run)
            return told(do_rule(session, verb, ids, hand, reason=reason or "", **asked), dry_run=dry_run)

    run.__name__, run.__doc__ = verb, text
    decorated: Any = run
    for decorate in reversed(
        (ids_argument, reason_option, source_option, _AUTHORITY, *more, actor_option, dry_run_option)
    ):
        decorated = decorate(decorated)
    made: Command = command()(decorated)
    return made


reject = _ruling("reject", "Turn a proposal down; it keeps its place in history.", _OVER)
revoke = _ruling("revoke", "Take a permission or another statement back, at once and for good.", _WHEN)
complete = _ruling("complete", "Say that a goal or commitment is done.", _EVIDENCE, _OVER, _WHEN)
release = _ruling("release", "Free somebody from a commitment.", _OVER, _WHEN)
expire = _ruling("expire", "Say that a record's time is over.", _OVER, _WHEN)
reopen = _ruling("reopen", "Put a decision under review again, or lift an ending.", _OVER)
confirm = _ruling("confirm", "Say that a record was looked at and still holds.", _EVIDENCE)
archive = _ruling("archive", "Hide a record that no longer matters.", _OVER)


_accept_records = _ruling("accept", "Let a proposal stand, with your authority.", _OVER).callback


@command()
@ids_argument
@reason_option
@source_option
@_AUTHORITY
@_OVER
@actor_option
@dry_run_option
def accept(call: Call, ids: tuple[IdPart, ...], dry_run: bool, **asked: Any) -> Outcome:
    """Let a proposal stand with your authority, or take an import (im_…) out of quarantine."""
    from cc_git.cli.commands.imports import imported
    from cc_git.wiring.imports import Choice, accept_import

    if not ids[0].text.startswith("im_"):
        assert _accept_records is not None
        outcome: Outcome = _accept_records(call, ids=ids, dry_run=dry_run, **asked)
        return outcome
    if len(ids) > 1:
        raise UsageFault("imports are accepted one at a time", hints=(f"cc-git accept {ids[0].text}",))
    with opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        return imported(accept_import(session, ids[0], Choice(), hand), dry_run=dry_run)


@command()
@click.argument("winner", type=ID_PART, metavar="WINNER")
@click.argument("losers", type=ID_PART, metavar="LOSER…", nargs=-1)
@reason_option
@actor_option
@dry_run_option
def resolve(call: Call, winner: IdPart, losers: tuple[IdPart, ...], reason: str | None, dry_run: bool) -> Outcome:
    """Say which of several conflicting records stands; without losers, all it clashes with lose."""
    from cc_git.wiring.acts import do_resolve

    with opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        return told(do_resolve(session, winner, losers, hand, reason=reason or ""), dry_run=dry_run)
