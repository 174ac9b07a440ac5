"""The work in hand as commands see it: read, and changed one turn at a time on its newest state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from cc_git.codec import paths
from cc_git.codec.files import encode, path_for
from cc_git.errors import DELETION, PERSISTENCE, Damaged, LostRace, NotWritable, Unsupported, UsageFault
from cc_git.governance.leaks import Laid
from cc_git.governance.next_up import GoalFact, NextUp, next_up, open_work
from cc_git.governance.screen import Screened
from cc_git.governance.working import Make, Turn
from cc_git.model.authority import at_most
from cc_git.model.fault import Fault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id, prefix_of, short
from cc_git.model.kinds import Goal
from cc_git.model.record import Record
from cc_git.model.sanitise import quoted
from cc_git.model.value import Value
from cc_git.model.work import Work
from cc_git.model.working_context import WorkingContext
from cc_git.store.journal_form import WriteNote
from cc_git.store.loader import read_object
from cc_git.store.write import working_context, write_working_context
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.carry_out import artifact_of
from cc_git.wiring.finding import find, record_of, task_id
from cc_git.wiring.resting import named_by
from cc_git.wiring.session import Session
from cc_git.wiring.work import work_of


@dataclass(frozen=True)
class Turned:
    """`context` is the state afterwards (in a dry run: it would be), `rels` is id → path of the files beside it."""

    turn: Turn
    context: WorkingContext
    changed: bool
    rels: Mapping[str, str]
    warnings: tuple[str, ...] = ()


def take_turn(session: Session, make: Make, hand: Hand, *, seen: int | None = None, verb: str = "context") -> Turned:
    """Plan with `make` on the newest state and write what it plans, while nobody else can write.

    `seen` is the version that the request was made for: `LostRace` names the newer state where there is one.
    """
    mint = mint_of(session)
    session.present  # noqa: B018  what was laid on the disk by hand is looked at first
    if hand.dry_run:
        _refuse_stale(session.work.now, seen)
        turned = _turned(session, session.work, make(session.work, mint))
        _screened(session, turned, _Newest(session.work))
        return turned
    with _kept(session) as newest:
        work = newest.work
        _refuse_stale(work.now, seen)
        turned = _turned(session, work, make(work, mint))
        return turned if not turned.changed else _written(session, turned, newest, verb)


@dataclass(frozen=True)
class _Newest:
    """The newest state, with the blob and the bytes that it was read from; none where it was not kept here yet."""

    work: Work
    blob: str | None = None
    data: bytes | None = None

    @property
    def written(self) -> bytes:
        """Its file. What goes on from a checkpoint was never written as it is."""
        return encode(self.work.now) if self.data is None or self.work.taken is not None else self.data


@contextmanager
def _kept(session: Session) -> Iterator[_Newest]:
    """Under the lock."""
    with session.journal.locked():
        blob = working_context(session.journal)
        if blob is None:
            yield _Newest(work_of(session, None))
            return
        found = read_object(paths.WORKING_CONTEXT, blob, session.read)
        if not isinstance(found, WorkingContext):
            why = found.reason if isinstance(found, Fault) else None
            raise Damaged(f"{paths.WORKING_CONTEXT} cannot be read", why=why, hints=("cc-git doctor",))
        yield _Newest(work_of(session, found), blob, session.read(blob))


def _turned(session: Session, work: Work, turn: Turn) -> Turned:
    if turn.context == work.now and not turn.values:
        return Turned(turn, work.now, changed=False, rels={})
    if turn.values:
        session.require_readable_policy()
        turn = _weighed(session, turn)
    context = turn.context.model_copy(update={"version": work.now.version + 1})
    rels = {value.id: _rel(value, turn) for value in _files(turn)}  # type: ignore[attr-defined]
    return Turned(turn, context, changed=True, rels=rels)


def private_named(session: Session, turn: Turn) -> tuple[str, ...]:
    """What the files beside the state name that is above the ceiling of what is tracked: ids, and paths."""
    files = [Laid(path_for(value), "", encode(value)) for value in turn.values]
    named = named_by(session, files, [value.id for value in turn.values])  # type: ignore[attr-defined]
    return tuple(what for what, weight in named.items() if not at_most(weight, session.ceiling))


def _weighed(session: Session, turn: Turn) -> Turn:
    """What names something private is private, as everywhere."""
    named = () if turn.private else private_named(session, turn)
    if not named:
        return turn
    said = ", ".join(short(what) if is_id(what) else what for what in named)
    return replace(turn, private=True, notes=(*turn.notes, f"It stays on this machine: it names {said}."))


def _written(session: Session, turned: Turned, newest: _Newest, verb: str) -> Turned:
    screened = _screened(session, turned, newest)
    note = WriteNote(session.present.head)
    try:
        written = write_working_context(session.journal, screened, replaces=newest.blob, note=note, verb=verb)
    except (NotWritable, Unsupported) as fault:
        fault.artifact = artifact_of(_values_of(turned), session.place.prefix, (PERSISTENCE, DELETION))
        raise
    return replace(turned, warnings=(written.unplaced,) if written.unplaced else ())


def _values_of(turned: Turned) -> dict[str, Value]:
    """Path → value, in the order of writing: what the state refers to, then the state."""
    beside = {_rel(value, turned.turn): value for value in _files(turned.turn)}
    return {**beside, paths.WORKING_CONTEXT: turned.context}


def _screened(session: Session, turned: Turned, before: _Newest) -> Screened:
    """What the state said before may be of another's checkpoint; one that is made of it is looked at whole."""
    data = {rel: encode(value) for rel, value in _values_of(turned).items()}
    return session.screened(data, before={paths.WORKING_CONTEXT: before.written})


def _files(turn: Turn) -> tuple[Value, ...]:
    return (*turn.values, *((turn.receipt,) if turn.receipt is not None else ()))


def _rel(value: Value, turn: Turn) -> str:
    rel = path_for(value)
    return paths.private(rel) if turn.private else rel


def _refuse_stale(context: WorkingContext, seen: int | None) -> None:
    if seen is not None and seen != context.version:
        raise LostRace(
            f"the work in hand is at version {context.version}, not {seen}: nothing was changed",
            why=f"it is now: {in_brief(context)}",
            hints=("look at it (cc-git focus), then run it again with --seen " + str(context.version),),
        )


def in_brief(context: WorkingContext) -> str:
    """The state in a line: the focus, the next step, and how much is open."""
    focus = context.task(context.focus)
    named = f"{short(focus.id)} {quoted(focus.title)}" if focus else short(context.focus) if context.focus else "none"
    step = quoted(context.next_step) if context.next_step else "none"
    tasks = sum(1 for task in context.tasks if task.is_open)
    asked = sum(1 for question in context.questions if question.answer is None)
    return f"focus {named}; next step {step}; {tasks} open tasks; {asked} open questions"


def focus_id(session: Session, part: IdPart) -> str:
    """A task or a goal."""
    if part.text.strip().lower().startswith("goal"):
        return find(session, part, "goal")
    try:
        return task_id(session.work, part)
    except UsageFault:
        goals = part.among(i for rel in session.blobs if (i := paths.id_at(rel)) and prefix_of(i) == "goal")
        if len(goals) == 1:
            return goals[0]
        raise


def next_of(session: Session) -> NextUp:
    work = open_work(session.work.united())
    goals = work.goals
    if work.is_stuck:
        goals |= {card.id for card in session.known.pool.cards() if card.kind == "goal"}
    return next_up(work, {i: fact for i in sorted(goals) if (fact := goal_fact(session, i)) is not None})


def goal_fact(session: Session, identifier: str) -> GoalFact | None:
    """None where the goal is not in this snapshot, or was forgotten."""
    record = goal_of(session, identifier)
    if record is None or not isinstance(record.payload, Goal):
        return None
    verdict = session.known.verdict(identifier)
    return GoalFact(record.title, record.payload.priority, verdict is not None and verdict.eligible)


def goal_of(session: Session, identifier: str) -> Record | None:
    try:
        return record_of(session, identifier).value
    except UsageFault:
        return None
