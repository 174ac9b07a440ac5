"""A group whose commands are known by their rows in `verbs.py` and imported when one of them runs."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

import click

from cc_git.cli.command import HELP_WIDTH, write_options
from cc_git.cli.context import Call
from cc_git.cli.global_options import global_options, show_help
from cc_git.cli.verb import Verb
from cc_git.errors import UsageFault


class LazyGroup(click.Group):
    """`rows` are those of this group alone, their names already without the group's own words."""

    def __init__(
        self,
        name: str,
        rows: Iterable[Verb],
        *,
        groups: Mapping[str, str],
        summary: str,
        extra: tuple[click.Option, ...] = (),
    ) -> None:
        super().__init__(
            name,
            help=summary,
            params=[*extra, *global_options()],
            context_settings={"help_option_names": [], "max_content_width": HELP_WIDTH},
            subcommand_metavar="COMMAND …",
        )
        self.rows = tuple(rows)
        self.groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        write_options(self, ctx, formatter)

    def list_commands(self, context: click.Context) -> list[str]:
        return list(dict.fromkeys(row.name.partition(" ")[0] for row in self.rows))

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        for row in self.rows:
            if row.name == name:
                return _load(row)
        inner = [
            Verb(row.name.partition(" ")[2], row.target, row.help, row.section)
            for row in self.rows
            if row.name.partition(" ")[0] == name
        ]
        return LazyGroup(name, inner, groups={}, summary=self.groups[name]) if inner else None

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if not args:
            show_help(context)
        return super().parse_args(context, args)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        found = self.get_command(context, name)
        if found is None:
            raise UsageFault(f"`{context.command_path}` has no command `{name}`", hints=self._hints(context, name))
        call = context.find_object(Call)
        if call is not None:
            call.words = (*call.words, name)
        return name, found, args[1:]

    def _hints(self, context: click.Context, typed: str) -> tuple[str, ...]:
        # the last word of a two-word name is what people remember: `install` for `hooks install`
        by_word = {word: row.name for row in self.rows for word in (row.name, *row.name.split(" ")[1:])}
        by_word |= {name: name for name in self.list_commands(context)}
        near = dict.fromkeys(by_word[word] for word in get_close_matches(typed, by_word))
        return (
            *(f"did you mean `{context.command_path} {name}`?" for name in near),
            f"`{context.command_path} --help` lists the commands",
        )

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """By section, from the rows alone: help must not import what it names."""
        widest = max((len(row.name) for row in self.rows), default=0)
        for section in dict.fromkeys(row.section for row in self.rows):
            with formatter.section(section):
                rows = [row for row in self.rows if row.section == section]
                formatter.write_dl([(row.name.ljust(widest), row.help) for row in rows])


def _load(row: Verb) -> click.Command:
    module, _, attribute = row.target.partition(":")
    found = getattr(importlib.import_module(module), attribute)
    if not isinstance(found, click.Command):
        raise TypeError(f"{row.target} is not a command")
    return found
