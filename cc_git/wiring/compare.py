"""`cc-git diff`: from what people type to the two sides, compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cc_git.compiler.compile import compile_whole
from cc_git.errors import NoWorkspace, UsageFault
from cc_git.model.packet import Packet, Unfit
from cc_git.model.request import Request
from cc_git.review.changes import Review
from cc_git.review.compare import compare
from cc_git.review.told import Told, told_differently
from cc_git.review.unsaid import untold
from cc_git.store.negative_history import is_cut
from cc_git.store.revisions import Span, fork_of, span_of
from cc_git.wiring.packets import inputs_of
from cc_git.wiring.session import Session
from cc_git.wiring.sides import (
    Beheld,
    View,
    accepting,
    at_nothing,
    at_present,
    at_revision,
    beheld,
    for_comparing,
    side_of,
)


@dataclass(frozen=True)
class Comparison:
    """`told` is how a packet for the named task differs. `warnings` say with what reservations to read it."""

    review: Review
    told: Told | None
    warnings: tuple[str, ...]


def compared(session: Session, revisions: Sequence[str], request: Request | None = None) -> Comparison:
    """HEAD against the present, one revision against the present, or two revisions; with a `request`, also the packets
    that it gives on both sides. Raises UsageFault, NoWorkspace."""
    before, after = views(session, revisions)
    attestations = accepting(session, before) if revisions else session.attestations
    warnings = []
    if revisions and session.attestations.branch.ref is None:
        warnings.append(f"no accepted branch is named here, so what is in {before.label} counts as accepted")
    if is_cut(session.place):
        warnings.append("history is cut short in this clone: what was taken away earlier is not known")
    cache = for_comparing(session)
    old = beheld(session, before, after, attestations, cache)
    new = beheld(session, after, before, attestations, cache)
    sides = side_of(before, old), side_of(after, new)
    told = None
    if request is not None:
        told = told_differently(_packet(old.accepted, request), _packet(new.accepted, request))
        told = untold(told, sides[0].forgotten | sides[1].forgotten)
    return Comparison(compare(*sides), told, tuple(warnings))


def _packet(sees: Beheld, request: Request) -> Packet | Unfit:
    """What an agent that trusts the workspace would get there; it is kept nowhere."""
    compiled = compile_whole(replace(inputs_of(sees), trusted=True), request, sees.now)
    return compiled if isinstance(compiled, Unfit) else compiled.packet


def views(session: Session, revisions: Sequence[str]) -> tuple[View, View]:
    """The two snapshots, not judged yet."""
    span = _span(revisions)
    if span is None:
        present = at_present(session)
        if not revisions and present.snapshot.head is None:
            return at_nothing(session), present
        return at_revision(session, revisions[0] if revisions else "HEAD"), present
    named = span.before
    if span.forked:
        named = fork_of(session.git, session.engine, session.place, span.before, span.after)
    before = at_revision(session, named, span.before if not span.forked else f"where {span.after} left {span.before}")
    after = at_revision(session, span.after)
    if not before.blobs and not after.blobs:
        raise NoWorkspace(f"neither {span.before} nor {span.after} has {session.place.prefix}/")
    return before, after


def _span(revisions: Sequence[str]) -> Span | None:
    if len(revisions) > 2:
        raise UsageFault("diff compares two snapshots, not more", hints=("cc-git diff A B", "cc-git diff A..B"))
    if len(revisions) == 2:
        return Span(revisions[0], revisions[1])
    return span_of(revisions[0]) if revisions else None
