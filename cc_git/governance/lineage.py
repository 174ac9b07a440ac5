"""How hypotheses hang together: which came from which, and which went into which.

A hypothesis says it of itself, in its own links; of two that are there an episode says it (`relate.py`). There are two
orders. What is derived from another or supersedes it *comes from* it; what is merged into another or superseded by it
*goes into* it. A circle in either may arrive by a merge. It is told, and inside it nothing goes into anything.

No link changes what a hypothesis counts as.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from cc_git.governance.links import OF, Edge, way
from cc_git.model.episode import Episode
from cc_git.model.ids import prefix_of
from cc_git.model.record import Record
from cc_git.model.verdict import Standing, Verdict
from cc_git.standing.cycles import components

WORDS = ("competes-with", "merged-into", "supersedes", "derived-from", "borrows-evidence-from")
_TURNED = {"superseded-by": "supersedes"}
"""Words that say one of ours from the other end."""

_SILENT: frozenset[Standing] = frozenset({"forgotten", "damaged", "rejected", "proposed", "revoked"})


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """`said_by` is the episode that says so, or the hypothesis itself."""

    source: str
    word: str
    target: str
    said_by: str


_Way = tuple[str, str]
_Order = Callable[[Link], _Way | None]
"""The two ends of a link, in the direction of one of the two orders; None where it has no part in it."""


def links_of(value: Record | Episode) -> Iterator[Link]:
    """What a file says of hypotheses, whether it counts or not."""
    said = [(link.rel, link.to) for link in value.relations]
    if isinstance(value, Episode):
        sources = [to for word, to in said if word == OF]
    else:
        sources = [value.id]
        said += [("supersedes", old) for old in value.supersedes]
    links = (link_between(one, word, other, value.id) for one in sources for word, other in said)
    yield from filter(None, links)


def link_between(one: str, word: str, other: str, said_by: str = "") -> Link | None:
    """None where it is none of two hypotheses."""
    ours = _TURNED.get(word, word)
    if ours not in WORDS or not prefix_of(one) == prefix_of(other) == "hyp":
        return None
    return Link(one, ours, other, said_by) if word == ours else Link(other, ours, one, said_by)


@dataclass(frozen=True)
class Lineage:
    """The links that count."""

    links: tuple[Link, ...]

    @cached_property
    def circles(self) -> tuple[tuple[Link, ...], ...]:
        """Each circle as the links on its way."""
        found: dict[frozenset[Link], tuple[Link, ...]] = {}
        for order in (_comes_from, _goes_into):
            steps = self._steps(order)
            ring = components(_ahead(steps))
            inside: dict[int, dict[_Way, Link]] = {}
            for step, link in steps.items():
                if ring[step[0]] == ring[step[1]]:
                    inside.setdefault(ring[step[0]], {})[step] = link
            for around in inside.values():
                circle = _circle(min(around)[0], around)
                found.setdefault(frozenset(circle), circle)
        return tuple(found.values())

    def circle_with(self, new: Iterable[Link]) -> tuple[Link, ...]:
        """The links on the way of a circle that there would be with new ones; empty where there would be none."""
        new = tuple(new)
        whole = Lineage((*self.links, *new))
        orders = (_comes_from, _goes_into)
        circles = (_circle(step[0], whole._steps(order)) for order in orders for one in new if (step := order(one)))
        return next(filter(None, circles), ())

    def _steps(self, order: _Order) -> dict[_Way, Link]:
        return {step: one for one in reversed(self.links) if (step := order(one)) is not None}

    @cached_property
    def _into(self) -> Mapping[str, tuple[Link, ...]]:
        """What went into others → the links that say so, but for those inside a circle."""
        steps = self._steps(_goes_into)
        ring = components(_ahead(steps))
        found: dict[str, list[Link]] = {}
        for (one, other), link in steps.items():
            if ring[one] != ring[other]:
                found.setdefault(one, []).append(link)
        return {one: tuple(sorted(links)) for one, links in found.items()}

    def into(self, identifier: str) -> tuple[Link, ...]:
        """The links by which it went into others."""
        return self._into.get(identifier, ())

    def says(self, new: Link) -> Link | None:
        """The link that says this already; who competes with whom is said from either end."""
        ends = {(new.source, new.target)} | ({(new.target, new.source)} if new.word == "competes-with" else set())
        return next((one for one in self.links if one.word == new.word and (one.source, one.target) in ends), None)

    def about(self, identifier: str) -> tuple[Link, ...]:
        return tuple(one for one in self.links if identifier in (one.source, one.target))


def lineage_of(records: Iterable[Record], episodes: Iterable[Episode], verdicts: Mapping[str, Verdict]) -> Lineage:
    """What episodes say, and hypotheses that are neither only put forward nor turned down nor taken back: what is over
    still came from where it came from. Each link once, in order, whoever says it."""
    values: tuple[Record | Episode, ...] = (*episodes, *(one for one in records if _speaks(verdicts.get(one.id))))
    first: dict[tuple[str, str, str], Link] = {}
    for link in sorted(link for one in values for link in links_of(one)):
        first.setdefault((link.source, link.word, link.target), link)
    return Lineage(tuple(first.values()))


def _speaks(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.standing not in _SILENT and "withheld" not in verdict.flags


def _comes_from(link: Link) -> _Way | None:
    return (link.source, link.target) if link.word in ("derived-from", "supersedes") else None


def _goes_into(link: Link) -> _Way | None:
    if link.word == "merged-into":
        return link.source, link.target
    return (link.target, link.source) if link.word == "supersedes" else None


def _ahead(steps: Iterable[_Way]) -> dict[str, list[str]]:
    ahead: dict[str, list[str]] = {}
    for one, other in steps:
        ahead.setdefault(one, []).append(other)
        ahead.setdefault(other, [])
    return ahead


_NOBODY = ""


def _circle(start: str, steps: Mapping[_Way, Link]) -> tuple[Link, ...]:
    """The shortest way from one back to itself, as the links on it: from where nobody is by its own steps."""
    edges = [Edge(_NOBODY if again else one, "", other)
             for one, other in steps for again in ((False, True) if one == start else (False,))]  # fmt: skip
    back = way(edges, "", _NOBODY, start)[1:]
    return tuple(steps[step] for step in zip((start, *back), back, strict=False))
