"""Compile: request → eligibility → reservation → ranking → budget → packet. Pure: the same inputs, the same bytes.

Room is given in this order: the frame; everything reserved, in one line each; what opens the packet; reserved items in
full, up to a third of what is left; what matches the task, then recent episodes, then the rest; longer forms of the
reserved with what remains. Nothing reserved is ever cut silently: where its lines do not fit, the outcome is `Unfit`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain

from cc_git.compiler import frame
from cc_git.compiler.budget import Room
from cc_git.compiler.cards import millis
from cc_git.compiler.counter import counter_for
from cc_git.compiler.digest import basis_of, seal
from cc_git.compiler.eligibility import Eligibility, judge
from cc_git.compiler.gate import Gate, Reason, scope_of
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.items import ItemMaker, anchors_of
from cc_git.compiler.pool import Card, EpisodeCard
from cc_git.compiler.ranking import Question, Ranked, Ranking
from cc_git.compiler.render import RENDERERS, render
from cc_git.compiler.reservation import Unit, reserve, units
from cc_git.compiler.restraints import key_of
from cc_git.compiler.selection import Selection
from cc_git.compiler.terms import terms
from cc_git.compiler.tiers import tiers
from cc_git.compiler.work import books_for, what_is_asked
from cc_git.model.packet import Packet, Unfit
from cc_git.model.request import Request

LEAST, SPARE = 8, 256
"""No item takes less than `LEAST` of a budget; `SPARE` more are looked at for those that are refused or redundant."""
_AFTER_RESERVED = 1 << 30
_MUCH = 1 << 40
_WINDOW = 20
"""Episodes looked at beyond those asked for: some are out of scope, or say nothing new."""


@dataclass(frozen=True)
class Compiled:
    """`text` is the packet in its form. `reserved` had their room before the ranking, of which `best` is the part that
    was looked at; `instead` says what stands for a redundant id."""

    packet: Packet
    text: str
    reserved: frozenset[str]
    best: Sequence[Ranked]
    instead: Mapping[str, str]
    eligibility: Eligibility
    looked_at: Mapping[str, Reason]

    @cached_property
    def verdicts(self) -> Mapping[str, str]:
        """A reason for every record in reach of the question, and every episode looked at, that is not shown."""
        shown = set(self.packet.selected)
        unplaced = {card.id: "budget" for card in self.eligibility.eligible if card.id not in shown}
        return {**unplaced, **self.eligibility.left_out, **self.looked_at}


def compile_whole(inputs: Inputs, request: Request, now: datetime) -> Compiled | Unfit:
    """`now` is aware UTC in milliseconds. Nothing but these three decides the outcome."""
    return _Compilation(inputs, request, now).outcome()


class _Compilation:
    def __init__(self, inputs: Inputs, request: Request, now: datetime) -> None:
        self._inputs, self._request = inputs, request
        gate = Gate(scope_of(request.scope, inputs.workspace.scope), request.ceiling, millis(now), request.scope)
        cards = inputs.pool.cards()
        self._found = found = judge(cards, gate, inputs.clashes, inputs.pool.restraining())
        self._episodes = _episodes(inputs, request, gate)
        question, ghosts = _question(inputs, request), found.heard.ghosts
        self._asked = bool(question.terms)
        self._books = books_for(inputs, request, gate)
        beside = (found.partners, found.void, found.heard.beside)
        others = {*found.left_out, *(card.id for group in beside for card in group if key_of(card) not in ghosts)}
        frequencies = inputs.pool.frequencies(question.terms)
        self._ranking = Ranking(found.eligible, others, frequencies, question, millis(now))
        self._reserved = reserve(found, self._utility, frozenset(request.required), inputs.clashes)
        self._claimed = frozenset(card.id for unit in self._reserved for card in unit)
        self._maker = ItemMaker(inputs, found, frozenset(request.required))
        self._counter = counter_for(request.measure.unit, inputs.tokens)
        self._renderer = RENDERERS[request.format]
        blank = frame.blank(inputs, request, now, found, self._episodes, asked=self._asked)
        numbers = Counter[str](found.left_out.values())
        if candidates := len(found.eligible) + len(self._episodes) + len(self._books.all):
            numbers.update(dict.fromkeys(("budget", "redundant", "behind-ended"), candidates))
        numbers["above-ceiling"] += self._books.above
        self._blank = blank.model_copy(update={"omitted": frame.omissions(inputs, numbers)})
        self._best: list[Ranked] = []

    def _utility(self, card: Card) -> int:
        return self._ranking.of(card).utility

    def outcome(self) -> Compiled | Unfit:
        room = Room(self._renderer, self._counter, self._blank.budget - self._frame(self._blank))
        selection = Selection(self._inputs, room, self._maker, self._request.ceiling)
        missing = selection.reserve(self._reserved)
        if missing or room.left < 0:
            return self._unfit(tuple(missing))
        room.settle()
        self._choose(selection, room)
        while True:
            compiled = self._finish(selection, room)
            excess = compiled.packet.used - self._blank.budget
            if excess <= 0:
                return compiled
            # only a counter that is not additive over lines comes here
            if not room.give_back():
                return Unfit((), self._blank.budget + excess, self._blank.budget, self._blank.unit)

    def _choose(self, selection: Selection, room: Room) -> None:
        selection.open(self._books)
        selection.grow(self._reserved, keep=room.left * 2 // 3)
        self._best = self._ranking.best(room.left // LEAST + SPARE, self._claimed)
        before, after = tiers(self._best, asked=self._asked)
        selection.fill(self._units(before), _AFTER_RESERVED)
        selection.episodes(self._episodes, self._request.episodes)
        selection.fill(self._units(after), 2 * _AFTER_RESERVED)
        selection.grow(self._reserved, keep=0)

    def _units(self, cards: Iterable[Card]) -> Iterable[Unit]:
        return units(cards, self._found, self._inputs.clashes, without=self._claimed)

    def _frame(self, packet: Packet) -> int:
        return frame.cost_of_frame(packet, self._renderer, self._counter)

    def _unfit(self, missing: tuple[str, ...]) -> Unfit:
        boundless = Room(self._renderer, self._counter, _MUCH)
        Selection(self._inputs, boundless, self._maker, self._request.ceiling).reserve(self._reserved)
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
        sections = room.sections()
        items = [item for section in sections for item in section.items]
        shown = {item.id for item in items}
        found, looked_at = self._found, {i: why for i, why in selection.left_out.items() if i not in shown}
        numbers = Counter[str](chain(found.left_out.values(), looked_at.values()))
        # beyond the best nothing was looked at: it is counted, not listed
        eligible = {card.id for card in found.eligible}
        numbers["budget"] += len(eligible) - len(eligible & (shown | looked_at.keys()))
        numbers["above-ceiling"] += self._books.above
        packet = self._blank.model_copy(
            update={
                "sections": sections,
                "omitted": frame.omissions(self._inputs, numbers),
                "basis": basis_of(self._inputs, anchors_of(items)),
            }
        )
        ids = frame.ids_to_name(self._inputs, chain(looked_at.items(), found.left_out.items()))
        sealed = seal(frame.with_names(packet, ids, room.left, self._renderer, self._counter))
        return Compiled(*self._shown(sealed), self._claimed, self._best, selection.instead, found, looked_at)

    def _shown(self, packet: Packet) -> tuple[Packet, str]:
        """The packet that names what it uses, and its text. Until now the budget stood in its place."""
        text = render(packet)
        rest = text.removeprefix(self._renderer.head(packet))
        used = self._counter.count(text)
        if len(str(used)) != len(str(packet.used)):
            # a number of fewer digits is a shorter text
            shorter = packet.model_copy(update={"used": used})
            used = self._counter.count(self._renderer.head(shorter) + rest)
        packet = packet.model_copy(update={"used": used})
        return packet, self._renderer.head(packet) + rest


def _episodes(inputs: Inputs, request: Request, gate: Gate) -> tuple[EpisodeCard, ...]:
    """The newest that may be seen, newest first; more than asked for, as some may say nothing new."""
    if not request.episodes:
        return ()
    recent = inputs.pool.recent_episodes(request.episodes + _WINDOW)
    return tuple(card for card in recent if gate.reason(card.scope, card.sensitivity, card.starts, card.ends) is None)


def _question(inputs: Inputs, request: Request) -> Question:
    """What is asked, as terms."""
    queries = tuple(dict.fromkeys(tuple(terms(query)) for query in what_is_asked(request, inputs.working_context)))
    return Question(tuple(query for query in queries if query), frozenset(request.changed))
