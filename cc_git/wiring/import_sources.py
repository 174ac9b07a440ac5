"""Reading foreign files: each format's own way in; from there on imports are alike (`imports.py`)."""

from __future__ import annotations

from pathlib import Path

from cc_git.codec.bundle_file import LARGEST, BundleFault
from cc_git.errors import UsageFault
from cc_git.importers.adr import ImportRequest, plan_import
from cc_git.importers.adr_known import known_imports
from cc_git.importers.adr_parse import parse_adr
from cc_git.importers.adr_succession import Document
from cc_git.importers.adr_values import Adr, NotAnAdr
from cc_git.importers.bundle import read_bundle
from cc_git.importers.claim_import import ClaimsRequest, plan_claims
from cc_git.importers.claims import Reading
from cc_git.importers.importing import BlobOf
from cc_git.importers.quarantine import waiting_in
from cc_git.store.tracked import Found, documents_in, read_whole, still_at_head
from cc_git.store.trees import object_id
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.imports import Imported, finish, here_of
from cc_git.wiring.session import Session


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
    here = here_of(session)
    known = known_imports(here.files)
    at_head = still_at_head(frozenset(known.by_path), session.engine)
    request = ImportRequest(
        documents=tuple(documents),
        not_read=tuple(others),
        known=known,
        who=hand.who,
        mint=mint_of(session),
        blob_of=_blob_of(session),
        gone=frozenset(known.by_path) - at_head,
        waiting=waiting_in(here.manifests),
        scope=session.workspace.scope,
    )
    return finish(session, plan_import(request), hand)


def import_bundle(session: Session, file: Path, hand: Hand) -> Imported:
    """Read a bundle of another workspace; all of it goes to quarantine. Raises UsageFault for what is none."""
    try:
        reading = read_bundle(read_whole(file, LARGEST), _blob_of(session))
    except BundleFault as fault:
        raise UsageFault(f"{file} is not a bundle that can be read", why=str(fault)) from None
    return _claims(session, reading, hand)


def _claims(session: Session, reading: Reading, hand: Hand) -> Imported:
    return finish(session, plan_claims(ClaimsRequest(reading, here_of(session), hand.who, mint_of(session))), hand)


def _blob_of(session: Session) -> BlobOf:
    return lambda data: object_id("blob", data, session.engine.object_format)


def _parsed(found: Found) -> Adr | NotAnAdr:
    if found.data is None:
        return NotAnAdr(found.path, found.why, broken=True)
    return parse_adr(found.path, found.data)
