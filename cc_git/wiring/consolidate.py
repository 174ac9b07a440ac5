"""Consolidating: judged from everything that is in, written batch by batch."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.governance.consolidate import Finding, consolidate
from cc_git.governance.consolidate_plan import Earlier, earlier, plans
from cc_git.governance.permit import permit
from cc_git.model.receipt import Receipt
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.carry_out import carry_out
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Consolidated:
    """`receipts`: of what was written; none for a dry run, and where there was nothing to write. `earlier`: what became
    of the proposals of the consolidations before this one."""

    findings: tuple[Finding, ...]
    receipts: tuple[Receipt, ...]
    earlier: Earlier
    warnings: tuple[str, ...]


def consolidate_now(session: Session, hand: Hand) -> Consolidated:
    """Raises Damaged while the policy cannot be read."""
    session.require_readable_policy()
    files, standings = session.loaded.files, session.standings
    findings = consolidate(files, standings, session.now)
    before = earlier(files, standings)
    receipts: list[Receipt] = []
    warnings: list[str] = []
    for plan in () if hand.dry_run else plans(findings, session.ceiling, hand.who.actor, mint_of(session)):
        done = carry_out(session, permit(plan, hand.who, session.policy, confirmed=False), hand.who)
        receipts.append(plan.receipt)
        warnings += done.warnings
    return Consolidated(findings, tuple(receipts), before, tuple(dict.fromkeys(warnings)))
