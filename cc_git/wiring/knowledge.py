"""What stands now, for a session: the rules asked about its files, attestations and negatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.governance.plan import Plan
from cc_git.model.attestation import Attestations
from cc_git.model.filed import Filed, Files, gather
from cc_git.model.value import Value
from cc_git.model.verdict import Standings
from cc_git.standing import standing
from cc_git.store.trees import object_id
from cc_git.wiring.carry_out import files_of
from cc_git.wiring.session import Session


def standings_of(session: Session) -> Standings:
    """Everything that this session sees, judged at its instant. Computed once a session."""
    if session.standings is None:
        session.standings = judge_files(session, session.loaded.files, session.attestations.value)
    return session.standings


def standings_with(session: Session, plan: Plan, *, attested: bool) -> Standings:
    """The same with a plan's values beside them; `attested`: the person at this terminal is bound to its claims."""
    size = session.engine.object_format
    filed: list[Filed[Value]] = []
    for rel, value in files_of(plan, session).items():
        filed.append(Filed(rel, object_id("blob", encode(value), size), value))
    known = session.attestations.value
    if attested:
        claimed = {item.blob for item in filed if item.value.id in plan.claims}  # type: ignore[attr-defined]
        known = replace(known, confirmed=known.confirmed | claimed)
    return judge_files(session, united(session.loaded.files, filed), known)


def judge_files(session: Session, files: Files, attestations: Attestations) -> Standings:
    return standing(
        files,
        session.policy,
        attestations,
        session.elsewhere.value,
        session.now,
        code=code_of(session, files),
    )


def code_of(session: Session, files: Files) -> Mapping[str, str]:
    """Path → blob at HEAD of the code that records are anchored to; a path that is gone is left out."""
    paths_asked = {a.path for variants in files.records.values() for filed in variants for a in filed.value.anchors}
    head = session.present.head if session.asked.at is None else session.snapshot.commit
    if not paths_asked or head is None:
        return {}
    tree = session.engine.commit(head).tree
    found = {path: session.engine.entry(tree, path) for path in sorted(paths_asked)}
    return {path: entry.oid for path, entry in found.items() if entry is not None and entry.is_file}


def united(files: Files, more: list[Filed[Value]]) -> Files:
    """`files` with a few more; nothing is read again."""
    added = gather(more)
    merged: dict[str, Any] = {
        name: {**getattr(files, name), **getattr(added, name)}
        for name in ("records", "episodes", "rulings", "triggers", "runbooks", "checkpoints", "receipts")
    }
    return replace(
        files, **merged, tombstones=files.tombstones | added.tombstones, endings=files.endings | added.endings
    )


def waiting_ids(session: Session) -> frozenset[str]:
    """The ids that are in no commit yet."""
    return frozenset(i for rel in session.present.waiting if (i := paths.id_at(rel)))
