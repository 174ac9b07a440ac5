"""Which files are judged together: parts that are tied, and what must be judged again after a change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cc_git.store.index_facts import Facts, tokens_of

Holders = Callable[[str], Iterable[Facts]]
"""Token → the files that hold it, in the snapshot at hand."""


class Tokens:
    """Files by token, in memory."""

    def __init__(self, facts: Iterable[Facts] = ()) -> None:
        self._held: dict[str, list[Facts]] = {}
        self.add(facts)

    def add(self, facts: Iterable[Facts]) -> None:
        held = self._held
        for one in facts:
            for token in tokens_of(one):
                held.setdefault(token, []).append(one)

    def __call__(self, token: str) -> list[Facts]:
        return self._held.get(token, [])


class OwnIds:
    """Files by their own id alone: enough to find evidence, and small."""

    def __init__(self, facts: Iterable[Facts]) -> None:
        self._held: dict[str, list[Facts]] = {}
        for one in facts:
            self._held.setdefault(f"i:{one.id}", []).append(one)

    def __call__(self, token: str) -> list[Facts]:
        return self._held.get(token, [])


def seeds_of(facts: Facts) -> Iterator[str]:
    """The tokens under which everything lies whose verdict a change of this file can touch."""
    yield from facts.ties
    if facts.id:
        yield f"c:{facts.id}"
    if facts.document:
        yield facts.document


def touched(seeds: Iterable[str], holders: Holders) -> dict[tuple[str, str], Facts]:
    """Every file in the same part as one that a seed finds, by path and blob."""
    found: dict[tuple[str, str], Facts] = {}
    seen: set[str] = set()
    left = list(seeds)
    while left:
        token = left.pop()
        if token in seen:
            continue
        seen.add(token)
        for one in holders(token):
            if (one.rel, one.blob) not in found:
                found[(one.rel, one.blob)] = one
                left += one.ties
                if one.document:
                    left += (one.document, f"c:{one.id}")
                for cited in one.cites:
                    if any(episode.document for episode in holders(f"i:{cited}")):
                        left.append(f"i:{cited}")
    return found


def parts(facts: list[Facts], holders: Holders) -> list[list[Facts]]:
    """The files as parts that are tied inside and not to each other; in the order in which a part is first met."""
    above = list(range(len(facts)))

    def root(number: int) -> int:
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    first: dict[str, int] = {}
    for number, one in enumerate(facts):
        tokens = [*one.ties]
        if one.document:
            tokens.append(one.document)
        for cited in one.cites:
            if any(episode.document for episode in holders(f"i:{cited}")):
                tokens.append(f"i:{cited}")
        for token in tokens:
            other = first.setdefault(token, number)
            if other != number:
                here, there = root(number), root(other)
                if here != there:
                    above[max(here, there)] = min(here, there)
    together: dict[int, list[Facts]] = {}
    for number, one in enumerate(facts):
        together.setdefault(root(number), []).append(one)
    return list(together.values())
