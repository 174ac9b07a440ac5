"""Allow and deny: the deny wins wherever scope, action and target overlap, and no authority outweighs it.

An allow that lies inside a deny altogether is overruled by it. One that a deny only cuts into stays, is flagged
`limited` and names the deny: what is asked for inside it is not permitted. A deny with conditions in words only cuts,
for nothing here can say whether they hold. Where the deny covers action and target but holds in a narrower scope, the
allow yields to it at a question inside that scope.
"""

from __future__ import annotations

from collections.abc import Iterable

from cc_git.model.kinds import Permission
from cc_git.standing import patterns
from cc_git.standing.member import Member, covers, meet

_WILD = frozenset("*?[")


def deny(allows: Iterable[Member], denies: Iterable[Member]) -> None:
    """Fill `denied_by`, `limited_by` and `yields_to` of allows that stand; `denies` are in effect, ghosts included."""
    exact: dict[str, list[tuple[Member, Permission]]] = {}
    wild: list[tuple[Member, Permission]] = []
    for member in denies:
        payload = member.record.payload
        if isinstance(payload, Permission):
            place = wild if _WILD & set(payload.action) else exact.setdefault(payload.action, [])
            place.append((member, payload))
    if not exact and not wild:
        return
    every = [*wild, *(pair for pairs in exact.values() for pair in pairs)]
    for allow in allows:
        payload = allow.record.payload
        if isinstance(payload, Permission):
            facing = every if _WILD & set(payload.action) else [*wild, *exact.get(payload.action, ())]
            _judge(allow, payload, facing)


def _judge(allow: Member, granted: Permission, denies: list[tuple[Member, Permission]]) -> None:
    denied, limited, yields = set(), set(), set()
    for member, forbidden in denies:
        if not (
            patterns.overlaps(forbidden.action, granted.action)
            and patterns.overlaps(forbidden.target, granted.target)
            and meet(member.scope, allow.scope)
        ):
            continue
        within = (
            not forbidden.conditions
            and patterns.covers(forbidden.action, granted.action)
            and patterns.covers(forbidden.target, granted.target)
        )
        if within and covers(member.scope, allow.scope):
            denied.add(member.id)
        else:
            limited.add(member.id)
            if within:
                yields.add(member.id)
    allow.denied_by = tuple(sorted(denied))
    allow.limited_by = tuple(sorted(limited))
    if yields:
        allow.yields_to = tuple(sorted({*allow.yields_to, *yields}))
