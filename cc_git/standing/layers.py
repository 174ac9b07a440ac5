"""Layered scopes at a question: global, project, thread.

Two records of one subject (or one line) whose scopes lie in each other are both current. At a question that sees both,
the narrower one overrides the wider, or, where it has the lower authority, gives way to it; a restraint never does.
Who gives way to whom is in `Verdict.yields_to`, so that a question needs no record to decide it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cc_git.model.verdict import Verdict


def narrower_overrides(verdicts: Mapping[str, Verdict], visible: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Of the ids a question sees (in scope, eligible), those that give way there, each with what it gives way to."""
    seen = visible if isinstance(visible, set | frozenset) else frozenset(visible)
    dropped: dict[str, tuple[str, ...]] = {}
    for identifier in visible:
        if to := verdicts[identifier].yields_to:
            there = tuple(i for i in to if i in seen)
            if there:
                dropped[identifier] = there
    return dropped
