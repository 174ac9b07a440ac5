"""Effective, accepted, rejected, contested: what a record may count as before its line is looked at.

A record is *effective* when its authority suffices for its kind, or an accept in force that saw these very bytes names
it; then it stands with the higher of its own and its accept's authority. Gated is effective only by an attested person.
What is only put forward (`proposal`) is effective by the accept alone, whatever its authority.
A restraint is effective from any authority but a dream, and a dream only with an accept *and* a waking review that the
accept or the record names (`wr_…`).

A reject in force beats an accept of lower authority, and loses against a higher one. At equal authority they
contradict: for what is gated the negative wins, else the record is conflicted, and what it superseded stays superseded
until somebody rules.

A reject gives back what its target had superseded. One of a grant that does not stand in this branch does not: it only
takes. An accept that does not stand here, or that a person is bound to no more, only lets its target take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cc_git.model.authority import Authority
from cc_git.standing.inforce import accepts, has_power, in_force, weight
from cc_git.standing.member import Act, Member
from cc_git.standing.tables import TAKES, level
from cc_git.standing.world import World


def settle(world: World, needs: Mapping[str, Authority]) -> None:
    acts = world.acts
    for member in world.everyone():
        named = acts.get(member.id)
        if member.twins:
            named = [*(named or ()), *_through_twins(member, acts)]
        if named:
            _weigh(member, named, needs[member.record.kind])
            member.refused = bool(member.rejected_by) or (member.restrains and any(_refuses(a, member) for a in named))
        else:
            member.effective = member.own and not member.ghost
            member.takes = member.took


def _through_twins(member: Member, acts: Mapping[str, list[Act]]) -> Iterable[Act]:
    ids = {twin.id for twin in member.twins}
    for twin in ids - {member.id}:
        for act in acts.get(twin, ()):
            ruling = act.ruling
            reaches = ruling.verb in TAKES or (member.restrains and ruling.over)
            if reaches and member.id not in ruling.targets and ruling.winner not in ids:
                yield act


def _weigh(member: Member, named: Iterable[Act], need: Authority) -> None:
    named = list(dict.fromkeys(named))
    accepting = [act for act in named if accepts(act, member, need)]
    stands = max([member.level, *(_gives(act, member) for act in accepting if not act.partial)])
    powerful = [
        *accepting,
        *(act for act in named if act.ruling.verb != "accept" and has_power(act, member, stands)),
    ]
    force = in_force(powerful, member, named)
    member.acts, member.firm, member.lifters = force.acts, force.firm, force.lifters
    agreed = [act for act in member.acts if act.ruling.verb == "accept" and _is_woken(member, act)]
    whole = [act for act in agreed if act in force.firm]
    # what accepts a restraint takes, so it does so as well where it is only seen
    standing = agreed if member.restrains else whole
    rejects = [act for act in member.acts if act.ruling.verb == "reject"]
    member.weight = max([member.weight, *(_gives(act, member) for act in agreed)])
    for_it = max((weight(act, member) for act in standing), default=-1)
    against = max((weight(act, member) for act in rejects), default=-1)
    if rejects and (against > for_it or (against == for_it and member.gated)):
        member.rejected_by = _ids(rejects)
        firm = not member.grants or any(act.stands_here for act in rejects)
        member.takes = not firm and (member.took or bool(agreed))
        return
    if rejects and against == for_it:
        member.contested_by = _ids([*rejects, *standing])
        member.takes = True
        return
    member.effective = (member.own or bool(standing)) and not member.ghost
    member.takes = member.took or bool(agreed)
    if whole:
        member.accepted_by = _ids(whole)
        _raise(member, max(whole, key=lambda act: _gives(act, member)))


def _refuses(act: Act, restraint: Member) -> bool:
    """Whether a person's reject of it, which need not stand here to give back what it took, is not surely lifted."""
    if act.ruling.verb != "reject" or not act.attested or act.ruling.saw_of(restraint.id) not in (None, restraint.blob):
        return False
    return not any(act.ruling.id in by.ruling.over and by in restraint.firm for by in restraint.lifters)


def _raise(member: Member, act: Act) -> None:
    if act.attested:
        member.sensitivity = member.record.sensitivity
    if (raised := _gives(act, member)) > member.level:
        member.level, member.authority, member.attested = raised, act.ruling.authority, act.attested


def _gives(act: Act, member: Member) -> int:
    """The level with which a record stands that this accept names."""
    return level(member.record, act.ruling.authority, attested=act.attested)


def _is_woken(member: Member, act: Act) -> bool:
    """A dream goes on only through a waking review."""
    if member.authority != "dream":
        return True
    named = (
        *act.ruling.sources,
        *act.ruling.evidence,
        *member.record.sources,
        *(r.to for r in member.record.relations),
    )
    return any(name.startswith("wr_") for name in named)


def _ids(acts: Iterable[Act]) -> tuple[str, ...]:
    return tuple(sorted({act.ruling.id for act in acts}))
