"""Compile: request → eligibility → reservation → ranking → budget → packet. Pure: the same inputs, the same bytes.

Room is given in this order: the frame; everything reserved, in one line each; what opens the packet; reserved items in
full, up to half of what is left; what matches the task, then recent episodes, then the rest; longer forms of the
reserved with what remains. Nothing reserved is ever cut silently: where its lines do not fit, the outcome is `Unfit`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from cc_git.compiler import frame, preamble
from cc_git.compiler.budget import Room
from cc_git.compiler.cards import millis
from cc_git.compiler.counter import counter_for
from cc_git.compiler.digest import basis_of, seal
from cc_git.compiler.eligibility import Gate, judge
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.items import ItemMaker, anchors_of, scope_of
from cc_git.compiler.pool import Card, EpisodeCard
from cc_git.compiler.ranking import Question, Ranked, rank
from cc_git.compiler.render import RENDERERS, render
from cc_git.compiler.reservation import Unit, reserve, units
from cc_git.compiler.selection import Selection
from cc_git.compiler.terms import terms
from cc_git.model.packet import Packet, Unfit
from cc_git.model.request import Request

RELEVANT = 300
"""Relevance (a root: nine percent of the best score) from which a record counts as matching the task."""
_LATE = frozenset({"hypothesis", "user_model", "relationship"})
_AFTER_RESERVED = 1 << 30
_MUCH = 1 << 40
_WINDOW = 20
"""Episodes looked at beyond those asked for: some are out of scope, or say nothing new."""


@dataclass(frozen=True)
class Compiled:
    """`text` is the packet in its form, `verdicts` a reason for every record or episode that was left out, `instead`
    what stands for a redundant one, `reserved` what had its room before the ranking."""

    packet: Packet
    text: str
    verdicts: Mapping[str, str]
    instead: Mapping[str, str]
    reserved: frozenset[str]
    ranked: Sequence[Ranked]


def compile_packet(inputs: Inputs, request: Request, now: datetime) -> Packet | Unfit:
    """The packet alone. `now` is aware UTC in milliseconds. Nothing but these three decides the outcome."""
    outcome = compile_whole(inputs, request, now)
    return outcome if isinstance(outcome, Unfit) else outcome.packet


def compile_whole(inputs: Inputs, request: Request, now: datetime) -> Compiled | Unfit:
    """The packet with its text and the verdicts, for whoever keeps or explains it."""
    return _Compilation(inputs, request, now).outcome()


class _Compilation:
    def __init__(self, inputs: Inputs, request: Request, now: datetime) -> None:
        self._inputs, self._request = inputs, request
        gate = Gate(scope_of(request.scope, inputs.workspace.scope), request.ceiling, millis(now))
        self._found = found = judge(inputs.pool.cards(), gate, inputs.clashes)
        self._episodes = _episodes(inputs, request, gate)
        question = _question(inputs, request)
        wanted = {term for query in question.queries for term in query}
        self._asked = bool(wanted)
        self._ranked = rank(found.eligible, inputs.pool.frequencies(wanted), question, millis(now))
        place = {entry.card.id: position for position, entry in enumerate(self._ranked)}
        self._reserved = reserve(found, place, frozenset(request.required), inputs.clashes)
        self._maker = ItemMaker(inputs, {card.id for card in found.partners}, frozenset(request.required))
        self._counter = counter_for(request.measure.unit, inputs.tokens)
        self._renderer = RENDERERS[request.format]
        blank = frame.blank(inputs, request, now, found, self._episodes, asked=self._asked)
        candidates = len(found.eligible) + len(self._episodes)
        self._blank = blank.model_copy(update={"omitted": frame.widest(inputs, found.left_out, candidates)})

    def outcome(self) -> Compiled | Unfit:
        room = Room(self._renderer, self._counter, self._blank.budget - self._frame(self._blank))
        selection = Selection(self._inputs, room, self._maker)
        missing = selection.reserve(self._reserved)
        if missing or room.left < 0:
            return self._unfit(tuple(missing))
        room.settle()
        self._choose(selection, room)
        while True:
            compiled = self._finish(selection, room)
            excess = self._counter.count(compiled.text) - self._blank.budget
            if excess <= 0:
                return compiled
            # only a counter that is not additive over lines comes here
            if not room.give_back():
                return Unfit((), self._blank.budget + excess, self._blank.budget, self._blank.unit)

    def _choose(self, selection: Selection, room: Room) -> None:
        selection.open()
        selection.grow(self._reserved, keep=room.left // 2)
        taken = {card.id for unit in self._reserved for card in unit}
        free = [entry for entry in self._ranked if entry.card.id not in taken]
        first = [entry.card for entry in free if self._comes_first(entry)]
        ahead = {card.id for card in first}
        rest = [entry.card for entry in free if entry.card.id not in ahead]
        first_units = self._units(first)
        selection.fill(first_units, _AFTER_RESERVED)
        shown = {card.id for unit in first_units for card in unit}
        selection.episodes(self._episodes, self._request.episodes)
        later = self._units([card for card in rest if card.id not in shown])
        selection.fill(later, _AFTER_RESERVED + len(first_units))
        selection.grow(self._reserved, keep=0)

    def _comes_first(self, entry: Ranked) -> bool:
        return entry.relevance >= RELEVANT if self._asked else entry.card.kind not in _LATE

    def _units(self, cards: Sequence[Card]) -> list[Unit]:
        return units(cards, self._found, self._inputs.clashes)

    def _frame(self, packet: Packet) -> int:
        return frame.cost_of_frame(packet, self._renderer, self._counter)

    def _unfit(self, missing: tuple[str, ...]) -> Unfit:
        boundless = Room(self._renderer, self._counter, _MUCH)
        Selection(self._inputs, boundless, self._maker).reserve(self._reserved)
        body = _MUCH - boundless.left
        needed = before = 0
        while True:
            # the frame names the budget, so its own size depends a little on it
            framed = self._blank.model_copy(update={"budget": needed, "used": needed})
            needed = body + self._frame(framed)
            if needed <= before:
                return Unfit(missing, before, self._blank.budget, self._blank.unit)
            before = needed

    def _finish(self, selection: Selection, room: Room) -> Compiled:
        left_out = {**self._found.left_out, **selection.left_out}
        sections = room.sections()
        items = [item for section in sections for item in section.items]
        shown = {item.id for item in items}
        verdicts = {identifier: reason for identifier, reason in left_out.items() if identifier not in shown}
        packet = self._blank.model_copy(
            update={
                "sections": sections,
                "omitted": frame.omissions(self._inputs, verdicts),
                "basis": basis_of(self._inputs, anchors_of(items)),
            }
        )
        packet = frame.with_names(packet, self._inputs, verdicts, room.left, self._renderer, self._counter)
        packet = seal(packet)
        used = self._counter.count(render(packet))
        if len(str(used)) != len(str(packet.used)):
            used = self._counter.count(render(packet.model_copy(update={"used": used})))
        packet = packet.model_copy(update={"used": used})
        reserved = frozenset(card.id for unit in self._reserved for card in unit)
        return Compiled(packet, render(packet), verdicts, selection.instead, reserved, self._ranked)


def _episodes(inputs: Inputs, request: Request, gate: Gate) -> tuple[EpisodeCard, ...]:
    """The newest that may be seen, newest first; more than asked for, as some may say nothing new."""
    if not request.episodes:
        return ()
    recent = inputs.pool.recent_episodes(request.episodes + _WINDOW)
    return tuple(card for card in recent if gate.reason(card.scope, card.sensitivity, card.starts, card.ends) is None)


def _question(inputs: Inputs, request: Request) -> Question:
    """The task and the further queries; with neither, what the work in hand is about."""
    asked = [query for query in (request.task, *request.queries) if query.strip()]
    context = inputs.working_context
    if not asked and context is not None:
        focus = preamble.focus_of(context)
        about = ((focus.title if focus else None), context.next_step, context.project_line)
        asked = [" ".join(text for text in about if text)]
    queries = tuple(dict.fromkeys(tuple(terms(query)) for query in asked))
    return Question(tuple(query for query in queries if query), frozenset(request.changed))
