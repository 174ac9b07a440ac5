"""Whom a forgetting is aimed at where no ids are named: all that lies in a scope, comes from a source, or is about an
entity. Several of these narrow each other.

 1. *scope*: what lies in it, that is, in an equal or a narrower one. What holds more widely stays.
 2. *source*: an episode (itself, and what was made from it alone: see `reach`), an import (what it left in quarantine
    and what was taken from it), who wrote or said it, or a place: a path with all below it, a URL, a run.
 3. *entity*: what has it as its subject, and the promises, grants and goals of which it is a party. What names it in
    its prose alone is found by a match.
What somebody ruled is no statement from a source: rulings, receipts and marks are not aimed at, and neither is the work
in hand, which loses fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cc_git.codec import paths
from cc_git.governance.reach import Held
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import slug

_STATEMENTS = frozenset(
    {paths.RECORDS, paths.EPISODES, paths.TRIGGERS, paths.DREAMS, paths.ATTACHMENTS, paths.QUARANTINE}
)
_ACTORS = ("human:", "agent:", "tool:")


@dataclass(frozen=True)
class Aim:
    """`behind` are the ids that the sources stand for, where they are ids; None where no source was named by one."""

    scope: Scope = EVERYWHERE
    source: str | None = None
    behind: frozenset[str] | None = None
    entity: str | None = None

    @property
    def is_nothing(self) -> bool:
        return self.scope == EVERYWHERE and self.source is None and self.entity is None


def aimed_at(aim: Aim, held: Sequence[Held], keep: frozenset[str]) -> frozenset[str]:
    """The ids, without those that are kept and what these rest on: a record without its evidence stands no more."""
    spared = keep.union(*(one.rests_on for one in held if one.owner in keep))
    hit = {one.owner for one in held if one.owner is not None and _is_hit(aim, one)}
    return frozenset(hit - spared)


def _is_hit(aim: Aim, one: Held) -> bool:
    if paths.folder_of(one.rel) not in _STATEMENTS:
        return False
    if aim.scope != EVERYWHERE and not aim.scope.covers(one.about.scope):
        return False
    if aim.entity is not None and slug(aim.entity) not in one.about.names:
        return False
    return aim.source is None or _comes_from(aim.source, aim.behind, one)


def _comes_from(source: str, behind: frozenset[str] | None, one: Held) -> bool:
    if behind is not None:
        return one.owner in behind
    if source.startswith(_ACTORS):
        return source in one.about.authors
    return any(
        place == source or place.startswith((f"{source.rstrip('/')}/", f"{source}#")) for place in one.about.places
    )
