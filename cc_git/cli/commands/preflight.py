from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import looked_at
from cc_git.cli.options import LINE, TEXT, ScopeAsked, scope_options
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import SENSITIVITIES
from cc_git.cli.tables import Block, Cell, Heading, Prose, Table, Tone, Toned
from cc_git.errors import Exit
from cc_git.model.ids import short
from cc_git.model.sanitise import quoted
from cc_git.model.scope import EVERYWHERE

if TYPE_CHECKING:
    from cc_git.compiler.preflight import Concern
    from cc_git.runbooks.selection import Chosen
    from cc_git.wiring.preflight import Looked

_EXIT = {"forbids": Exit.REFUSED, "look": Exit.FOUND, "known": Exit.OK}
_SAID = {"forbids": "forbidden", "look": "needs a look", "known": "clear"}
_TONE: dict[str, Tone] = {"forbids": "bad", "look": "warn", "permits": "good", "known": "dim"}
_LISTS = ("preconditions", "do", "verify", "escalation_boundary")


@command()
@click.argument("operation", type=LINE)
@click.option("--target", type=LINE, help="What it is done to: a path, a branch, an environment.")
@click.option("--signal", "signals", type=TEXT, multiple=True, help="What failed or came back; repeatable.")
@click.option("--ceiling", type=click.Choice(SENSITIVITIES), default="limited", show_default=True,
              help="The highest sensitivity that may be shown.")  # fmt: skip
@scope_options
def preflight(call: Call, operation: str, target: str | None, scope: ScopeAsked, **asked: Any) -> Outcome:
    """Say what concerns an operation that is about to be done: exit 3 if it is forbidden, 1 if it needs a look."""
    from cc_git.compiler.preflight import Operation
    from cc_git.governance.ask import request_from
    from cc_git.wiring.preflight import look_before

    about = Operation(operation, target)
    request = request_from(task=about.words, scope=scope.over(EVERYWHERE), **asked)
    with looked_at(call) as session:
        return _told(look_before(session, about, request))


def _told(looked: Looked) -> Outcome:
    found = looked.found
    weight = "look" if looked.unreadable and found.weight == "known" else found.weight
    blocks: list[Block] = [Prose(f"{quoted(found.operation.words)}: {_SAID[weight]}")]
    rows = [_row(concern) for concern in found.concerns]
    blocks += [Table(("", "id", "why", "what"), rows, "No permission, promise or failure here names it.")]
    for chosen in found.books.shown:
        blocks += [Heading(f"\n{chosen.shelved.runbook.title}"), Prose(_book(chosen))]
    if found.books.named:
        named = ", ".join(chosen.shelved.name for chosen in found.books.named)
        blocks.append(Prose(f"\nFurther runbooks: {named} (cc-git runbook show NAME)"))
    many = "restraint in force names" if found.others == 1 else "restraints in force name"
    others = f"{found.others} other {many} nothing of it (cc-git list -k permission -k commitment)"
    return Outcome(
        data=_data(looked, weight),
        blocks=blocks,
        notes=(others,) if found.others else (),
        warnings=[f"not heard, for it cannot be read: {one}" for one in looked.unreadable],
        exit=_EXIT[weight],
    )


def _row(concern: Concern) -> tuple[Cell, ...]:
    mark = Toned(_SAID.get(concern.weight, concern.weight), _TONE[concern.weight])
    return (mark, short(concern.id) if concern.id else "", concern.why, _said(concern))


def _said(concern: Concern) -> str:
    from cc_git.governance.remember import in_words

    item = concern.item
    if item is None:
        return in_words(concern.waiting) if concern.waiting else ""
    facts = ", ".join(item.facts)
    title = quoted(item.title) if item.title else ""
    return "; ".join((": ".join(part for part in (facts, title) if part), *item.labels))


def _book(chosen: Chosen) -> str:
    from cc_git.compiler.preamble import ATTESTED, NOT_ATTESTED

    one, book = chosen.shelved, chosen.shelved.runbook
    lines = ["; ".join((book.kind, *chosen.reasons, ATTESTED if one.attested else NOT_ATTESTED))]
    lines += [one.note] if one.note else []
    for name in _LISTS:
        items = getattr(book, name)
        lines += [f"{name.replace('_', ' ')}:", *(f"  - {item}" for item in items)] if items else []
    return "\n".join(lines)


def _data(looked: Looked, weight: str) -> dict[str, object]:
    found = looked.found
    return {
        "operation": found.operation.name,
        "target": found.operation.target,
        "verdict": _SAID[weight],
        "concerns": [{"weight": c.weight, "why": c.why, "id": c.id, "says": _said(c)} for c in found.concerns],
        "runbooks": [_book_data(chosen, chosen in found.books.shown) for chosen in found.books.all],
        "risks": list(found.books.risks),
        "other_restraints": found.others,
        "unreadable": list(looked.unreadable),
    }


def _book_data(chosen: Chosen, shown: bool) -> dict[str, object]:
    from cc_git.compiler.preflight import weight_of

    one, book = chosen.shelved, chosen.shelved.runbook
    about = {"name": one.name, "id": book.id, "kind": book.kind, "title": book.title, "attested": one.attested}
    lists = {name: list(getattr(book, name)) for name in _LISTS} if shown else {}
    return {
        **about,
        "weight": weight_of(chosen),
        "shown": shown,
        "reasons": list(chosen.reasons),
        "note": one.note,
        **lists,
    }
