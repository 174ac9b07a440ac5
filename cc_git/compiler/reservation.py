"""What has its room before anything is ranked, in this order: restraints, operative grants, revoked or withheld grants
whose time would still run, commitments by due, failures of high consequence, and what the request requires.

The other side of a conflict is reserved with the side that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from cc_git.compiler.eligibility import Eligibility
from cc_git.compiler.pool import Card
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
    return list(units((card for *_, card in keyed), found, clashes))


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


def units(cards: Iterable[Card], found: Eligibility, clashes: Sequence[Clash]) -> Iterator[Unit]:
    """Each card once, in order, with the other sides of its conflicts right after it."""
    sides = _sides(found, clashes)
    placed: set[str] = set()
    for card in cards:
        if sides.get(card.id, {}).get(card.id) is not card:
            yield (card,)
        elif card.id not in placed:
            together = _connected(card.id, sides)
            placed |= together.keys()
            yield (card, *(other for identifier, other in sorted(together.items()) if identifier != card.id))


def _sides(found: Eligibility, clashes: Sequence[Clash]) -> dict[str, dict[str, Card]]:
    """card id → every visible card that it clashes with, itself among them."""
    clashing = {identifier for clash in clashes for identifier in clash.ids}
    if not clashing:
        return {}
    known = {card.id: card for group in (found.eligible, found.partners) for card in group if card.id in clashing}
    sides: dict[str, dict[str, Card]] = {}
    for clash in clashes:
        visible = {identifier: known[identifier] for identifier in clash.ids if identifier in known}
        for identifier in visible:
            sides.setdefault(identifier, {}).update(visible)
    return sides


def _connected(start: str, sides: Mapping[str, Mapping[str, Card]]) -> dict[str, Card]:
    reached, edge = dict(sides[start]), list(sides[start])
    while edge:
        more = {i: card for i, card in sides[edge.pop()].items() if i not in reached}
        reached |= more
        edge += more
    return reached
