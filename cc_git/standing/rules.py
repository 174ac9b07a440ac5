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
  findings     the order of precedence
  verdicts     (flags) needs review, stale, reported, disputed …; the next change
  withheld     what only another branch takes away
  restraining  restraints in force that no whole record holds
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from cc_git.model.attestation import Attestations, Negatives, SeenNegative
from cc_git.model.filed import Files
from cc_git.model.policy import Policy
from cc_git.model.verdict import Standings
from cc_git.standing.acceptance import settle
from cc_git.standing.conflicts import compare
from cc_git.standing.endings import end
from cc_git.standing.findings import find_all, stands, still_clashes
from cc_git.standing.heads import groups_of
from cc_git.standing.lines import Lines
from cc_git.standing.permissions import deny
from cc_git.standing.resolutions import lose
from cc_git.standing.restraining import restraining
from cc_git.standing.tables import needs_of
from cc_git.standing.twins import find_twins, represent
from cc_git.standing.verdicts import clashes_of_rulings, next_change, verdicts_of
from cc_git.standing.withheld import hold_back
from cc_git.standing.world import see


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
    judged = _judge(files, policy, attestations, counting, now, code)
    if not withholding:
        return judged
    held = _judge(files, policy, attestations, [*counting, *withholding], now, None)
    return hold_back(judged, held, files, withholding)


def _judge(
    files: Files,
    policy: Policy,
    attestations: Attestations,
    seen: Sequence[SeenNegative],
    now: datetime,
    code: Mapping[str, str] | None,
) -> Standings:
    needs = needs_of(policy, attestations.accepted_policy)
    world = see(files, seen, needs, attestations, now)
    find_twins(world, files)
    settle(world, needs)
    lines = Lines(world)
    lines.supersede(now)
    end(world, lines)
    open_resolves = lose(world)
    represent(world, now)
    in_effect, heads = [], []
    for member in world.everyone():
        if stands(member, world, now):
            in_effect.append(member)
            member.stands = member.effective
        elif not still_clashes(member, now):
            continue
        if not member.seen_only:
            heads.append(member)
    clashes = compare(groups_of(heads, lines))
    for ids in open_resolves:
        for member in (world.whole[i] for i in ids if i in world.whole):
            if member.stands and not member.clashes_with and not member.overruled_by:
                member.contested_by = tuple(i for i in ids if i != member.id)
    allows = [m for m in in_effect if m.stands and m.grants and not m.overruled_by]
    deny(allows, [m for m in in_effect if m.restrains])
    findings = find_all(world, files.records, now)
    return Standings(
        verdicts=verdicts_of(files, world, findings, code, now),
        clashes=(*clashes, *clashes_of_rulings(world, open_resolves, findings)),
        until=next_change(world, findings, now),
        restraining=restraining(in_effect, world, files, seen),
    )
