"""Shell patterns as sets of texts: do two overlap, does one cover the other.

`*` is any text, `?` one character, `[…]` one of a set (`[!…]` one outside it), everything else itself; as in Python's
`fnmatch`, `*` also crosses `/`, and a `[` without its `]` is itself. Both questions are decided on the patterns, not on
examples: matching one as text against the other misses `a*` against `*b`.
"""

from __future__ import annotations

import re
from functools import lru_cache

Ranges = tuple[tuple[int, int], ...]
"""Code points, sorted and disjoint, both ends included."""
Token = Ranges | None
"""One character out of these; None is `*`."""

_WILDCARD = re.compile(r"[*?\[]")
_LAST = 0x10FFFF
_ANY: Ranges = ((0, _LAST),)
_WORK_LIMIT = 20_000
"""States looked at before `covers` gives up and says yes: a pattern made to be slow must not outwit a deny."""


@lru_cache(maxsize=4096)
def overlaps(one: str, other: str) -> bool:
    """Whether there is a text that both patterns match."""
    if one == other or one == "*" or other == "*":
        return True
    a, b = _tokens(one), _tokens(other)
    seen = {(0, 0)}
    ways = [(0, 0)]
    while ways:
        i, j = ways.pop()
        if i == len(a) and j == len(b):
            return True
        for state in _together(a, b, i, j):
            if state not in seen:
                seen.add(state)
                ways.append(state)
    return False


@lru_cache(maxsize=4096)
def covers(wide: str, narrow: str) -> bool:
    """Whether every text that `narrow` matches is matched by `wide`."""
    if wide in (narrow, "*"):
        return True
    a, b = _tokens(narrow), _tokens(wide)
    pieces = _pieces(a, b)
    start = (0, _closed(b, {0}))
    seen = {start}
    ways = [start]
    while ways:
        i, reached = ways.pop()
        if len(seen) > _WORK_LIMIT:
            return True
        if _can_end(a, i) and len(b) not in reached:
            return False
        for piece in pieces:
            following = _step(b, reached, piece)
            for after in _closed(a, {i}):
                if after < len(a) and _takes(a[after], piece):
                    state = (after if a[after] is None else after + 1, following)
                    if state not in seen:
                        seen.add(state)
                        ways.append(state)
    return True


def literal_prefix(pattern: str) -> str:
    """What every matching text begins with, up to the first wildcard."""
    return _WILDCARD.split(pattern, maxsplit=1)[0]


def _together(a: tuple[Token, ...], b: tuple[Token, ...], i: int, j: int) -> list[tuple[int, int]]:
    """Where two patterns can be after a character that both take, or after a `*` that takes nothing."""
    states = []
    if i < len(a) and a[i] is None:
        states.append((i + 1, j))
    if j < len(b) and b[j] is None:
        states.append((i, j + 1))
    if i < len(a) and j < len(b):
        one, other = a[i], b[j]
        if one is None or other is None:
            single = other if one is None else one
            if single:
                states.append((i if one is None else i + 1, j if other is None else j + 1))
        elif _meet(one, other):
            states.append((i + 1, j + 1))
    return states


def _can_end(tokens: tuple[Token, ...], start: int) -> bool:
    return all(token is None for token in tokens[start:])


def _closed(tokens: tuple[Token, ...], states: set[int]) -> frozenset[int]:
    """With every state that a `*` reaches by taking nothing."""
    closed = set(states)
    for state in states:
        while state < len(tokens) and tokens[state] is None:
            state += 1
            closed.add(state)
    return frozenset(closed)


def _step(tokens: tuple[Token, ...], states: frozenset[int], piece: int) -> frozenset[int]:
    after = {
        state if tokens[state] is None else state + 1
        for state in states
        if state < len(tokens) and _takes(tokens[state], piece)
    }
    return _closed(tokens, after)


def _takes(token: Token, character: int) -> bool:
    return token is None or any(low <= character <= high for low, high in token)


def _pieces(*patterns: tuple[Token, ...]) -> list[int]:
    """One character out of every class that no token of the patterns tells apart."""
    edges = {0}
    for tokens in patterns:
        for token in tokens:
            for low, high in token or ():
                edges.add(low)
                if high < _LAST:
                    edges.add(high + 1)
    return sorted(edges)


def _meet(one: Ranges, other: Ranges) -> bool:
    return any(low <= high2 and low2 <= high for low, high in one for low2, high2 in other)


@lru_cache(maxsize=4096)
def _tokens(pattern: str) -> tuple[Token, ...]:
    tokens: list[Token] = []
    index = 0
    while index < len(pattern):
        char = pattern[index]
        index += 1
        if char == "*":
            if not tokens or tokens[-1] is not None:
                tokens.append(None)
        elif char == "?":
            tokens.append(_ANY)
        elif char == "[" and (end := _closing(pattern, index)):
            tokens.append(_set(pattern[index:end]))
            index = end + 1
        else:
            tokens.append(((ord(char), ord(char)),))
    return tuple(tokens)


def _closing(pattern: str, start: int) -> int:
    """The place of the `]` that ends a set; one that comes first belongs to the set. 0 where there is none."""
    first = start + 1 if pattern[start : start + 1] == "!" else start
    return pattern.find("]", first + 1) if first < len(pattern) and pattern.find("]", first + 1) >= 0 else 0


def _set(inside: str) -> Ranges:
    negated = inside.startswith("!")
    text = inside[1:] if negated else inside
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(text):
        if text[index + 1 : index + 2] == "-" and index + 2 < len(text):
            low, high = ord(text[index]), ord(text[index + 2])
            index += 3
        else:
            low = high = ord(text[index])
            index += 1
        if low <= high:
            found.append((low, high))
    merged: list[tuple[int, int]] = []
    for low, high in sorted(found):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return _without(merged) if negated else tuple(merged)


def _without(ranges: list[tuple[int, int]]) -> Ranges:
    rest = []
    start = 0
    for low, high in ranges:
        if start < low:
            rest.append((start, low - 1))
        start = high + 1
    if start <= _LAST:
        rest.append((start, _LAST))
    return tuple(rest)
