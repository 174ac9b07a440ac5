"""What has its room before anything is ranked, in this order: restraints, operative grants, revoked or withheld grants
whose time would still run, commitments by due, failures of high consequence, and what the request requires.

The other side of a conflict is reserved with the side that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain

from cc_git.compiler.eligibility import Eligibility
from cc_git.compiler.pool import Card
from cc_git.compiler.restraints import restrains
from cc_git.compiler.sides import sides_of, standing_for
from cc_git.model.verdict import Clash

Unit = tuple[Card, ...]
"""Cards that are shown together or not at all: one card, or the sides of a conflict."""

_NO_DUE = 1 << 62


def reserve(
    found: Eligibility, utility: Callable[[Card], int], required: Collection[str], clashes: Sequence[Clash]
) -> list[Unit]:
    """In order of claim; among equals the most useful first."""
    keyed: list[tuple[int, int, int, str, Card]] = []
    beside = found.heard.beside
    for group, void in ((found.eligible, False), (found.partners, False), (beside, False), (found.void, True)):
        for card in group:
            if not card.duty and card.id not in required and not void:
                continue
            claim = 2 if void else _claim(card, required)
            if claim is not None:
                due = _NO_DUE if card.due is None else card.due
                keyed.append((claim, due, -utility(card), card.id, card))
    keyed.sort(key=lambda key: key[:4])
    return list(units((card for *_, card in keyed), found, clashes, required=required))


def _claim(card: Card, required: Collection[str]) -> int | None:
    if card.duty in ("deny", "refrain"):
        return 0
    if card.duty == "allow":
        return 1
    if card.duty == "act":
        return 3
    if card.duty in ("high", "catastrophic"):
        return 4
    return 5 if card.id in required else None


def units(
    cards: Iterable[Card],
    found: Eligibility,
    clashes: Sequence[Clash],
    *,
    required: Collection[str] = (),
    without: Collection[str] = (),
) -> Iterator[Unit]:
    """Each card once, in order, with the other sides of its conflicts right after it, or those that stand for them; of
    many sides the others are passed over, but for restraints and what is `required`. `without` have their room."""
    sides = sides_of(chain(found.eligible, found.partners), clashes)
    placed, standing = set(without), dict[int, tuple[str, ...]]()
    for card in cards:
        together = sides.get(card.id, {})
        if together.get(card.id) is not card:
            yield (card,)
            continue
        shown = standing.get(id(together)) or standing.setdefault(id(together), standing_for(together))
        if placed.isdisjoint(shown):
            placed.update(shown)
            first = card.id if card.id in shown else shown[0]
            yield (together[first], *(together[i] for i in shown if i != first))
        if card.id not in placed and (restrains(card) or card.id in required):
            placed.add(card.id)
            yield (card,)
