"""Which commits are reached, asked of whoever can walk a history; right even where clocks ran backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

Walk = Callable[[Iterable[str], Iterable[str]], Iterator[str]]
"""Commits reachable from the first and not from the second, in any order; ids that are no commits here are ignored."""


def unreached(commits: Iterable[str], tips: Iterable[str], has: Callable[[str], bool], walk: Walk) -> frozenset[str]:
    """`Engine.unreached`.

    Hiding the tips decides most cases after a few commits. With clocks that run backwards it may overlook that a commit
    is reached, never the reverse; what it leaves over is looked for in the whole history.
    """
    starts = frozenset(tips)
    unknown = frozenset(commits) - starts
    absent = frozenset(oid for oid in unknown if not has(oid))
    left = unknown - absent
    if left:
        left &= set(walk(left, starts))
    if left:
        for commit in walk(starts, ()):
            left -= {commit}
            if not left:
                break
    return left | absent
