"""What an act takes the force from and what it gives force to, told to the person who is asked to confirm it.

It is read off the standings with and without the act, not off its fields: a grant that comes back because its deny is
superseded is named like one that is accepted. Named are restraints (a deny, a promise to refrain) that end or that
something is set against, also those that no whole record of the snapshot holds, and whatever only a person lets stand
that comes to stand or reaches further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from cc_git.model.ids import prefix_of, short
from cc_git.model.kinds import PREFIX_OF_KIND, Permission
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.verdict import Standings, Verdict

_PREFIXES = frozenset(PREFIX_OF_KIND[kind] for kind in (*GATED, "commitment"))


def may_lift(identifiers: Iterable[str]) -> bool:
    """Whether records with these ids can have such an effect at all."""
    return any(prefix_of(identifier) in _PREFIXES for identifier in identifiers)


def lifts(
    before: Standings, after: Standings, record_of: Callable[[str], Record | None], since: datetime | None = None
) -> tuple[str, ...]:
    """One line for each record concerned, restraints first. `since`: from which later instant on."""
    start = f"From {since.isoformat().replace('+00:00', 'Z')} on it" if since else "It"
    old, new = before.verdicts, after.verdicts
    found = [line for identifier in sorted(new.keys() | old.keys()) if prefix_of(identifier) in _PREFIXES
             for line in _of_one(old.get(identifier), new.get(identifier), record_of, identifier)]  # fmt: skip
    found += ((0, text) for text in _of_ghosts(before, after))
    return tuple(f"{start} {text}" for _, text in sorted(found))


def _of_ghosts(before: Standings, after: Standings) -> Iterator[str]:
    """Restraints that no whole record held and that are in force no more, nor a whole one in their place."""
    left = {restraint.key for restraint in after.restraining}
    for restraint in before.restraining:
        record = restraint.filed.value
        whole = after.verdicts.get(record.id)
        if restraint.key not in left and not (whole is not None and _restrains(whole)):
            yield f"lifts the {described(record)}, which is in force though no whole record here holds it"


def _of_one(
    old: Verdict | None, new: Verdict | None, record_of: Callable[[str], Record | None], identifier: str
) -> Iterator[tuple[int, str]]:
    if new is None or old == new:
        return
    record = record_of(identifier)
    if record is None:
        return
    if record.restrains:
        if old is not None and _restrains(old) and not _restrains(new):
            yield 0, f"lifts the {described(record)}, which is then {new.standing}"
        elif old is not None and old.standing == "current" and new.standing == "conflicted":
            yield 1, f"sets something against the {described(record)}, which is then in conflict"
    elif record.kind in GATED and _usable(new):
        freed = () if old is None else sorted(set(old.limited_by) - set(new.limited_by))
        if old is None or not _usable(old):
            yield 2, f"lets the {described(record)} stand"
        elif freed:
            yield 3, f"widens the {described(record)}: no longer limited by {', '.join(map(short, freed))}"


def described(record: Record) -> str:
    """What a restraint or a grant is: its id, what it governs and where, and its title."""
    payload = record.payload
    if isinstance(payload, Permission):
        what = f"{payload.effect} {record.id}, {payload.action} on {payload.target}"
    elif record.restrains:
        what = f"promise to refrain {record.id}"
    else:
        what = f"{record.kind} {record.id}"
    return f'{what} ({record.scope}): "{record.title}"'


def _restrains(verdict: Verdict) -> bool:
    """It is in force, or will be by itself."""
    return verdict.eligible or verdict.standing == "not-yet-valid"


def _usable(verdict: Verdict) -> bool:
    return verdict.standing == "current" and "withheld" not in verdict.flags
