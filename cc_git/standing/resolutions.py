"""Resolves: what lost one is overruled by the winner, and stays so when the winner ends.

A loser is given back only by a rejected winner (not by a reject of a grant that does not stand in this branch, but a
restraint by any: it takes by coming back, also where the winner is here no more). One that lost by a ruling which does
not stand here still clashes with the winner. Resolves that contradict each other (a over b, b over a) are settled by
the higher authority; at equal authority none of them holds and the records are conflicted, but for what is gated the
negative wins and all of them have lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cc_git.standing.cycles import components
from cc_git.standing.inforce import weight
from cc_git.standing.member import Member
from cc_git.standing.world import World


class Loss(NamedTuple):
    """`member` lost to the record with the id `winner`, by a ruling of this weight."""

    member: Member
    winner: str
    ruling: str
    weight: int
    stands_here: bool


def lose(world: World) -> list[tuple[str, ...]]:
    """Fill `lost_to` (rulings and winners); returns the groups of ids that contradictory resolves leave open."""
    losses = [loss for member in world.everyone() if member.acts for loss in _losses_of(member, world)]
    if not losses:
        return []
    held, contradictions = _settle(losses)
    for loss in held:
        _note(loss)
    open_groups = []
    for group in contradictions:
        open_groups.append(tuple(sorted({loss.member.id for loss in group})))
        for loss in group:
            if loss.member.gated:
                _note(loss)
    return open_groups


def _note(loss: Loss) -> None:
    member = loss.member
    member.lost_to = tuple(sorted({*member.lost_to, loss.ruling, loss.winner}))
    member.lost_here = member.lost_here or loss.stands_here


def _losses_of(member: Member, world: World) -> Iterable[Loss]:
    ids = {member.id, *(twin.id for twin in member.twins)}
    for act in member.acts:
        winner = act.ruling.winner
        if act.ruling.verb != "resolve" or winner is None or winner in ids:
            continue
        if not _gives_back(winner, member, world):
            yield Loss(member, winner, act.ruling.id, weight(act, member), act.stands_here)


def _gives_back(winner: str, loser: Member, world: World) -> bool:
    won = world.whole.get(winner)
    if not loser.restrains:
        return won is not None and bool(won.rejected_by) and not won.takes
    members = world.of(winner)
    if members:
        return any(member.refused for member in members)
    return any(act.ruling.verb == "reject" and act.attested for act in world.acts.get(winner, ()))


def _settle(losses: list[Loss]) -> tuple[list[Loss], list[list[Loss]]]:
    """The losses that hold, and those that contradict each other at equal authority, by group."""
    contradictions: list[list[Loss]] = []
    while True:
        edges: dict[str, list[str]] = {}
        for loss in losses:
            edges.setdefault(loss.member.id, []).append(loss.winner)
        number = components(edges)
        circles: dict[int, list[Loss]] = {}
        for loss in losses:
            if number[loss.member.id] == number[loss.winner]:
                circles.setdefault(number[loss.winner], []).append(loss)
        if not circles:
            return losses, contradictions
        out: set[int] = set()
        for circle in circles.values():
            weights = {loss.weight for loss in circle}
            if len(weights) == 1:
                contradictions.append(circle)
            out.update(id(loss) for loss in circle if loss.weight == min(weights))
        losses = [loss for loss in losses if id(loss) not in out]
