"""From findings to verdicts: the flags beside a standing, the open clashes of rulings, and the next change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from cc_git.model.filed import Files
from cc_git.model.verdict import Clash, Flag, Verdict
from cc_git.standing.findings import Finding
from cc_git.standing.flags import Doubts, flags_of
from cc_git.standing.inforce import weight
from cc_git.standing.member import Member
from cc_git.standing.world import World

_OPEN = frozenset({"current", "conflicted"})
_TIMED = frozenset({"current", "conflicted", "overruled", "not-yet-valid"})
_NONE: frozenset[Flag] = frozenset()
_NO_DOUBTS: tuple[str, ...] = ()


def verdicts_of(
    files: Files, world: World, findings: Mapping[str, Finding], code: Mapping[str, str] | None, now: datetime
) -> dict[str, Verdict]:
    doubts = Doubts(world, findings, code, now)
    disputed = _disputed(world, findings)
    whole = world.whole
    # most verdicts are one of a few; they are immutable, so one object serves all
    plain: dict[tuple[object, ...], Verdict] = {}
    verdicts: dict[str, Verdict] = {}
    for identifier, (standing, by, reason) in findings.items():
        member = whole.get(identifier)
        if member is None:
            authority = files.records[identifier][0].value.authority
            verdicts[identifier] = Verdict(standing, authority, by=by, reason=reason)
            continue
        flags, left = _NONE, _NO_DOUBTS
        if standing in _OPEN:
            flags, left = flags_of(member, doubts)
            if identifier in disputed:
                flags |= {"disputed"}
        elif standing == "completed" and _is_claimed(member):
            flags = frozenset({"claimed"})
        said = (
            standing, member.authority, member.attested, by, reason, flags, member.limited_by, member.yields_to,
            member.sensitivity, left,
        )  # fmt: skip
        if by or left or member.limited_by or member.yields_to:
            verdicts[identifier] = Verdict(*said)
            continue
        key = (standing, reason, member.authority, member.attested, member.sensitivity, flags)
        verdict = plain.get(key)
        if verdict is None:
            verdict = plain[key] = Verdict(*said)
        verdicts[identifier] = verdict
    return verdicts


def _is_claimed(member: Member) -> bool:
    completing = [act for act in member.ended_by if act.ruling.verb == "complete"]
    return all(weight(act, member) < member.level for act in completing)


def _disputed(world: World, findings: Mapping[str, Finding]) -> set[str]:
    """What is contradicted by something that its authority overrules, or that is only proposed."""
    disputed: set[str] = set()
    for member in world.whole.values():
        if member.overruled_by and findings[member.id].standing == "overruled":
            disputed.update(member.overruled_by)
        if member.record.conflicts_with and findings[member.id].standing == "proposed":
            disputed.update(member.record.conflicts_with)
    return disputed


def clashes_of_rulings(
    world: World, open_resolves: Iterable[tuple[str, ...]], findings: Mapping[str, Finding]
) -> Iterable[Clash]:
    for ids in open_resolves:
        still = tuple(i for i in ids if i in findings and findings[i].standing == "conflicted")
        if len(still) > 1:
            yield Clash(still, "rulings")
    contested = (member for member in world.whole.values() if member.contested_by and not member.effective)
    for identifier in sorted(member.id for member in contested):
        if findings[identifier].standing == "conflicted":
            yield Clash((identifier,), "rulings")


def next_change(world: World, findings: Mapping[str, Finding], now: datetime) -> datetime | None:
    """No later than the next change. Only times that can still move something are looked at."""
    times = list(world.later)
    for member in world.everyone():
        review = member.record.review_by
        if member.starts > now and member.takes:
            times.append(member.starts)
        if member.ends is None and review is None:
            continue
        if member.ghost or (member.takes and not member.effective) or findings[member.id].standing in _TIMED:
            times += (time for time in (member.ends, review) if time is not None)
    return min((time for time in times if time > now), default=None)
