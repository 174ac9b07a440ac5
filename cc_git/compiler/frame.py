"""What a packet says of itself and of what it leaves out: the frame around the items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain

from cc_git.compiler.cards import instant_of
from cc_git.compiler.counter import TokenCounter
from cc_git.compiler.digest import basis_of, mode_of
from cc_git.compiler.eligibility import Eligibility
from cc_git.compiler.gate import scope_of
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.pool import EXCLUDED_NAMED, Card, EpisodeCard
from cc_git.compiler.render.renderer import Renderer
from cc_git.compiler.sides import SIDES, standing_for
from cc_git.model.ids import KIND_OF_PREFIX, prefix_of
from cc_git.model.packet import Conflict, Omission, Packet
from cc_git.model.request import Request
from cc_git.model.verdict import Clash

NO_MODEL = "no semantic model: likeness of meaning was not exercised"
NO_TASK = "no task: relevance was not exercised"
_CONFLICTS_NAMED = 8
_UNHEARD = {
    "above-ceiling": "restraints in force are above this packet's ceiling, not shown: ask before what they may forbid",
    "fetched": "more restraints are on other branches only, not shown (cc-git review)",
    "forgotten": "restraints in force are of forgotten records, not shown: ask before what they may forbid",
}
"""A grant that one of them limits says so itself."""
CUT = "history is cut short in this clone: what was taken away before, and removed since, is not known"
_UNNAMED = frozenset({"above-ceiling", "forgotten"})
_FIRST_NAMED = ("budget", "damaged", "redundant", "withheld", "revoked", "sources-gone", "behind-ended")
_WIDEST_ID = "pk_" + "0a" * 13
_WIDEST_DIGEST = "0a" * 32


def blank(
    inputs: Inputs, request: Request, now: datetime, found: Eligibility, episodes: Iterable[EpisodeCard], *, asked: bool
) -> Packet:
    """The packet before anything is chosen: every field but the items, what they decide, and its digest."""
    measure = request.measure
    proposals = Counter[str]()
    for row in inputs.pool.excluded():
        if row.standing == "proposed":
            proposals[row.kind] += row.number
    return Packet(
        id=_WIDEST_ID,
        digest=_WIDEST_DIGEST,
        workspace=inputs.workspace.name,
        trusted=inputs.trusted,
        task=request.task,
        queries=request.queries,
        scope=scope_of(request.scope, inputs.workspace.scope),
        ceiling=request.ceiling,
        profile=request.profile,
        shown_as=request.format,
        unit=measure.unit,
        budget=request.room(inputs.workspace.policy.packet_budget),
        used=request.room(inputs.workspace.policy.packet_budget),
        tree=inputs.snapshot.tree,
        commit=inputs.snapshot.commit,
        origin=inputs.snapshot.origin,
        instant=now,
        expires=_expiry(inputs, episodes),
        mode=mode_of(inputs, measure.unit),
        basis=basis_of(inputs, inputs.head) | ({"anchors": _WIDEST_DIGEST[:12]} if inputs.head else {}),
        proposals=tuple(sorted(proposals.items())),
        conflicts=_conflicts(inputs, found),
        limits=(NO_MODEL,) if asked else (NO_MODEL, NO_TASK),
        warnings=tuple(_warnings(inputs, request, found)),
    )


def _expiry(inputs: Inputs, episodes: Iterable[EpisodeCard]) -> datetime | None:
    ends = [instant_of(card.ends) for card in episodes if card.ends is not None]
    return min([*ends, *([inputs.until] if inputs.until else [])], default=None)


def _conflicts(inputs: Inputs, found: Eligibility) -> tuple[Conflict, ...]:
    open_ones = [clash for clash in inputs.clashes if not found.conflicted.isdisjoint(clash.ids)]
    open_ones.sort(key=lambda clash: (clash.ids, clash.cause))
    many = {i for clash in open_ones[:_CONFLICTS_NAMED] if len(clash.ids) > SIDES for i in clash.ids}
    visible = {card.id: card for card in chain(found.eligible, found.partners) if card.id in many} if many else {}
    return tuple(_conflict(clash, visible) for clash in open_ones[:_CONFLICTS_NAMED])


def _conflict(clash: Clash, visible: Mapping[str, Card]) -> Conflict:
    if len(clash.ids) <= SIDES:
        return Conflict(ids=clash.ids, cause=clash.cause)
    named = standing_for({i: visible[i] for i in clash.ids if i in visible})
    return Conflict(ids=named, cause=clash.cause, more=len(clash.ids) - len(named))


def _warnings(inputs: Inputs, request: Request, found: Eligibility) -> Iterable[str]:
    yield from (f"{number} {_UNHEARD[why]}" for why, number in sorted(found.heard.unheard.items()))
    if inputs.cut:
        yield CUT
    if found.unreached:
        yield f"{found.unreached} of the records rest on a source that is not in this branch"
    number = sum(not found.conflicted.isdisjoint(clash.ids) for clash in inputs.clashes)
    if number > _CONFLICTS_NAMED:
        yield f"{number} conflicts are unresolved, {_CONFLICTS_NAMED} of them named"
    measure = request.measure
    if measure.most is not None and request.budget is not None and request.budget > measure.most:
        yield f"{request.profile} accepts at most {measure.most} {measure.unit}"
    if request.required:
        shown = {card.id for card in found.shown()}
        for identifier in request.required:
            if identifier not in shown:
                verdict = inputs.pool.verdict(identifier)
                unknown = "unknown here" if prefix_of(identifier) in KIND_OF_PREFIX else "no record"
                why = found.left_out.get(identifier) or (unknown if verdict is None else verdict.standing)
                yield f"required {identifier} is not in it: {why}"


def omissions(inputs: Inputs, numbers: Mapping[str, int]) -> tuple[Omission, ...]:
    """By reason, in alphabetical order, without ids. Standings that keep a record out are reasons too."""
    all_numbers = Counter(numbers)
    for row in inputs.pool.excluded():
        if row.standing != "proposed":
            all_numbers[row.standing] += row.number
    return tuple(Omission(reason=reason, number=n) for reason, n in sorted(all_numbers.items()) if n)


def with_names(
    packet: Packet, ids: Mapping[str, Sequence[str]], room: int, renderer: Renderer, counter: TokenCounter
) -> Packet:
    """Name some of what was left out, as far as there is room. `ids` are by reason."""
    plain = counter.count(renderer.tail(packet))
    for reason in (*_FIRST_NAMED, *sorted(ids.keys() - set(_FIRST_NAMED))):
        if not ids.get(reason):
            continue
        rows = (
            row.model_copy(update={"ids": tuple(ids[reason][:EXCLUDED_NAMED])}) if row.reason == reason else row
            for row in packet.omitted
        )
        named = packet.model_copy(update={"omitted": tuple(rows)})
        cost = counter.count(renderer.tail(named)) - plain
        if cost <= room:
            packet, room, plain = named, room - cost, plain + cost
    return packet


def ids_to_name(inputs: Inputs, left_out: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The first few ids of each reason that may be named: never those above the ceiling. `left_out` is (id, reason)."""
    ids: dict[str, list[str]] = {}
    for identifier, reason in left_out:
        some = ids.setdefault(reason, [])
        if len(some) < EXCLUDED_NAMED:
            some.append(identifier)
    for row in inputs.pool.excluded():
        if row.standing != "proposed":
            ids.setdefault(row.standing, []).extend(row.ids)
    return {reason: some for reason, some in ids.items() if reason not in _UNNAMED}


def cost_of_frame(packet: Packet, renderer: Renderer, counter: TokenCounter) -> int:
    return counter.count(renderer.head(packet)) + counter.count(renderer.tail(packet))
