"""From what people type (a beginning or an end of an id) to the files it means."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cc_git.codec import paths
from cc_git.errors import UsageFault
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed
from cc_git.model.id_part import IdPart
from cc_git.model.ids import KIND_OF_PREFIX, is_id, prefix_of, short
from cc_git.model.record import Record
from cc_git.model.work import Work
from cc_git.store.loader import read_object
from cc_git.wiring.session import Session

_SHOWN = 8
_LIKE = 0.7
"""Of six letters one may be wrong, or two stand in the wrong order."""

_NAMES = {"ep": "episode", "ru": "ruling", "tr": "trigger", "cp": "checkpoint", "rb": "runbook", "im": "import"}


def find(session: Session, part: IdPart, *prefixes: str) -> str:
    """The one id that `part` names, among the ids with these prefixes (none: all). Raises UsageFault."""
    wanted = part.text.strip().lower()
    known = {i for rel in session.blobs if (i := paths.id_at(rel)) and paths.folder_of(rel) != paths.RECEIPTS}
    fitting = [i for i in known if not prefixes or prefix_of(i) in prefixes]
    found = part.among(fitting)
    if len(found) == 1:
        return found[0]
    _refuse_several(part, found, "ids")
    record = bool(prefixes) and set(prefixes) <= set(KIND_OF_PREFIX)
    what = "record" if record else _NAMES.get(prefixes[0], "object") if len(prefixes) == 1 else "object"
    if is_id(wanted) and prefixes and prefix_of(wanted) not in prefixes:
        is_one = KIND_OF_PREFIX.get(prefix_of(wanted)) or _NAMES.get(prefix_of(wanted), "thing of another sort")
        raise UsageFault(
            f"{wanted} names a {is_one}, and what is asked for is a{'n' if what[0] in 'aeio' else ''} {what}",
            hints=(f"cc-git why {short(wanted)} names what it rests on",) if what == "episode" else ("cc-git list",),
        )
    near = did_you_mean(part, fitting)
    raise UsageFault(f"no {what} here is named {part.text}", hints=(*near, "cc-git list", "cc-git search TEXT"))


def _refuse_several(part: IdPart, found: tuple[str, ...], what: str) -> None:
    if found:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise UsageFault(
            f"{part.text} names {len(found)} {what}", why=", ".join(map(short, found[:_SHOWN])) + more,
            hints=("type more of it, from either end",),
        )  # fmt: skip


def did_you_mean(part: IdPart, identifiers: Iterable[str]) -> tuple[str, ...]:
    """The ids whose end is most like what somebody typed, who may have mistyped a letter."""
    from difflib import get_close_matches  # a millisecond that whoever mistypes nothing does without

    typed = re.split(r"…|\.{2,3}", part.text.strip().lower())[-1].rpartition("_")[2]
    by_end = {identifier[-len(typed) :]: identifier for identifier in identifiers} if typed else {}
    return tuple(f"did you mean {short(by_end[end])}?" for end in get_close_matches(typed, by_end, 3, _LIKE))


def task_id(work: Work, part: IdPart) -> str:
    """The task that `part` names, here or in another line. Raises UsageFault."""
    known = {task.id for task in work.now.tasks} | {task.id for line in work.lines for task in line.context.tasks}
    found = part.among(known)
    if len(found) == 1:
        return found[0]
    _refuse_several(part, found, "tasks")
    near = did_you_mean(part, known)
    hints = (*near, "cc-git task list --all", "cc-git task add TITLE")
    raise UsageFault(f"no task here is named {part.text}", hints=hints)


def thing_id(session: Session, part: IdPart) -> str:
    """Anything that can be named: a task, or what has a file. Raises UsageFault."""
    named = part.text.strip().lower().partition("_")
    if named[1] and named[0] != "tsk":
        return find(session, part)
    try:
        return task_id(session.work, part)
    except UsageFault:
        if named[1]:
            raise
        return find(session, part)


def find_records(session: Session, parts: Iterable[IdPart]) -> tuple[Filed[Record], ...]:
    """The records meant, each once, in the order asked."""
    ids = dict.fromkeys(find(session, part, *KIND_OF_PREFIX) for part in parts)
    return tuple(record_of(session, identifier) for identifier in ids)


def record_of(session: Session, identifier: str) -> Filed[Record]:
    """The record with this id. Raises UsageFault, with what ails its file, where it cannot be read."""
    why = "its content was forgotten"
    for rel in places_of(identifier):
        entry = session.seen.entries.get(rel)
        if entry is not None:
            value = read_object(rel, entry.oid, session.read)
            if isinstance(value, Record):
                return Filed(rel, entry.oid, value)
            why = str(value)
    raise UsageFault(f"{identifier} cannot be read", why=why, hints=("cc-git status",))


def sensitivity_of(session: Session, identifier: str) -> Sensitivity:
    """How sensitive an object is, as it counts: the highest of its contents, and of what a record rests on."""
    found = [read_object(rel, entry.oid, session.read) for rel in places_of(identifier)
             if (entry := session.seen.entries.get(rel)) is not None]  # fmt: skip
    own = [value.sensitivity for value in found if isinstance(value, Record | Episode)]
    verdict = session.known.verdict(identifier)
    kept = session.private_tier.weight(identifier)
    return highest(*own, *(() if verdict is None else (verdict.sensitivity,)), *(() if kept is None else (kept,)))


def places_of(identifier: str) -> tuple[str, ...]:
    """Where the file of an id may be: by month or by day, tracked or private."""
    tracked = paths.places_of(identifier)
    return (*tracked, *(paths.private(rel) for rel in tracked))
