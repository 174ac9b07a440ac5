"""How a line of work is told: what is missing before it can be closed, and its reasoning in order."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Any

from cc_git.cli.numbers import each, files
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Fields, Heading, Table
from cc_git.errors import Exit
from cc_git.model.ids import short
from cc_git.model.sanitise import escape_inline_markdown as inline
from cc_git.model.sanitise import quoted

if TYPE_CHECKING:
    from cc_git.governance.hypotheses import Weighed
    from cc_git.governance.line import Line, Step
    from cc_git.wiring.closeout import Closeout
    from cc_git.wiring.line import Event, Thread

_HEADINGS = {
    "goal": "Why", "task": "Work", "subtask": "Work", "dependency": "Work", "hypothesis": "Hypotheses",
    "evidence": "Evidence", "decision": "Decisions", "conclusion": "Conclusions", "ruling": "Rulings",
}  # fmt: skip


def checked(line: Line) -> Outcome:
    """What is missing, with what helps; exit code 1 where anything is."""
    task = line.task
    title = f"{short(task.id)} {quoted(task.title)}, {task.state}"
    rows = [(one.what, one.says, one.helps) for one in line.missing]
    ready = f"{title}: nothing is missing, the line can be closed."
    blocks: list[Block] = [Heading(f"Missing before {title} can be closed")] if rows else []
    return Outcome(
        data={"task": task.id, "ready": not rows, "missing": list(line.missing), "left_out": line.left_out},
        blocks=(*blocks, Table(("what", "why", "what helps"), rows, ready)),
        notes=left_out(line),
        exit=Exit.FOUND if rows else Exit.OK,
    )


_SORTS = {
    "nothing": "Nothing separates the present from the last commit.",
    "work": "Only the work in hand moved on.",
    "evidence": "Evidence alone.",
    "hypothesis": "A hypothesis, with its evidence.",
    "closes-a-task": "A task, closed with its conclusion.",
    "small": "A small step.",
    "larger": "A larger step: cc-git diff says what it means.",
}


def closed_out(found: Closeout) -> Outcome:
    """A few lines; what is missing of the line at hand is counted, and named by `check --task`."""
    delta, line = found.delta, found.line
    moves = [f"{short(one.id)} {quoted(one.title)}: {one.before or 'new'} → {one.after}" for one in delta.moved]
    lacks = ", ".join(dict.fromkeys(one.what for one in line.missing)) if line else ""
    left = {"open questions": found.questions, "returned": found.returned, "proposed": found.proposals}
    rows: list[tuple[str, Cell]] = [
        *([("next commit", each(delta.waiting))] if delta.waiting else []),
        *(("edited", rel) for rel in delta.documents),
        *([("forgotten", f"{files(delta.emptied)} emptied")] if delta.emptied else []),
        *(("task", move) for move in moves),
        *([("in hand", ", ".join(name.replace("_", " ") for name in delta.fields))] if delta.fields else []),
        *([("open", each({what: number for what, number in left.items() if number}))] if any(left.values()) else []),
        *([("missing", f"{lacks} of {short(line.task.id)} {quoted(line.task.title)}")] if line and lacks else []),
        *(("left out", rel) for rel in found.left_out),
        *([("not now", found.blocked)] if found.blocked else []),
        *(("then", command) for command in found.then),
    ]
    data = {
        "sort": found.sort, "waiting": delta.waiting, "documents": list(delta.documents), "emptied": delta.emptied,
        "tasks": list(delta.moved), "in_hand": list(delta.fields), "questions": found.questions,
        "returned": found.returned, "proposals": found.proposals, "left_out": list(found.left_out),
        "missing": list(line.missing) if line else [], "task": line.task.id if line else None,
        "blocked": found.blocked, "then": list(found.then),
    }  # fmt: skip
    return Outcome(data=data, blocks=(Heading(_SORTS[found.sort]), *([Fields(rows)] if rows else [])))


def left_out(line: Line) -> tuple[str, ...]:
    return (f"{line.left_out} left out: above the ceiling (--ceiling).",) if line.left_out else ()


def thread_data(found: Thread) -> dict[str, Any]:
    line = found.line
    shown = {step.node.id for step in line.steps}
    return {
        "task": line.task.id,
        "origins": [{"trigger": one.trigger.id, "how": one.how, "path": list(one.path)} for one in found.origins],
        "steps": [
            {"part": step.part, "id": step.node.id, "kind": step.node.kind, "title": step.node.title,
             "state": step.node.state, "stands": step.stands, "of": step.of, "how": step.how, "actor": step.actor}
            for step in line.steps
        ],
        "hypotheses": [hypothesis_data(one, shown) for one in line.weighed.values() if one.id in shown],
        "timeline": list(found.events),
        "missing": list(line.missing),
        "questions": list(found.questions),
        "cut": found.cut,
        "left_out": line.left_out,
    }  # fmt: skip


def hypothesis_data(one: Weighed, shown: Set[str] | None = None) -> dict[str, Any]:
    evidence = [found for found in one.evidence if shown is None or found.id in shown]
    return {"id": one.id, "score": one.score, "factors": one.factors, "unsaid": list(one.unsaid),
            "merged": list(one.merged), "evidence": evidence}  # fmt: skip


def hypothesis_row(one: Weighed, title: str) -> tuple[Cell, ...]:
    """Factors that nobody gave stand in brackets."""
    factors = " ".join(
        f"{name} {f'({value / 1000:g})' if name in one.unsaid else f'{value / 1000:g}'}"
        for name, value in one.factors.items()
    )
    by = [sum(found.supports is supports for found in one.evidence) for supports in (True, False)]
    merged = " ".join(map(short, one.merged))
    return (short(one.id), str(one.score), factors, str(by[0]), str(by[1]), merged, title)


def thread_markdown(found: Thread) -> str:
    """A page that renders as what it says, wherever it is put: stored text is escaped, links and pictures are none."""
    line = found.line
    parts = [f"# {inline(line.task.title)}", "", f"{short(line.task.id)}, {line.task.state}.", *_origin(found)]
    under = ""
    for step in line.steps:
        heading = _HEADINGS[step.part]
        if heading != under and not _belongs_below(step, under):
            under = heading
            parts += ["", f"## {heading}", ""]
        parts.append(_step(step, line))
    parts += ["", "## Timeline", "", *(map(_event, found.events) if found.events else ["- nothing yet"])]
    if found.cut:
        parts.append("- history is cut short in this clone: what is older came with no commit that is here")
    parts += ["", "## Missing", ""]
    parts += [f"- {one.what}: {inline(one.says)}" for one in line.missing] or ["- nothing: the line can be closed"]
    if found.questions:
        parts += ["", "## Open questions", "", *(f"- {inline(text)}" for text in found.questions)]
    return "\n".join(parts)


def _origin(found: Thread) -> Iterator[str]:
    for one in found.origins:
        way = f" through {', '.join(map(short, one.path))}" if one.path else ""
        said = "kept on this machine" if one.private else inline(one.trigger.summary)
        yield f"{one.how.capitalize()}{way} from {short(one.trigger.id)}: {said}"


def _belongs_below(step: Step, under: str) -> bool:
    """Evidence for a hypothesis and decisions on it stand below it."""
    return under == "Hypotheses" and step.of.startswith("hyp_") and step.part in ("evidence", "decision")


def _step(step: Step, line: Line) -> str:
    below = "  " if step.of.startswith("hyp_") and step.part in ("evidence", "decision") else ""
    how = f"{step.how} {short(step.of)}: " if step.how and not below else f"{step.how}: " if step.how else ""
    said = f"{below}- {how}{inline(step.node.title)} ({short(step.node.id)}, {step.node.state}"
    one = line.weighed.get(step.node.id)
    if one is not None:
        said += f", score {one.score}"
    return f"{said}{f', by {inline(step.actor)}' if step.actor else ''})"


def _event(event: Event) -> str:
    came = f"commit {event.commit[:12]}" if event.commit else event.state or "in no commit here"
    return f"- {event.when:%Y-%m-%d %H:%M} {event.what} {short(event.id)} ({came})"
