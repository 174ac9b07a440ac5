"""Adopting what was edited in place: the correction is kept first, then the file gets back what it was written with."""

from __future__ import annotations

from contextlib import suppress

from cc_git.codec import paths
from cc_git.codec.files import decode
from cc_git.errors import Refused, UsageFault
from cc_git.governance.adopt import as_correction
from cc_git.governance.correct import Repeated
from cc_git.model.fault import Fault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.model.record import Record
from cc_git.store.disk import read_file
from cc_git.store.edits import edits
from cc_git.store.placing import write_missing
from cc_git.store.present import Edit, EditedAt
from cc_git.wiring.acts import Acted, Hand, do_correct
from cc_git.wiring.finding import find, record_of
from cc_git.wiring.session import Session


def adopt(session: Session, part: IdPart, hand: Hand) -> Acted:
    """Raises UsageFault for what was not edited on disk, or was edited into what nobody could have written."""
    identifier = find(session, part)
    edit = _edit_of(session, identifier)
    directory = session.place.directory
    assert directory is not None, "a bare repository has no edits"
    found = read_file(directory / edit.rel)
    edited = decode(edit.rel, found or b"")
    if isinstance(edited, Fault):
        raise UsageFault(str(edited), hints=("mend the file", f"git restore {session.place.prefix}/{edit.rel}"))
    if not isinstance(edited, Record):
        hints = (f"git restore {session.place.prefix}/{edit.rel}",)
        raise UsageFault(f"{short(identifier)} is no record: only what a record says can be corrected", hints=hints)
    correction = as_correction(record_of(session, identifier).value, edited)
    acted = None
    with suppress(Repeated):  # it was stopped before it put the file right
        acted = do_correct(session, IdPart(identifier), correction, hand)
    if not hand.dry_run and read_file(directory / edit.rel) == found:  # else somebody is still at it
        write_missing(directory, {edit.rel: session.read(edit.first)}, durable=session.journal.durable)
    if acted is None:
        raise Refused(f"the edit of {short(identifier)} is adopted already; its file is put right")
    return acted


def _edit_of(session: Session, identifier: str) -> Edit:
    found = [edit for edit in edits(session.sources, session.present) if paths.id_at(edit.rel) == identifier]
    on_disk = [edit for edit in found if edit.at is EditedAt.ON_DISK]
    if on_disk:
        return on_disk[0]
    if found:
        where = f"{session.place.prefix}/{found[0].rel}"
        hints = (f"git restore --staged {where}", "cc-git adopt, while the edit is on disk")
        raise Refused(f"the edit of {short(identifier)} is {found[0].at}, and only one on disk is adopted", hints=hints)
    raise UsageFault(f"{short(identifier)} was not edited", hints=("cc-git status names what was",))
