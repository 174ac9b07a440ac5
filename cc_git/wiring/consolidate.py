"""Consolidating: judged from everything that is in, written batch by batch."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pydantic import ValidationError

from cc_git.codec.files import encode, path_for
from cc_git.governance.build import usage_fault
from cc_git.governance.consolidate import Finding, consolidate
from cc_git.governance.consolidate_plan import Earlier, earlier, plans
from cc_git.governance.leaks import Laid
from cc_git.governance.offered import TurnedDown, check
from cc_git.governance.permit import permit
from cc_git.governance.sensitivity import highest
from cc_git.model.offered import OfferedFile
from cc_git.model.receipt import Receipt
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.carry_out import carry_out
from cc_git.wiring.resting import named_by
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Consolidated:
    """`receipts`: of what was written; none for a dry run, and where there was nothing to write. `earlier`: what became
    of the proposals of the consolidations before this one."""

    findings: tuple[Finding, ...]
    receipts: tuple[Receipt, ...]
    earlier: Earlier
    warnings: tuple[str, ...]
    turned_down: tuple[TurnedDown, ...] = ()
    """Of a host's proposals those that did not pass."""


def consolidate_now(session: Session, hand: Hand) -> Consolidated:
    """Raises Damaged while the policy cannot be read."""
    session.require_readable_policy()
    return _written(session, consolidate(session.loaded.files, session.standings, session.now), hand)


def take_in(session: Session, data: bytes, hand: Hand) -> Consolidated:
    """A host's proposals in place of what the rules find. Raises UsageFault for a file that is none."""
    session.require_readable_policy()
    try:
        offered = OfferedFile.model_validate_json(data)
    except ValidationError as error:
        raise usage_fault("proposals", error) from None
    checked = check(offered.proposals, session.loaded.files, session.standings, hand.who, mint_of(session))
    return replace(_written(session, checked.findings, hand), turned_down=checked.turned_down)


def _written(session: Session, findings: tuple[Finding, ...], hand: Hand) -> Consolidated:
    before = earlier(session.loaded.files, session.standings)
    findings = tuple(_weighed(session, finding) for finding in findings)
    receipts: list[Receipt] = []
    warnings: list[str] = []
    for plan in () if hand.dry_run else plans(findings, session.ceiling, hand.who.actor, mint_of(session)):
        done = carry_out(session, permit(plan, hand.who, session.policy, confirmed=False), hand.who)
        receipts.append(plan.receipt)
        warnings += done.warnings
    return Consolidated(findings, tuple(receipts), before, tuple(dict.fromkeys(warnings)))


def _weighed(session: Session, finding: Finding) -> Finding:
    """No less sensitive than what its proposal names: its sources, what it would replace, what it speaks of."""
    if finding.proposal is None:
        return finding
    proposal = finding.proposal
    named = named_by(session, (Laid(path_for(proposal), "", encode(proposal)),), (proposal.id,))
    least = highest(finding.sensitivity, proposal.sensitivity, *named.values())
    return replace(finding, sensitivity=least, proposal=proposal.model_copy(update={"sensitivity": least}))
