"""The sides of a conflict: which are shown together, and who stands for a conflict of many.

Up to `SIDES` sides are shown all, together or not at all. Of more, two that contradict each other stand for all, and
the rest is a number: a thousand records of one subject must not make a packet impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cc_git.compiler.pool import Card
from cc_git.model.verdict import Clash

SIDES = 6

Together = Mapping[str, Card]
"""The visible sides that hang together, by id."""


def sides_of(visible: Iterable[Card], clashes: Iterable[Clash]) -> dict[str, Together]:
    """Id → all that it hangs together with, itself among them; only what has another side is in it."""
    clashes = list(clashes)
    clashing = {identifier for clash in clashes for identifier in clash.ids}
    known = {card.id: card for card in visible if card.id in clashing} if clashing else {}
    found: dict[str, dict[str, Card]] = {}
    for clash in clashes:
        together = {identifier: known[identifier] for identifier in clash.ids if identifier in known}
        for met in {id(found[i]): found[i] for i in together if i in found}.values():
            together |= met
        found.update(dict.fromkeys(together, together))
    return dict(found)


def standing_for(together: Together) -> tuple[str, ...]:
    """The ids that are shown for all, in order: all of a few, or two of many that contradict each other."""
    ids = sorted(together)
    if len(ids) <= SIDES:
        return tuple(ids)
    for one in ids:
        other = next((i for i in together[one].by if i in together), None)
        if other is not None:
            return tuple(sorted((one, other)))
    return tuple(ids[:2])
