"""The options that every command has, before and after its name. They fill in the `Call` and reach no command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cc_git.cli.context import Call
from cc_git.cli.instants import parse_instant
from cc_git.cli.streams import write


class GlobalOption(click.Option):
    """Shown under a heading of its own in the help."""


def _into(fill: Callable[[Call, Any], None]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def callback(context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
        call = context.find_object(Call)
        # given before the command and not after it: the first word stands
        if call is not None and value not in (None, False, ()):
            fill(call, value)
        return value

    return callback


def _set_json(call: Call, value: bool) -> None:
    call.as_json = value


def _set_quiet(call: Call, value: bool) -> None:
    call.quiet = value


def _set_now(call: Call, value: str) -> None:
    call.now_asked = parse_instant(value, "--now")


def _set_workspace(call: Call, value: str) -> None:
    call.workspace_asked = value


def _go(call: Call, value: tuple[str, ...]) -> None:
    for directory in value:
        call.go_to(directory)


def _show_help(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        show_help(context)


def show_help(context: click.Context) -> None:
    """Print the help of this command and stop with exit code 0."""
    call = context.find_object(Call)
    assert call is not None, "a context without a call"
    write(call.streams.stdout, context.get_help() + "\n")
    context.exit()


def global_options() -> list[click.Parameter]:
    """New ones for every command. `-C` is eager: paths of other options are read from there."""

    def option(*names: str, fill: Callable[[Call, Any], None], **rest: Any) -> click.Parameter:
        return GlobalOption(names, expose_value=False, callback=_into(fill), **rest)

    return [
        option(
            "-C", "directory", fill=_go, metavar="DIR", multiple=True, is_eager=True,
            help="Run as if started in DIR.",
        ),
        option("--workspace", fill=_set_workspace, metavar="PATH", help="The workspace to use, of several."),
        option("--now", fill=_set_now, metavar="INSTANT", help="Take this for the present (ISO 8601)."),
        option("--json", "as_json", fill=_set_json, is_flag=True, help="Print one JSON document on one line."),
        option("--quiet", "-q", fill=_set_quiet, is_flag=True, help="Print the result alone: no notes, no warnings."),
        GlobalOption(
            ("--help", "-h"), expose_value=False, callback=_show_help, is_flag=True, is_eager=True,
            help="Show this help.",
        ),
    ]  # fmt: skip
