"""What has its room before anything is ranked, in this order: restraints, operative grants, revoked or withheld grants
whose time would still run, commitments by due, failures of high consequence, and what the request requires.

The other side of a conflict is reserved with the side that is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from cc_git.compiler.eligibility import Eligibility
from cc_git.compiler.pool import Card
from cc_git.model.verdict import Clash

Unit = tuple[Card, ...]
"""Cards that are shown together or not at all: one card, or the sides of a conflict."""

_NO_DUE = 1 << 62


def _class_of(card: Card) -> int | None:
    if card.duty in ("deny", "refrain"):
        return 0
    if card.duty == "allow":
        return 1
    if card.duty == "act":
        return 3
    return 4 if card.duty in ("high", "catastrophic") else None


def reserve(
    eligibility: Eligibility, place: Mapping[str, int], required: Collection[str], clashes: Iterable[Clash]
) -> list[Unit]:
    """In order of claim. `place` is each eligible card's place in the ranking, which orders equals."""
    keyed: list[tuple[int, int, int, str, Card]] = []
    for group, void in ((eligibility.eligible, False), (eligibility.partners, False), (eligibility.void, True)):
        for card in group:
            rank = 2 if void else _class_of(card)
            if rank is None and card.id in required:
                rank = 5
            if rank is not None:
                due = _NO_DUE if card.due is None else card.due
                keyed.append((rank, due, place.get(card.id, len(place)), card.id, card))
    keyed.sort(key=lambda key: key[:4])
    return units([card for *_, card in keyed], eligibility, clashes)


def units(cards: Sequence[Card], eligibility: Eligibility, clashes: Iterable[Clash]) -> list[Unit]:
    """Each card once, in order, with the other sides of its conflicts right after it."""
    inside = list(clashes)
    if not inside:
        return [(card,) for card in cards]
    known = {card.id: card for group in (eligibility.eligible, eligibility.partners) for card in group}
    sides: dict[str, set[str]] = {}
    for clash in inside:
        shown = [identifier for identifier in clash.ids if identifier in known]
        for identifier in shown:
            sides.setdefault(identifier, set()).update(shown)
    placed: set[str] = set()
    out: list[Unit] = []
    for card in cards:
        if card.id in placed:
            continue
        together = _connected(card.id, sides)
        placed |= together
        out.append((card, *(known[identifier] for identifier in sorted(together - {card.id}))))
    return out


def _connected(start: str, sides: Mapping[str, set[str]]) -> set[str]:
    reached, edge = {start}, [start]
    while edge:
        more = sides.get(edge.pop(), set()) - reached
        reached |= more
        edge += more
    return reached
