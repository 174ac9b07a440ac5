"""From findings to what is written: batches, each whole with its receipt, so that a crash loses no more than one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cc_git.governance.consolidate import Finding
from cc_git.governance.consolidate_known import OPERATION, consolidations
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.filed import Files
from cc_git.model.ids import prefix_of
from cc_git.model.verdict import Standings

BATCH = 1000
"""Findings in one write; a receipt of so many is far from the size that is not read."""
_FATES = ("accepted", "rejected", "waiting", "conflicted", "forgotten")


@dataclass(frozen=True)
class Earlier:
    """What became of the proposals of earlier consolidations, and the last episode that one dealt with."""

    fates: Mapping[str, int]
    last: str | None


def plans(
    findings: Sequence[Finding], ceiling: Sensitivity, actor: str, mint: Mint, *, batch: int = BATCH
) -> Iterator[Plan]:
    """In the order of writing. What may not be tracked is kept apart, and so is the receipt that names it."""
    done = [finding for finding in findings if finding.sort != "deferred"]
    for start in range(0, len(done), batch):
        part = done[start : start + batch]
        for tracked in (True, False):
            if chosen := [finding for finding in part if at_most(finding.sensitivity, ceiling) == tracked]:
                yield _plan(chosen, actor, mint)


def _plan(findings: Sequence[Finding], actor: str, mint: Mint) -> Plan:
    values = tuple(finding.proposal for finding in findings if finding.proposal is not None)
    touched = dict.fromkeys(i for finding in findings for i in (*finding.episodes, *finding.records))
    counts = Counter(finding.sort.replace("-", "_") for finding in findings)
    receipt = receipt_for(
        OPERATION, tuple(value.id for value in values), tuple(touched), actor, mint, **dict(sorted(counts.items()))
    )
    said = tuple(f"reinforce {f.episodes[0]} {f.records[0]}" for f in findings if f.sort == "reinforce")
    return Plan(
        operation=OPERATION,
        values=values,
        receipt=receipt.model_copy(update={"notes": said}),
        sensitivity=highest(*(finding.sensitivity for finding in findings)),
    )


def earlier(files: Files, standings: Standings) -> Earlier:
    receipts = consolidations(files)
    made = [identifier for receipt in receipts for identifier in receipt.made]
    fates = Counter(_fate(identifier, files, standings) for identifier in dict.fromkeys(made))
    episodes = [i for receipt in receipts for i in receipt.touched if prefix_of(i) == "ep"]
    return Earlier({name: fates[name] for name in _FATES}, max(episodes, key=_when(files), default=None))


def _when(files: Files) -> Callable[[str], tuple[float, str]]:
    def key(identifier: str) -> tuple[float, str]:
        variants = files.episodes.get(identifier)
        return (variants[0].value.starts.timestamp() if variants else 0.0, identifier)

    return key


def _fate(identifier: str, files: Files, standings: Standings) -> str:
    verdict = standings.of(identifier)
    if identifier in files.tombstones or verdict is None:
        return "forgotten"
    return {"proposed": "waiting", "rejected": "rejected", "conflicted": "conflicted"}.get(verdict.standing, "accepted")
