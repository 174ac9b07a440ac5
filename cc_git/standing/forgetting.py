"""Forgetting never widens: what would come back without a forgotten object gets a file in `endings/`.

Computed by standing with and without it, until nothing comes back. Something comes back when it is eligible (or waits
for its time) and was not, when an allow was conflicted and is no more, when a deny that cut into it is gone, or when
what it was kept from others for is. A restraint that comes back is none of these: restraint may come from anyone. One
that is in force no more because what had reopened it is forgotten is held by an ending of each ruling that lifts it.
Looked at are now and the later instants at which a forgotten object would have taken effect.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.authority import SENSITIVITIES
from cc_git.model.filed import Files
from cc_git.model.policy import Policy
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.verdict import Standings, Verdict
from cc_git.standing.rules import standing
from cc_git.standing.tables import TAKES


def endings_needed(
    files: Files,
    policy: Policy,
    attestations: Attestations,
    negatives: Negatives,
    now: datetime,
    forget: Collection[str],
) -> frozenset[str]:
    """The ids of records that need an ending when everything with an id in `forget` is forgotten together."""
    gone = frozenset(forget)
    rest = without(files, gone)
    buried = replace(attestations, buried=attestations.buried | gone)
    left = Negatives({rel: n for rel, n in negatives.seen.items() if n.filed.value.id not in gone})
    needed: frozenset[str] = frozenset()
    for instant in (now, *sorted(_later(files, gone, now))):
        before = standing(files, policy, attestations, negatives, instant)
        while True:
            after = standing(replace(rest, endings=files.endings | needed), policy, buried, left, instant)
            back = frozenset((*_came_back(before, after, rest), *_lifting(before, after, rest, left, gone))) - needed
            if not back:
                break
            needed |= back
    return needed


def without(files: Files, gone: frozenset[str]) -> Files:
    """The files after forgetting: nothing of these ids is left but their tombstones."""

    def kept(group: Any) -> Any:
        return {identifier: variants for identifier, variants in group.items() if identifier not in gone}

    return replace(
        files,
        records=kept(files.records),
        episodes=kept(files.episodes),
        rulings=kept(files.rulings),
        triggers=kept(files.triggers),
        checkpoints=kept(files.checkpoints),
        receipts=kept(files.receipts),
        tombstones=files.tombstones | gone,
    )


def _came_back(before: Standings, after: Standings, rest: Files) -> Iterable[str]:
    for identifier, new in after.verdicts.items():
        record = rest.records[identifier][0].value
        if not record.restrains and _is_wider(before.verdicts[identifier], new, record):
            yield identifier


def _lifting(before: Standings, after: Standings, rest: Files, left: Negatives, gone: frozenset[str]) -> Iterable[str]:
    """The rulings that lift a restraint which was in force with what is forgotten, and is no more."""
    lifted = _in_force(before, rest) - _in_force(after, rest) - gone
    if not lifted:
        return
    rulings = {filed.value.id: filed.value for variants in rest.rulings.values() for filed in variants}
    rulings |= {n.filed.value.id: n.filed.value for n in left.seen.values() if isinstance(n.filed.value, Ruling)}
    for identifier in lifted:
        verdict = after.verdicts.get(identifier)
        yield from () if verdict is None else (i for i in verdict.by if i in rulings)
        yield from (i for i, one in rulings.items() if one.verb in TAKES and identifier in one.targets)


def _in_force(standings: Standings, rest: Files) -> frozenset[str]:
    """The restraints in force, or that will be by themselves."""
    whole = {
        identifier for identifier, verdict in standings.verdicts.items()
        if (verdict.eligible or verdict.standing == "not-yet-valid")
        and any(filed.value.restrains for filed in rest.records.get(identifier, ()))
    }  # fmt: skip
    return frozenset(whole | {one.filed.value.id for one in standings.restraining})


def _is_wider(old: Verdict, new: Verdict, record: Record) -> bool:
    was, is_now = _openness(old, record), _openness(new, record)
    if is_now > was:
        return True
    return is_now > 0 and (
        bool(set(old.limited_by) - set(new.limited_by))
        or SENSITIVITIES.index(new.sensitivity) < SENSITIVITIES.index(old.sensitivity)
    )


def _openness(verdict: Verdict, record: Record) -> int:
    if verdict.standing == "conflicted" and record.kind == "permission":
        return 1
    return 2 if verdict.eligible or verdict.standing == "not-yet-valid" else 0


def _later(files: Files, gone: frozenset[str], now: datetime) -> set[datetime]:
    instants: set[datetime] = set()
    for identifier in gone:
        starts = [filed.value.starts for filed in files.records.get(identifier, ())]
        effective = [filed.value.effective_from for filed in files.rulings.get(identifier, ())]
        instants.update(when for when in (*starts, *effective) if when is not None and when > now)
    return instants
