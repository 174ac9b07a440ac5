"""Where the work began: triggers read, origin computed, messages considered, new lines opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from cc_git.codec import paths
from cc_git.codec.toml_read import load
from cc_git.errors import Refused
from cc_git.governance.plan import Mint
from cc_git.governance.trigger import TriggerWish, archive_trigger, open_line, summary_of
from cc_git.governance.working import Make, Turn
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id, prefix_of, short
from cc_git.model.kinds import Goal
from cc_git.model.record import Record
from cc_git.model.trigger import Trigger, TriggerKind
from cc_git.model.value import Value
from cc_git.model.who import Who
from cc_git.model.work import Work
from cc_git.model.working_context import WorkingContext
from cc_git.origin.consider import Considered, consider
from cc_git.origin.inherit import Ground, Origin, origins
from cc_git.origin.signals import Signals, signals_from
from cc_git.resources import shipped
from cc_git.store.loader import read_object
from cc_git.wiring.finding import find, places_of, task_id, thing_id
from cc_git.wiring.session import Session
from cc_git.wiring.shelf import find_runbook

_SHOWN = 2
_DATA = "origin-signals.toml"


def signals_of(session: Session) -> Signals:
    """The phrases of the data file, and the project's own."""
    shared = load((shipped("templates") / _DATA).read_text(encoding="utf-8"))["language"]
    return signals_from([*shared, session.workspace.signals.model_dump()])


def is_archived(session: Session, trigger: str) -> bool:
    """A ruling hides it, and none that is here lifts that one."""
    rulings = session.known.rulings_on(trigger)
    return any(
        ruling.verb == "archive"
        and ruling.authority != "dream"
        and not any(ruling.id in other.over for other in session.known.rulings_on(ruling.id))
        for ruling in rulings
    )


def ground_of(session: Session, context: WorkingContext) -> Ground:
    triggers = {i: filed.value for i, filed in session.triggers.items()}
    return Ground({task.id: task for task in context.tasks}, triggers, lambda i: _behind(session, i), context.trigger)


def origins_of(session: Session, ground: Ground, focus: str | None) -> tuple[Origin, ...]:
    """The nearest one or two that are not archived."""
    left = (one for one in origins(focus, ground) if not is_archived(session, one.trigger.id))
    return tuple(one._replace(private=_is_private(session, one.trigger.id)) for one in islice(left, _SHOWN))


def _is_private(session: Session, trigger: str) -> bool:
    return paths.path_of(trigger) not in session.seen.entries


def origins_at_hand(session: Session) -> tuple[Origin, ...]:
    """Of the focus; without one, of what was begun last."""
    context = session.work.united()
    return origins_of(session, ground_of(session, context), context.focus)


@dataclass(frozen=True)
class Traced:
    """`of` is what was asked about, None for the work at hand without a focus. `titles` names what is on the ways."""

    of: str | None
    origins: tuple[Origin, ...]
    titles: Mapping[str, str]


def trace(session: Session, part: IdPart | None) -> Traced:
    context = session.work.united()
    focus = context.focus if part is None else thing_id(session, part)
    found = origins_of(session, ground_of(session, context), focus)
    named = {i for origin in found for i in origin.path} | ({focus} if focus is not None else set())
    return Traced(focus, found, {i: _title(session, context, i) for i in sorted(named)})


@dataclass(frozen=True)
class Answer:
    """`origins` are what is inherited, where that is the answer and there is something."""

    considered: Considered
    origins: tuple[Origin, ...]


def considered(session: Session, text: str) -> Answer:
    context = session.work.united()
    ground = ground_of(session, context)
    at_hand = _at_hand(session, context)
    # Most messages are told by their words, and then none is looked at.
    active = (one for i, one in ground.triggers.items() if not is_archived(session, i))
    found = consider(text, signals_of(session), active, at_hand)
    if found.answer == "create":
        return Answer(found, ())
    if found.repeats is not None:
        return Answer(found, (Origin(ground.triggers[found.repeats], "inherited"),))
    return Answer(found, origins_of(session, ground, context.focus))


def opening(session: Session, wish: TriggerWish, who: Who, *, private: bool) -> Make:
    return lambda work, mint: open_line(work.now, wish, who, mint, private=private)


def keeping(session: Session, text: str, kind: TriggerKind | None, who: Who, *, private: bool) -> Make:
    """The trigger that a considered message opens; its text in full, where it says more than its first line."""
    summary = summary_of(text)
    whole = text.strip() if text.strip() != summary else None
    return opening(session, TriggerWish(summary, whole, kind), who, private=private)


def wish_for(
    session: Session,
    summary: str,
    *,
    goals: Sequence[IdPart],
    tasks: Sequence[IdPart],
    runbooks: Sequence[str],
    text: str | None,
    kind: TriggerKind | None,
    trace: tuple[str, ...],
) -> TriggerWish:
    return TriggerWish(
        summary,
        text,
        kind,
        goals=tuple(find(session, one, "goal") for one in goals),
        tasks=tuple(task_id(session.work, one) for one in tasks),
        runbooks=tuple(find_runbook(session, one).book.id for one in runbooks),
        trace=trace,
        scope=session.workspace.scope,
    )


def archiving(session: Session, part: IdPart, reason: str, who: Who) -> Make:
    identifier = find(session, part, "tr")
    if is_archived(session, identifier):
        raise Refused(f"{short(identifier)} is archived already")
    filed = session.triggers[identifier]

    def make(work: Work, mint: Mint) -> Turn:
        turn = archive_trigger(work.now, identifier, filed.blob, reason, who, mint)
        return replace(turn, private=paths.is_private(filed.rel))

    return make


@dataclass(frozen=True)
class ListedTrigger:
    filed: Filed[Trigger]
    archived: bool


def listed(session: Session, *, everything: bool) -> tuple[ListedTrigger, ...]:
    """Newest first."""
    found = [ListedTrigger(filed, is_archived(session, i)) for i, filed in session.triggers.items()]
    found.sort(key=lambda one: (one.filed.value.recorded_at, one.filed.value.id), reverse=True)
    return tuple(one for one in found if everything or not one.archived)


def _behind(session: Session, identifier: str) -> Iterator[str]:
    value = _object(session, identifier)
    if isinstance(value, Episode):
        yield from (value.trigger,) if value.trigger is not None else ()
    elif isinstance(value, Record):
        payload = value.payload
        same = prefix_of(identifier)
        yield from (old for old in value.supersedes if prefix_of(old) == same)
        if isinstance(payload, Goal):
            yield from (payload.parent,) if payload.parent is not None else ()
        else:
            yield from (source for source in (*value.sources, *value.derived_from) if is_id(source))


def _object(session: Session, identifier: str) -> Value | None:
    """What lies at the places of an id, where it can be read."""
    try:
        places = places_of(identifier)
    except ValueError:  # an id of something that has no place of its own
        return None
    entries = session.seen.entries
    found = (read_object(rel, entries[rel].oid, session.read) for rel in places if rel in entries)
    return next((value for value in found if isinstance(value, Value)), None)


def _title(session: Session, context: WorkingContext, identifier: str) -> str:
    task = context.task(identifier)
    value = None if task is not None else _object(session, identifier)
    return task.title if task is not None else str(getattr(value, "title", "") or getattr(value, "summary", ""))


def _at_hand(session: Session, context: WorkingContext) -> list[str]:
    """The titles of open tasks and of the goals that they serve, the line of the project, and the origin's summary."""
    tasks = [task for task in context.tasks if task.is_open]
    goals = {task.goal for task in tasks if task.goal} | ({context.focus} if context.focus else set())
    current = _object(session, context.trigger) if context.trigger else None
    titles = [task.title for task in tasks] + [_title(session, context, i) for i in sorted(goals)]
    titles += [context.project_line or "", current.summary if isinstance(current, Trigger) else ""]
    return [title for title in titles if title]
