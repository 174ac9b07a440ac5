"""Runbooks: add, edit, list, show, match, archive."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, looked_at, opened, who_of
from cc_git.cli.options import LINE, TEXT, actor_option, dry_run_option
from cc_git.cli.prompts import confirm
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Fields, Heading, Prose, Table, Toned
from cc_git.errors import UsageFault
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.model.fault import Fault
    from cc_git.runbooks.selection import Chosen
    from cc_git.wiring.runbooks import Kept
    from cc_git.wiring.shelf import OnShelf

F = TypeVar("F", bound=Callable[..., Any])
_KINDS = ("procedure", "troubleshooting", "policy", "guardrail")
_FIELDS = {
    "kind": "kind",
    "when_to_use": "when",
    "triggers": "trigger",
    "preconditions": "precondition",
    "do": "do",
    "verify": "verify",
    "failure_signals": "signal",
    "escalation_boundary": "escalate",
    "references": "reference",
    "goal_ids": "goal",
    "task_ids": "task",
}
"""Field of the file → option."""
_HELP = {
    "when": "When it is to be used.",
    "trigger": "Words of a task that call for it; repeatable.",
    "precondition": "What must hold first; repeatable.",
    "do": "A step; repeatable, in order.",
    "verify": "What shows that it worked; repeatable.",
    "signal": "Words of a failure that wake it; repeatable.",
    "escalate": "Where to stop and ask; repeatable.",
    "reference": "Where more is said; repeatable.",
    "goal": "A goal that it serves (id); repeatable.",
    "task": "A task that it serves (id); repeatable.",
}


def _content_options(function: F) -> F:
    decorated: Any = function
    for option in reversed(list(_FIELDS.values())):
        if option == "kind":
            about: Any = click.option("-k", "--kind", type=click.Choice(_KINDS), help="Default: procedure.")
        else:
            about = click.option(f"--{option}", option, type=TEXT, multiple=option != "when", help=_HELP[option])
        decorated = about(decorated)
    return decorated  # type: ignore[no-any-return]


@command()
@click.argument("title", type=LINE, required=False)
@_content_options
@click.option("--name", type=LINE, help="The name of its file. Default: from the title.")
@click.option("--template", metavar="NAME", help="Begin with one that comes with the program.")
@click.option("--list-templates", is_flag=True, help="List these.")
@actor_option
@dry_run_option
def runbook_add(call: Call, title: str | None, list_templates: bool, dry_run: bool, **given: Any) -> Outcome:
    """Add a runbook: a short procedure, policy, guardrail or remedy that people edit."""
    from cc_git.wiring.runbooks import add_runbook

    if list_templates:
        return _templates()
    if title is None and given["template"] is None:
        raise UsageFault("a runbook needs a title", hints=('cc-git runbook add "Cut a release"', "--list-templates"))
    with opened(call) as session:
        pairs = [("title", title)] if title is not None else []
        pairs += [(field, value) for field, option in _FIELDS.items() for value in _each(given[option])]
        hand = hand_of(call, dry_run=dry_run)
        return _told(add_runbook(session, pairs, given["name"], given["template"], hand), dry_run=dry_run)


@command()
@click.argument("name", metavar="RUNBOOK")
@click.option("--set", "set_", metavar="FIELD=VALUE", multiple=True, help="A new value; of a list, all its items.")
@click.option("--add", "add", metavar="FIELD=VALUE", multiple=True, help="One item more; repeatable.")
@click.option("--drop", metavar="FIELD=VALUE", multiple=True, help="One item less; repeatable.")
@actor_option
@dry_run_option
def runbook_edit(call: Call, name: str, dry_run: bool, **given: tuple[str, ...]) -> Outcome:
    """Edit a runbook in your editor, or field by field; comments and layout stay."""
    from cc_git.governance.runbook import fields_from
    from cc_git.wiring.runbooks import change_runbook, edit_runbook

    with opened(call) as session:
        hand = hand_of(call, dry_run=dry_run)
        set_, add, drop = given["set_"], given["add"], given["drop"]
        if set_ or add or drop:
            pairs = (fields_from(set_, "--set"), fields_from(add, "--add"), fields_from(drop, "--drop"))
            return _told(change_runbook(session, name, *pairs, hand), dry_run=dry_run)
        if dry_run:
            raise UsageFault("an editor changes the file itself: --dry-run goes with --set, --add and --drop")
        kept = edit_runbook(session, name, hand, lambda fault: _again(call, fault))
        return Outcome(blocks=(Prose("Nothing was changed."),)) if kept is None else _told(kept, dry_run=False)


@command()
@click.argument("name", metavar="RUNBOOK")
@actor_option
@dry_run_option
def runbook_archive(call: Call, name: str, dry_run: bool) -> Outcome:
    """Put a runbook away: it stays readable and is selected no more."""
    from cc_git.wiring.runbooks import archive_runbook

    with opened(call) as session:
        return _told(archive_runbook(session, name, hand_of(call, dry_run=dry_run)), dry_run=dry_run)


@command()
@click.option("-a", "--all", "everything", is_flag=True, help="Archived ones as well.")
@click.option("--at", metavar="REV", help="As of this commit, branch or tag.")
def runbook_list(call: Call, everything: bool, at: str | None) -> Outcome:
    """List runbooks: which instruct, which only inform, and which cannot be read."""
    from cc_git.wiring.shelf import shelf_of

    with looked_at(call, at) as session:
        shelf = shelf_of(session)
        books = [one for one in shelf.books if everything or one.book.state == "active"]
        rows = [(one.name, short(one.book.id), one.book.kind, _state(one), one.book.title) for one in books]
        table = Table(("name", "id", "kind", "state", "title"), rows, "No runbooks.", frozenset({"name", "id"}))
        data = {"runbooks": [_data(one) for one in books], "faults": [str(fault) for fault in shelf.faults]}
        return Outcome(data=data, blocks=(table,), warnings=_faults(shelf.faults, session.place.prefix))


@command()
@click.argument("name", metavar="RUNBOOK")
@click.option("--at", metavar="REV", help="As of this commit, branch or tag.")
def runbook_show(call: Call, name: str, at: str | None) -> Outcome:
    """Show a runbook whole: its file, whether it instructs, and what would select it."""
    from cc_git.runbooks.selection import never
    from cc_git.wiring.shelf import find_runbook

    with looked_at(call, at) as session:
        one = find_runbook(session, name)
        text = session.read(one.blob).decode("utf-8", "replace")
        rows: list[tuple[str, Cell]] = [("file", one.rel), ("counts as", Toned(_state(one), _tone(one)))]
        if why := never(one.book):
            rows.append(("never selected", why))
        blocks: list[Block] = [Fields(rows), Heading(""), Prose(indent(text, "  "))]
        return Outcome(data={**_data(one), "blob": one.blob, "value": one.book, "text": text}, blocks=blocks)


@command()
@click.argument("task", type=TEXT, metavar="[TASK]", required=False, default="")
@click.option("--signal", "signals", type=TEXT, multiple=True, help="What failed or came back; repeatable.")
@click.option("--at", metavar="REV", help="As of this commit, branch or tag.")
def runbook_match(call: Call, task: str, signals: tuple[str, ...], at: str | None) -> Outcome:
    """Say which runbooks serve a task, or the work in hand, in which order, and why."""
    from cc_git.wiring.matching import matching
    from cc_git.wiring.shelf import shelf_of

    with looked_at(call, at) as session:
        found = matching(session, task, signals)
        broken = _faults(shelf_of(session).faults, session.place.prefix)
        rows = [_match_row(number, chosen, found.shown) for number, chosen in enumerate(found.all, 1)]
        table = Table(("rank", "name", "kind", "in a packet", "title", "because"), rows, "No runbook serves this.")
        data = {"matches": [_match_data(chosen, found.shown) for chosen in found.all], "risks": list(found.risks)}
        notes = (f"There is risk, so guardrails go first: {'; '.join(found.risks)}",) if found.risks else ()
        return Outcome(data=data, blocks=(table,), notes=notes, warnings=broken)


def _each(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _again(call: Call, fault: str) -> bool:
    who = who_of(call)
    return who.is_person_at_terminal and confirm(call, who, f"{fault}\nGo back into the editor?")


def _templates() -> Outcome:
    from cc_git.wiring.runbooks import templates

    found = templates()
    rows = [(one.name, one.book.kind, one.book.title) for one in found]
    data = [{"name": one.name, "kind": one.book.kind, "title": one.book.title, "text": one.text} for one in found]
    return Outcome(data=data, blocks=(Table(("name", "kind", "title"), rows, "", frozenset({"name"})),))


def _told(kept: Kept, *, dry_run: bool) -> Outcome:
    written = kept.written
    verb = "would be" if dry_run else "is"
    done = {"runbook-add": "added", "runbook-edit": "changed", "runbook-archive": "archived"}[written.operation]
    blocks: list[Block] = [Prose(f"{short(written.book.id)}  {written.book.kind} {verb} {done}: {written.rel}")]
    if dry_run:
        blocks += [Heading(f"\n{written.rel}"), Prose(written.after.decode())]
    data = {
        "operation": written.operation,
        "dry_run": dry_run,
        "id": written.book.id,
        "file": written.rel,
        "attested": kept.attested,
        "stale_packets": list(kept.stale),
        "value": written.book,
    }
    notes = _notes(kept, dry_run=dry_run)
    return Outcome(data=data, blocks=blocks, notes=notes, warnings=kept.warnings,
                   receipt=None if dry_run else written.receipt)  # fmt: skip


def _notes(kept: Kept, *, dry_run: bool) -> tuple[str, ...]:
    if dry_run:
        return ("Nothing was written (--dry-run).",)
    notes = []
    if not kept.attested:
        notes.append("Nobody attested this text: it informs and does not instruct until somebody does (cc-git review).")
    notes.append("It waits for your next commit (or: cc-git commit).")
    if kept.stale:
        number = "1 packet" if len(kept.stale) == 1 else f"{len(kept.stale)} packets"
        notes.append(f"{number} compiled here showed it as it was: cc-git packet rebuild")
    return tuple(notes)


def _state(one: OnShelf) -> str:
    if one.held:
        return "instructs, by an earlier text: the file was changed, and nobody attested that (cc-git review)"
    said = "instructs" if one.attested else "informs: nobody attested it (cc-git review)"
    return said if one.book.state == "active" else "archived"


def _tone(one: OnShelf) -> Any:
    return "dim" if one.book.state == "archived" else "good" if one.attested and not one.held else "warn"


def _faults(faults: tuple[Fault, ...], prefix: str) -> list[str]:
    return [f"cannot be used as it is: {prefix}/{fault}" for fault in faults]


def _data(one: OnShelf) -> dict[str, object]:
    return {
        "name": one.name,
        "id": one.book.id,
        "kind": one.book.kind,
        "title": one.book.title,
        "state": one.book.state,
        "file": one.rel,
        "attested": one.attested,
        "held": one.held,
    }


def _match_row(rank: int, chosen: Chosen, shown: tuple[Chosen, ...]) -> tuple[Cell, ...]:
    one, book = chosen.shelved, chosen.shelved.runbook
    place = "in full" if chosen in shown else "named"
    reasons = "; ".join((*chosen.reasons, *(() if one.attested else ("nobody attested it",))))
    return (str(rank), one.name, book.kind, place, book.title, reasons)


def _match_data(chosen: Chosen, shown: tuple[Chosen, ...]) -> dict[str, object]:
    one, book = chosen.shelved, chosen.shelved.runbook
    about = {"name": one.name, "id": book.id, "kind": book.kind, "title": book.title, "attested": one.attested}
    return {**about, "shown": chosen in shown, "woken": chosen.woken, "reasons": list(chosen.reasons)}
