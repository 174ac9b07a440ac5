"""Pass 1: which records may be in a packet at all, and for each of the others why not.

Eligible is what is current or conflicted, in scope, under the ceiling, valid now, not without all its sources, and not
overridden by a record of a narrower scope that is seen as well.
Beside them are the records that are shown although they do not hold: a revoked grant whose time would still run, and
a grant that a negative on another branch withholds. A partner (the other side of a conflict, the deny inside an allow)
comes along although it holds in a narrower scope, never above the ceiling. Of restraints a question hears more
(`restraints`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from cc_git.compiler.gate import Gate, Reason
from cc_git.compiler.pool import Card
from cc_git.compiler.restraints import Heard, hear, restrains
from cc_git.model.verdict import Clash, Restraint

_TRAITS = itemgetter(
    *map(Card._fields.index, ("scope", "sensitivity", "standing", "flags", "reach", "limited_by", "yields_to"))
)
_PLAIN = ("current", (), "", (), ())
"""Standing, flags, reach, limits and yields of nearly every record: only the others need a second look."""


@dataclass(frozen=True, slots=True)
class Eligibility:
    """All in the order of the pool. `left_out` holds a reason for every card that is in none of the groups.
    `unreached` counts the eligible that rest on a source which is not in this snapshot."""

    eligible: tuple[Card, ...]
    partners: tuple[Card, ...]
    void: tuple[Card, ...]
    left_out: Mapping[str, Reason]
    conflicted: frozenset[str]
    unreached: int
    heard: Heard

    def shown(self) -> Iterator[Card]:
        """All that may be in the packet."""
        for group in (self.eligible, self.partners, self.heard.beside, self.void):
            yield from group


class _Plain(dict[tuple[Any, ...], bool]):
    """Traits → whether a record that has them is eligible at the right time, without a second look."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    def __missing__(self, traits: tuple[Any, ...]) -> bool:
        scope, sensitivity, *others = traits
        plain = tuple(others) == _PLAIN and self._gate.in_scope(scope) and self._gate.under_ceiling(sensitivity)
        self[traits] = plain
        return plain


def judge(cards: Sequence[Card], gate: Gate, clashes: Sequence[Clash], ghosts: Sequence[Restraint] = ()) -> Eligibility:
    """`ghosts` are the restraints in force that no card stands for."""
    eligible: list[Card] = []
    void: list[Card] = []
    left_out: dict[str, Reason] = {}
    conflicted: set[str] = set()
    limits: set[str] = set()
    unreached, yielding = 0, False
    now, plain = gate.now, _Plain(gate)
    for card, traits in zip(cards, map(_TRAITS, cards), strict=True):
        if plain[traits] and card.starts <= now and (card.ends is None or now < card.ends):
            eligible.append(card)
            continue
        reason = gate.reason(card.scope, card.sensitivity, card.starts, card.ends)
        if reason is None:
            reason = _own_reason(card)
            if reason is None:
                limits.update(card.limited_by)
                yielding |= bool(card.yields_to)
                unreached += card.reach == "absent"
                if card.standing == "conflicted":
                    conflicted.add(card.id)
        if reason is None:
            eligible.append(card)
        elif reason in ("revoked", "withheld") and card.kind == "permission":
            void.append(card)
        else:
            left_out[card.id] = reason
    for clash in clashes:
        if not conflicted.isdisjoint(clash.ids):
            limits.update(clash.ids)
    unseen = [card for card in cards if card.id in left_out and restrains(card)] if left_out else []
    heard = hear(unseen, ghosts, gate, limits)
    if yielding:
        eligible = _give_way(eligible, heard.inside, left_out)
    wanted = {identifier for identifier in limits if left_out.get(identifier) == "out-of-scope"}
    wanted.update(card.id for card in heard.narrower)
    partners = [card for card in cards if card.id in wanted] if wanted else []
    for card in (*partners, *heard.beside):
        left_out.pop(card.id, None)
    return Eligibility(tuple(eligible), tuple(partners), tuple(void), left_out, frozenset(conflicted), unreached, heard)


def _give_way(eligible: Sequence[Card], restraining: Collection[str], left_out: dict[str, Reason]) -> list[Card]:
    """What holds in a narrower scope takes the place of the wider, where the question sees both, and a restraint does
    wherever it holds at the question."""
    seen = {card.id for card in eligible}.union(restraining)
    yields = {card.id for card in eligible if not seen.isdisjoint(card.yields_to)}
    left_out.update(dict.fromkeys(sorted(yields), "yields"))
    return [card for card in eligible if card.id not in yields]


def _own_reason(card: Card) -> Reason | None:
    if card.standing == "revoked":
        return "revoked"
    if card.duty in ("deny", "refrain"):
        # a restraint holds whatever another branch says, and whether or not its evidence can still be reached
        return None
    if "withheld" in card.flags:
        return "withheld"
    return "sources-gone" if card.reach == "gone" else None
