"""Room: what fits, counted as it will be shown. The sum of the pieces is an upper bound of the whole."""

from __future__ import annotations

from collections.abc import Sequence

from cc_git.compiler.counter import TokenCounter
from cc_git.compiler.render.renderer import Renderer
from cc_git.compiler.sections import SECTION_OF_KIND, SECTIONS
from cc_git.model.packet import Item, Section

Order = tuple[int, int]
_Kept = tuple[Item, int]


class Room:
    """`left` is what is left of the budget after the frame. Items are kept with the order in which they are shown."""

    def __init__(self, renderer: Renderer, counter: TokenCounter, left: int) -> None:
        self.left = left
        self._renderer = renderer
        self._counter = counter
        self._kept: dict[Order, _Kept] = {}
        self._opened: dict[str, int] = {}
        self._frames: dict[str, int] = {}
        self._costs: dict[tuple[str, str, str, str, tuple[str, ...]], int] = {}
        self._log: list[dict[Order, _Kept | None]] = []

    def put(self, items: Sequence[Item], order: int, *, keep: int = 0) -> bool:
        """Take all of them or none, leaving at least `keep`. An order that is taken already gets the new forms in the
        place of the old."""
        costs = [self._cost(item) for item in items]
        places = [(order, position) for position in range(len(items))]
        new = {SECTION_OF_KIND[item.kind] for item in items} - self._opened.keys()
        more = sum(costs) + sum(map(self._frame, new)) - sum(self._kept[p][1] for p in places if p in self._kept)
        if more > self.left - keep:
            return False
        self._log.append({place: self._kept.get(place) for place in places})
        for place, item, cost in zip(places, items, costs, strict=True):
            self._set(place, (item, cost))
        return True

    def settle(self) -> None:
        """What is kept now cannot be given back."""
        self._log.clear()

    def give_back(self) -> bool:
        """Undo the latest `put`; False when there is none."""
        if not self._log:
            return False
        for place, before in self._log.pop().items():
            self._set(place, before)
        return True

    def sections(self) -> tuple[Section, ...]:
        """What was kept, in the order of the sections."""
        by_name: dict[str, list[Item]] = {}
        for _, (item, _cost) in sorted(self._kept.items(), key=lambda pair: pair[0]):
            by_name.setdefault(SECTION_OF_KIND[item.kind], []).append(item)
        return tuple(Section(name=name, items=tuple(by_name[name])) for name in SECTIONS if name in by_name)

    def _set(self, place: Order, kept: _Kept | None) -> None:
        before = self._kept.pop(place, None)
        for change, entry in ((-1, before), (1, kept)):
            if entry is None:
                continue
            item, cost = entry
            name = SECTION_OF_KIND[item.kind]
            number = self._opened.pop(name, 0)
            if (number if change > 0 else number - 1) == 0:
                self.left -= change * self._frame(name)
            if number + change:
                self._opened[name] = number + change
            self.left -= change * cost
        if kept is not None:
            self._kept[place] = kept

    def _cost(self, item: Item) -> int:
        key = (item.kind, item.id, item.form, item.blob, item.labels)
        known = self._costs.get(key)
        if known is None:
            known = self._counter.count(self._renderer.item(item))
            if item.id:
                self._costs[key] = known
        return known

    def _frame(self, name: str) -> int:
        if name not in self._frames:
            opened, closed = self._renderer.opening(name), self._renderer.closing(name)
            self._frames[name] = self._counter.count(opened) + self._counter.count(closed)
        return self._frames[name]
