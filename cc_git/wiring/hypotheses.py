"""Hypotheses as they stand, hang together and weigh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cc_git.errors import UsageFault
from cc_git.governance.graph import Node, links_in, node_of, values_in, weight_of
from cc_git.governance.hypotheses import CONTRADICTS, SUPPORTS, Weighed, weigh
from cc_git.governance.lineage import Lineage
from cc_git.governance.relate_hypotheses import in_words
from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.ids import short
from cc_git.model.record import Record
from cc_git.model.value import Value
from cc_git.model.verdict import Verdict
from cc_git.wiring.graph import known_at_hand
from cc_git.wiring.lineage import lineage_at_hand
from cc_git.wiring.session import Session

_NAMED = 5


@dataclass(frozen=True)
class Seen:
    """`weighed` where it stands and was not merged into another that does: that one is `within`."""

    record: Record
    verdict: Verdict
    weighed: Weighed | None
    within: str | None


@dataclass(frozen=True)
class Hypotheses:
    """Those that are weighed by score, then the others, newest first. `nodes`: what bears on them, by id; `spoken_of`:
    of which something is said for or against them. `circles` tell what a merge may have brought."""

    seen: tuple[Seen, ...]
    lineage: Lineage
    nodes: Mapping[str, Node]
    spoken_of: frozenset[str]
    circles: tuple[str, ...]

    def one(self, identifier: str) -> Seen:
        """Raises UsageFault where it cannot be read."""
        found = next((one for one in self.seen if one.record.id == identifier), None)
        if found is None:
            raise UsageFault(f"{short(identifier)} cannot be read", hints=("cc-git status",))
        return found


def hypotheses(session: Session) -> Hypotheses:
    known = known_at_hand(session)
    values: dict[str, Value] = {value.id: value for value in values_in(known)}  # type: ignore[attr-defined]
    edges = links_in(known)
    found = {one.id: one for one in weigh(values, edges, known.verdicts, known.attested)}
    within = {merged: one.id for one in reversed(found.values()) for merged in one.merged if merged not in found}
    records = {i: one for i, one in values.items() if isinstance(one, Record) and one.kind == "hypothesis"}
    order = [*found, *sorted(records.keys() - found.keys(), reverse=True)]
    named = {one.id for weighed in found.values() for one in weighed.evidence}
    lineage = lineage_at_hand(session)
    return Hypotheses(
        seen=tuple(Seen(records[i], known.verdicts[i], found.get(i), within.get(i)) for i in order),
        lineage=lineage,
        nodes={i: node_of(known, values[i]) for i in sorted(named | records.keys())},
        spoken_of=frozenset(edge.target for edge in edges if edge.what in (SUPPORTS, CONTRADICTS)),
        circles=circles_of(lineage),
    )


def ranked(session: Session, ceiling: Sensitivity) -> tuple[tuple[tuple[Weighed, str], ...], int, tuple[str, ...]]:
    """The hypotheses that stand with their titles, the best first, how many are above the ceiling, and circles."""
    known = known_at_hand(session)
    values: dict[str, Value] = {value.id: value for value in values_in(known)}  # type: ignore[attr-defined]
    found = weigh(values, links_in(known), known.verdicts, known.attested)
    shown = [one for one in found if at_most(weight_of(known, values[one.id]), ceiling)]
    return (
        tuple((one, node_of(known, values[one.id]).title) for one in shown),
        len(found) - len(shown),
        circles_of(lineage_at_hand(session)),
    )


def circles_of(lineage: Lineage) -> tuple[str, ...]:
    """The first of them, and how many more there are."""
    told = [f"these hypotheses come back to themselves: {in_words(circle)}" for circle in lineage.circles]
    more = [f"and {len(told) - _NAMED} circles more: cc-git audit"] if len(told) > _NAMED else []
    return (*told[:_NAMED], *more)
