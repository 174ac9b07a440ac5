"""Freezing the work in hand, and taking up what others froze."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.errors import Refused, UsageFault
from cc_git.governance.heads import freeze, heads_of, newest_first, take
from cc_git.governance.plan import Mint
from cc_git.governance.working import Make, Turn
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id, short
from cc_git.model.who import Who
from cc_git.model.work import Work
from cc_git.model.working_context import Checkpoint
from cc_git.wiring.session import Session
from cc_git.wiring.work import checkpoints_of, tombstones_of
from cc_git.wiring.working import private_named

_SHOWN = 8


@dataclass(frozen=True)
class Listed:
    """`how`: `goes on here`, `own line`, `hand-off`, or `superseded`."""

    checkpoint: Checkpoint
    how: str


def freezing(session: Session, who: Who, *, tidy: bool) -> Make:
    heads = heads_of(checkpoints_of(session, session.context))
    commit, gone = session.present.head, tombstones_of(session)

    def make(work: Work, mint: Mint) -> Turn:
        if work.context is None:
            raise Refused("there is no work in hand to freeze", hints=("cc-git task add TITLE", "cc-git step TEXT"))
        plain = freeze(work.context, heads, who.actor, commit, mint, gone, tidy=tidy)
        hidden = [named for named in private_named(session, plain) if is_id(named)]
        if not hidden:
            return plain
        return freeze(work.context, heads, who.actor, commit, mint, gone, hidden=hidden, tidy=tidy)

    return make


def taking(session: Session, part: IdPart) -> Make:
    """Raises UsageFault for what is no checkpoint here, Refused for one that is superseded."""
    known = {one.id: one for one in checkpoints_of(session, session.context)}
    found = part.among(known)
    if len(found) != 1:
        named = ", ".join(map(short, found[:_SHOWN])) or None
        raise UsageFault(f"{part.text} names {len(found)} checkpoints", why=named, hints=("cc-git checkpoint --list",))
    chosen = known[found[0]]
    if chosen.id not in {one.id for one in heads_of(known.values())}:
        after = [one.id for one in known.values() if chosen.id in one.supersedes]
        raise Refused(
            f"{short(chosen.id)} is superseded: the work went on from it",
            why=f"by {', '.join(map(short, after))}",
            hints=(f"cc-git resume --from {short(after[0])}", f"cc-git show {short(chosen.id)}"),
        )

    def make(work: Work, _mint: Mint) -> Turn:
        if chosen.id in work.now.basis:
            return Turn(work.now, notes=(f"The work in hand goes on from {short(chosen.id)} already.",))
        return take(work.context, chosen)

    return make


def listed(session: Session) -> tuple[Listed, ...]:
    """Every checkpoint here, heads first, the newest of each first."""
    known = checkpoints_of(session, session.context)
    heads = {one.id for one in heads_of(known)}
    basis = session.work.now.basis
    own = {line.checkpoint.id: line.own for line in session.work.lines}

    def how(one: Checkpoint) -> str:
        if one.id in basis:
            return "goes on here"
        if one.id not in heads:
            return "superseded"
        return "own line" if own.get(one.id) else "hand-off"

    ordered = newest_first(known, session.now, lambda *_: False)
    found = [Listed(one, how(one)) for one in ordered]
    return tuple(sorted(found, key=lambda one: one.how == "superseded"))
