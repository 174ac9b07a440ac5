"""Precedence: of everything that the rules found out about a record, what it counts as.

The first that fits: forgotten, damaged, rejected, proposed, revoked, another ending, superseded, expired, not yet
valid, conflicted, overruled, current. Two refinements: a twin that waits is `superseded` rather than proposed once
more; and what something of higher authority overrules is not conflicted with its equals.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from cc_git.model.verdict import Standing
from cc_git.standing.member import Member
from cc_git.standing.tables import ENDS
from cc_git.standing.world import World


class Finding(NamedTuple):
    """`by` are the ids that cause it, `reason` says why in a few words of ours."""

    standing: Standing
    by: tuple[str, ...] = ()
    reason: str = ""


_CURRENT = Finding("current")


def find_all(world: World, identifiers: Mapping[str, object], now: datetime) -> dict[str, Finding]:
    whole = world.whole
    findings = {}
    for identifier in identifiers:
        member = whole.get(identifier)
        if member is None:
            findings[identifier] = _without_sound_content(identifier, world)
        elif member.stands:
            findings[identifier] = _among_heads(member)
        else:
            findings[identifier] = _before_its_line(member) or _in_its_line(member, world, now) or _among_heads(member)
    return findings


def stands(member: Member, world: World, now: datetime) -> bool:
    """In effect now; what only takes (`Member.takes`) when its own content would be."""
    return _is_open(member, now) and not (member.lost_to or member.ended_by or has_ending(member, world))


def still_clashes(member: Member, now: datetime) -> bool:
    """A grant that no person ended, and that would stand. Its side of a conflict does not vanish because an agent
    revoked it, nor by a ruling that is not in this branch: else that would be a way to let the other grant stand."""
    if not member.grants or member.lost_here or not _is_open(member, now):
        return False
    return not any(act.attested and act.stands_here for act in member.ended_by)


def _is_open(member: Member, now: datetime) -> bool:
    if not member.takes or member.starts > now or (member.ends is not None and member.ends <= now):
        return False
    return not (member.superseded_by or member.twin_of)


def has_ending(member: Member, world: World) -> bool:
    """Whether what a forgotten object had ended includes it. Ending files bear no name, so none lifts a restraint."""
    if not world.endings or member.restrains:
        return False
    return member.id in world.endings or any(twin.id in world.endings for twin in member.twins)


def _without_sound_content(identifier: str, world: World) -> Finding:
    if identifier in world.forgotten:
        return Finding("forgotten", (), "forgotten")
    return Finding("damaged", (), "one id with several contents")


def _before_its_line(member: Member) -> Finding | None:
    if member.rejected_by:
        return Finding("rejected", member.rejected_by, "rejected by a ruling")
    if member.effective or member.contested_by or member.twin_of is not None:
        return None
    if member.outranked_by:
        return Finding("proposed", member.outranked_by, "would supersede what has higher authority")
    return Finding("proposed", (), _why_proposed(member))


def _why_proposed(member: Member) -> str:
    if member.authority == "dream":
        return "a dream needs a waking review and an accept"
    if member.record.proposal and not member.by_person:
        return "put forward: it needs an accept"
    if member.by_person:
        return "needs an attested person"
    if member.authority != member.record.authority:
        return f"its sources carry no more than {member.authority}"
    return f"{member.authority} is too little for its kind"


def _in_its_line(member: Member, world: World, now: datetime) -> Finding | None:
    if member.ended_by:
        for verb, standing in ENDS.items():
            by = tuple(act.ruling.id for act in member.ended_by if act.ruling.verb == verb)
            if by:
                return Finding(standing, by, f"{standing} by a ruling")
    if has_ending(member, world):
        return Finding("ended", (), "what a forgotten object had ended")
    if member.superseded_by:
        return Finding("superseded", member.superseded_by, "superseded")
    if member.twin_of:
        return Finding("superseded", (member.twin_of,), "twin")
    if member.ends is not None and member.ends <= now:
        return Finding("expired", (), "its time is over")
    if member.starts > now:
        return Finding("not-yet-valid", (), "its time has not come")
    return None


def _among_heads(member: Member) -> Finding:
    if member.contested_by:
        return Finding("conflicted", member.contested_by, "rulings contradict each other")
    if member.lost_to:
        return Finding("overruled", member.lost_to, "lost a resolve")
    if member.overruled_by:
        return Finding("overruled", member.overruled_by, "something of higher authority says otherwise")
    if member.denied_by:
        return Finding("overruled", member.denied_by, "denied")
    if member.clashes_with:
        return Finding("conflicted", member.clashes_with, "equal authority says otherwise")
    return Finding("current", member.accepted_by) if member.accepted_by else _CURRENT
