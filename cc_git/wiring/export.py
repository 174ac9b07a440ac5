"""Exporting a bundle: planned from what stands, permitted, noted in this clone, written to a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cc_git import __version__
from cc_git.codec.bundle_file import encode_bundle
from cc_git.errors import Refused
from cc_git.governance.export import ExportPlan, ExportRequest, plan_export
from cc_git.model.authority import Sensitivity
from cc_git.model.bundle import Origin
from cc_git.model.scope import Scope
from cc_git.store.exports import Exported, Exports
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.knowledge import known_at
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Given:
    """`in_work_tree`: the file may be committed by mistake."""

    plan: ExportPlan
    file: Path
    in_work_tree: bool


def export_bundle(session: Session, file: Path, scope: Scope, ceiling: Sensitivity, hand: Hand) -> Given:
    """Write what stands in `scope` up to `ceiling` to `file`. Raises Refused, UsageFault, NotWritable."""
    session.require_readable_policy()
    snapshot = session.snapshot
    request = ExportRequest(
        files=session.loaded.files,
        standings=session.standings,
        origin=Origin(workspace=session.workspace.name, tree=snapshot.tree, commit=snapshot.commit),
        program=f"cc-git/{__version__}",
        scope=scope,
        ceiling=ceiling,
        who=hand.who,
        mint=mint_of(session),
        at=lambda when: known_at(session, when).standings,
    )
    plan = plan_export(request)
    target = file.parent.resolve() / file.name
    if not hand.dry_run:
        if plan.asks and not hand.ask(plan.asks):
            raise Refused("nothing was exported: not confirmed")
        about = Exported(target, hand.who.actor, session.now, plan.receipt.id, frozenset(plan.ids))
        Exports(session.place).write(about, encode_bundle(plan.bundle))
    top = session.place.top
    return Given(plan, target, in_work_tree=top is not None and target.is_relative_to(top.resolve()))
