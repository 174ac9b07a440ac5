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
`over`, with no lower authority; a revoke cannot be lifted.

*What takes and what gives.* Each ruling has two sides on a record, which are in force apart from each other. What a
record grants or says is taken by what ends or rejects it or lets it lose, and given by an accept; what a restraint
forbids is given back by the same verbs, and taken by nothing but the restraint itself. Lifting turns this round, at any
depth: to lift what gives takes, to lift what takes gives. So
 - the taking side of a ruling lifts the giving side of those that it names, and the giving side their taking side;
 - the taking side counts in any content of its id, from wherever it was seen, and after it lapsed; on a restraint from
   any authority but a dream, for restraint comes from anyone, whoever released it;
 - the giving side asks for a whole ruling, on a restraint for one of an attested person;
 - the taking side is in force unless the giving side of another is certain to lift it, the giving side only when
   nothing that may be in force lifts it. So inside a cycle of `over` nothing gives.
A file that arrives and has no giving side can then only take, whatever it names. Who releases a restraint that was
reopened need not name the reopening: a new release is a ruling of its own.

An attested person outweighs everything here, on every ladder: what a tool has observed is truer than what somebody
thinks of the world outside, but whether it is kept is the person's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cc_git.model.authority import Authority
from cc_git.model.kinds import Commitment
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


@dataclass(frozen=True, slots=True)
class Force:
    """`acts` are the rulings in force on a record: on a restraint those that lift it by their giving side, all others
    if only by their taking side. `firm` are those whose giving side is in force; `lifters` name others in `over`."""

    acts: tuple[Act, ...] = ()
    firm: frozenset[Act] = frozenset()
    lifters: tuple[Act, ...] = ()


def in_force(powerful: Sequence[Act], member: Member, named: Iterable[Act] = ()) -> Force:
    """Of the rulings with power over the member (`powerful`), what nothing lifts. `named` are all that name it."""
    acts = [*powerful, *_only_lifting(named, member, frozenset(powerful))]
    giving = {act for act in powerful if _may_give(act, member)}
    if not any(act.ruling.over for act in acts):
        return Force(tuple(powerful), frozenset(giving))
    taking, firm = _settle(acts, giving, _lifted_by(acts, member))
    in_effect = tuple(
        act for act in powerful if act in (firm if member.restrains and act.ruling.verb in TAKES else taking)
    )
    return Force(in_effect, frozenset(firm), tuple(act for act in acts if act.ruling.over and act in taking))


def _only_lifting(named: Iterable[Act], member: Member, powerful: frozenset[Act]) -> Iterable[Act]:
    """Without power over the record, but with a taking side that lifts: on a restraint whatever anyone but a dream
    says, on another record what an attested person said and was only seen (it may lift what displaced a restraint)."""
    for act in named:
        ruling = act.ruling
        if not ruling.over or act in powerful or member.record.kind not in VERB_KINDS[ruling.verb]:
            continue
        if (member.restrains and ruling.authority != "dream") or (act.seen_only and act.attested):
            yield act


def _may_give(act: Act, member: Member) -> bool:
    """Whether a ruling with power has a giving side."""
    if member.restrains and act.ruling.verb in TAKES:
        return True
    return not act.partial and (act.attested or not (member.restrains and act.ruling.over))


def _lifted_by(acts: Iterable[Act], member: Member) -> dict[Act, list[Act]]:
    named: dict[str, list[Act]] = {}
    for act in acts:
        named.setdefault(act.ruling.id, []).append(act)
    return {
        act: [one for o in act.ruling.over if o in named and may_lift(act, named[o], member) for one in named[o]]
        for act in acts
    }


def _settle(acts: Iterable[Act], giving: set[Act], lifts: Mapping[Act, list[Act]]) -> tuple[set[Act], set[Act]]:
    """Whose taking and whose giving side is in force. Each link is looked at once."""
    taking = set(acts)
    against = dict.fromkeys(taking, 0)
    for lifted in lifts.values():
        for act in lifted:
            against[act] += 1
    firm: set[Act] = set()
    sure = [act for act in giving if not against[act]]
    while sure:
        lifter = sure.pop()
        firm.add(lifter)
        for act in lifts[lifter]:
            if act in taking:
                taking.discard(act)
                for freed in lifts[act]:
                    against[freed] -= 1
                    if not against[freed] and freed in giving:
                        sure.append(freed)
    return taking, firm


def may_lift(act: Act, lifted: Iterable[Act], member: Member) -> bool:
    """Whether a ruling has the authority to lift others, were it whole; a restraint is reopened with any."""
    own = PERSON if member.restrains else weight(act, member)
    return all(other.ruling.verb != "revoke" and own >= weight(other, member) for other in lifted)
