"""What is chosen for the room there is, beyond what is reserved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cc_git.compiler import preamble
from cc_git.compiler.budget import Room
from cc_git.compiler.gate import Reason
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.items import ItemMaker
from cc_git.compiler.pool import EpisodeCard
from cc_git.compiler.redundancy import Seen, ended_behind, hidden_by_end
from cc_git.compiler.reservation import Unit
from cc_git.compiler.restraints import Key, key_of
from cc_git.model.authority import Sensitivity
from cc_git.model.packet import Form, Item
from cc_git.runbooks.selection import Selection as RunbookSelection

_PATIENCE = 12
"""Units in a row that may have no room before the rest is not looked at: what is looked at must be decoded."""
_OPENING, _AGENDA, _EPISODES, _RUNBOOKS = (n << 40 for n in range(1, 5))
"""Their own ranges of order; in a section they come after every record."""


class Selection:
    """Fills one room. `left_out` says of everything that was not taken why, `instead` what stands for it."""

    def __init__(self, inputs: Inputs, room: Room, maker: ItemMaker, ceiling: Sensitivity) -> None:
        self.left_out: dict[str, Reason] = {}
        self.instead: dict[str, str] = {}
        self._inputs = inputs
        self._room = room
        self._maker = maker
        self._ceiling = ceiling
        self._seen = Seen()
        self._full: set[str] = set()
        self._grown: set[Key] = set()
        self._looked_at: set[str] = set()

    def reserve(self, units: Sequence[Unit]) -> list[str]:
        """One line for each; the ids of those that have no room."""
        return [
            card.id
            for order, unit in enumerate(units)
            if not self._room.put(self._items(unit, "line"), order)
            for card in unit
        ]

    def open(self, books: RunbookSelection) -> None:
        """Origin, focus, next step; then agenda and runbooks, which leave half of the room to what is ranked."""
        for order, item in enumerate(preamble.opening(self._inputs, self._ceiling)):
            self._room.put([item], _OPENING + order)
        half = self._room.left // 2
        for order, forms in enumerate(preamble.runbooks(books)):
            if not any(self._room.put([form], _RUNBOOKS + order, keep=half) for form in forms):
                self.left_out[forms[0].id] = "budget"
        for order, item in enumerate(preamble.agenda(self._inputs)):
            self._room.put([item], _AGENDA + order, keep=half)

    def grow(self, units: Sequence[Unit], *, keep: int) -> None:
        """Reserved units in full, in their order, as long as `keep` is left."""
        refused = 0
        for order, unit in enumerate(units):
            if key_of(unit[0]) in self._grown:
                continue
            if self._room.put(self._items(unit, "full"), order, keep=keep):
                self._took(unit)
                refused = 0
            elif (refused := refused + 1) >= _PATIENCE:
                return

    def fill(self, units: Iterable[Unit], first: int) -> None:
        """In full what fits, in order; then one line for what did not. `first` is the order of the first unit. What was
        looked at before, as the other side of a conflict, is not looked at again."""
        short_of: list[tuple[int, Unit]] = []
        refused = 0
        for order, unit in enumerate(units, first):
            if unit[0].id in self._looked_at:
                continue
            self._looked_at.update(card.id for card in unit)
            if refused >= _PATIENCE:
                short_of.append((order, unit))
            elif len(unit) == 1 and (twin := self._seen.twin_of(unit[0], self._maker.record(unit[0]))):
                self.left_out[unit[0].id] = "redundant"
                self.instead[unit[0].id] = twin
            elif self._room.put(self._items(unit, "full"), order):
                refused = 0
                self._took(unit)
            else:
                refused += 1
                short_of.append((order, unit))
        self._lines(short_of)

    def _lines(self, units: Sequence[tuple[int, Unit]]) -> None:
        refused = 0
        for order, unit in units:
            if refused < _PATIENCE and self._room.put(self._items(unit, "line"), order):
                refused = 0
                continue
            refused += 1
            self.left_out.update((card.id, "budget") for card in unit)

    def episodes(self, cards: Sequence[EpisodeCard], number: int) -> None:
        """The newest `number` that say something beyond what is selected."""
        behind = self._inputs.pool.behind([card.id for card in cards])
        shown = 0
        for order, card in enumerate(cards):
            if shown == number:
                break
            citing = behind.get(card.id, ())
            if hidden_by_end(citing):
                self.left_out[card.id] = "behind-ended"
            elif stands_for := next((identifier for identifier, _ in citing if identifier in self._full), None):
                self.left_out[card.id] = "redundant"
                self.instead[card.id] = stands_for
            else:
                shown += 1
                ended = ended_behind(citing)
                forms: tuple[Form, ...] = ("full", "line")
                if not any(
                    self._room.put([self._maker.of_episode(card, form, ended)], _EPISODES + order) for form in forms
                ):
                    self.left_out[card.id] = "budget"

    def _items(self, unit: Unit, form: Form) -> list[Item]:
        return [self._maker.of_record(card, form) for card in unit]

    def _took(self, unit: Unit) -> None:
        for card in unit:
            self._full.add(card.id)
            self._grown.add(key_of(card))
            self._seen.add(card, self._maker.record(card))
