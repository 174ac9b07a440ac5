"""Pass 1: which records may be in a packet at all, and for each of the others why not.

Eligible is what is current or conflicted, in scope, under the ceiling, valid now, not without all its sources, and not
overridden by a record of a narrower scope that is seen as well.
Beside them are the records that are shown although they do not hold: a revoked grant whose time would still run, and
a grant that a negative on another branch withholds. A partner (the other side of a conflict, the deny inside an allow)
comes along although it holds in a narrower scope, never above the ceiling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal

from cc_git.compiler.pool import Card
from cc_git.model.authority import SENSITIVITIES, Sensitivity
from cc_git.model.scope import FIELDS, Scope
from cc_git.model.verdict import Clash

Reason = Literal[
    "out-of-scope", "above-ceiling", "not-yet-valid", "expired", "sources-gone", "yields", "withheld", "revoked",
    "redundant", "behind-ended", "budget",
]  # fmt: skip
"""Why a record or an episode is left out that its own standing would let in. `revoked` and `withheld` records are
named in the packet, as what does not hold."""


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


def scope_of(asked: Scope, workspace: Scope) -> Scope:
    """The question's scope: what was asked, completed by the workspace's where nothing was named."""
    pairs: Mapping[str, str] = {
        name: own if own != "*" else getattr(workspace, name) for name, own in zip(FIELDS, asked.fields(), strict=True)
    }
    return Scope(**pairs)


class Gate:
    """What a question may see: its scope, its ceiling, its instant (milliseconds)."""

    def __init__(self, scope: Scope, ceiling: Sensitivity, now: int) -> None:
        self._question = scope.fields()
        self._allowed = frozenset(SENSITIVITIES[: SENSITIVITIES.index(ceiling) + 1])
        self.now = now

    def in_scope(self, scope: tuple[str, ...]) -> bool:
        """Every field is open or the question's."""
        return all(own in ("*", asked) for own, asked in zip(scope, self._question, strict=True))

    def under_ceiling(self, sensitivity: str) -> bool:
        return sensitivity in self._allowed

    def reason(self, scope: tuple[str, ...], sensitivity: str, starts: int, ends: int | None) -> Reason | None:
        """Why something of this scope, sensitivity and time is not seen, or None."""
        # the ceiling first: ids are named by reason, and those above it never are
        if sensitivity not in self._allowed:
            return "above-ceiling"
        if not self.in_scope(scope):
            return "out-of-scope"
        if starts > self.now:
            return "not-yet-valid"
        return "expired" if ends is not None and ends <= self.now else None


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


def judge(cards: Sequence[Card], gate: Gate, clashes: Sequence[Clash]) -> Eligibility:
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
    if yielding:
        eligible = _give_way(eligible, left_out)
    for clash in clashes:
        if not conflicted.isdisjoint(clash.ids):
            limits.update(clash.ids)
    wanted = {identifier for identifier in limits if left_out.get(identifier) == "out-of-scope"}
    partners = [card for card in cards if card.id in wanted] if wanted else []
    for card in partners:
        del left_out[card.id]
    return Eligibility(tuple(eligible), tuple(partners), tuple(void), left_out, frozenset(conflicted), unreached)


def _give_way(eligible: Sequence[Card], left_out: dict[str, Reason]) -> list[Card]:
    """What holds in a narrower scope takes the place of the wider, where the question sees both."""
    seen = {card.id for card in eligible}
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
