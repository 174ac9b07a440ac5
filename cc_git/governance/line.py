"""The line of a task: what it serves, what it tries to find out, on what evidence, what was decided and concluded; and
what is missing before it can be closed.

Whatever belongs to it is in it once, at the first of these places that it has: the goal and what is above it, the task,
its parts and what it waits for, each hypothesis with its evidence and with the decisions on it, further evidence,
decisions and conclusions, and what was ruled on any of them. Only what stands counts; what does not is shown with what
it counts as.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Literal

from cc_git.governance.graph import Known, Node, node_of, values_in, weight_of
from cc_git.governance.hypotheses import CONTRADICTS, MERGED_INTO, SUPPORTS, Weighed, weigh
from cc_git.governance.links import OF, Edge, edges_of, in_order
from cc_git.governance.task_links import waits_for
from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.episode import Episode
from cc_git.model.ids import prefix_of, short
from cc_git.model.record import Record
from cc_git.model.sanitise import quoted
from cc_git.model.value import Value
from cc_git.model.working_context import Task, WorkingContext

Part = Literal["goal", "task", "subtask", "dependency", "hypothesis", "evidence", "decision", "conclusion", "ruling"]
CONCLUDES = frozenset({"resolves", "follows-from", "concludes"})
"""Words by which a record closes a task, or draws from a decision."""
_NO_EVIDENCE = frozenset({"hypothesis", "decision", "goal", "permission", "commitment", "procedure"})
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One thing of the line. `how` is the word by which it belongs to `of`; `stands`: it counts now."""

    part: Part
    node: Node
    of: str = ""
    how: str = ""
    stands: bool = True
    actor: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    what: Literal["state", "hypothesis", "evidence", "decision", "conclusion"]
    says: str
    helps: str


@dataclass(frozen=True)
class Line:
    """`weighed` are its hypotheses that stand. `missing` is empty where it can be closed. What is above the ceiling is
    counted as `left_out`, and is judged all the same."""

    task: Task
    steps: tuple[Step, ...]
    weighed: Mapping[str, Weighed]
    missing: tuple[Missing, ...]
    left_out: int


def line_of(known: Known, task: Task, ceiling: Sensitivity) -> Line:
    """`known.context` has the task."""
    return _Drawing(known, task, ceiling).line()


@dataclass
class _Drawing:
    known: Known
    task: Task
    ceiling: Sensitivity
    steps: dict[str, Step] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.values: dict[str, Value] = {value.id: value for value in values_in(self.known)}  # type: ignore[attr-defined]
        self.context = self.known.context or WorkingContext()
        edges = {edge for value in self.values.values() for edge in edges_of(value)}
        self.to: dict[str, list[Edge]] = {}
        for edge in sorted(edges, key=in_order):
            self.to.setdefault(edge.target, []).append(edge)
        found = weigh(self.values, edges, self.known.verdicts, self.known.attested)
        self.rank = {one.id: (place, one) for place, one in enumerate(found)}

    def line(self) -> Line:
        self._goals()
        self._add("task", self.task.id)
        tasks = self._tasks()
        hypotheses = self._hypotheses(tasks)
        for one in hypotheses:
            into = next((i for i in hypotheses if i in self.rank and one in self.rank[i][1].merged), "")
            self._add("hypothesis", one, into, MERGED_INTO if into else "")
            self._evidence_of(one)
            self._decisions_on((one,))
        self._evidence_about(tasks)
        self._decisions_on(tasks)
        self._conclusions(tasks)
        self._rulings()
        weighed = {one: self.rank[one][1] for one in hypotheses if one in self.rank}
        steps = tuple(self.steps.values())
        closing = {edge.source for edge in self._to(tasks) if edge.what in CONCLUDES}
        missing = tuple(_missing(self.task, self.context, steps, weighed, closing))
        shown = tuple(step for step in steps if self._is_shown(step.node.id))
        return Line(self.task, shown, weighed, missing, len(steps) - len(shown))

    def _add(self, part: Part, identifier: str, of: str = "", how: str = "") -> None:
        value = self.values.get(identifier)
        if value is None or identifier in self.steps:
            return
        actor = str(getattr(value, "actor", ""))
        self.steps[identifier] = Step(part, node_of(self.known, value), of, how, self._stands(identifier), actor)

    def _is_shown(self, identifier: str) -> bool:
        return at_most(weight_of(self.known, self.values[identifier]), self.ceiling)

    def _stands(self, identifier: str) -> bool:
        verdict = self.known.verdicts.get(identifier)
        return not isinstance(self.values[identifier], Record) or (verdict is not None and verdict.eligible)

    def _goals(self) -> None:
        above: list[str] = []
        goal = self.task.goal
        while goal is not None and goal not in above and isinstance(record := self.values.get(goal), Record):
            above.append(goal)
            goal = getattr(record.payload, "parent", None)
        for one in reversed(above):
            self._add("goal", one)

    def _tasks(self) -> list[str]:
        """The task and all its parts; what it waits for is shown and not gone into."""
        parts: dict[str, list[str]] = {}
        for task in self.context.tasks:
            parts.setdefault(task.parent or "", []).append(task.id)
        found = [self.task.id]
        for here in found:
            for part in parts.get(here, ()):
                if part not in found:
                    found.append(part)
                    self._add("subtask", part, here, "part-of")
        for other in self.task.depends_on:
            self._add("dependency", other, self.task.id, "depends-on")
        return found

    def _hypotheses(self, tasks: Iterable[str]) -> list[str]:
        """Those that are linked to one of the tasks at either end, and what was merged into them; the best first."""
        named: dict[str, None] = {}
        for identifier in tasks:
            value = self.values.get(identifier)
            named |= dict.fromkeys(edge.target for edge in (edges_of(value) if isinstance(value, Task) else ()))
            named |= dict.fromkeys(edge.source for edge in self.to.get(identifier, ()))
        found = [one for one in named if prefix_of(one) == "hyp" and one in self.values]
        for one in tuple(found):
            merged = self.rank[one][1].merged if one in self.rank else ()
            found += [other for other in merged if other not in found]
        last = len(self.rank)
        return sorted(found, key=lambda one: (self.rank[one][0] if one in self.rank else last, one))

    def _evidence_of(self, hypothesis: str) -> None:
        if hypothesis in self.rank:
            for one in self.rank[hypothesis][1].evidence:
                self._add("evidence", one.id, hypothesis, SUPPORTS if one.supports else CONTRADICTS)
        for edge in self.to.get(hypothesis, ()):
            if edge.what in (SUPPORTS, CONTRADICTS):
                self._add("evidence", edge.source, hypothesis, edge.what)

    def _evidence_about(self, tasks: Iterable[str]) -> None:
        for edge in self._to(tasks):
            value = self.values.get(edge.source)
            is_record = isinstance(value, Record) and value.kind not in _NO_EVIDENCE and edge.what not in CONCLUDES
            if edge.what != OF and (is_record or isinstance(value, Episode)):
                self._add("evidence", edge.source, edge.target, edge.what)

    def _decisions_on(self, things: Iterable[str]) -> None:
        for edge in self._to(things):
            if prefix_of(edge.source) == "dec":
                self._add("decision", edge.source, edge.target, edge.what)

    def _conclusions(self, tasks: Iterable[str]) -> None:
        decisions = [identifier for identifier, step in self.steps.items() if step.part == "decision"]
        for edge in self._to([*tasks, *decisions]):
            if edge.what in CONCLUDES and isinstance(self.values.get(edge.source), Record):
                self._add("conclusion", edge.source, edge.target, edge.what)

    def _rulings(self) -> None:
        for identifier in list(self.steps):
            for edge in self.to.get(identifier, ()):
                if prefix_of(edge.source) == "ru":
                    self._add("ruling", edge.source, identifier, edge.what)

    def _to(self, things: Iterable[str]) -> Iterator[Edge]:
        for one in things:
            yield from self.to.get(one, ())


def _missing(
    task: Task, context: WorkingContext, steps: Iterable[Step], weighed: Mapping[str, Weighed], closing: Set[str]
) -> Iterator[Missing]:
    """`closing` are the records that say of themselves that they resolve it; a decision may."""
    stands: dict[str, list[Step]] = {}
    for step in steps:
        if step.stands:
            stands.setdefault(step.part, []).append(step)
    own = short(task.id)
    if waits := waits_for(context, task):
        named = ", ".join(f"{short(one.id)} {quoted(one.title)}" for one in waits[:_NAMED])
        more = f" and {len(waits) - _NAMED} more" if len(waits) > _NAMED else ""
        yield Missing("state", f"it waits for {named}{more}", f"cc-git task done {short(waits[0].id)}")
    elif task.is_open:
        yield Missing("state", f"it is {task.state}", f"cc-git task done {own}")
    if not weighed:
        helps = f"cc-git remember TEXT -k hypothesis --expires WHEN --relate about:{own}"
        yield Missing("hypothesis", "nothing says what it tries to find out", helps)
    for identifier, one in weighed.items():
        if not any(found.supports for found in one.evidence):
            helps = f"cc-git capture TEXT --type observation --relate supports:{short(identifier)}"
            yield Missing("evidence", f"nothing supports {short(identifier)}", helps)
    if not weighed and "evidence" not in stands:
        helps = f"cc-git capture TEXT --type observation --relate about:{own}"
        yield Missing("evidence", "nothing was observed", helps)
    if "conclusion" not in stands:
        stands["conclusion"] = [step for step in stands.get("decision", ()) if step.node.id in closing]
    yield from _unsettled("decision", "decided", stands, f"cc-git remember TEXT -k decision --relate decides:{own}")
    yield from _unsettled("conclusion", "concluded", stands, f"cc-git remember TEXT --relate resolves:{own}")


def _unsettled(
    what: Literal["decision", "conclusion"], done: str, stands: Mapping[str, list[Step]], helps: str
) -> Iterator[Missing]:
    """Missing where there is none, and where one clashes."""
    found = stands.get(what, [])
    if not found:
        yield Missing(what, f"nothing was {done} that stands", helps)
    for step in found:
        if step.node.state == "conflicted":
            named = short(step.node.id)
            yield Missing(what, f"{named} clashes", f"cc-git resolve {named}")
