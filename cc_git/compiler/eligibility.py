"""Pass 1: which records may be in a packet at all, and for each of the others why not.

Eligible is what is current or conflicted, in scope, under the ceiling, valid now, and not without all its sources.
Beside them are the records that are shown although they do not hold: a revoked grant whose time would still run, and
a grant that a negative on another branch withholds. A partner (the other side of a conflict, the deny inside an allow)
comes along although it holds in a narrower scope, never above the ceiling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from cc_git.compiler.pool import Card
from cc_git.model.authority import SENSITIVITIES, Sensitivity
from cc_git.model.scope import Scope
from cc_git.model.verdict import Clash

Reason = Literal[
    "out-of-scope", "above-ceiling", "not-yet-valid", "expired", "sources-gone", "withheld", "revoked",
    "redundant", "behind-ended", "budget",
]  # fmt: skip
"""Why a record or an episode is left out that its own standing would let in. `revoked` and `withheld` records are
named in the packet, as what does not hold."""


@dataclass(frozen=True, slots=True)
class Eligibility:
    """All in the order of the pool. `left_out` holds a reason for every card that is in none of the others."""

    eligible: tuple[Card, ...]
    partners: tuple[Card, ...]
    void: tuple[Card, ...]
    left_out: Mapping[str, Reason]


class Gate:
    """What a question may see: its scope, its ceiling, its instant (milliseconds)."""

    def __init__(self, scope: Scope, ceiling: Sensitivity, now: int) -> None:
        self._question = scope.fields()
        self._allowed = frozenset(SENSITIVITIES[: SENSITIVITIES.index(ceiling) + 1])
        self._now = now
        self._seen: dict[tuple[str, ...], bool] = {}

    def in_scope(self, scope: tuple[str, ...]) -> bool:
        known = self._seen.get(scope)
        if known is None:
            known = all(own in ("*", asked) for own, asked in zip(scope, self._question, strict=True))
            self._seen[scope] = known
        return known

    def under_ceiling(self, sensitivity: str) -> bool:
        return sensitivity in self._allowed

    def reason(self, scope: tuple[str, ...], sensitivity: str, starts: int, ends: int | None) -> Reason | None:
        """Why something of this scope, sensitivity and time is not seen, or None."""
        if not self.in_scope(scope):
            return "out-of-scope"
        if sensitivity not in self._allowed:
            return "above-ceiling"
        if starts > self._now:
            return "not-yet-valid"
        return "expired" if ends is not None and ends <= self._now else None


def judge(cards: Sequence[Card], gate: Gate, clashes: Iterable[Clash]) -> Eligibility:
    eligible: list[Card] = []
    void: list[Card] = []
    left_out: dict[str, Reason] = {}
    reason_of = gate.reason
    for card in cards:
        reason = reason_of(card.scope, card.sensitivity, card.starts, card.ends)
        if reason is None and card.standing != "revoked" and not card.flags and card.reach != "gone":
            eligible.append(card)
            continue
        if reason is None:
            reason = _own_reason(card)
        if reason is None:
            eligible.append(card)
        elif reason in ("revoked", "withheld") and card.kind == "permission":
            void.append(card)
        else:
            left_out[card.id] = reason
    partners = _partners(cards, eligible, left_out, clashes)
    seen = tuple(card for card in partners if gate.under_ceiling(card.sensitivity))
    for card in seen:
        del left_out[card.id]
    return Eligibility(tuple(eligible), seen, tuple(void), left_out)


def _own_reason(card: Card) -> Reason | None:
    if card.standing == "revoked":
        return "revoked"
    if card.duty in ("deny", "refrain"):
        # a restraint holds whatever another branch says, and whether or not its evidence can still be reached
        return None
    if "withheld" in card.flags:
        return "withheld"
    return "sources-gone" if card.reach == "gone" else None


def _partners(
    cards: Sequence[Card], eligible: Sequence[Card], left_out: Mapping[str, Reason], clashes: Iterable[Clash]
) -> list[Card]:
    if not left_out:
        return []
    inside = {card.id for card in eligible}
    wanted: set[str] = set()
    for card in eligible:
        if card.limited_by:
            wanted.update(card.limited_by)
    for clash in clashes:
        if not inside.isdisjoint(clash.ids):
            wanted.update(clash.ids)
    wanted = {identifier for identifier in wanted if left_out.get(identifier) == "out-of-scope"}
    return [card for card in cards if card.id in wanted] if wanted else []
