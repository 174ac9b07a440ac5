"""The dream's material out, its report in, and the waking review: what is gathered and kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from cc_git.compiler.compile import compile_whole
from cc_git.compiler.counter import ESTIMATE
from cc_git.errors import DoesNotFit, UsageFault
from cc_git.governance.ask import request_from
from cc_git.governance.build import usage_fault
from cc_git.governance.dream import Known, dream, wake
from cc_git.governance.permit import permit
from cc_git.governance.plan import Plan
from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.dream import REPORT_FORMAT, Disposition, Dream, Mode, Report, Strength, WakingReview
from cc_git.model.id_part import IdPart
from cc_git.model.packet import Unfit
from cc_git.model.record import Record
from cc_git.model.scope import Scope
from cc_git.model.verdict import Verdict
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.carry_out import Done, carry_out, planned
from cc_git.wiring.effect import verdicts_with
from cc_git.wiring.finding import find, sensitivity_of
from cc_git.wiring.resting import weighed
from cc_git.wiring.session import Session
from cc_git.wiring.woken import kept_dreams

PACK_FORMAT = "cc-git-dream-pack/1"
WALLS = ("authority", "permissions", "scope", "retention")


@dataclass(frozen=True)
class PackAsked:
    """`sources` may be empty: then what a packet for the target would hold is taken. `budget` is in tokens."""

    target: str
    scope: Scope
    modes: Sequence[Mode]
    sources: Sequence[IdPart] = ()
    strength: Strength = "moderate"
    budget: int = 4000
    wake_when: str = "when the budget is used, or nothing new comes"
    ceiling: Sensitivity = "ordinary"


@dataclass(frozen=True)
class Kept:
    """What was written, or would be, and what the records in it count as."""

    done: Done
    value: Dream | WakingReview
    verdicts: Mapping[str, Verdict]


@dataclass(frozen=True)
class Dreamt:
    """A stored report with the reviews of it. `state` is open, woken or expired."""

    dream: Dream
    reviews: tuple[WakingReview, ...]
    state: str


def pack(session: Session, asked: PackAsked) -> dict[str, Any]:
    """The bounded material, as one JSON document. Raises DoesNotFit, UsageFault. Nothing is written."""
    ids = [find(session, part) for part in asked.sources] or _chosen(session, asked)
    body: dict[str, Any] = {
        "format": PACK_FORMAT,
        "target": asked.target,
        "instant": session.now,
        "tree": session.snapshot.tree,
        "scope": str(asked.scope),
        "ceiling": asked.ceiling,
        "modes": list(asked.modes),
        "strength": asked.strength,
        "budget": asked.budget,
        "wake": asked.wake_when,
        "image": {"mode": "off", "status": "disabled"},
        "walls": list(WALLS),
        "canonical_write_permitted": False,
        "report": REPORT_FORMAT,
        "sources": [_source(session, identifier, asked) for identifier in dict.fromkeys(ids)],
    }
    text = json.dumps(body, ensure_ascii=False, default=str, sort_keys=True)
    if (used := ESTIMATE.count(text)) > asked.budget:
        raise DoesNotFit(
            f"the material needs {used} tokens, and {asked.budget} are allowed", hints=(f"--budget {used}",)
        )
    return {**body, "digest": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"}


def _chosen(session: Session, asked: PackAsked) -> list[str]:
    from cc_git.wiring.packets import inputs_of  # what is named outright needs no compile

    request = request_from(
        task=asked.target, scope=asked.scope, ceiling=asked.ceiling, budget=max(1, asked.budget * 2 // 3), episodes=10
    )
    compiled = compile_whole(inputs_of(session), request, session.now)
    if isinstance(compiled, Unfit):
        raise DoesNotFit(
            f"the material does not fit into {asked.budget} tokens", hints=(f"--budget {compiled.needed * 2}",)
        )
    known = session.loaded.files
    return [i for i in compiled.packet.selected if i in known.records or i in known.episodes]


def _source(session: Session, identifier: str, asked: PackAsked) -> dict[str, Any]:
    """One source; above the ceiling, or outside the scope, its id alone."""
    files = session.loaded.files
    held = files.records.get(identifier) or files.episodes.get(identifier)
    if not held or identifier in files.tombstones:
        raise UsageFault(f"{identifier} is no record or episode that can be read")
    value, verdict = held[0].value, session.standings.of(identifier)
    stands = verdict.standing if verdict else "evidence"
    sensitivity = sensitivity_of(session, identifier)
    if not at_most(sensitivity, asked.ceiling) or not value.scope.meets(asked.scope):
        return {"id": identifier, "standing": stands, "redacted": True}
    authority = verdict.authority if verdict else value.authority
    about: dict[str, Any] = {"id": identifier, "standing": stands, "authority": authority}
    about |= {"kind": value.kind, "title": value.title} if isinstance(value, Record) else {"kind": "episode"}
    return about | {"text": value.content}


def read_report(data: bytes) -> Report:
    """Raises UsageFault naming the first field that is wrong."""
    try:
        return Report.model_validate_json(data)
    except ValidationError as error:
        raise usage_fault("report", error) from None


def keep_report(session: Session, report: Report, hand: Hand) -> Kept:
    """Store a report; nothing that stands changes."""
    files = session.loaded.files
    known = {
        source: Known(held[0].value.scope, sensitivity_of(session, source))
        for source in report.sources
        if (held := files.records.get(source) or files.episodes.get(source))
        and source not in files.tombstones | session.elsewhere.forgotten
    }  # fmt: skip
    return _carried_out(session, dream(report, known, hand.who, mint_of(session)), hand)


def wake_up(
    session: Session,
    found: Dreamt,
    chosen: Mapping[int, Disposition],
    rest: Disposition | None,
    reviewed: str,
    hand: Hand,
) -> Kept:
    """Review a report awake. `rest` is said of every candidate that `chosen` leaves out and that is still open."""
    settled = {verdict.candidate for review in found.reviews for verdict in review.verdicts}
    others = range(1, len(found.dream.candidates) + 1) if rest else ()
    full = {**{number: rest for number in others if rest and number not in settled}, **chosen}
    return _carried_out(session, wake(found.dream, found.reviews, full, reviewed, hand.who, mint_of(session)), hand)


def _carried_out(session: Session, plan: Plan, hand: Hand) -> Kept:
    session.require_readable_policy()
    session.question  # noqa: B018  looked at before anything is written
    plan = weighed(session, plan)
    if hand.dry_run:
        done = planned(session, plan)
    else:
        done = carry_out(session, permit(plan, hand.who, session.policy, confirmed=False), hand.who)
    value = plan.values[0]
    assert isinstance(value, Dream | WakingReview)
    return Kept(done, value, verdicts_with(session, plan, attested=False, written=not hand.dry_run))


def dreams(session: Session) -> tuple[Dreamt, ...]:
    """Every report that can be read, newest first."""
    found: list[Dream] = []
    reviews: dict[str, list[WakingReview]] = {}
    for value in kept_dreams(session):
        if isinstance(value, Dream):
            found.append(value)
        else:
            reviews.setdefault(value.dream, []).append(value)
    found.sort(key=lambda one: (one.recorded_at, one.id), reverse=True)
    return tuple(_with(session, one, reviews.get(one.id, [])) for one in found)


def _with(session: Session, one: Dream, reviews: list[WakingReview]) -> Dreamt:
    settled = {verdict.candidate for review in reviews for verdict in review.verdicts}
    woken = len(settled) == len(one.candidates)
    state = "woken" if woken else "expired" if one.expires_at <= session.now else "open"
    return Dreamt(one, tuple(sorted(reviews, key=lambda r: (r.recorded_at, r.id))), state)


def dreamt(session: Session, part: IdPart) -> Dreamt:
    """The report that `part` names. Raises UsageFault."""
    known = {one.dream.id: one for one in dreams(session)}
    found = part.among(known)
    if len(found) != 1:
        raise UsageFault(f"{part.text} names {len(found)} dream reports", hints=("cc-git dream list",))
    return known[found[0]]
