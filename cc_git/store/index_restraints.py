"""Restraints in force without a whole record, from what the index keeps of them and the files that hold them."""

from __future__ import annotations

from cc_git.errors import Damaged
from cc_git.model.attestation import SeenNegative
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed
from cc_git.model.record import Record
from cc_git.model.verdict import Restraint
from cc_git.store.index_judge import Ghost
from cc_git.store.index_layer import Judged
from cc_git.store.index_question import Question
from cc_git.store.loader import read_object


def restraints_of(judged: Judged, question: Question) -> tuple[Restraint, ...]:
    """As `standing` gives them."""
    ghosts = [ghost for some in judged.ghosts.values() for ghost in some]
    if not ghosts:
        return ()
    seen = {(one.filed.rel, one.filed.blob): one for one in question.negatives.value.seen.values()}
    return tuple(_restraint(ghost, seen.get((ghost.rel, ghost.blob)), question) for ghost in ghosts)


def _restraint(ghost: Ghost, negative: SeenNegative | None, question: Question) -> Restraint:
    if negative is not None and isinstance(negative.filed.value, Record):
        placed = Filed(ghost.rel, ghost.blob, negative.filed.value)
        return Restraint(placed, ghost.verdict, ghost.whence, negative.branch, negative.lost)
    value = read_object(ghost.rel, ghost.blob, question.read)
    if isinstance(value, Fault):
        raise Damaged(str(value), hints=("git fsck",))
    assert isinstance(value, Record)
    return Restraint(Filed(ghost.rel, ghost.blob, value), ghost.verdict, ghost.whence)
