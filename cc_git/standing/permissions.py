"""Allow and deny: the deny wins wherever scope, action and target overlap, and no authority outweighs it.

An allow that lies inside a deny altogether is overruled by it. One that a deny only cuts into stays, is flagged
`limited` and names the deny: what is asked for inside it is not permitted. A deny with conditions in words only cuts,
for nothing here can say whether they hold. Where the deny covers action and target but holds in a narrower scope, the
allow yields to it at a question inside that scope.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from cc_git.model.kinds import Permission
from cc_git.standing import patterns
from cc_git.standing.member import Member, covers, meet

Denied = tuple[Member, Permission]


def deny(allows: Iterable[Member], denies: Iterable[Member]) -> None:
    """Fill `denied_by`, `limited_by` and `yields_to` of allows that stand; `denies` are in effect, ghosts included."""
    by_action: dict[str, list[Denied]] = {}
    for member in denies:
        payload = member.record.payload
        if isinstance(payload, Permission):
            by_action.setdefault(payload.action, []).append((member, payload))
    if not by_action:
        return
    targets = {action: _ByPrefix(found) for action, found in by_action.items()}
    for allow in allows:
        payload = allow.record.payload
        if isinstance(payload, Permission):
            facing = (
                denied
                for action, found in targets.items()
                if patterns.overlaps(action, payload.action)
                for denied in found.near(payload.target)
            )
            _judge(allow, payload, facing)


class _ByPrefix:
    """Denies of one action. Two patterns can overlap only where what stands before their first wildcard agrees as far
    as both go, so most of a thousand denies need not be compared."""

    def __init__(self, denies: list[Denied]) -> None:
        self._found: dict[str, list[Denied]] = {}
        for denied in denies:
            self._found.setdefault(patterns.literal_prefix(denied[1].target), []).append(denied)
        self._prefixes = sorted(self._found)

    def near(self, target: str) -> Iterator[Denied]:
        prefix = patterns.literal_prefix(target)
        for length in range(len(prefix)):
            yield from self._found.get(prefix[:length], ())
        at = bisect_left(self._prefixes, prefix)
        while at < len(self._prefixes) and self._prefixes[at].startswith(prefix):
            yield from self._found[self._prefixes[at]]
            at += 1


def _judge(allow: Member, granted: Permission, denies: Iterable[Denied]) -> None:
    denied, limited, yields = set(), set(), set()
    for member, forbidden in denies:
        if not meet(member.scope, allow.scope) or not patterns.overlaps(forbidden.target, granted.target):
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
