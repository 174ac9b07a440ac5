"""Compile and resume, and the packets that were made here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, looked_at, opened
from cc_git.cli.options import ID_PART, TEXT, ScopeAsked, actor_option, scope_options
from cc_git.cli.show import Outcome
from cc_git.cli.statement_options import SENSITIVITIES
from cc_git.cli.tables import Block, Fields, Prose, Table
from cc_git.errors import DoesNotFit, Exit, UsageFault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.model.scope import EVERYWHERE

if TYPE_CHECKING:
    from cc_git.model.packet import Unfit
    from cc_git.wiring.session import Session

F = TypeVar("F", bound=Callable[..., Any])
_SHOWN = 10


def _request_options(function: F) -> F:
    decorated: Any = function
    for option in reversed(
        (
            click.option("-t", "--task", type=TEXT, default="", help="What is to be done, in words."),
            click.option("--query", "queries", type=TEXT, multiple=True, help="Further words to look for."),
            click.option("--signal", "signals", type=TEXT, multiple=True,
                         help="What failed or came back: wakes the runbooks for it; '-' reads standard input."),
            click.option("-b", "--budget", type=click.IntRange(1), help="Tokens (characters for claude-hook)."),
            click.option("--ceiling", type=click.Choice(SENSITIVITIES), default="limited", show_default=True,
                         help="The highest sensitivity that may be in it."),
            click.option("--require", "required", type=ID_PART, metavar="ID", multiple=True, help="Must be in it."),
            click.option("--changed", type=click.Path(), multiple=True, help="A file at hand; repeatable."),
            click.option("--episodes", type=click.IntRange(0, 50), default=3, show_default=True,
                         help="How many recent episodes may be in it."),
            click.option("--profile", type=click.Choice(["plain", "mcp", "claude-hook", "codex-hook"]), default="plain",
                         show_default=True, help="Whose limits it keeps to."),
            click.option("--format", "format_", type=click.Choice(["markdown", "json", "xml"]), default="markdown",
                         show_default=True, help="The form of the output."),
            click.option("--at", metavar="REV", help="As of this commit, branch or tag."),
            scope_options,
        )
    ):  # fmt: skip
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


@command()
@_request_options
def compile_(call: Call, at: str | None, **asked: Any) -> Outcome:
    """Compile a packet: what the task needs, within a budget."""
    with looked_at(call, at) as session:
        return _compiled(session, asked)


@command()
@_request_options
@click.option("--from", "line", type=ID_PART, metavar="CHECKPOINT", help="First take this line into the work in hand.")
@actor_option
def resume(call: Call, at: str | None, line: IdPart | None, **asked: Any) -> Outcome:
    """Go on where the work stood: the packet for the work in hand, or for a task."""
    notes = _taken(call, at, line) if line is not None else ()
    with looked_at(call, at) as session:
        asked["task"] = asked["task"] or session.work.now.next_step or ""
        return replace(_compiled(session, asked), notes=notes)


def _taken(call: Call, at: str | None, line: IdPart) -> tuple[str, ...]:
    from cc_git.wiring.checkpoints import taking
    from cc_git.wiring.working import take_turn

    if at is not None:
        raise UsageFault("--from changes the work in hand, and --at looks at the past")
    with opened(call) as session:
        return take_turn(session, taking(session, line), hand_of(call), verb="take").turn.notes


def _compiled(session: Session, asked: dict[str, Any]) -> Outcome:
    from cc_git.governance.ask import request_from
    from cc_git.model.packet import Unfit
    from cc_git.wiring.finding import find
    from cc_git.wiring.packets import compile_now

    scope: ScopeAsked = asked.pop("scope")
    required = tuple(find(session, part) for part in asked.pop("required"))
    request = request_from(scope=scope.over(EVERYWHERE), required=required, format=asked.pop("format_"), **asked)
    result = compile_now(session, request)
    if isinstance(result, Unfit):
        raise _unfit(result)
    return Outcome(data=result.packet, blocks=(Prose(result.text),), warnings=result.warnings)


def _unfit(unfit: Unfit) -> DoesNotFit:
    named = ", ".join(unfit.missing[:_SHOWN])
    more = f" and {len(unfit.missing) - _SHOWN} more" if len(unfit.missing) > _SHOWN else ""
    return DoesNotFit(
        f"what must be in the packet does not fit into {unfit.budget} {unfit.unit}",
        why=f"no room for {named}{more}" if unfit.missing else "the frame alone is larger",
        hints=(f"--budget {unfit.needed}",),
    )


@command()
@click.option("-n", "--number", type=click.IntRange(1), default=20, show_default=True, help="At most so many.")
def packet_list(call: Call, number: int) -> Outcome:
    """List the packets that were compiled here, newest first."""
    from cc_git.wiring.packets import packet_lines
    from cc_git.wiring.stale_packets import misleading

    with opened(call) as session:
        misleading(session)
        lines = packet_lines(session, number)
        rows = [
            (short(p.id), p.created.strftime("%Y-%m-%d %H:%M"), p.task, p.digest[:12], p.tree[:12], "; ".join(p.stale))
            for p in lines
        ]
        columns = ("id", "compiled", "task", "digest", "snapshot", "stale")
        return Outcome(data=list(lines), blocks=(Table(columns, rows, "No packet was compiled here yet."),))


@command()
@click.argument("part", type=ID_PART, metavar="[ID]", required=False)
@click.option("--format", "format_", type=click.Choice(["markdown", "json", "xml"]), help="Default: as compiled.")
def packet_show(call: Call, part: IdPart | None, format_: Any) -> Outcome:
    """Show a packet again (the newest, where none is named)."""
    from cc_git.compiler.render import render
    from cc_git.wiring.packets import kept_packet, verify_packet

    with opened(call) as session:
        packet = kept_packet(session, part)
        reasons = verify_packet(session, packet).check.reasons
        warnings = [f"this packet no longer holds: {'; '.join(reasons)} (cc-git packet rebuild)"] if reasons else []
        return Outcome(data=packet, blocks=(Prose(render(packet, format_)),), warnings=warnings)


@command()
@click.argument("parts", type=ID_PART, metavar="[ID…]", nargs=-1)
def packet_rebuild(call: Call, parts: tuple[IdPart, ...]) -> Outcome:
    """Compile anew the packets that show what no longer holds, or those named."""
    from cc_git.wiring.rebuild import rebuild

    with opened(call) as session:
        found = rebuild(session, parts)
        rows = [
            (short(one.old), short(one.new) if one.new else f"does not fit: --budget {one.needed}", one.task)
            for one in found
        ]
        table = Table(("packet", "anew as", "task"), rows, "Every packet that is kept here still says what holds.")
        fits = all(one.new for one in found)
        return Outcome(data=list(found), blocks=(table,), exit=Exit.OK if fits else Exit.DOES_NOT_FIT)


@command()
@click.argument("part", type=ID_PART, metavar="[ID]", required=False)
@click.option("--file", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A packet in its JSON form, from anywhere.")  # fmt: skip
def packet_verify(call: Call, part: IdPart | None, file: Path | None) -> Outcome:
    """Say whether a packet still holds, and if not, what changed."""
    from cc_git.wiring.packets import kept_packet, read_packet, verify_packet

    with opened(call) as session:
        packet = read_packet(file.read_bytes()) if file else kept_packet(session, part)
        verified = verify_packet(session, packet)
        rows = [("packet", packet.id), ("state", verified.check.state)]
        rows += [("because", reason) for reason in verified.check.reasons]
        blocks: list[Block] = [Fields(rows)]
        found = Exit.OK if verified.check.state == "valid" else Exit.FOUND
        data = {"id": packet.id, "state": verified.check.state, "reasons": list(verified.check.reasons)}
        return Outcome(data=data, blocks=blocks, exit=found)
