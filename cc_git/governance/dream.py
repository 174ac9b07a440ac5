"""Dream and wake: a report in, without any canonical change; then a waking review, and only then proposals.

Fixed walls, whatever a report says:
 1. Authority and permissions: no candidate becomes a permission, an identity or a relationship. What it does become is
    of the authority `dream`, put forward as a proposal that names its waking review: it stands by an accept alone.
 2. Scope and sensitivity: no wider, and no less sensitive, than the sources. What is private stays private.
 3. Time: a report expires, a candidate no later than its report, and what came of it no later than the candidate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from cc_git.errors import Refused, UsageFault
from cc_git.governance.build import build, payload_for
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.governance.scopes import narrowest
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity
from cc_git.model.dream import Became, Candidate, Disposition, Dream, Report, WakingReview
from cc_git.model.ids import short
from cc_git.model.kinds import PREFIX_OF_KIND
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.scope import Scope
from cc_git.model.spine import Relation
from cc_git.model.value import Value
from cc_git.model.who import Who

LONGEST = timedelta(days=90)
_GOES_ON: frozenset[Disposition] = frozenset({"hypothesis", "proposal", "procedure"})


@dataclass(frozen=True)
class Known:
    """What a report may build on: id → scope and sensitivity as they count."""

    scope: Scope
    sensitivity: Sensitivity


def dream(report: Report, known: Mapping[str, Known], who: Who, mint: Mint) -> Plan:
    """Keep a report. Raises UsageFault for one that is not coherent, Refused for one that leans on a wall."""
    if missing := [source for source in report.sources if source not in known]:
        raise UsageFault(f"the report rests on {short(missing[0])}, which is not here", hints=("cc-git dream pack",))
    if report.expires_at <= mint.now or report.expires_at > mint.now + LONGEST:
        raise UsageFault("a report expires within 90 days, and not before it is handed in")
    for number, candidate in enumerate(report.candidates, 1):
        _inside_the_walls(number, candidate)
        if candidate.expires_at <= mint.now:
            raise UsageFault(f"candidate {number} is expired already")
    sensitivity = highest(*(known[source].sensitivity for source in report.sources))
    value = build(
        Dream,
        id=mint("dr"),
        target=report.target,
        modes=report.modes,
        strength=report.strength,
        actor=who.actor,
        scope=narrowest(known[source].scope for source in report.sources),
        sensitivity=sensitivity,
        recorded_at=mint.now,
        expires_at=report.expires_at,
        sources=report.sources,
        image=report.image,
        candidates=report.candidates,
    )
    receipt = receipt_for("dream", (value.id,), (), who.actor, mint, candidates=len(value.candidates))
    return Plan("dream", (value,), receipt, sensitivity)


def wake(
    found: Dream,
    earlier: Sequence[WakingReview],
    chosen: Mapping[int, Disposition],
    reviewed: str,
    who: Who,
    mint: Mint,
) -> Plan:
    """The review of a report and what comes of it. `chosen` says of each candidate, by number, what becomes of it."""
    if found.expires_at <= mint.now:
        raise Refused(f"{short(found.id)} is expired", hints=("cc-git dream sweep", "dream again"))
    settled = {one.candidate for review in earlier for one in review.verdicts}
    open_ones = [number for number in range(1, len(found.candidates) + 1) if number not in settled]
    if strange := sorted(set(chosen) - set(open_ones)):
        why = "it was reviewed before" if strange[0] in settled else f"there are {len(found.candidates)}"
        raise UsageFault(f"candidate {strange[0]} cannot be reviewed", why=why)
    if left := [number for number in open_ones if number not in chosen]:
        raise UsageFault(f"nothing is said of candidate {left[0]}", hints=(f"--as {left[0]}=discard", "--rest discard"))
    if not reviewed.strip():
        raise UsageFault("a waking review says what was seen", hints=("--review TEXT",))
    review = mint("wr")
    made = {number: record for number in open_ones
            if (record := _record(found, number, chosen[number], review, who, mint)) is not None}  # fmt: skip
    ids = {number: record.id for number, record in made.items()}
    became = tuple(Became(candidate=n, disposition=chosen[n], made=ids.get(n)) for n in open_ones)
    value = build(WakingReview, id=review, dream=found.id, actor=who.actor, recorded_at=mint.now,
                  sensitivity=found.sensitivity, reviewed=reviewed, verdicts=became)  # fmt: skip
    values: tuple[Value, ...] = (value, *made.values())
    receipt = receipt_for("wake", (value.id, *ids.values()), (found.id,), who.actor, mint, proposals=len(made))
    return Plan("wake", values, receipt, found.sensitivity)


@dataclass(frozen=True)
class Over:
    """Expired reports with the reviews of them, by id, sorted: those that go, and the reports that another must take
    out."""

    goes: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()


def over(dreams: Iterable[Dream], reviews: Sequence[WakingReview], who: Who, now: datetime) -> Over:
    """What is past its end. A person at a terminal takes out all of it, an agent what it wrote and reviewed alone."""
    goes: set[str] = set()
    stays: set[str] = set()
    for report in dreams:
        of_it = [one for one in reviews if one.dream == report.id]
        mine = who.is_agent and {report.actor, *(one.actor for one in of_it)} == {who.actor}
        if report.expires_at <= now and (mine or who.is_person_at_terminal):
            goes.update((report.id, *(one.id for one in of_it)))
        elif report.expires_at <= now:
            stays.add(report.id)
    return Over(tuple(sorted(goes)), tuple(sorted(stays)))


def require_woken(record: Record, named: Collection[str], reviews: Iterable[WakingReview]) -> None:
    """Raises Refused for a dream that an accept would let go on without the waking review it came from. `named` are the
    ids that the accept or the record names, `reviews` those that are here."""
    if record.authority != "dream":
        return
    made_it = [one for one in reviews for became in one.verdicts
               if became.made == record.id and became.disposition in _GOES_ON]  # fmt: skip
    if any(review.id in named for review in made_it):
        return
    told = [name for name in named if name.startswith("wr_")]
    why = f"{short(told[0])}, which it names, is not here or let nothing like it go on" if told else "it names none"
    raise Refused(
        f"{short(record.id)} is a dream, and no waking review that let it go on is here",
        why=why,
        hints=("cc-git dream list", "cc-git dream wake DREAM …"),
    )


def _inside_the_walls(number: int, candidate: Candidate) -> None:
    if candidate.kind in GATED:
        raise Refused(
            f"candidate {number} would be a {candidate.kind}",
            why="authority, permissions, scope and retention are walls of the dream, never its material",
            hints=(f"cc-git propose --kind {candidate.kind} …, awake",),
        )


def _record(found: Dream, number: int, disposition: Disposition, review: str, who: Who, mint: Mint) -> Record | None:
    if disposition in ("discard", "test"):
        return None
    candidate = found.candidates[number - 1]
    kind = {"hypothesis": "hypothesis", "procedure": "procedure"}.get(disposition, candidate.kind)
    if kind is None:
        raise UsageFault(f"candidate {number} does not say what kind it would be", hints=(f"--as {number}=hypothesis",))
    if candidate.expires_at <= mint.now:
        raise Refused(f"candidate {number} is expired", hints=(f"--as {number}=discard",))
    doubts = {"test": candidate.next_test, "leap": candidate.leap, "counterevidence": (candidate.counterevidence,),
              "impact": candidate.consequence}  # fmt: skip
    return build(
        Record,
        id=mint(PREFIX_OF_KIND[kind]),
        kind=kind,
        title=candidate.title,
        content=candidate.text,
        scope=found.scope,
        authority="dream",
        actor=who.actor,
        sensitivity=found.sensitivity,
        proposal=True,
        recorded_at=mint.now,
        expires_at=candidate.expires_at,
        sources=tuple(i for i in candidate.anchors if i.startswith("ep_")),
        derived_from=tuple(i for i in candidate.anchors if not i.startswith("ep_")),
        relations=(Relation(rel="woken-by", to=review), Relation(rel="dreamt-in", to=found.id)),
        subject=candidate.subject,
        payload=payload_for(kind, doubts if kind == "hypothesis" else {}),
    )
