"""Reading foreign files: each format's own way in; from there on imports are alike (`imports.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from cc_git.codec.bundle_file import LARGEST, BundleFault
from cc_git.errors import Refused, UsageFault
from cc_git.importers.adr import ImportRequest, plan_import
from cc_git.importers.adr_known import known_imports
from cc_git.importers.adr_parse import parse_adr
from cc_git.importers.adr_succession import Document
from cc_git.importers.adr_values import Adr, NotAnAdr
from cc_git.importers.beads import LARGEST as MOST_BEADS
from cc_git.importers.beads import read_beads
from cc_git.importers.bundle import read_bundle
from cc_git.importers.claim_import import ClaimsRequest, plan_claims
from cc_git.importers.claims import Reading
from cc_git.importers.continuity import EPISODES, MANIFEST, STATE, read_export, read_workspace
from cc_git.importers.ctx import read_ctx
from cc_git.importers.importing import BlobOf
from cc_git.importers.notes import NoteFile, is_note, read_notes
from cc_git.importers.outcomes import Outcome
from cc_git.importers.quarantine import waiting_in
from cc_git.store.tracked import Found, documents_in, read_whole, still_at_head
from cc_git.store.trees import object_id
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.imports import Imported, finish, here_of
from cc_git.wiring.resting import leads_into_private
from cc_git.wiring.session import Session


def import_adr(session: Session, folder: Path, hand: Hand) -> Imported:
    """Read every decision record below `folder`. A second import of the same texts writes nothing."""
    _refuse_private(folder)
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
        waiting=waiting_in(here.manifests, here.settled.taken, here.quarantine),
        scope=session.workspace.scope,
    )
    return finish(session, plan_import(request), hand)


def import_bundle(session: Session, file: Path, hand: Hand) -> Imported:
    """Read a bundle of another workspace; all of it goes to quarantine. Raises UsageFault for what is none."""
    _refuse_private(file)
    try:
        reading = read_bundle(read_whole(file, LARGEST), _blob_of(session))
    except BundleFault as fault:
        raise UsageFault(f"{file} is not a bundle that can be read", why=str(fault)) from None
    return _claims(session, reading, hand)


def import_notes(session: Session, paths: Sequence[Path], hand: Hand) -> Imported:
    """Read what agents are told and wrote down: files that are named, and in folders those that are known by name."""
    files: dict[str, NoteFile] = {}
    outcomes: list[Outcome] = []
    for path in paths:
        _refuse_private(path)
        wanted = partial(_is_note_below, path.resolve().name)
        for found in documents_in(path, session.place, session.engine, session.git, wanted):
            if found.data is None:
                outcomes.append(Outcome(found.path, "broken", found.why))
            else:
                reviewed = _is_accepted(session, found)
                files[found.path] = NoteFile(found.path, found.data, reviewed, found.committed_at)
    reading = read_notes(tuple(files[path] for path in sorted(files)), session.workspace.scope, _blob_of(session))
    return _claims(session, replace(reading, outcomes=(*reading.outcomes, *outcomes)), hand)


def import_beads(session: Session, file: Path, hand: Hand) -> Imported:
    """Read the issues of a beads database; all of it goes to quarantine. Raises UsageFault where none can be read."""
    _refuse_private(file)
    reading = read_beads(read_whole(file, MOST_BEADS), session.workspace.scope, _blob_of(session))
    if reading.outcomes and not reading.claims and all(one.done == "broken" for one in reading.outcomes):
        first = reading.outcomes[0]
        raise UsageFault(f"{file} holds no issue that can be read", why=f"{first.path}: {first.reason}")
    return _claims(session, reading, hand)


def import_continuity(session: Session, source: Path, hand: Hand) -> Imported:
    """Read a workspace or an export of the Cognitive Continuity package. Raises UsageFault for what is neither."""
    _refuse_private(source)
    try:
        if source.is_dir():
            there = [name for name in (MANIFEST, EPISODES, STATE) if (source / name).is_file()]
            reading = read_workspace({n: read_whole(source / n, LARGEST) for n in there}, _blob_of(session))
        else:
            reading = read_export(read_whole(source, LARGEST), _blob_of(session))
    except BundleFault as fault:
        raise UsageFault(f"{source} is neither a workspace nor an export that can be read", why=str(fault)) from None
    return _claims(session, reading, hand)


def import_ctx(session: Session, folder: Path, hand: Hand) -> Imported:
    """Read a CTX repository; all of it goes to quarantine. Raises UsageFault where it is none."""
    _refuse_private(folder)
    inner = folder / ".ctx"
    root = inner if inner.is_dir() else folder
    if root.is_symlink():
        raise UsageFault(f"{root} is a link, which is not followed", hints=("name the folder that it leads to",))
    files: dict[str, bytes] = {}
    outcomes: list[Outcome] = []
    for found in documents_in(root, session.place, session.engine, session.git):
        below = found.path.removeprefix(f"{_base_of(session, root)}/")
        if found.data is None:
            outcomes.append(Outcome(below, "broken", found.why))
        else:
            files[below] = found.data
    try:
        reading = read_ctx(files, session.workspace.scope, _blob_of(session))
    except BundleFault as fault:
        raise UsageFault(f"{folder} is not a CTX repository that can be read", why=str(fault)) from None
    return _claims(session, replace(reading, outcomes=(*reading.outcomes, *outcomes)), hand)


def _base_of(session: Session, root: Path) -> str:
    """How the paths of the documents of a folder begin."""
    whole, top = root.resolve(), session.place.top
    inside = top is not None and whole.is_relative_to(top.resolve())
    return whole.relative_to(top.resolve()).as_posix() if inside and top is not None else whole.name


def _refuse_private(path: Path) -> None:
    """An import goes where it is committed, and says nothing of how sensitive it is."""
    if leads_into_private(path):
        raise Refused(
            f"{path} is private, and stays on this machine",
            why="what is imported waits in quarantine, which is committed; a record there is remembered already",
            hints=("cc-git list", f"cc-git capture TEXT --from {path} keeps what a file there says, privately"),
        )


def _is_note_below(folder: str, path: str) -> bool:
    return is_note(f"{folder}/{path}")


def _is_accepted(session: Session, found: Found) -> bool:
    """A person let these bytes into the accepted branch; at HEAD alone they may be an agent's own commit."""
    commit = session.attestations.branch.commit
    if commit is None:
        return False
    entry = session.engine.entry(session.engine.commit(commit).tree, found.path)
    return entry is not None and entry.is_file and entry.oid == found.blob


def _claims(session: Session, reading: Reading, hand: Hand) -> Imported:
    return finish(session, plan_claims(ClaimsRequest(reading, here_of(session), hand.who, mint_of(session))), hand)


def _blob_of(session: Session) -> BlobOf:
    return lambda data: object_id("blob", data, session.engine.object_format)


def _parsed(found: Found) -> Adr | NotAnAdr:
    if found.data is None:
        return NotAnAdr(found.path, found.why, broken=True)
    return parse_adr(found.path, found.data)
