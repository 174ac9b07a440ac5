"""Which rulings are in force on a record.

A ruling has *power* over a record, judged target by target, when
 1. its verb fits the kind, and it does not speak as a dream;
 2. on a restraint: an attested person speaks (accept and confirm lift nothing, and follow the other rules), has not
    read other bytes, and the ruling is whole, or a revoke (which counts in any content of its id), or neither it nor
    the restraint is in this branch. A lapsed one lifts nothing;
 3. a revoke of a grant has it from any authority;
 4. on a gated record: accept, reject, reopen, resolve, archive are an attested person's;
 5. an agent completes an act commitment with evidence, whatever stands behind the commitment (shown as claimed);
 6. else it has at least the authority with which the record stands, its accepts included; over what an attested person
    stands behind, it is an attested person's. A revoke is measured against the record alone: an accept that arrives
    later must not undo it.
An accept has power only over the bytes it saw, with the authority that the kind needs.

In force is what has power and is not lifted. A ruling is lifted by one in force on the same record that names it in
`over`, with no lower authority; a revoke cannot be lifted, and inside a cycle of `over` nothing is. A partial ruling
lifts only what gives.

An attested person outweighs everything here, on every ladder: what a tool has observed is truer than what somebody
thinks of the world outside, but whether it is kept is the person's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cc_git.model.authority import Authority
from cc_git.model.kinds import Commitment
from cc_git.standing.cycles import components
from cc_git.standing.member import Act, Member
from cc_git.standing.tables import GATED_VERBS, GLOBAL_VERBS, PERSON, REASON_LEVEL, TAKES, VERB_KINDS, levels_of

_LIFTS_NO_RESTRAINT = frozenset({"accept", "confirm"})


def weight(act: Act, member: Member) -> int:
    """How much a ruling weighs against a record and against other rulings."""
    return PERSON if act.attested else levels_of(member.record)[act.ruling.authority]


def accepts(act: Act, member: Member, need: Authority) -> bool:
    """Whether an accept has power, were it whole. `need` is what the kind asks for."""
    ruling = act.ruling
    if ruling.verb != "accept" or ruling.authority == "dream" or ruling.saw_of(member.id) != member.blob:
        return False
    if member.by_person and not act.attested:
        return False
    return weight(act, member) >= max(levels_of(member.record)[need], member.level)


def has_power(act: Act, member: Member, standing_level: int) -> bool:
    """Whether a ruling other than an accept has power over a record that stands with `standing_level`."""
    ruling = act.ruling
    verb = ruling.verb
    if member.record.kind not in VERB_KINDS[verb] or ruling.authority == "dream":
        return False
    if member.restrains and verb not in _LIFTS_NO_RESTRAINT:
        if act.lapsed or (act.partial and verb != "revoke" and not (act.seen_only and member.seen_only)):
            return False
        saw = ruling.saw_of(member.id)
        return act.attested and (saw is None or saw == member.blob)
    if act.seen_only and not member.grants and verb not in GLOBAL_VERBS:
        return False
    if verb == "revoke" and member.grants:
        return True
    if verb in GATED_VERBS and member.gated and not act.attested:
        return False
    payload = member.record.payload
    own = weight(act, member)
    if verb == "complete" and isinstance(payload, Commitment) and ruling.evidence and own >= REASON_LEVEL:
        return True
    needed, persons = member.claims if verb == "revoke" else (standing_level, member.attested)
    return own >= needed and (act.attested or not persons)


def in_force(candidates: Sequence[Act], member: Member) -> tuple[Act, ...]:
    """Of the rulings that have power over the member, those that nothing lifts."""
    if not any(act.ruling.over for act in candidates):
        return tuple(candidates)
    named: dict[str, list[Act]] = {}
    for act in candidates:
        named.setdefault(act.ruling.id, []).append(act)
    over: dict[str, list[str]] = {}
    for act in candidates:
        lifts = (o for o in act.ruling.over if o in named and may_lift(act, named[o], member))
        over.setdefault(act.ruling.id, []).extend(lifts)
    cycle = components(over)
    lifted: set[str] = set()
    for lifter in _lifters_first(over, cycle):
        if lifter not in lifted:
            lifted.update(o for o in over[lifter] if cycle[o] != cycle[lifter] and _ends(named[lifter], named[o]))
    return tuple(act for act in candidates if act.ruling.id not in lifted)


def _ends(lifters: Iterable[Act], lifted: Iterable[Act]) -> bool:
    """A partial ruling lifts only what gives. (In a cycle it counts like a whole one: that changes nothing.)"""
    return not any(act.partial for act in lifters) or not any(act.ruling.verb in TAKES for act in lifted)


def may_lift(act: Act, lifted: Iterable[Act], member: Member) -> bool:
    """Whether a ruling has the authority to lift others, were it whole."""
    own = weight(act, member)
    return all(other.ruling.verb != "revoke" and own >= weight(other, member) for other in lifted)


def _lifters_first(over: dict[str, list[str]], cycle: dict[str, int]) -> list[str]:
    """Whoever lifts before whom it lifts: components are numbered from the lifted upwards."""
    return sorted(over, key=lambda ruling: (-cycle[ruling], ruling))
