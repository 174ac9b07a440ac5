"""Who points to whom in a collection, and who supersedes whom, with targets resolved and contradictions taken out."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from cc_git.importers.adr_files import name_parts
from cc_git.importers.adr_links import LINKS_TO, number_in_label
from cc_git.importers.adr_values import Adr, AdrLink
from cc_git.importers.outcomes import Note


@dataclass(frozen=True)
class Graph:
    """`successors`: document → those that supersede it, as either side says. `pointers`: document → (relation, target)
    of all other links that reach a document of the collection. `warnings` by document."""

    successors: Mapping[str, frozenset[str]]
    pointers: Mapping[str, tuple[tuple[str, str], ...]]
    warnings: Mapping[str, tuple[Note, ...]]

    def predecessors(self, path: str) -> tuple[str, ...]:
        return tuple(sorted(old for old, new in self.successors.items() if path in new))


@dataclass
class _Building:
    successors: dict[str, set[str]] = field(default_factory=dict)
    pointers: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    warnings: dict[str, list[Note]] = field(default_factory=dict)


def read_graph(adrs: Iterable[Adr], other_paths: Iterable[str] = ()) -> Graph:
    """`other_paths`: documents that are known from before and not read now; links may reach them too."""
    documents = sorted(adrs, key=lambda adr: adr.path)
    places = _Places([*(adr.path for adr in documents), *other_paths], {a.path: a.number for a in documents})
    building = _Building()
    for adr in documents:
        for link in adr.links:
            target = places.find(adr.path, link)
            if target is None or target == adr.path:
                _unresolved(adr, link, target, building)
            elif link.relation == "supersedes":
                building.successors.setdefault(target, set()).add(adr.path)
            elif link.relation == "superseded-by":
                building.successors.setdefault(adr.path, set()).add(target)
            else:
                building.pointers.setdefault(adr.path, {})[(link.relation, target)] = None
    _break_cycles(building, places)
    return Graph(
        {old: frozenset(new) for old, new in building.successors.items() if new},
        {path: tuple(links) for path, links in building.pointers.items()},
        {path: tuple(found) for path, found in building.warnings.items()},
    )


def _unresolved(adr: Adr, link: AdrLink, target: str | None, building: _Building) -> None:
    if link.relation == LINKS_TO:
        return
    what = f"{link.relation.replace('-', ' ')} {link.target[:80]}"
    why = "itself" if target == adr.path else "not in this collection"
    building.warnings.setdefault(adr.path, []).append(Note(link.line, f"{what}: {why}"))


class _Places:
    """Finds the document that a link means: by path, by file name, or by number, first in the link's own folder."""

    def __init__(self, paths: Iterable[str], numbers: Mapping[str, int | None]) -> None:
        self._paths = frozenset(paths)
        self._by_name: dict[str, list[str]] = {}
        self._by_number: dict[int, list[str]] = {}
        for path in sorted(self._paths):
            self._by_name.setdefault(posixpath.basename(path).lower(), []).append(path)
            number = numbers.get(path, name_parts(path)[0])
            if number is not None:
                self._by_number.setdefault(number, []).append(path)
        self._numbers = numbers

    def order(self, path: str) -> tuple[str, int, str]:
        """Later documents of a folder sort later."""
        number = self._numbers.get(path, name_parts(path)[0])
        return (posixpath.dirname(path), -1 if number is None else number, path)

    def find(self, origin: str, link: AdrLink) -> str | None:
        folder = posixpath.dirname(origin)
        target = unquote(link.target).replace("\\", "/").partition("?")[0]
        if target.startswith("ADR-") and target[4:].isdigit():
            return self._one(self._by_number.get(int(target[4:]), ()), folder)
        if "://" in target:
            if link.relation == LINKS_TO:
                return None
            target = "/" + posixpath.basename(target)
        path = posixpath.normpath(posixpath.join(folder, target.lstrip("/")))
        for candidate in (path, target.lstrip("/"), f"{path}.md"):
            if candidate in self._paths:
                return candidate
        name = posixpath.basename(target).lower()
        found = self._one(self._by_name.get(name) or self._by_name.get(f"{name}.md") or (), folder)
        number = number_in_label(link.text)
        if found is None and number is not None and link.relation != LINKS_TO:
            return self._one(self._by_number.get(number, ()), folder)
        return found

    @staticmethod
    def _one(paths: Iterable[str], folder: str) -> str | None:
        """The only one, or the only one in the folder: a guess between two is none."""
        everywhere = list(paths)
        here = [path for path in everywhere if posixpath.dirname(path) == folder]
        near = here or everywhere
        return near[0] if len(near) == 1 else None


def _break_cycles(building: _Building, places: _Places) -> None:
    """Of documents that supersede each other in a ring, only the later ones supersede the earlier ones.

    Standing lets nothing in a cycle be superseded, so a ring would leave all of them in force.
    """
    edges = building.successors
    for old in sorted(edges):
        for new in sorted(edges[old]):
            if places.order(new) < places.order(old) and _reaches(edges, new, old):
                edges[old].discard(new)
                text = f"{new} and {old} supersede each other; the later document counts"
                building.warnings.setdefault(old, []).append(Note(0, text))


def _reaches(edges: Mapping[str, set[str]], start: str, goal: str) -> bool:
    seen, todo = {start}, [start]
    while todo:
        for after in edges.get(todo.pop(), ()):
            if after == goal:
                return True
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return False
