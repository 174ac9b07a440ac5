from __future__ import annotations

from typing import Any

import click

from cc_git.cli.acted import told
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import ID_PART, INSTANT, LINE, TEXT, actor_option, dry_run_option, relate_option
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import AUTHORITIES
from cc_git.model.id_part import IdPart

_CHANGES = ("subject", "valid_to", "expires_at", "review_by")


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@click.argument("text", type=TEXT, required=False)
@click.option("--title", type=LINE, help="A new title alone, or one for the text.")
@click.option("--quote", type=TEXT, help="The very words that were said, as evidence.")
@click.option("--set", "words", metavar="NAME=VALUE", multiple=True, help="A field of the kind; repeatable.")
@click.option("--subject", type=LINE, metavar="SLUG", help="At most one record of a kind is current per subject.")
@click.option("--valid-to", type=INSTANT, help="Until when what it says is so.")
@click.option("--expires", "expires_at", type=INSTANT, help="When it stops to count.")
@click.option("--review-by", type=INSTANT, help="When somebody should look at it again.")
@click.option("--authority", type=click.Choice(AUTHORITIES), help="Who stands behind it. Default: who acts.")
@click.option("--from", "locator", metavar="WHERE", help="Where it can be looked up: a path, URL or run.")
@relate_option
@actor_option
@dry_run_option
def correct(call: Call, part: IdPart, words: tuple[str, ...], relations: Any, dry_run: bool, **given: Any) -> Outcome:
    """Put a right statement in the place of a wrong one; the old one stays readable."""
    from cc_git.governance.correct import Correction
    from cc_git.governance.fields import fields_from_words
    from cc_git.model.ids import KIND_OF_PREFIX, prefix_of
    from cc_git.wiring.acts import do_correct
    from cc_git.wiring.finding import find

    changes = {name: given.pop(name) for name in _CHANGES if given[name] or given.pop(name)}
    with opened(call) as session:
        kind = KIND_OF_PREFIX[prefix_of(find(session, part, *KIND_OF_PREFIX))]
        correction = Correction(**given, changes=changes, payload=fields_from_words(kind, words))
        hand = hand_of(call, dry_run=dry_run)
        return told(do_correct(session, part, correction, hand, relations=relations), dry_run=dry_run)


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@actor_option
@dry_run_option
def adopt(call: Call, part: IdPart, dry_run: bool) -> Outcome:
    """Make a correction of what was edited in a record's file; the file gets back what it was written with."""
    from cc_git.wiring.adopt import adopt as take

    with opened(call) as session:
        return told(take(session, part, hand_of(call, dry_run=dry_run)), dry_run=dry_run)
