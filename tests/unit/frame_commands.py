"""Commands that exist only to exercise the frame; `test_cli_frame.py` gives them rows of their own."""

from __future__ import annotations

import sys
from datetime import datetime

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.main import main
from cc_git.cli.options import (
    INSTANT,
    TEXT,
    ScopeAsked,
    actor_option,
    dry_run_option,
    ids_argument,
    reason_option,
    scope_options,
    source_option,
)
from cc_git.cli.prompts import confirm
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Fields, Heading, Prose, Table, Toned
from cc_git.cli.verb import Verb
from cc_git.errors import Exit, Refused
from cc_git.model.id_part import IdPart
from cc_git.store.engine import Person

VERBS = (
    Verb("call", "tests.unit.frame_commands:call_command", "Say what was asked of every command.", "Look"),
    Verb("echo", "tests.unit.frame_commands:echo", "Say a text in every form.", "Look"),
    Verb("table", "tests.unit.frame_commands:table", "Say a text in a table.", "Look"),
    Verb("stop", "tests.unit.frame_commands:stop", "Stop in one of many ways.", "Stop"),
    Verb("ask", "tests.unit.frame_commands:ask", "Ask a person.", "Stop"),
    Verb("hooks install", "tests.unit.frame_commands:options", "Take every shared option.", "Hooks"),
    Verb("hooks remove", "no_such_module:nothing", "Point at nothing.", "Hooks"),
)
GROUPS = {"hooks": "Install and remove."}


@command()
@actor_option
def call_command(call: Call) -> Outcome:
    """Say what was asked of every command."""
    who = call.who(lambda: Person("Ana Test", "ana@example.org"))
    return Outcome(
        data={
            "now": call.now, "start": call.start.name, "workspace": call.workspace and call.workspace.name,
            "who": who, "words": call.words,
        },
        blocks=(Prose(f"{call.now.isoformat()} {call.start.name} {who.actor}"),),
        notes=("a note",),
        warnings=("a warning",),
        receipt={"id": "rc"},
    )  # fmt: skip


@command()
@click.argument("text", type=TEXT)
@click.option("--exit", "code", type=int, default=0)
def echo(call: Call, text: str, code: int) -> Outcome:
    """Say a text in every form."""
    return Outcome(
        data={"text": text, text: [text]},
        blocks=(
            Heading(text),
            Prose(text),
            Fields((("name", text), (text, Toned("value", "good")))),
            Table(("id", "text"), (("dec…k3f9q2", text), (text, Toned("red", "bad"))), empty="nothing"),
            Table((text,), (), empty=text),
        ),
        notes=(text,),
        warnings=(text,),
        exit=Exit(code),
    )


@command()
@click.argument("text", type=TEXT)
def table(call: Call, text: str) -> Outcome:
    """Say a text in a table."""
    rows = (("dec…k3f9q2", text, Toned("current", "good")), ("dec…77w0aa", "short", "proposed"))
    return Outcome(blocks=(Fields((("name", text),)), Table(("id", "text", "standing"), rows, empty="nothing")))


@command()
@click.argument("how")
def stop(call: Call, how: str) -> Outcome:
    """Stop in one of many ways."""
    match how:
        case "refused":
            raise Refused("policy says no", why="a deny\nError: forged \x1b[2J", hints=("`cc-git review` helps",))
        case "bug":
            raise KeyError("secret\x1b[31m")
        case "interrupt":
            raise KeyboardInterrupt
        case "set":
            return Outcome(data={1, 2})
        case "pipe":
            raise BrokenPipeError("a pipe of the command's own")
    return None  # type: ignore[return-value]  # what a careless command would do


@command()
@actor_option
def ask(call: Call) -> Outcome:
    """Ask a person."""
    who = call.who(lambda: Person("Ana", ""))
    answer = confirm(call, who, "May \x1b[8mhidden\x1b[0m permission stand?")
    return Outcome(data=answer, blocks=(Prose("confirmed" if answer else "declined"),))


@command()
@ids_argument
@scope_options
@dry_run_option
@reason_option
@source_option
@click.option("--due", type=INSTANT)
def options(
    call: Call,
    ids: tuple[IdPart, ...],
    scope: ScopeAsked,
    dry_run: bool,
    reason: str | None,
    sources: tuple[IdPart, ...],
    due: datetime | None,
) -> Outcome:
    """Take every shared option."""
    return Outcome(
        data={"ids": ids, "scope": scope, "dry_run": dry_run, "reason": reason, "sources": sources, "due": due}
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], verbs=VERBS, groups=GROUPS))
