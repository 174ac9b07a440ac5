"""Resolves: what lost one is overruled by the winner, and stays so when the winner ends.

A loser is given back only by a rejected winner. Resolves that contradict each other (a over b, b over a) are settled by
the higher authority; at equal authority none of them holds and the records are conflicted, but for what is gated the
negative wins and all of them have lost.
"""

from __future__ import annotations

from cc_git.standing.cycles import components
from cc_git.standing.inforce import weight
from cc_git.standing.world import Member, World


def lose(world: World) -> list[tuple[str, ...]]:
    """Fill `lost_to`; returns the groups of ids that contradictory resolves leave open."""
    edges: dict[str, dict[str, int]] = {}
    ghosts: list[tuple[Member, str]] = []
    for member in world.everyone():
        ids = {member.id, *(twin.id for twin in member.twins)}
        for act in member.acts:
            winner = act.ruling.winner
            if act.ruling.verb != "resolve" or winner is None or winner in ids:
                continue
            won = world.whole.get(winner)
            if won is not None and won.rejected_by:
                continue
            if member.ghost:
                ghosts.append((member, winner))
                continue
            known = edges.setdefault(member.id, {})
            known[winner] = max(known.get(winner, 0), weight(act, member))
    for ghost, winner in ghosts:
        ghost.lost_to = (*ghost.lost_to, winner)
    open_groups = _settle(edges)
    contested = {identifier for group in open_groups for identifier in group}
    for loser, winners in edges.items():
        member = world.whole[loser]
        if winners:
            member.lost_to = tuple(sorted(winners))
        elif member.gated and loser in contested:
            member.lost_to = tuple(sorted(contested - {loser}))
    return open_groups


def _settle(edges: dict[str, dict[str, int]]) -> list[tuple[str, ...]]:
    """Take the contradictory edges out, the weaker ones first."""
    open_groups: list[tuple[str, ...]] = []
    while True:
        number = components(edges)
        inside = [
            (weight_, loser, winner)
            for loser, winners in edges.items()
            for winner, weight_ in winners.items()
            if number[loser] == number[winner]
        ]
        if not inside:
            return open_groups
        groups: dict[int, set[int]] = {}
        for weight_, loser, _ in inside:
            groups.setdefault(number[loser], set()).add(weight_)
        for weight_, loser, winner in inside:
            weights = groups[number[loser]]
            if len(weights) == 1 or weight_ == min(weights):
                del edges[loser][winner]
        for component, weights in groups.items():
            if len(weights) == 1:
                open_groups.append(tuple(sorted(i for i, n in number.items() if n == component)))
