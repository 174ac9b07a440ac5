"""Which grants and restraints begin, end, or reach further or less far: what a reviewer must see first.

1. A grant counts where it is current; a restraint (a deny, a promise to refrain) where it is in force, also where no
   whole record holds it any more.
2. What a grant gains, or a restraint loses, widens; the other way round it narrows.
3. Told is what changes on this clone now, and where that is nothing, what changes once the one side and not the other
   is in the accepted branch: that is what whoever merges it decides.
4. One that takes the place of another is told once, compared with the other: further, less far, or elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from cc_git.compiler.facts import facts_of
from cc_git.model.ids import short
from cc_git.model.kinds import PREFIX_OF_KIND, Commitment, Permission
from cc_git.model.record import Record
from cc_git.model.verdict import Standings, Verdict
from cc_git.review.changes import Shift
from cc_git.review.side import Side
from cc_git.standing import patterns

_PREFIXES = tuple(f"{PREFIX_OF_KIND[kind]}_" for kind in (Permission.KIND, Commitment.KIND))
Reach = Literal["widens", "narrows", "changes"]
When = Literal["now", "once accepted"]


def shifts(before: Side, after: Side) -> tuple[Shift, ...]:
    """Widening first, then by id."""
    found = {one.id: one for identifier in _concerned(before, after) for one in _of(before, after, identifier)}
    for identifier, shift in list(found.items()):
        old, new = _replaced(before, after, found, shift), after.record(identifier)
        if old is not None and new is not None:
            found[identifier] = replace(
                shift, direction=_compared(old, new), instead=f"{what_of(old)} ({short(old.id)})", instead_id=old.id
            )
            found.pop(old.id)
    return tuple(sorted(found.values(), key=lambda one: (one.direction == "narrows", one.when != "now", one.id)))


def _replaced(before: Side, after: Side, found: Mapping[str, Shift], shift: Shift) -> Record | None:
    """The record that goes as this one comes, in its place."""
    record = after.record(shift.id)
    for identifier in () if record is None else record.supersedes:
        other, old = found.get(identifier), before.record(identifier)
        if other is not None and old is not None and other.direction != shift.direction and record is not None:
            return old if old.restrains == record.restrains else None
    return None


def what_of(record: Record) -> str:
    """What it governs, in a line of ours."""
    facts = facts_of(record, "line")
    if record.kind == Commitment.KIND:
        return f"promise to {', '.join(facts)}"
    return ", ".join(facts)


def _concerned(before: Side, after: Side) -> Iterator[str]:
    pairs = ((before.standings, after.standings), (before.accepted, after.accepted))
    ids = {one.filed.value.id for pair in pairs for side in pair for one in side.restraining}
    for old, new in pairs:
        known = old.verdicts.keys() | new.verdicts.keys()
        ids |= {i for i in known if i.startswith(_PREFIXES) and old.of(i) != new.of(i)}
    yield from sorted(ids)


def _of(before: Side, after: Side, identifier: str) -> Iterator[Shift]:
    record = after.record(identifier) or before.record(identifier)
    if record is None or not (record.restrains or isinstance(record.payload, Permission)):
        return
    moments: tuple[tuple[When, Standings, Standings], ...] = (
        ("now", before.standings, after.standings),
        ("once accepted", before.accepted, after.accepted),
    )
    for when, old, new in moments:
        counted, counts = _counts(old, identifier, record), _counts(new, identifier, record)
        freed, bound = _limits(old, new, identifier)
        if counts == counted and not (counts and not record.restrains and (freed or bound)):
            continue
        more = counts if counts != counted else bool(freed)
        direction: Reach = "widens" if more != record.restrains else "narrows"
        yield Shift(direction, when, identifier, what_of(record), record.title, str(record.scope), record.sensitivity,
                    _says(old, new, identifier, freed, bound))  # fmt: skip
        return


def _counts(side: Standings, identifier: str, record: Record) -> bool:
    verdict = side.of(identifier)
    if record.restrains:
        stands = verdict is not None and (verdict.eligible or verdict.standing == "not-yet-valid")
        return stands or _ghost(side, identifier)
    return verdict is not None and verdict.standing == "current" and "withheld" not in verdict.flags


def _ghost(side: Standings, identifier: str) -> bool:
    return any(one.filed.value.id == identifier for one in side.restraining)


def _limits(old: Standings, now: Standings, identifier: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The denies that cut into it no more, and those that do only now."""
    before, after = (set(v.limited_by) if (v := side.of(identifier)) else set() for side in (old, now))
    return tuple(sorted(before - after)), tuple(sorted(after - before))


def _says(old: Standings, now: Standings, identifier: str, freed: tuple[str, ...], bound: tuple[str, ...]) -> str:
    before, after = _word(old.of(identifier)), _word(now.of(identifier))
    if after == "absent" and _ghost(now, identifier):
        after = "gone from the files, and in force"
    if before != after:
        by = now.of(identifier)
        cause = f" by {', '.join(map(short, by.by[:3]))}" if by is not None and by.by else ""
        return f"{'new' if before == 'absent' else before}, then {after}{cause}"
    parts = [f"no longer limited by {', '.join(map(short, freed))}"] if freed else []
    parts += [f"limited by {', '.join(map(short, bound))}"] if bound else []
    return "; ".join(parts)


def _word(verdict: Verdict | None) -> str:
    return "absent" if verdict is None else verdict.standing


def _compared(old: Record, new: Record) -> Reach:
    """How far the new one reaches, held against the old one; of restraints the other way round."""
    one, other = old.payload, new.payload
    if not (isinstance(one, Permission) and isinstance(other, Permission)):
        return "changes"
    further = _reaches(other, new, one, old)
    less = _reaches(one, old, other, new)
    if further == less:
        return "changes"
    return "widens" if further != new.restrains else "narrows"


def _reaches(wide: Permission, wider: Record, narrow: Permission, narrower: Record) -> bool:
    """The first covers the second: action, target, scope, conditions and time."""
    ends = wider.ends is None or (narrower.ends is not None and narrower.ends <= wider.ends)
    return (
        patterns.covers(wide.action, narrow.action)
        and patterns.covers(wide.target, narrow.target)
        and wider.scope.covers(narrower.scope)
        and set(wide.conditions) <= set(narrow.conditions)
        and ends
    )
