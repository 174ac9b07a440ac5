"""Endings: revoked, completed, released, archived, expired by a ruling.

1. A ruling in force on a record ends its whole line: everything that supersedes it, over any number of links, whether
   the record it names is still here or not.
2. It does not reach a record that names it in `after`, nor, past an effective one that does, what supersedes only that.
3. It reaches each record by its own power over it (`inforce`): an agent that archives its old note does not archive
   the correction that a person made of it. At each it can be lifted by a ruling in force there that names it in `over`.
4. A revoke cannot be lifted.
"""

from __future__ import annotations

from cc_git.standing.inforce import has_power, may_lift, would_have_power
from cc_git.standing.lines import Lines
from cc_git.standing.member import Act, Member
from cc_git.standing.tables import ENDS
from cc_git.standing.world import World


def end(world: World, lines: Lines) -> None:
    """Fill `ended_by` of every member."""
    found: dict[Member, dict[str, Act]] = {}
    starts: dict[tuple[str, str], Act] = {}
    for member in world.everyone():
        for act in member.acts:
            if act.ruling.verb in ENDS:
                found.setdefault(member, {})[act.ruling.id] = act
                starts[(lines.place(member.id), act.ruling.id)] = act
    for target, acts in world.acts.items():
        place, here = lines.place(target), world.of(target)
        for act in acts:
            if act.ruling.verb in ENDS and (not here or _reaches_past(act, here)):
                starts[(place, act.ruling.id)] = act
    for (place, ruling), act in starts.items():
        for member in _line_above(lines, place, act):
            found.setdefault(member, {})[ruling] = act
    for member, acts_on in found.items():
        member.ended_by = tuple(acts_on[ruling] for ruling in sorted(acts_on))


def _reaches_past(act: Act, here: list[Member]) -> bool:
    """A partial ruling lifts no restraint, and still ends what it ended behind one."""
    return act.partial and any(m.restrains and would_have_power(act, m, m.level) for m in here)


def _line_above(lines: Lines, start: str, act: Act) -> list[Member]:
    reached: list[Member] = []
    seen = {start}
    ways = [start]
    while ways:
        for place in lines.above.get(ways.pop(), ()):
            if place in seen:
                continue
            seen.add(place)
            cut = False
            for member in lines.at(place):
                if act.ruling.id in member.record.after:
                    cut = cut or member.effective
                elif member.restrains and all(lines.place(named) != start for named in member.record.supersedes):
                    continue
                elif has_power(act, member, member.level) and not _is_lifted(act, member):
                    reached.append(member)
            if not cut:
                ways.append(place)
    return reached


def _is_lifted(act: Act, member: Member) -> bool:
    return any(act.ruling.id in by.ruling.over and may_lift(by, [act], member) for by in member.acts)
