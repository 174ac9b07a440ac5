"""What hangs together: goals, tasks, hypotheses, evidence, decisions, what was ruled and what began it, as a graph.

1. A node is a record, an episode, a ruling, a trigger or a task; an edge is one link of a file, named by its field and
   for relations by their word. Links are read and never made up: one that leads to nothing is a gap.
2. Edges point from what names to what is named. So a lineage upward follows them, and downward goes against them.
3. What is above the ceiling is left out with its links, and counted.

Cycles may arrive by a merge; whatever walks here goes by each node once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from cc_git.governance.links import OF, Edge, edges_of
from cc_git.model.authority import SENSITIVITIES, Sensitivity, at_most
from cc_git.model.episode import Episode
from cc_git.model.filed import Files
from cc_git.model.ids import is_id, short
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.trigger import Trigger
from cc_git.model.value import Value
from cc_git.model.verdict import Verdict
from cc_git.model.working_context import Task, WorkingContext

Direction = Literal["up", "down", "both"]


@dataclass(frozen=True, slots=True)
class Node:
    """`kind` is a record's kind, or episode, ruling, trigger, task; `state` what it counts as, or a task's state."""

    id: str
    kind: str
    title: str
    state: str = ""


@dataclass(frozen=True)
class Graph:
    """Nodes and edges in the order of ids. `gaps` lead to what is not here, `left_out` counts nodes above the ceiling,
    `cut` that a walk ended before its end."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    gaps: tuple[Edge, ...] = ()
    left_out: int = 0
    cut: bool = False


@dataclass(frozen=True)
class Known:
    """What a graph is made of. `weight` says of an id how sensitive it counts as, `attested` are the episodes
    that a person is bound to."""

    files: Files
    triggers: Mapping[str, Trigger]
    verdicts: Mapping[str, Verdict]
    context: WorkingContext | None = None
    weight: Mapping[str, Sensitivity] = field(default_factory=dict)
    attested: frozenset[str] = frozenset()


def graph_of(known: Known, ceiling: Sensitivity) -> Graph:
    """Everything up to a ceiling."""
    values = {value.id: value for value in values_in(known)}  # type: ignore[attr-defined]
    shown = {i: one for i, one in values.items() if at_most(weight_of(known, one), ceiling)}
    edges = sorted({edge for one in shown.values() for edge in edges_of(one)})
    return Graph(
        nodes=tuple(node_of(known, shown[i]) for i in sorted(shown)),
        edges=tuple(edge for edge in edges if edge.source in shown and edge.target in shown),
        gaps=tuple(edge for edge in edges if edge.source not in values or edge.target not in values),
        left_out=len(values) - len(shown),
    )


def links_in(known: Known) -> frozenset[Edge]:
    """Every link, whatever its ends are."""
    return frozenset(edge for value in values_in(known) for edge in edges_of(value))


def lineage(graph: Graph, start: str, direction: Direction, most: int) -> Graph:
    """What a node comes from (up), what comes from it (down), nearest first and at most so many nodes."""
    up: dict[str, list[str]] = {}
    down: dict[str, list[str]] = {}
    for edge in graph.edges:
        up.setdefault(edge.source, []).append(edge.target)
        down.setdefault(edge.target, []).append(edge.source)
    ways = {"up": (up,), "down": (down,), "both": (up, down)}[direction]
    reached: dict[str, None] = {}
    for way in ways:
        reached |= dict.fromkeys(_walk(start, way, most + 1))
    kept = set(list(reached)[:most])
    return Graph(
        nodes=tuple(node for node in graph.nodes if node.id in kept),
        edges=tuple(edge for edge in graph.edges if edge.source in kept and edge.target in kept),
        gaps=tuple(edge for edge in graph.gaps if edge.source in kept),
        left_out=graph.left_out,
        cut=len(reached) > most,
    )


def _walk(start: str, way: Mapping[str, list[str]], most: int) -> Iterator[str]:
    seen, queue = {start}, deque([start])
    while queue and most:
        here = queue.popleft()
        most -= 1
        yield here
        for further in way.get(here, ()):
            if further not in seen:
                seen.add(further)
                queue.append(further)


def values_in(known: Known) -> Iterator[Value]:
    """Everything that is a node; of a damaged id its first content."""
    files = known.files
    for group in (files.records, files.episodes, files.rulings):
        yield from (variants[0].value for variants in group.values())
    yield from known.triggers.values()
    yield from known.context.tasks if known.context else ()


def weight_of(known: Known, value: Value) -> Sensitivity:
    """By what it counts as; a ruling and a task are as sensitive as the most sensitive thing they are about."""
    identifier: str = value.id  # type: ignore[attr-defined]
    if isinstance(value, Ruling | Task):
        about = (known.weight.get(edge.target, "ordinary") for edge in edges_of(value))
        return max((known.weight.get(identifier, "ordinary"), *about), key=SENSITIVITIES.index)
    return known.weight.get(identifier, "ordinary")


def node_of(known: Known, value: Value) -> Node:
    match value:
        case Record():
            verdict = known.verdicts.get(value.id)
            return Node(value.id, value.kind, value.title, verdict.standing if verdict else "")
        case Episode():
            return Node(value.id, "episode", _said(value), value.type)
        case Ruling():
            return Node(value.id, "ruling", _first_line(value.reason or ""), value.verb)
        case Trigger():
            return Node(value.id, "trigger", value.summary, value.kind)
        case Task():
            return Node(value.id, "task", value.title, value.state)
    raise TypeError(type(value).__name__)


def _said(episode: Episode) -> str:
    """Of one that links two others, the link in short."""
    first = _first_line(episode.content)
    words = first.split()
    return " ".join(short(word) if is_id(word) else word for word in words) if OF in _words_of(episode) else first


def _words_of(episode: Episode) -> frozenset[str]:
    return frozenset(relation.rel for relation in episode.relations)


def _first_line(text: str) -> str:
    return next((line.strip()[:120] for line in text.splitlines() if line.strip()), "")
