"""Carrying out a permitted plan: written, then published; then what it did is computed, not assumed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from cc_git.codec import paths
from cc_git.codec.files import encode, path_for
from cc_git.errors import DELETION, PERSISTENCE, Artifact, LostRace, NotWritable, Unsupported
from cc_git.governance.permit import Permit
from cc_git.governance.plan import Plan
from cc_git.governance.screen import Screened
from cc_git.model.receipt import Receipt
from cc_git.model.record import Record
from cc_git.model.value import Value
from cc_git.model.who import Who
from cc_git.standing.negative import is_negative
from cc_git.store.classify import owner_of
from cc_git.store.confirmations import Confirmations
from cc_git.store.journal_form import WriteNote
from cc_git.store.negatives import HERE
from cc_git.store.seen_negatives import SeenNegative, SeenNegatives
from cc_git.store.trees import object_id
from cc_git.store.write import write
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Done:
    """`rels` is id → path below `.continuity/`; empty for a dry run. `attached`: where files that came along lie.
    `warnings`: what the disk did not take."""

    plan: Plan
    receipt: Receipt | None
    rels: dict[str, str]
    private: bool
    warnings: tuple[str, ...] = ()
    attached: tuple[str, ...] = ()

    @property
    def record(self) -> Record | None:
        return next((v for v in self.plan.values if isinstance(v, Record)), None)


def files_of(plan: Plan, session: Session) -> dict[str, Value]:
    """Path → value, in the order of writing; what is above the ceiling, and then the receipt, in the private tier."""
    back = plan.kept_back(session.ceiling)
    back |= {plan.receipt.id} if plan.is_private(session.ceiling) else frozenset()
    placed = {path_for(value, session.policy.folders): value for value in plan.files}
    return {paths.private(rel) if v.id in back else rel: v for rel, v in placed.items()}  # type: ignore[attr-defined]


def attached_of(plan: Plan, files: Mapping[str, Value]) -> dict[str, bytes]:
    """Path → bytes of what comes with the episodes of a plan, each in the tier of its own."""
    private = {owner_of(rel) for rel in files if paths.is_private(rel)}
    return {paths.private(rel) if owner_of(rel) in private else rel: data for rel, data in plan.attached.items()}


def carry_out(session: Session, permit: Permit, who: Who) -> Done:
    """Write everything the plan holds. Under a person's attestation its claims are bound to them, before they are
    written: an interruption leaves a word about nothing, and never an act without its word."""
    plan = permit.plan
    files = files_of(plan, session)
    data = _screened(session, plan, files)
    note = WriteNote(session.present.head, _anchors(plan))
    try:
        if permit.attest:
            claimed = {rel: content for rel, content in data.items() if paths.id_at(rel) in plan.claims}
            attest(session, claimed, who)
        written = write(session.journal, data, verb=plan.operation, note=note)
    except (NotWritable, Unsupported) as fault:
        fault.artifact = artifact_of(files, session.place.prefix, (PERSISTENCE, DELETION))
        raise
    taking = {rel: data[rel] for rel, value in files.items() if is_negative(value)}
    if taking:
        _note_negatives(session, taking, written.blobs)
    rels = {value.id: rel for rel, value in files.items()}  # type: ignore[attr-defined]
    warnings = (written.unplaced,) if written.unplaced else ()
    return Done(plan, plan.receipt, rels, plan.is_private(session.ceiling), warnings, tuple(attached_of(plan, files)))


def _screened(session: Session, plan: Plan, files: Mapping[str, Value]) -> Screened:
    """In the order of writing: evidence before what names it."""
    return session.screened(
        attached_of(plan, files) | {rel: encode(value) for rel, value in files.items()}, plan.public
    )


def artifact_of(files: Mapping[str, Value], prefix: str, lost: tuple[str, ...]) -> Artifact:
    """The exact files of a plan that could not be kept."""
    return Artifact({f"{prefix}/{rel}": encode(value).decode() for rel, value in files.items()}, lost)


def _note_negatives(session: Session, taking: dict[str, bytes], blobs: Mapping[str, str]) -> None:
    """At once: by the next command this worktree, with all that waits in it, may have been removed."""
    found = [(SeenNegative(rel, blobs[rel], HERE, ""), content) for rel, content in taking.items()]
    # The next command notes what could not be noted now.
    with suppress(NotWritable, LostRace):
        SeenNegatives(session.journal).add(found)


def attest(session: Session, files: Mapping[str, bytes], who: Who) -> None:
    """Bind the person at this terminal to these bytes, which nobody has yet. Raises Refused for anybody else."""
    blobs = {rel: object_id("blob", data, session.engine.object_format) for rel, data in files.items()}
    Confirmations(session.place).confirm(blobs, who, session.now)


def ceiling_note(session: Session, plan: Plan) -> tuple[str, ...]:
    """Why a plan is private that the tree's policy alone would let into commits."""
    asked, counts = session.policy.tracked_ceiling, session.ceiling
    if not plan.is_private(counts) or plan.is_private(asked):
        return ()
    if session.attestations.policy is not None:
        decides = f"{session.attestations.branch.ref} says {counts}"
    else:
        decides = f"until a person says so here, {counts} is the most: cc-git trust --tracked-ceiling {asked}"
    return (f"private although workspace.toml has tracked_ceiling = {asked}: {decides}",)


def planned(session: Session, plan: Plan) -> Done:
    """What a dry run shows. Raises Refused where carrying it out would find a secret."""
    files = files_of(plan, session)
    _screened(session, plan, files)
    return Done(plan, None, {}, plan.is_private(session.ceiling), attached=tuple(attached_of(plan, files)))


def _anchors(plan: Plan) -> dict[str, str]:
    records = [value for value in plan.values if isinstance(value, Record)]
    return {a.path: a.blob for record in records for a in record.anchors if a.blob}
