"""Conflicted and overruled.

Heads of one group clash where their scopes overlap and they say different things (`statement`). Then
 1. the one with the higher authority overrules the other; a restraint is never overruled;
 2. those of equal authority that nothing overrules are conflicted, until somebody rules: who came last is no reason;
 3. different subjects are a split, not a clash, unless the clash is declared or they supersede each other in a cycle;
 4. allow and deny never clash: where they overlap the deny wins (`permissions`);
 5. in scopes that lie in each other the narrower one does not clash with the wider: at a question inside it the wider
    one yields to it, or it yields to the wider one where it has the lower authority. A restraint never yields.

Groups are compared bucket by bucket (scope, subject, effect), not record by record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from cc_git.model.kinds import Permission
from cc_git.model.verdict import Clash
from cc_git.standing.heads import Group
from cc_git.standing.member import Fields, Member, covers, meet
from cc_git.standing.statement import Statement, statement

Bucket = dict[int, dict[Statement, list[Member]]]
"""Level → statement → who says it."""
Key = tuple[Fields, str | None, str | None, str]


def compare(groups: Sequence[Group]) -> tuple[Clash, ...]:
    """Fill `overruled_by`, `clashes_with` and `yields_to`; the clashes that stay open."""
    prepared = [(group, pairs) for group in groups if (pairs := list(_pairs(group)))]
    overruled: dict[Member, set[str]] = {}
    yields: dict[Member, set[str]] = {}
    for _, pairs in prepared:
        for one, other, nested in pairs:
            if nested is None:
                _overrule(one, other, overruled)
                _overrule(other, one, overruled)
            else:
                wide, narrow = (one, other) if nested == "wide" else (other, one)
                _yield(wide, narrow, yields)
    for member, by in overruled.items():
        member.overruled_by = tuple(sorted(by))
    for member, to in yields.items():
        member.yields_to = tuple(sorted(to))
    clashing: dict[str, set[tuple[str, str]]] = {}
    partners: dict[Member, set[str]] = {}
    for group, pairs in prepared:
        for one, other, nested in pairs:
            if nested is None:
                for a, b in _equals(one, other):
                    clashing.setdefault(group.cause, set()).add((a.id, b.id))
                    partners.setdefault(a, set()).add(b.id)
                    partners.setdefault(b, set()).add(a.id)
    for member, ids in partners.items():
        member.clashes_with = tuple(sorted(ids))
    return tuple(_clashes(clashing))


def _pairs(group: Group) -> Iterable[tuple[Bucket, Bucket, str | None]]:
    """Buckets that meet; for scopes inside each other, whether the first is the `wide` or the `narrow` one."""
    buckets: dict[Key, Bucket] = {}
    for member in group.members:
        record = member.record
        effect = record.payload.effect if isinstance(record.payload, Permission) else None
        key = (member.scope, record.subject, effect, record.kind)
        said = buckets.setdefault(key, {}).setdefault(member.weight, {})
        said.setdefault(statement(record), []).append(member)
    for bucket in buckets.values():
        yield bucket, bucket, None
    if len(buckets) == 1:
        return
    for (a, one), (b, other) in combinations(buckets.items(), 2):
        opposed = a[2] is not None and b[2] is not None and a[2] != b[2]
        splits = group.split and a[1] is not None and b[1] is not None and a[1] != b[1]
        if opposed or splits or not meet(a[0], b[0]):
            continue
        if not group.layered or a[0] == b[0]:
            yield one, other, None
        elif covers(a[0], b[0]):
            yield one, other, "wide"
        elif covers(b[0], a[0]):
            yield one, other, "narrow"
        else:
            yield one, other, None


def _overrule(low: Bucket, high: Bucket, overruled: dict[Member, set[str]]) -> None:
    for own, said in low.items():
        above = [statements for level, statements in high.items() if level > own]
        if not above:
            continue
        for text, members in said.items():
            by = {m.id for statements in above for other, ms in statements.items() if other != text for m in ms}
            if by:
                for member in members:
                    if not member.restrains:
                        overruled.setdefault(member, set()).update(by)


def _equals(one: Bucket, other: Bucket) -> Iterable[tuple[Member, Member]]:
    for level, said in one.items():
        facing = other.get(level)
        if facing is None or (one is other and len(said) < 2):
            continue
        for text, members in said.items():
            for facing_text, facing_members in facing.items():
                if text != facing_text:
                    yield from (
                        (a, b)
                        for a in members
                        for b in facing_members
                        if not a.overruled_by and not b.overruled_by and (one is not other or a.id < b.id)
                    )


def _yield(wide: Bucket, narrow: Bucket, yields: dict[Member, set[str]]) -> None:
    for level, said in wide.items():
        for text, members in said.items():
            for facing_level, facing in narrow.items():
                for facing_text, facing_members in facing.items():
                    if text == facing_text:
                        continue
                    giving, taking = (members, facing_members) if facing_level >= level else (facing_members, members)
                    for member in giving:
                        if not member.restrains:
                            yields.setdefault(member, set()).update(m.id for m in taking)


def _clashes(clashing: dict[str, set[tuple[str, str]]]) -> Iterable[Clash]:
    """Connected clashes of one cause are one; a clash that has two causes is named by the first."""
    told: set[tuple[str, ...]] = set()
    for cause in ("line", "subject", "declared"):
        part: dict[str, str] = {}
        for a, b in clashing.get(cause, ()):
            part[_root(part, a)] = _root(part, b)
        together: dict[str, list[str]] = {}
        for identifier in part:
            together.setdefault(_root(part, identifier), []).append(identifier)
        for ids in sorted(tuple(sorted(ids)) for ids in together.values()):
            if ids not in told:
                told.add(ids)
                yield Clash(ids, cause)


def _root(part: dict[str, str], identifier: str) -> str:
    part.setdefault(identifier, identifier)
    while part[identifier] != identifier:
        identifier = part[identifier]
    return identifier
