"""Options and argument types that several commands share, spelled and explained once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cc_git.cli.context import Call
from cc_git.cli.instants import parse_instant
from cc_git.model.id_part import IdPart

if TYPE_CHECKING:
    from cc_git.model.scope import Scope

F = TypeVar("F", bound=Callable[..., Any])

_WORD = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SCOPE_FIELDS = ("project", "agent", "thread", "user")


@dataclass(frozen=True, slots=True)
class ScopeAsked:
    """The fields of a scope as given; None was not given, `*` means all."""

    project: str | None = None
    agent: str | None = None
    thread: str | None = None
    user: str | None = None

    def over(self, base: Scope) -> Scope:
        """`base` with the fields that were given in place of its own."""
        given = {name: getattr(self, name) for name in _SCOPE_FIELDS if getattr(self, name) is not None}
        return base.model_copy(update=given)


class _IdPartType(click.ParamType[IdPart]):
    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> IdPart:
        try:
            return value if isinstance(value, IdPart) else IdPart(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class _RelationType(click.ParamType[tuple[str, IdPart]]):
    """`supports:ID` → the word, and the part of an id."""

    name = "relation"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, IdPart]:
        if isinstance(value, tuple):
            return value
        word, colon, part = str(value).partition(":")
        if not colon:
            self.fail(f"{value!r} is no WORD:ID, as supports:k3f9q2", param, ctx)
        return WORD.convert(word, param, ctx), ID_PART.convert(part, param, ctx)


class _WordType(click.ParamType[str]):
    """A word of ours or of the user's, as `supports` or `competes-with`."""

    name = "word"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if _WORD.fullmatch(str(value)) is None:
            self.fail(f"{value!r} is no word of small letters and dashes, as competes-with", param, ctx)
        return str(value)


class _InstantType(click.ParamType[datetime]):
    name = "instant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        return value if isinstance(value, datetime) else parse_instant(value, _named(param))


class _LineType(click.ParamType[str]):
    name = "line"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from cc_git.model.value import one_line  # brings pydantic, which --help does without

        try:
            return one_line(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class _TextType(click.ParamType[str]):
    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        call = ctx.find_object(Call) if ctx is not None else None
        if value != "-" or call is None:
            return str(value)
        try:
            return call.streams.stdin.read()
        except UnicodeDecodeError as error:
            self.fail(f"standard input is not valid UTF-8: {error}", param, ctx)


def _named(param: click.Parameter | None) -> str:
    return (param.opts[0] if param.opts else param.name or "") if param is not None else "instant"


ID_PART = _IdPartType()
"""A beginning or an end of an id; wiring finds the id that it means."""
WORD = _WordType()
RELATION = _RelationType()
INSTANT = _InstantType()
LINE = _LineType()
"""What fits a one-line field."""
TEXT = _TextType()
"""Any text; `-` reads it from standard input."""


def relate_option(function: F) -> F:
    """Pass `relations: tuple[tuple[str, IdPart], ...]`."""
    return click.option(
        "--relate", "relations", type=RELATION, metavar="WORD:ID", multiple=True,
        help="How it hangs together with another thing: supports, contradicts, about, decides, resolves, follows-from, "
             "or a word of yours; repeatable.",
    )(function)  # fmt: skip


def scope_options(function: F) -> F:
    """Pass `scope: ScopeAsked` to the command."""

    @wraps(function)
    def gathered(*args: Any, **given: Any) -> Any:
        asked = ScopeAsked(**{name: given.pop(name) for name in _SCOPE_FIELDS})
        return function(*args, scope=asked, **given)

    decorated: Any = gathered
    for name in reversed(_SCOPE_FIELDS):
        what = f"The {name} of the scope; '*' covers all."
        decorated = click.option(f"--{name}", name, type=LINE, metavar="NAME", help=what)(decorated)
    return decorated  # type: ignore[no-any-return]


def actor_option(function: F) -> F:
    """Fill in who acts; read by `Call.who`, passed to no command."""

    def keep(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
        call = context.find_object(Call)
        if call is not None:
            call.actor_asked = value

    return click.option(
        "--actor", metavar="WHO", expose_value=False, callback=keep, help="Who acts: human:NAME or agent:NAME."
    )(function)


def dry_run_option(function: F) -> F:
    """Pass `dry_run: bool`."""
    return click.option("--dry-run", is_flag=True, help="Show the plan and change nothing.")(function)


def reason_option(function: F) -> F:
    """Pass `reason: str | None`."""
    return click.option("--reason", type=TEXT, metavar="TEXT", help="Why; '-' reads standard input.")(function)


def source_option(function: F) -> F:
    """Pass `sources: tuple[IdPart, ...]`."""
    return click.option(
        "--source", "sources", type=ID_PART, metavar="ID", multiple=True, help="An episode it rests on; repeatable."
    )(function)


def ids_argument(function: F) -> F:
    """Pass `ids: tuple[IdPart, ...]`, at least one."""
    return click.argument("ids", type=ID_PART, metavar="ID…", nargs=-1, required=True)(function)
