"""In which order what is ranked gets its room, before and after the recent episodes.

What matches the task comes first, current decisions before hypotheses and biography; then the episodes, then the
rest. Without a task everything matches, and only hypotheses and biography come after the episodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cc_git.compiler.pool import Card
from cc_git.compiler.ranking import Ranked

RELEVANT = 300
"""Relevance (a root: nine percent of the best score) from which a record counts as matching the task."""
_LATE = frozenset({"hypothesis", "user_model", "relationship"})


class Tiers(NamedTuple):
    before_episodes: list[Card]
    after_episodes: list[Card]


def tiers(best: Iterable[Ranked], *, asked: bool) -> Tiers:
    """`best` is in the order of the ranking, and stays so within each tier."""
    rows: list[list[Card]] = [[], [], [], []]
    for card, relevance, _ in best:
        matches = not asked or relevance >= RELEVANT
        rows[2 * (not matches) + (card.kind in _LATE)].append(card)
    first, late, rest, last = rows
    return Tiers([*first, *late], [*rest, *last]) if asked else Tiers(first, late)
