"""`standing`: what every record counts as, from files, policy, attestations, negatives and the clock alone.

Three maxims: model prose proposes, it never grants. Restraint from anyone, release by a person. Nothing that takes
away is ever undone by something that merely arrives.

The steps, each in a module that states its own rules:
  world        what is sound, damaged, forgotten; ghosts, of which only what they take away counts
  carried      how far sources carry a claim, and who is bound to it
  twins        the same document imported twice
  acceptance   (inforce) accepted, rejected, contested: what is effective
  lines        superseded, and proposed for lack of authority
  endings      revoked and other endings, for whole lines
  resolutions  what lost a resolve
  conflicts    (heads) conflicted, overruled, layered scopes
  permissions  (patterns) denied and limited allows
  flags        needs review, stale, reported, disputed …
  withheld     what only another branch takes away
The first of these that fits is the standing: forgotten, damaged, rejected, proposed, revoked, another ending,
superseded, expired, not yet valid, conflicted, overruled, current. Two refinements: a twin that waits is `superseded`
rather than proposed once more; and what something of higher authority overrules is not conflicted with its equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from cc_git.model.attestation import Attestations, Negatives, SeenNegative
from cc_git.model.filed import Files
from cc_git.model.policy import Policy
from cc_git.model.verdict import Clash, Flag, Standing, Standings, Verdict
from cc_git.standing.acceptance import settle
from cc_git.standing.conflicts import compare
from cc_git.standing.endings import end
from cc_git.standing.flags import Doubts, flags_of
from cc_git.standing.heads import groups_of
from cc_git.standing.inforce import weight
from cc_git.standing.lines import Lines
from cc_git.standing.permissions import deny
from cc_git.standing.resolutions import lose
from cc_git.standing.tables import ENDS, needs_of
from cc_git.standing.twins import find_twins, represent
from cc_git.standing.withheld import hold_back
from cc_git.standing.world import Member, World, see

Finding = tuple[Standing, tuple[str, ...], str]
"""Standing, what causes it, and why in a few words."""


def standing(
    files: Files,
    policy: Policy,
    attestations: Attestations,
    negatives: Negatives,
    now: datetime,
    *,
    code: Mapping[str, str] | None = None,
) -> Standings:
    """`now` is aware; `code` maps repository paths to the blobs that HEAD has there (None: nothing is called stale)."""
    counting = [n for n in negatives.seen.values() if n.force == "counts"]
    withholding = [n for n in negatives.seen.values() if n.force == "withholds"]
    judged = judge(files, policy, attestations, counting, now, code)
    if not withholding:
        return judged
    held = judge(files, policy, attestations, [*counting, *withholding], now, None)
    return hold_back(judged, held, files)


def judge(
    files: Files,
    policy: Policy,
    attestations: Attestations,
    seen: Iterable[SeenNegative],
    now: datetime,
    code: Mapping[str, str] | None,
) -> Standings:
    needs = needs_of(policy, attestations.accepted_policy)
    world = see(files, seen, needs, attestations, now)
    find_twins(world.whole.values(), files, world.forgotten)
    settle(world, needs)
    lines = Lines(world)
    lines.supersede(now)
    represent(world.whole.values())
    end(world, lines)
    open_resolves = lose(world)
    standing_now = [m for m in world.everyone() if _stands(m, world, now)]
    heads = [m for m in standing_now if m.effective]
    clashes = compare(groups_of([m for m in standing_now if not m.seen_only], lines))
    contested = {identifier for group in open_resolves for identifier in group}
    for member in heads:
        if member.id in contested and not member.clashes_with and not member.overruled_by:
            member.contested_by = tuple(sorted(contested - {member.id}))
    deny(
        (m for m in heads if m.grants and not m.overruled_by),
        (m for m in standing_now if m.restrains),
    )
    findings = {identifier: _find(identifier, world, now) for identifier in files.records}
    disputed = _disputed(world, findings)
    doubts = Doubts(files, world, {i: (f[0], f[1]) for i, f in findings.items()}, code)
    return Standings(
        verdicts=_verdicts(files, world, findings, doubts, disputed, now),
        clashes=(*clashes, *_ruling_clashes(world, open_resolves, findings)),
        until=_until(world, findings, now),
    )


def _stands(member: Member, world: World, now: datetime) -> bool:
    """In effect now; what only takes (`Member.takes`) when its own content would be."""
    record = member.record
    if not member.takes or record.starts > now:
        return False
    if member.ended_by or member.superseded_by or member.twin_of or member.lost_to:
        return False
    if member.id in world.endings and not member.restrains:
        return False
    ends = record.ends
    return ends is None or now < ends


def _find(identifier: str, world: World, now: datetime) -> Finding:
    if identifier in world.forgotten:
        return "forgotten", (), "forgotten"
    if identifier in world.damaged:
        return "damaged", (), "one id with several contents"
    member = world.whole[identifier]
    return _before_its_line(member) or _in_its_line(member, world, now) or _among_heads(member)


def _before_its_line(member: Member) -> Finding | None:
    if member.rejected_by:
        return "rejected", member.rejected_by, "rejected by a ruling"
    if member.contested_by and not member.effective:
        return None
    if not member.effective and member.twin_of is None:
        if member.outranked_by:
            return "proposed", member.outranked_by, "would supersede what has higher authority"
        return "proposed", (), _why_proposed(member)
    return None


def _why_proposed(member: Member) -> str:
    if member.authority == "dream":
        return "a dream needs a waking review and an accept"
    if member.by_person:
        return "needs an attested person"
    if member.authority != member.record.authority:
        return f"its sources carry no more than {member.authority}"
    return f"{member.authority} is too little for its kind"


def _in_its_line(member: Member, world: World, now: datetime) -> Finding | None:
    record = member.record
    for verb, name in ENDS.items():
        by = tuple(act.ruling.id for act in member.ended_by if act.ruling.verb == verb)
        if by:
            return name, by, f"{name} by a ruling"
    if not member.restrains and any(i in world.endings for i in (member.id, *(t.id for t in member.twins))):
        return "ended", (), "what a forgotten object had ended"
    if member.superseded_by:
        return "superseded", member.superseded_by, "superseded"
    if member.twin_of:
        return "superseded", (member.twin_of,), "twin"
    if record.ends is not None and record.ends <= now:
        return "expired", (), "its time is over"
    if record.starts > now:
        return "not-yet-valid", (), "its time has not come"
    return None


def _among_heads(member: Member) -> Finding:
    if member.contested_by:
        return "conflicted", member.contested_by, "rulings contradict each other"
    if member.lost_to:
        return "overruled", member.lost_to, "lost a resolve"
    if member.overruled_by:
        return "overruled", member.overruled_by, "something of higher authority says otherwise"
    if member.denied_by:
        return "overruled", member.denied_by, "denied"
    if member.clashes_with:
        return "conflicted", member.clashes_with, "equal authority says otherwise"
    return "current", member.accepted_by, ""


def _disputed(world: World, findings: Mapping[str, Finding]) -> set[str]:
    """What is contradicted by something that its authority overrules, or that is only proposed."""
    disputed: set[str] = set()
    for member in world.whole.values():
        if member.overruled_by and findings[member.id][0] == "overruled":
            disputed.update(member.overruled_by)
        if member.record.conflicts_with and findings[member.id][0] == "proposed":
            disputed.update(member.record.conflicts_with)
    return disputed


def _verdicts(
    files: Files,
    world: World,
    findings: Mapping[str, Finding],
    doubts: Doubts,
    disputed: set[str],
    now: datetime,
) -> dict[str, Verdict]:
    verdicts: dict[str, Verdict] = {}
    for identifier, (name, by, reason) in findings.items():
        member = world.whole.get(identifier)
        if member is None:
            verdicts[identifier] = Verdict(name, files.records[identifier][0].value.authority, by=by, reason=reason)
            continue
        flags: frozenset[Flag] = frozenset()
        left: tuple[str, ...] = ()
        if name in ("current", "conflicted"):
            flags, left = flags_of(member, doubts, now)
            if identifier in disputed:
                flags |= {"disputed"}
        elif name == "completed" and all(
            weight(act, member) < member.level for act in member.ended_by if act.ruling.verb == "complete"
        ):
            flags = frozenset({"claimed"})
        verdicts[identifier] = Verdict(
            name, member.authority, member.attested, by, reason, flags, member.limited_by, member.yields_to,
            member.sensitivity, left,
        )  # fmt: skip
    return verdicts


def _ruling_clashes(
    world: World, open_resolves: list[tuple[str, ...]], findings: Mapping[str, Finding]
) -> Iterable[Clash]:
    for ids in open_resolves:
        still = tuple(i for i in ids if i in findings and findings[i][0] == "conflicted")
        if len(still) > 1:
            yield Clash(still, "rulings")
    for identifier, finding in sorted(findings.items()):
        member = world.whole.get(identifier)
        if member is not None and finding[0] == "conflicted" and member.contested_by and not member.effective:
            yield Clash((identifier,), "rulings")


def _until(world: World, findings: Mapping[str, Finding], now: datetime) -> datetime | None:
    """No later than the next change. Only times that can still move something are looked at."""
    times = list(world.later)
    for member in world.everyone():
        record = member.record
        name = "current" if member.ghost else findings[member.id][0]
        if member.takes and (record.starts > now):
            times.append(record.starts)
        if name in ("current", "conflicted", "overruled", "not-yet-valid"):
            times += (t for t in (record.ends, record.review_by) if t is not None)
    return min((t for t in times if t > now), default=None)
