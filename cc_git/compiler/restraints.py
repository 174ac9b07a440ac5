"""Which restraints a question hears of, and how much of each. A restraint that nobody hears of restrains nobody.

1. Heard is a restraint whose scope meets the scope that the request itself names, and one that limits a grant which is
   shown. The workspace's own scope hides none: it is a file that anybody who may commit can edit.
2. A restraint in force without a whole record (`verdict.Restraint`) is heard like any other.
3. Above the ceiling it is heard in brief: id, effect, action, target, due. What is `restricted`, and what belongs to a
   forgotten record, is not shown at all: it is counted, and a grant that it limits is marked as not usable.
4. Of those that only another branch has, `FETCHED` are shown, first those that limit a grant; the rest is counted in
   the same way. Whoever may push a branch can hold back, and not fill a packet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from cc_git.compiler.cards import card_of
from cc_git.compiler.gate import Gate
from cc_git.compiler.pool import Card
from cc_git.model.verdict import Restraint

FETCHED = 8
"""Restraints that only another branch has, shown at most."""

Key = tuple[str, str]
"""Id and blob: two contents of one id are two restraints."""

Unheard = Literal["above-ceiling", "forgotten", "fetched"]
_Found = tuple[Card, Restraint | None]


def restrains(card: Card) -> bool:
    return card.duty in ("deny", "refrain")


def key_of(card: Card) -> Key:
    return card.id, card.blob


@dataclass(slots=True)
class Heard:
    """`narrower` hold in a narrower scope than the question's and come along in full; `beside` are ghosts, and what is
    shown in brief. `brief` and `away` (holds only elsewhere) name some of both by key, `ghosts` what is behind a ghost.
    `unheard` counts what is not shown, `silent` are the ids of those, `inside` those that hold at the question."""

    narrower: list[Card] = field(default_factory=list)
    beside: list[Card] = field(default_factory=list)
    brief: set[Key] = field(default_factory=set)
    away: set[Key] = field(default_factory=set)
    ghosts: dict[Key, Restraint] = field(default_factory=dict)
    unheard: Counter[Unheard] = field(default_factory=Counter)
    silent: set[str] = field(default_factory=set)
    inside: set[str] = field(default_factory=set)

    def add(self, found: _Found, gate: Gate) -> None:
        card, ghost = found
        key, in_scope = key_of(card), gate.in_scope(card.scope)
        if in_scope:
            self.inside.add(card.id)
        seen = gate.under_ceiling(card.sensitivity)
        if ghost is not None and ghost.whence == "forgotten":
            self.miss(card, "forgotten")
            return
        if not seen and card.sensitivity == "restricted":
            self.miss(card, "above-ceiling")
            return
        if not in_scope:
            self.away.add(key)
        if not seen:
            self.brief.add(key)
        if ghost is not None:
            self.ghosts[key] = ghost
        (self.narrower if seen and ghost is None else self.beside).append(card)

    def miss(self, card: Card, why: Unheard) -> None:
        self.unheard[why] += 1
        self.silent.add(card.id)


def hear(unseen: Iterable[Card], ghosts: Iterable[Restraint], gate: Gate, limits: Collection[str]) -> Heard:
    """`unseen` are restraints that the gate alone lets not through; `limits` the ids that limit a grant or stand in an
    open conflict."""
    heard = Heard()
    found: list[_Found] = [(card, None) for card in unseen]
    found += [(card_of(one.filed, one.verdict, length=0, reach=""), one) for one in ghosts]
    fetched: list[_Found] = []
    for card, ghost in found:
        if card.starts > gate.now or (card.ends is not None and card.ends <= gate.now):
            continue
        if card.id not in limits and not gate.meets(card.scope):
            continue
        if ghost is not None and ghost.whence == "withholds":
            fetched.append((card, ghost))
        else:
            heard.add((card, ghost), gate)
    fetched.sort(key=lambda one: (one[0].id not in limits, key_of(one[0])))
    for place, one in enumerate(fetched):
        if place < FETCHED:
            heard.add(one, gate)
        else:
            heard.miss(one[0], "fetched")
    return heard
