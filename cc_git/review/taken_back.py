"""What a proposal takes back of what was taken away, and what it takes away itself.

1. Content of an id with a tombstone (in the base, in the proposal, or known to this clone as one that counts) is
   resurrected. It never counts, but it is readable again, and nobody agreed to that.
2. A negative of the base that the proposal lacks or changes is lost: here it counts on, and a clone that never saw it
   would know nothing of it. The place of a forgotten one is not lost: a person's tombstone takes it, and is named.
3. Any other file that goes without a tombstone is removed: a revert does so in good faith.
"""

from __future__ import annotations

from collections.abc import Iterator

from cc_git.codec import paths
from cc_git.model.fault import Fault
from cc_git.model.ids import short
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.review.finding import Finding
from cc_git.review.proposal import Changed, Proposal, is_mark
from cc_git.standing.negative import is_negative, may_be_negative


def taken_back(proposal: Proposal) -> Iterator[Finding]:
    for rel, change in sorted(proposal.changed.items()):
        yield from _resurrected(proposal, rel, change)
        if change.before is not None and change.before != change.after:
            yield from _gone(proposal, rel, change.before, change)
        if change.before is None and paths.folder_of(rel) == paths.TOMBSTONES:
            yield from _forgets(proposal, rel)
    yield from _vanished(proposal)


def is_lost(proposal: Proposal, rel: str) -> bool:
    """A changed file is told as a lost negative, and not as an edited file besides."""
    change = proposal.changed[rel]
    return change.before is not None and change.before != change.after and _is_negative(proposal, rel, change.before)


def _resurrected(proposal: Proposal, rel: str, change: Changed) -> Iterator[Finding]:
    if change.after is None or proposal.is_empty(change.after):
        return
    owner = proposal.owner(rel)
    whence = None if owner is None else proposal.forgotten.get(owner)
    if owner is not None and whence is not None:
        says = f"brings {short(owner)} back, which was forgotten ({whence})"
        helps = "any cc-git command on a clone that has the tombstone empties it; then cc-git commit"
        yield proposal.about("resurrected", rel, says, helps=helps)


def _gone(proposal: Proposal, rel: str, before: str, change: Changed) -> Iterator[Finding]:
    if _is_forgotten(proposal, rel, change.after):
        return
    if _is_negative(proposal, rel, before):
        done = "takes it out" if change.after is None else "changes it"
        says = f"{_what(proposal.value(rel, before))} took something away, and this {done}; what it took stays taken"
        yield proposal.about("lost-negative", rel, says, helps=f"git checkout <base> -- {proposal.prefix}/{rel}")
    elif change.after is None and paths.is_immutable(rel) and not proposal.is_empty(before):
        says = "goes without a tombstone: nothing is deleted here, it is archived, corrected or forgotten"
        yield proposal.about("removed", rel, says, helps="cc-git archive ID, cc-git forget ID, or keep the file")
    elif change.after is None and rel == paths.WORKSPACE_FILE:
        yield proposal.about("policy", rel, "goes, and with it the workspace and its policy", level="error")


def _is_forgotten(proposal: Proposal, rel: str, after: str | None) -> bool:
    """It was emptied (or, a private twin, taken away) for a tombstone."""
    return proposal.owner(rel) in proposal.marked and (after is None or proposal.is_empty(after))


def _is_negative(proposal: Proposal, rel: str, blob: str) -> bool:
    if not may_be_negative(rel) or paths.is_private(rel):
        return False
    value = proposal.value(rel, blob)
    # A broken revoke counts in no variant; of a tombstone or ending the place says enough.
    return is_negative(value) or (isinstance(value, Fault) and is_mark(rel))


def _what(value: Value | Fault) -> str:
    match value:
        case Ruling():
            return f"the {value.verb} of {', '.join(map(short, value.targets[:3]))}"
        case Record() if value.restrains:
            return "a deny" if value.kind == "permission" else "a promise to refrain"
        case Record():
            return "a permission in the place of another"
    return "a mark that something was forgotten or ended"


def _forgets(proposal: Proposal, rel: str) -> Iterator[Finding]:
    identifier = paths.id_at(rel)
    if identifier is None:
        return
    place = next((r for r in proposal.changed if paths.id_at(r) == identifier and not is_mark(r)), None)
    before = None if place is None else proposal.changed[place].before
    taken = "what it forgets"
    if place is not None and before is not None and _is_negative(proposal, place, before):
        taken = f"{_what(proposal.value(place, before))}, which it lifts"
    says = f"forgets {short(identifier)}: in the accepted branch this is a person's word, and {taken} is gone for good"
    yield proposal.about("forgets", rel, says, level=None if taken == "what it forgets" else "warning")


def _vanished(proposal: Proposal) -> Iterator[Finding]:
    for rel, by_this in sorted(proposal.vanished.items()):
        if proposal.owner(rel) in proposal.marked or is_told(proposal, rel):
            continue
        says = "took something away in the history of this branch and is not in its tree; what it took stays taken"
        helps = f"git log --oneline -- {proposal.prefix}/{rel}, then git checkout COMMIT -- {proposal.prefix}/{rel}"
        yield proposal.about("lost-negative", rel, says, helps=helps, level=None if by_this else "warning")


def is_told(proposal: Proposal, rel: str) -> bool:
    """It goes with this very proposal, and is told there."""
    change = proposal.changed.get(rel)
    return change is not None and change.before is not None and change.before != change.after
