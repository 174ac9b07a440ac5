"""The graph of what is remembered and of the work in hand, for whoever looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cc_git.errors import UsageFault
from cc_git.governance.graph import Direction, Graph, Known, graph_of, lineage, links_in
from cc_git.governance.links import Edge
from cc_git.governance.permit import authority_of
from cc_git.governance.relate import relate
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.wiring.acts import Acted, Hand, finish, mint_of
from cc_git.wiring.finding import find, thing_id
from cc_git.wiring.lineage import refuse_needless
from cc_git.wiring.resting import weighed
from cc_git.wiring.session import Session


def whole_graph(session: Session, ceiling: Sensitivity) -> Graph:
    return graph_of(known_at_hand(session), ceiling)


def known_at_hand(session: Session) -> Known:
    """All that is here, with the work in hand."""
    triggers = session.triggers
    return Known(
        files=session.loaded.files,
        triggers={identifier: filed.value for identifier, filed in triggers.items()},
        verdicts=session.standings.verdicts,
        context=session.work.united(),
        weight=dict(_weights(session, triggers)),
        attested=_attested(session),
    )


def _attested(session: Session) -> frozenset[str]:
    claimed = [filed for variants in session.loaded.files.episodes.values() for filed in variants[:1]
               if filed.value.authority == "user-explicit"]  # fmt: skip
    found = session.attestations.among((filed.rel, filed.blob) for filed in claimed)
    return frozenset(filed.value.id for filed in claimed if found.holds(filed.blob))


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


def do_relate(
    session: Session, one: IdPart, word: str, other: IdPart, hand: Hand, *, reason: str | None = None,
    prefix: str | None = None,
) -> Acted:  # fmt: skip
    """Say that two things hang together which are here; with `prefix` both are of this sort."""
    source, target = (find(session, part, prefix) if prefix else thing_id(session, part) for part in (one, other))
    link = Edge(source, word, target)
    authority = authority_of(hand.who, None)
    plan = relate(
        link, reason, links_in(known_at_hand(session)), authority, session.workspace.scope, hand.who, mint_of(session)
    )
    refuse_needless(session, link)
    return finish(session, weighed(session, plan), hand)


def lineage_of(session: Session, part: IdPart, direction: Direction, most: int, ceiling: Sensitivity) -> Graph:
    """Raises UsageFault for what is above the ceiling."""
    graph = whole_graph(session, ceiling)
    named = part.among([node.id for node in graph.nodes])
    identifier = named[0] if len(named) == 1 else find(session, part)
    if identifier not in {node.id for node in graph.nodes}:
        raise UsageFault(f"{short(identifier)} is above the ceiling {ceiling}", hints=("--ceiling restricted",))
    return lineage(graph, identifier, direction, most)
