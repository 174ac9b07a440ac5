"""Where work begins: origin, and trigger add, consider, list, show, archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import looked_at, who_of
from cc_git.cli.options import ID_PART, TEXT, reason_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Cell, Fields, Prose, Table
from cc_git.cli.worked import change_options, turned
from cc_git.errors import UsageFault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.model.sanitise import quoted

if TYPE_CHECKING:
    from cc_git.origin.inherit import Origin
    from cc_git.wiring.origin import Answer, ListedTrigger
    from cc_git.wiring.session import Session

_KINDS = ("user-prompt", "agent-prompt", "continuation", "runbook-trigger", "issue-trigger")
_PRIVATE = click.option("--private", is_flag=True, help="It stays on this machine.")
_KIND = click.option("--kind", type=click.Choice(_KINDS), help="Default: by who acts.")


@command()
@click.argument("part", type=ID_PART, metavar="[ID]", required=False)
@click.option("--at", metavar="REV", help="As of this commit, branch or tag.")
def origin(call: Call, part: IdPart | None, at: str | None) -> Outcome:
    """Say where the work in hand, or anything else, began: Direct or Inherited, with the way."""
    from cc_git.wiring.origin import trace

    with looked_at(call, at) as session:
        found = trace(session, part)
        rows = [_origin_row(one, found.titles) for one in found.origins]
        columns = ("origin", "id", "kind", "of", "when", "summary", "through")
        table = Table(columns, rows, "No trigger names it, nor anything that it belongs to.")
        return Outcome(data={"of": found.of, "origins": [_origin_data(one) for one in found.origins]}, blocks=(table,))


@command()
@click.argument("summary", type=TEXT)
@click.option("--text", type=TEXT, help="The words that it was said in, at most 2,000 characters.")
@_KIND
@click.option("--goal", "goals", type=ID_PART, metavar="GOAL", multiple=True, help="A goal that it opens or redirects.")
@click.option("--task", "tasks", type=ID_PART, metavar="TASK", multiple=True, help="A task; default: the focus.")
@click.option("--runbook", "runbooks", metavar="NAME", multiple=True, help="A runbook that it activates.")
@click.option("--from", "trace", type=TEXT, metavar="WHERE", multiple=True, help="An episode, an issue, a link.")
@_PRIVATE
@change_options
def trigger_add(call: Call, private: bool, dry_run: bool, seen: int | None, **asked: Any) -> Outcome:
    """Keep what opens or redirects a line of work: a summary, and its words where they matter."""
    from cc_git.wiring.origin import opening, wish_for

    def make(session: Session) -> Any:
        return opening(session, wish_for(session, **asked), who_of(call), private=private)

    return turned(call, make, dry_run=dry_run, seen=seen, verb="trigger")


@command()
@click.argument("text", type=TEXT)
@click.option("--keep", is_flag=True, help="Where the answer is create, keep the trigger at once.")
@_KIND
@_PRIVATE
@change_options
def trigger_consider(call: Call, text: str, keep: bool, kind: Any, private: bool, **how: Any) -> Outcome:
    """Say whether a message opens a line of work (create) or goes on with one (inherit), and why."""
    from cc_git.wiring.origin import considered, keeping

    with looked_at(call) as session:
        answer = considered(session, text)
    told = _answer(answer)
    if not keep or answer.considered.answer == "inherit":
        return told
    kept = turned(call, lambda session: keeping(session, text, kind, who_of(call), private=private),
                  verb="trigger", **how)  # fmt: skip
    data = {**told.data, "kept": kept.data}  # type: ignore[dict-item]
    return Outcome(data=data, blocks=(*told.blocks, *kept.blocks), notes=kept.notes, warnings=kept.warnings,
                   receipt=kept.receipt)  # fmt: skip


@command()
@click.option("-a", "--all", "everything", is_flag=True, help="Archived ones too.")
@click.option("-n", "--number", type=click.IntRange(1), help="At most so many.")
@click.option("--at", metavar="REV", help="As of this commit, branch or tag.")
def trigger_list(call: Call, everything: bool, number: int | None, at: str | None) -> Outcome:
    """List the triggers, newest first."""
    from cc_git.wiring.origin import listed

    with looked_at(call, at) as session:
        found = listed(session, everything=everything)[:number]
        columns = ("id", "kind", "of", "when", "names", "summary")
        table = Table(columns, [_row(one) for one in found], "No triggers.")
        return Outcome(data=[{"archived": one.archived, **_data(one)} for one in found], blocks=(table,))


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@click.option("--at", metavar="REV", help="As of this commit, branch or tag.")
def trigger_show(call: Call, part: IdPart, at: str | None) -> Outcome:
    """Show a trigger whole, and what names it."""
    from cc_git.wiring.finding import find
    from cc_git.wiring.origin import listed

    with looked_at(call, at) as session:
        identifier = find(session, part, "tr")
        one = next((one for one in listed(session, everything=True) if one.filed.value.id == identifier), None)
        if one is None:
            raise UsageFault(f"{short(identifier)} cannot be read", hints=("cc-git status",))
        value = one.filed.value
        rows: list[tuple[str, Cell]] = [("id", value.id), ("kind", value.kind), ("summary", value.summary)]
        rows += [("text", value.text)] if value.text else []
        rows += [("fingerprint", value.fingerprint)] if value.fingerprint else []
        rows += [("by", value.actor), ("when", value.recorded_at.strftime("%Y-%m-%d %H:%M"))]
        rows += [("names", short(i)) for i in (*value.goal_ids, *value.task_ids, *value.runbook_ids)]
        rows += [("from", where) for where in value.trace] + ([("archived", "yes")] if one.archived else [])
        return Outcome(data={"archived": one.archived, **_data(one)}, blocks=(Fields(rows),))


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@reason_option
@change_options
def trigger_archive(call: Call, part: IdPart, reason: str | None, **how: Any) -> Outcome:
    """Hide a trigger: it is then the origin of nothing, and stays readable."""
    from cc_git.wiring.origin import archiving

    return turned(call, lambda session: archiving(session, part, reason or "", who_of(call)), verb="archive", **how)


def _answer(answer: Answer) -> Outcome:
    one = answer.considered
    by = f" ({quoted(one.phrase)})" if one.phrase else ""
    lines = [f"{one.answer}: {one.reason}{by}"]
    lines += [f"origin: {short(o.trigger.id)} {quoted(o.trigger.summary)}" for o in answer.origins]
    data = {"answer": one.answer, "why": one.why, "reason": one.reason, "phrase": one.phrase,
            "origins": [_origin_data(o) for o in answer.origins]}  # fmt: skip
    return Outcome(data=data, blocks=(Prose("\n".join(lines)),))


def _origin_row(one: Origin, titles: Any) -> tuple[Cell, ...]:
    trigger = one.trigger
    way = " → ".join(f"{short(i)} {quoted(titles[i])}" if titles.get(i) else short(i) for i in one.path)
    when = trigger.recorded_at.strftime("%Y-%m-%d %H:%M")
    how = "Direct" if one.how == "direct" else "Inherited"
    return (how, short(trigger.id), trigger.kind, trigger.actor, when, trigger.summary, way)


def _origin_data(one: Origin) -> dict[str, object]:
    trigger = one.trigger
    return {"how": one.how, "trigger": trigger.id, "kind": trigger.kind, "summary": trigger.summary,
            "actor": trigger.actor, "recorded_at": trigger.recorded_at, "path": list(one.path)}  # fmt: skip


def _row(one: ListedTrigger) -> tuple[Cell, ...]:
    value = one.filed.value
    names = "  ".join(map(short, (*value.goal_ids, *value.task_ids, *value.runbook_ids)))
    mark = " (archived)" if one.archived else ""
    when = value.recorded_at.strftime("%Y-%m-%d %H:%M")
    return (short(value.id), value.kind, value.actor, when, names, f"{value.summary}{mark}")


def _data(one: ListedTrigger) -> dict[str, object]:
    return {
        "file": one.filed.rel,
        **{name: getattr(one.filed.value, name) for name in type(one.filed.value).model_fields},
    }
