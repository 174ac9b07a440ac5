"""Importing decision documents, and taking them out of quarantine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cc_git.codec import paths
from cc_git.errors import Damaged, UsageFault
from cc_git.governance.permit import permit
from cc_git.importers.adr import ImportPlan, ImportRequest, plan_import
from cc_git.importers.adr_accept import AcceptRequest, plan_accept
from cc_git.importers.adr_known import Known, known_imports
from cc_git.importers.adr_parse import parse_adr
from cc_git.importers.adr_succession import Document
from cc_git.importers.adr_values import Adr, NotAnAdr
from cc_git.importers.quarantine import Quarantine, read_quarantine, waiting_in
from cc_git.model.fault import Fault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id
from cc_git.model.verdict import Verdict
from cc_git.store.journal_form import WriteNote
from cc_git.store.tracked import Found, documents_in, still_at_head
from cc_git.store.trees import object_id
from cc_git.store.write import write
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.carry_out import Done, carry_out, planned
from cc_git.wiring.effect import verdicts_with
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Imported:
    """`done` is None where nothing was to be written into the workspace itself."""

    plan: ImportPlan
    done: Done | None
    verdicts: Mapping[str, Verdict]


def import_adr(session: Session, folder: Path, hand: Hand) -> Imported:
    """Read every decision record below `folder`. A second import of the same texts writes nothing."""
    documents: list[Document] = []
    others: list[NotAnAdr] = []
    for found in documents_in(folder, session.place, session.engine, session.git):
        one = _parsed(found)
        if isinstance(one, NotAnAdr):
            others.append(one)
        else:
            documents.append(Document(one, found.blob, found.at_head, found.committed_at))
    known = known_imports(session.loaded.files)
    waiting, faults = waiting_in(_quarantine_files(session))
    request = ImportRequest(
        documents=tuple(documents),
        not_read=tuple(others),
        known=known,
        who=hand.who,
        mint=mint_of(session),
        blob_of=lambda data: object_id("blob", data, session.engine.object_format),
        gone=_gone(session, known),
        waiting=waiting,
        scope=session.workspace.scope,
    )
    del faults  # `status` names them; a manifest that cannot be read only means that its documents are asked again
    return _finish(session, plan_import(request), hand)


def accept_import(session: Session, part: IdPart, hand: Hand) -> Imported:
    """Take what an import left in quarantine into the workspace. Raises Refused for an agent."""
    identifier = find_import(session, part)
    held = read_quarantine(identifier, _quarantine_files(session))
    if isinstance(held, Fault):
        raise Damaged(f"{session.place.prefix}/{held}")
    known = known_imports(session.loaded.files)
    request = AcceptRequest(
        held=held,
        known=known,
        tombstones=session.loaded.files.tombstones | session.elsewhere.forgotten,
        who=hand.who,
        mint=mint_of(session),
        blob_of=lambda data: object_id("blob", data, session.engine.object_format),
        gone=_gone(session, known),
    )
    return _finish(session, plan_accept(request), hand)


def find_import(session: Session, part: IdPart) -> str:
    ids = {rel.split("/")[1] for rel in session.blobs if paths.folder_of(rel) == paths.QUARANTINE}
    found = part.among(i for i in ids if is_id(i))
    if len(found) != 1:
        raise UsageFault(f"{part.text} names {len(found)} imports in quarantine", hints=("cc-git status",))
    return found[0]


def _parsed(found: Found) -> Adr | NotAnAdr:
    if found.data is None:
        return NotAnAdr(found.path, found.why, broken=True)
    return parse_adr(found.path, found.data)


def _finish(session: Session, plan: ImportPlan, hand: Hand) -> Imported:
    session.require_readable_policy()
    if plan.plan is None:
        return Imported(plan, None, {})
    session.question  # noqa: B018  looked at before anything is written
    if hand.dry_run:
        done = planned(session, plan.plan)
    else:
        if plan.quarantine is not None:
            _keep(session, plan.quarantine)
        asks = plan.plan.asks
        confirmed = bool(asks) and hand.who.is_person_at_terminal and hand.ask(str(asks))
        allowed = permit(plan.plan, hand.who, session.policy, confirmed=confirmed)
        done = carry_out(session, allowed, hand.who)
    return Imported(plan, done, verdicts_with(session, plan.plan, attested=False, written=not hand.dry_run))


def _keep(session: Session, quarantine: Quarantine) -> None:
    write(session.journal, quarantine.files, verb="quarantine", note=WriteNote(session.present.head))


def _quarantine_files(session: Session) -> dict[str, bytes]:
    return {rel: session.read(blob) for rel, blob in session.blobs.items() if rel.startswith(f"{paths.QUARANTINE}/")}


def _gone(session: Session, known: Known) -> frozenset[str]:
    return frozenset(known.by_path) - still_at_head(frozenset(known.by_path), session.engine)
