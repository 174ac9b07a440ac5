"""Adding and changing runbooks: planned, written, and bound to the person where one is at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cc_git.codec import paths
from cc_git.codec.files import decode, encode, path_for
from cc_git.errors import (
    DELETION,
    PERSISTENCE,
    Artifact,
    Damaged,
    LostRace,
    NotWritable,
    Refused,
    Unsupported,
    UsageFault,
)
from cc_git.governance.runbook import LISTS, Changes, Current, Opened, Written, add, change, name_of, rewritten
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id
from cc_git.model.runbook import Runbook
from cc_git.resources import shipped
from cc_git.runbooks.selection import never
from cc_git.store.confirmations import Confirmations
from cc_git.store.disk import read_file
from cc_git.store.editor import edit_in_place
from cc_git.store.journal_form import WriteNote
from cc_git.store.placing import place_files
from cc_git.store.write import write
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.finding import find, task_id
from cc_git.wiring.session import Session
from cc_git.wiring.shelf import find_runbook, runbook_places
from cc_git.wiring.stale_packets import mark_showing

_IDS = ("goal_ids", "task_ids")
Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Kept:
    """What was written (in a dry run: would be). `attested`: a person is bound to it. `stale` are the packets that
    show it as it was."""

    written: Written
    attested: bool
    warnings: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    name: str
    book: Runbook
    text: str


def templates() -> tuple[Template, ...]:
    """The runbooks that come with the program, by name."""
    found = []
    for path in sorted(shipped("templates").joinpath("runbooks").glob("*.toml")):
        data = path.read_bytes()
        book = decode(paths.runbook_path(path.stem), data)
        assert isinstance(book, Runbook), f"{path.name}: {book}"
        found.append(Template(path.stem, book, data.decode()))
    return tuple(found)


def add_runbook(session: Session, given: Pairs, name: str | None, template: str | None, hand: Hand) -> Kept:
    """`given` are (field, value); a list has one pair for each item. Raises UsageFault."""
    data = None if template is None else _template(template).text.encode()
    taken = {paths.runbook_name(rel) for rel in runbook_places(session)}
    fields = _fields(session, given)
    named = name or (template if "title" not in fields else None)
    written = add(fields, named, taken, hand.who, mint_of(session), template=data)
    return _keep(session, written, hand)


def change_runbook(session: Session, named: str, fields: Pairs, added: Pairs, dropped: Pairs, hand: Hand) -> Kept:
    changes = Changes(_fields(session, fields), _resolved(session, added), _resolved(session, dropped))
    return _keep(session, change(_current(session, named), changes, hand.who, mint_of(session)), hand)


def archive_runbook(session: Session, named: str, hand: Hand) -> Kept:
    return _keep(
        session, change(_current(session, named), Changes({"state": "archived"}), hand.who, mint_of(session)), hand
    )


def edit_runbook(session: Session, named: str, hand: Hand, again: Callable[[str], bool]) -> Kept | None:
    """Open the file itself in the user's editor, as often as it takes. None: nothing was changed. `again` asks whether
    to go back into the editor, told what is wrong; where it says no, the file stays as it was left, and the text before
    keeps counting as it does after an edit by hand."""
    rel = _rel_of(session, named)
    if session.place.directory is None:
        raise Unsupported("a bare repository has no files to edit", hints=("run the command in a clone",))
    path, before = session.place.directory / rel, _opened(session, rel, session.place.directory)
    while True:
        edit_in_place(path, session.git, session.asked.environ)
        after = read_file(path)
        if after is None:
            raise Refused(f"{rel} is no file any more", hints=(f"git checkout -- {session.place.prefix}/{rel}",))
        if after == before.data and isinstance(decode(rel, after), Runbook):
            return None
        try:
            written = rewritten(before, after, hand.who, mint_of(session))
            session.screened({written.rel: after})
        except (UsageFault, Refused) as fault:
            if again(fault.what):
                continue
            if isinstance(fault, Refused):
                why = "the file is as you left it, and what it was before counts"
                raise Refused(fault.what, why=why, hints=(*fault.hints, f"cc-git runbook edit {named}")) from None
            raise Damaged(f"{session.place.prefix}/{fault.what}", why=fault.why or "the file is as you left it",
                          hints=(*fault.hints, f"cc-git runbook edit {named}")) from None  # fmt: skip
        return _keep(session, written, hand)


def _keep(session: Session, written: Written, hand: Hand) -> Kept:
    session.require_readable_policy()
    unlikely = never(written.book)
    told = (f"nothing selects it: {unlikely}",) if unlikely else ()
    receipt = path_for(written.receipt)
    data = {written.rel: written.after}
    data[paths.private(receipt) if paths.is_private(written.rel) else receipt] = encode(written.receipt)
    screened = session.screened(data)
    if hand.dry_run:
        return Kept(written, written.attest, told)
    _refuse_lost_race(session, written)
    try:
        done = write(session.journal, screened, verb=written.operation, note=WriteNote(session.present.head))
    except (NotWritable, Unsupported) as fault:
        shown = {f"{session.place.prefix}/{rel}": content.decode() for rel, content in data.items()}
        fault.artifact = Artifact(shown, (PERSISTENCE, DELETION))
        raise
    if written.attest:
        Confirmations(session.place).confirm({written.rel: done.blobs[written.rel]}, hand.who, session.now)
    stale, trouble = mark_showing(session, written.operation, written.receipt.touched)
    session.look_again()
    unplaced = (done.unplaced,) if done.unplaced else ()
    return Kept(written, written.attest, (*unplaced, *told, *trouble), stale)


def _refuse_lost_race(session: Session, written: Written) -> None:
    """Somebody else may have written the file since it was read."""
    directory = session.place.directory
    now = None if directory is None else read_file(directory / written.rel)
    if now not in (None, written.before, written.after):
        raise LostRace(
            f"{written.rel} was changed by somebody else meanwhile",
            why="nothing was written",
            hints=(f"cc-git runbook show {paths.runbook_name(written.rel)}", "then run the command again"),
        )


def _current(session: Session, named: str) -> Current:
    one = find_runbook(session, named)
    data = session.read(one.blob)
    book = decode(one.rel, data)
    if not isinstance(book, Runbook):
        raise Damaged(f"{session.place.prefix}/{book}", hints=(f"cc-git runbook edit {one.name}",))
    return Current(one.rel, data, book, one.attested and not one.held)


def _rel_of(session: Session, named: str) -> str:
    """The path of a runbook, also of one that cannot be read: an editor is how it is mended."""
    places = runbook_places(session)
    rels = [rel for rel in places if paths.runbook_name(rel) == named.removesuffix(".toml")]
    directory = session.place.directory
    if not rels and directory is not None and name_of(named) == named:
        lying = directory / paths.runbook_path(named)
        if lying.is_file() and not lying.is_symlink():
            return paths.runbook_path(named)
    return rels[0] if rels else find_runbook(session, named).rel


def _opened(session: Session, rel: str, directory: Path) -> Opened:
    """What is edited: the bytes on disk, put there where they are missing."""
    blob = runbook_places(session).get(rel)
    data = read_file(directory / rel)
    if data is None:
        assert blob is not None, "what is named is on disk or in the snapshot"
        data = session.read(blob)
        place_files(directory, {rel: data}, durable=False)
    here = decode(rel, data)
    known = here if blob is None or isinstance(here, Runbook) else decode(rel, session.read(blob))
    attested = here is known and blob is not None and session.attestations.among([(rel, blob)]).holds(blob)
    return Opened(rel, data, known.id if isinstance(known, Runbook) else None, attested)


def _template(name: str) -> Template:
    found = {template.name: template for template in templates()}
    if name not in found:
        raise UsageFault(f"there is no template {name}", why=f"there are {', '.join(found)}",
                         hints=("cc-git runbook add --list-templates",))  # fmt: skip
    return found[name]


def _fields(session: Session, pairs: Pairs) -> Mapping[str, str | tuple[str, ...]]:
    """Of a text the last pair counts, of a list all; one empty item empties a list."""
    fields: dict[str, str | tuple[str, ...]] = {}
    for name, value in _resolved(session, pairs):
        if name not in LISTS:
            fields[name] = value
            continue
        before = fields.get(name, ())
        assert not isinstance(before, str)
        fields[name] = (*before, value) if value else before
    return fields


def _resolved(session: Session, pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Parts of ids as whole ids."""
    return tuple((name, _whole_id(session, name, value) if name in _IDS and value else value) for name, value in pairs)


def _whole_id(session: Session, name: str, value: str) -> str:
    if is_id(value):
        return value
    try:
        part = IdPart(value)
    except ValueError as error:
        raise UsageFault(str(error)) from None
    if name == "goal_ids":
        return find(session, part, "goal")
    return task_id(session.work, part)
