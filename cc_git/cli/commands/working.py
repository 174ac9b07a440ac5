"""Where the work stands: focus, next, step, question, returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import looked_at
from cc_git.cli.options import ID_PART, TEXT
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Cell, Prose, Table
from cc_git.cli.worked import change_options, overview, questions_table, turned, work_data
from cc_git.errors import UsageFault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.governance.next_up import Candidate


@command()
@click.argument("part", type=ID_PART, metavar="[ID]", required=False)
@click.option("--clear", is_flag=True, help="Take the focus away.")
@click.option("--project-line", "line", type=TEXT, help="What the work as a whole is about, in a sentence.")
@change_options
def focus(call: Call, part: IdPart | None, clear: bool, line: str | None, **how: Any) -> Outcome:
    """Show where the work stands, or set what it is about now: a task or a goal."""
    from cc_git.governance.working import set_line
    from cc_git.wiring.tasks import focusing

    if part is None and not clear and line is None:
        return _looked(call)
    if sum((part is not None, clear, line is not None)) > 1:
        raise UsageFault("an id, --clear and --project-line exclude each other")
    if line is not None:
        return turned(call, lambda _: lambda work, _: set_line(work.now, line or None), **how)

    return turned(call, lambda session: focusing(session, part), **how)


@command()
@click.argument("text", type=TEXT, metavar="[TEXT]", required=False)
@click.option("--clear", is_flag=True, help="There is no next step.")
@change_options
def step(call: Call, text: str | None, clear: bool, **how: Any) -> Outcome:
    """Say what the next step is, for whoever goes on; without a text, show it."""
    from cc_git.governance.working import set_step

    if text is None and not clear:
        return _looked(call, "next_step")
    return turned(call, lambda _: lambda work, _: set_step(work.now, text if not clear else None), **how)


@command()
@click.argument("text", type=TEXT, metavar="[TEXT]", required=False)
@click.option("--clear", is_flag=True, help="All of it was taken up.")
@change_options
def returned(call: Call, text: str | None, clear: bool, **how: Any) -> Outcome:
    """Note a consequence that came back (a result, a reply, a failure), until it is taken up."""
    from cc_git.governance.working import add_returned, clear_returned

    if text is None and not clear:
        return _looked(call, "returned")
    if text is not None:
        return turned(call, lambda _: lambda work, _: add_returned(work.now, text), **how)
    return turned(call, lambda _: lambda work, _: clear_returned(work.now), **how)


@command()
@click.argument("text", type=TEXT)
@change_options
def question_add(call: Call, text: str, **how: Any) -> Outcome:
    """Keep an open question of the work in hand."""
    from cc_git.governance.working import add_question

    return turned(call, lambda session: lambda work, _: add_question(work.now, text, session.now), **how)


@command()
@click.argument("number", type=click.IntRange(1))
@click.argument("answer", type=TEXT)
@change_options
def question_answer(call: Call, number: int, answer: str, **how: Any) -> Outcome:
    """Answer a question, by its number in `question list`."""
    from cc_git.governance.working import answer_question

    return turned(call, lambda _: lambda work, _: answer_question(work.now, number, answer), **how)


@command()
def question_list(call: Call) -> Outcome:
    """List the questions of the work in hand, with their answers."""
    with looked_at(call) as session:
        context = session.work.now
        return Outcome(data=list(context.questions), blocks=(questions_table(context),))


@command()
@click.option("-n", "--number", type=click.IntRange(1), default=10, show_default=True, help="At most so many.")
def next_(call: Call, number: int) -> Outcome:
    """Say what to do next: open tasks in order, with the factors of their place; priority 1 is first."""
    from cc_git.wiring.working import next_of

    with looked_at(call) as session:
        found = next_of(session)
        shown = found.candidates[:number]
        columns = ("id", "score", "state", "priority", "factors", "waits for", "title")
        table = Table(columns, [_row(one) for one in shown], "Nothing is open.")
        best = found.recommended
        said = f"Next: {best.title} ({_name(best)})" if best else "Nothing can be worked on."
        data = {"recommended": best, "candidates": list(shown), "candidate_count": len(found.candidates),
                "open": found.counts, "guidance": list(found.guidance)}  # fmt: skip
        return Outcome(data=data, blocks=(Prose(said), table), notes=found.guidance)


def _row(one: Candidate) -> tuple[Cell, ...]:
    factors = " ".join(f"{name} {value / 1000:g}" for name, value in (one.factors or {}).items())
    priority, score = (str(number) if number else "" for number in (one.priority, one.score))
    return (_name(one), score, one.state, priority, factors, "  ".join(map(short, one.waits_for)), one.title)


def _name(one: Candidate) -> str:
    return one.id if one.type == "question" else short(one.id)


def _looked(call: Call, field: str | None = None) -> Outcome:
    with looked_at(call) as session:
        work, context = session.work, session.work.now
        if field is None:
            return Outcome(data=work_data(work), blocks=overview(work))
        value = getattr(context, field)
        said = "\n".join(value) if isinstance(value, tuple) else value
        return Outcome(data={field: value, "version": context.version}, blocks=(Prose(said or "None."),))
