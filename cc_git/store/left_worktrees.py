"""What was written in worktrees of this clone that are gone: the journal keeps it, and no worktree would name it.

`git worktree remove --force` and `rm -rf` take a worktree's files with its token, so nobody's present snapshot holds
what waited there. It is looked for on demand, by `status`, `doctor` and `restore`. A file counts as left behind where
it is not here, nothing forgot it, and no branch or tag holds it with the same bytes. The working context never does: it
was the work in hand of that worktree.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from cc_git.codec.paths import WORKING_CONTEXT
from cc_git.store.classify import owner_of
from cc_git.store.facts import Sources
from cc_git.store.holders import Holders, tips_of
from cc_git.store.journal import Journal
from cc_git.store.present import PresentSnapshot
from cc_git.store.worktrees import refs_of_gone, state_of

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Left:
    """The bytes of a file lie in the journal under `blob`; its worktree wrote to `ref`."""

    blob: str
    ref: str


def left_behind(sources: Sources, present: PresentSnapshot) -> Mapping[str, Left]:
    """By path below the workspace, sorted."""
    journal = sources.journal
    states = {ref: state_of(journal, ref) for ref in refs_of_gone(journal)}
    if not states:
        return {}
    holders = Holders(sources.engine, sources.place.prefix, present.head, tips_of(sources.engine))
    reached = holders.reach({seen.commit for state in states.values() for seen in state.watch.values()})
    mine = journal.read().watch
    found: dict[str, Left] = {}
    for ref, state in states.items():
        stranded = {rel: seen.blob for rel, seen in state.watch.items() if seen.commit not in reached}
        for rel, blob in (*stranded.items(), *state.private.items(), *state.pending.items()):
            if rel not in present.entries and rel not in mine and not _is_settled(present, rel):
                found[rel] = Left(blob, ref)
    held = holders.of_pending({rel: left.blob for rel, left in found.items()}, ())
    return {rel: left for rel, left in sorted(found.items()) if rel not in held}


def let_go(journal: Journal, left: Mapping[str, Left]) -> None:
    """These wait here from now on; hold the journal's lock."""
    for ref in {one.ref for one in left.values()}:
        with closing(journal.beside(ref)) as other:
            state = other.read()
            kept = replace(
                state,
                pending=_without(state.pending, left),
                private=_without(state.private, left),
                watch=_without(state.watch, left),
            )
            other.replace(kept, verb="restore")


def _without(group: Mapping[str, _T], gone: Collection[str]) -> Mapping[str, _T]:
    return MappingProxyType({rel: kept for rel, kept in group.items() if rel not in gone})


def _is_settled(present: PresentSnapshot, rel: str) -> bool:
    return rel == WORKING_CONTEXT or owner_of(rel) in present.tombstones
