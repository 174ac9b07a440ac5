"""The graph of what is remembered and of the work in hand, for whoever looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cc_git.errors import UsageFault
from cc_git.governance.graph import Direction, Graph, Known, graph_of, lineage
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.wiring.finding import find
from cc_git.wiring.origin import triggers_of
from cc_git.wiring.session import Session


def whole_graph(session: Session, ceiling: Sensitivity) -> Graph:
    files = session.loaded.files
    triggers = triggers_of(session)
    return graph_of(
        Known(
            files=files,
            triggers={identifier: filed.value for identifier, filed in triggers.items()},
            verdicts=session.standings.verdicts,
            context=session.work.context,
            weight=dict(_weights(session, triggers)),
        ),
        ceiling,
    )


def _weights(session: Session, triggers: Iterable[str]) -> Iterator[tuple[str, Sensitivity]]:
    """As things count, and no less than their private files say."""
    files, judged, private = session.loaded.files, session.standings.verdicts, session.private_tier
    for identifier, records in files.records.items():
        said = (*(filed.value.sensitivity for filed in records), judged[identifier].sensitivity)
        yield identifier, highest(*said, private.weight(identifier) or "ordinary")
    for identifier, episodes in files.episodes.items():
        said = tuple(filed.value.sensitivity for filed in episodes)
        yield identifier, highest(*said, private.weight(identifier) or "ordinary")
    for identifier in (*files.rulings, *triggers):
        yield identifier, private.weight(identifier) or "ordinary"


def lineage_of(session: Session, part: IdPart, direction: Direction, most: int, ceiling: Sensitivity) -> Graph:
    """Raises UsageFault for what is above the ceiling."""
    graph = whole_graph(session, ceiling)
    named = part.among([node.id for node in graph.nodes])
    identifier = named[0] if len(named) == 1 else find(session, part)
    if identifier not in {node.id for node in graph.nodes}:
        raise UsageFault(f"{short(identifier)} is above the ceiling {ceiling}", hints=("--ceiling restricted",))
    return lineage(graph, identifier, direction, most)
