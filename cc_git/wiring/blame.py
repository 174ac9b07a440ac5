"""Who made something what it is: for an object, what it rests on, what it replaced and what was ruled on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from cc_git.codec import paths
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed
from cc_git.model.id_part import IdPart
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.trigger import Trigger
from cc_git.store.engine import Commit
from cc_git.store.file_history import FileHistory
from cc_git.wiring.finding import find
from cc_git.wiring.knowledge import waiting_ids
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Came:
    """The commit that first holds a file, in the history at hand."""

    commit: str
    author: str
    when: int
    subject: str


@dataclass(frozen=True)
class Hand:
    """One file with who wrote it (`actor`), who stands behind it (`authority`), when, under which trigger, and in which
    commit it came. `state` says where it is when no commit has it: `waits` or `private`. `beside` is the commit that
    HEAD was at when it was written, where the journal still knows."""

    what: str
    id: str
    actor: str
    authority: str
    recorded_at: datetime
    trigger: str | None
    summary: str
    came: Came | None
    state: str
    beside: str | None
    text: str


def blame(session: Session, part: IdPart) -> tuple[Hand, ...]:
    """The object itself first, then its sources, what it replaced, and the rulings on any of them, oldest first."""
    identifier = find(session, part)
    chosen = dict(_chosen(session, identifier))
    rels = {filed.rel for _, filed in chosen.values()}
    head = session.seen.head
    history = FileHistory(session.engine, session.place.prefix, (head,) if head else ())
    came = history.came_with({rel for rel in rels if not paths.is_private(rel)})
    hands = [_hand(session, what, filed, came.get(filed.rel)) for what, filed in chosen.values()]
    return (hands[0], *sorted(hands[1:], key=lambda hand: (hand.recorded_at, hand.id)))


def _chosen(session: Session, identifier: str) -> Iterator[tuple[str, tuple[str, Filed[Record | Episode | Ruling]]]]:
    files = session.loaded.files
    line = _line(session, identifier)
    for named in line:
        for filed in files.records.get(named, ())[:1]:
            yield named, ("the record" if named == identifier else "replaced", filed)
            for source in dict.fromkeys((*filed.value.sources, *filed.value.derived_from)):
                for episode in files.episodes.get(source, ())[:1]:
                    yield source, ("source", episode)
                for record in files.records.get(source, ())[:1]:
                    yield source, ("derived from", record)
    for episode in files.episodes.get(identifier, ())[:1]:
        yield identifier, ("the episode", episode)
    for ruling in files.rulings.get(identifier, ())[:1]:
        yield identifier, ("the ruling", ruling)
    for named, rulings in files.rulings.items():
        if named != identifier and not set(line).isdisjoint(rulings[0].value.targets):
            yield named, (rulings[0].value.verb, rulings[0])


def _line(session: Session, identifier: str) -> list[str]:
    """It and everything that it replaced, directly or over others, each once."""
    line, waiting = list[str](), [identifier]
    while waiting:
        named = waiting.pop(0)
        if named not in line:
            line.append(named)
            for filed in session.loaded.files.records.get(named, ())[:1]:
                waiting += filed.value.supersedes
    return line


def _hand(session: Session, what: str, filed: Filed[Record | Episode | Ruling], commit: str | None) -> Hand:
    value = filed.value
    trigger = _trigger(session, value)
    waits = value.id in waiting_ids(session)
    note = session.journal.note(filed.rel) if session.asked.at is None else None
    return Hand(
        what=what,
        id=value.id,
        actor=value.actor,
        authority=value.authority,
        recorded_at=value.recorded_at,
        trigger=trigger.id if trigger else None,
        summary=trigger.summary if trigger else "",
        came=_came(session.engine.commit(commit)) if commit else None,
        state="private" if paths.is_private(filed.rel) else "waits" if waits else "",
        beside=note.head if note else None,
        text=getattr(value, "title", "") or getattr(value, "content", "") or getattr(value, "reason", ""),
    )


def _came(commit: Commit) -> Came:
    subject = commit.message.partition("\n")[0]
    return Came(commit.oid, commit.author.name, commit.committed_at, subject)


def _trigger(session: Session, value: Record | Episode | Ruling) -> Trigger | None:
    """An episode names its trigger; what rests on episodes has that of the first that names one."""
    files = session.loaded.files
    sources = (value.id,) if isinstance(value, Episode) else value.sources
    named = (files.episodes[s][0].value.trigger for s in sources if s in files.episodes)
    found = next((t for t in named if t is not None), None)
    return files.triggers[found][0].value if found is not None and found in files.triggers else None
