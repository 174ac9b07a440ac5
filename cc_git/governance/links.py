"""The links that files make: each is one edge, named by its field, and for relations by their word.

An episode with the relation `of` says how two other things hang together: its further relations lead from that one. So
a link between what is there already is one more file, and two branches that each add one have both after a merge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cc_git.model.episode import Episode
from cc_git.model.ids import is_id
from cc_git.model.kinds import Goal
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.spine import Relation
from cc_git.model.trigger import Trigger
from cc_git.model.value import Value
from cc_git.model.working_context import Task

OF = "of"
IN_ORDER = frozenset({"derived-from", "merged-into", "superseded-by", "follows-from", "part-of"})
"""Words that lead from the later to what it came from, or into what it became: never round in a circle."""


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """From what names, or of what it is said, to what is named."""

    source: str
    what: str
    target: str


def in_order(edge: Edge) -> tuple[str, str, str]:
    """The key of the order that edges have, which compares thousands of them faster than they do it themselves."""
    return edge.source, edge.what, edge.target


def edges_of(value: Value) -> Iterator[Edge]:
    """What is no id of ours is no end of an edge."""
    own: str = value.id  # type: ignore[attr-defined]
    match value:
        case Record():
            fields = ("sources", "derived_from", "supersedes", "conflicts_with")
            yield from _named(own, *((name, getattr(value, name)) for name in fields))
            yield from _related(own, value.relations)
            if isinstance(value.payload, Goal):
                goal = value.payload
                yield from _named(own, ("parent", (goal.parent,) if goal.parent else ()))
                yield from _named(own, ("depends_on", goal.depends_on))
        case Episode():
            said_of = [relation.to for relation in value.relations if relation.rel == OF]
            others = [relation for relation in value.relations if relation.rel != OF]
            yield from _named(own, (OF, said_of), ("trigger", (value.trigger,) if value.trigger else ()))
            for one in said_of or (own,):
                yield from _related(one, others)
        case Ruling():
            yield from _named(own, (value.verb, value.targets), ("over", value.over), ("sources", value.sources))
            yield from _named(own, ("winner", (value.winner,) if value.winner else ()))
        case Trigger():
            yield from _named(own, ("goal", value.goal_ids), ("task", value.task_ids), ("trace", value.trace))
        case Task():
            alone = (("parent", value.parent), ("goal", value.goal))
            yield from _named(own, *((name, (to,) if to else ()) for name, to in alone))
            yield from _named(own, ("depends_on", value.depends_on), ("hypothesis", value.hypotheses))


def way(edges: Iterable[Edge], what: str, start: str, end: str) -> tuple[str, ...]:
    """The shortest way from one to the other by links of one word, both included; empty where there is none."""
    ahead: dict[str, list[str]] = {}
    for edge in edges:
        if edge.what == what:
            ahead.setdefault(edge.source, []).append(edge.target)
    came: dict[str, str] = {start: start}
    waiting = [start]
    for here in waiting:
        if here == end:
            found = [end]
            while found[-1] != start:
                found.append(came[found[-1]])
            return tuple(reversed(found))
        for after in ahead.get(here, ()):
            if after not in came:
                came[after] = here
                waiting.append(after)
    return ()


def _named(own: str, *fields: tuple[str, Iterable[str]]) -> Iterator[Edge]:
    yield from (Edge(own, name, to) for name, ids in fields for to in ids if is_id(to))


def _related(own: str, relations: Iterable[Relation]) -> Iterator[Edge]:
    yield from _named(own, *((relation.rel, (relation.to,)) for relation in relations))
