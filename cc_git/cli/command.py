"""The shape of a command: parse, call one function, return one `Outcome`; the frame shows it.

    @command()
    @scope_options
    @dry_run_option
    @click.argument("text", type=TEXT)
    def remember(call: Call, text: str, scope: ScopeAsked, dry_run: bool) -> Outcome:
        \"\"\"Keep an explicit request: episode, record and receipt in one step.\"\"\"
        with opened(call) as session:
            done = do_remember(session, Wish(text, scope.over(…)), hand_of(call, dry_run=dry_run))
        return Outcome(
            data=done.record,
            blocks=(Prose(f"{short(done.record.id)} is {done.standing}"),),
            notes=("It waits for your next commit.",),
            receipt=done.receipt,
        )

`opened` and `hand_of` are in `opening.py`. What brings pydantic or pygit2 is imported inside functions throughout
`cli/`, so that `--help` does without. The function never prints and never exits: an expected outcome with another
exit code is `Outcome(exit=Exit.FOUND)`, what stops it is a `CcGitError`. The row in `verbs.py` makes it a command of
the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cc_git.cli.context import Call
from cc_git.cli.global_options import GlobalOption, global_options
from cc_git.cli.show import Outcome
from cc_git.errors import UsageFault

HELP_WIDTH = 100


def command() -> Callable[[Callable[..., Outcome]], Command]:
    """Make a command of a function that takes the `Call` first and its own parameters by name."""
    return click.command(cls=Command)


def write_options(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    """The command's own parameters first, what every command has last."""
    own: list[tuple[str, str]] = []
    everywhere: list[tuple[str, str]] = []
    for parameter in command.get_params(context):
        row = parameter.get_help_record(context)
        if row is not None and (isinstance(parameter, click.Option) or row[1]):
            (everywhere if isinstance(parameter, GlobalOption) else own).append(row)
    for heading, rows in (("Options", own), ("With every command", everywhere)):
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows)


class Command(click.Command):
    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.params = [*self.params, *global_options()]
        self.context_settings = {"help_option_names": [], "max_content_width": HELP_WIDTH}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_options(self, ctx, formatter)

    def invoke(self, context: click.Context) -> Outcome:
        call = context.find_object(Call)
        assert call is not None and self.callback is not None, "a command outside the frame"
        for name, value in context.params.items():
            _refuse_broken_text(name, value)
        outcome = context.invoke(self.callback, call, **context.params)
        if not isinstance(outcome, Outcome):
            raise TypeError(f"{context.command_path} returned {type(outcome).__name__}, not an Outcome")
        return outcome


def _refuse_broken_text(name: str, value: object) -> None:
    """Bytes of an argument that are not UTF-8 arrive as lone surrogates, which no file of ours can hold."""
    for text in value if isinstance(value, tuple) else (value,):
        if isinstance(text, str):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise UsageFault(f"{name} is not valid UTF-8") from error
