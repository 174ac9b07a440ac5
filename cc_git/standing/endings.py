"""Endings: revoked, completed, released, archived, expired by a ruling.

1. A ruling on a record ends its whole line: the record, and everything that supersedes it over any number of links.
2. It does not reach a record that names it in `after`, nor, past an effective one that does, what supersedes only that.
3. It ends each record by its own power over it (`inforce`): an agent that archives its old note does not archive the
   correction that a person made of it. So it does not matter whether it has power over the record that it names, or
   whether that is here at all: nobody gains by it, and nothing that arrives under that id can undo it.
4. A restraint is reached only where it names the ended record directly: who released one did not release what somebody
   else tied to it over a record in between.
5. Where a ruling in force names it in `over`, it is lifted there; lifted at the record that it names, it is lifted
   for the line. A revoke cannot be lifted. At a restraint that takes, so whatever reopens it counts (`inforce`), here
   or at the record that it names; for everything else it gives, so a ruling that is in force by all its sides.
"""

from __future__ import annotations

from cc_git.standing.inforce import has_power, may_lift
from cc_git.standing.lines import Lines
from cc_git.standing.member import Act, Member
from cc_git.standing.tables import ENDS
from cc_git.standing.world import World


def end(world: World, lines: Lines) -> None:
    """Fill `ended_by` of every member."""
    found: dict[Member, dict[str, Act]] = {}
    for member in world.everyone():
        for act in member.acts:
            if act.ruling.verb in ENDS:
                found.setdefault(member, {})[act.ruling.id] = act
    for target, acts in world.acts.items():
        for act in acts:
            if act.ruling.verb in ENDS:
                named = world.of(target)
                for member in _line_above(lines, lines.place(target), act):
                    if not any(_is_lifted(act, one, member) for one in named):
                        found.setdefault(member, {})[act.ruling.id] = act
    for member, acts_on in found.items():
        member.ended_by = tuple(acts_on[ruling] for ruling in sorted(acts_on))


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
                elif has_power(act, member, member.level) and not _is_lifted(act, member, member):
                    reached.append(member)
            if not cut:
                ways.append(place)
    return reached


def _is_lifted(act: Act, at: Member, member: Member) -> bool:
    """By a ruling on `at`, as far as `member` is concerned."""
    return any(
        act.ruling.id in by.ruling.over and (member.restrains or by in at.firm) and may_lift(by, [act], at)
        for by in at.lifters
    )
