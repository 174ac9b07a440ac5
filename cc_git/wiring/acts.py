"""What changes the state: each function plans, asks for the permit, carries out, and says what stands now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cc_git.entropy import fresh_entropy
from cc_git.errors import UsageFault
from cc_git.governance.build import build
from cc_git.governance.capture import capture
from cc_git.governance.correct import Correction, correct, refuse_repeated, with_links
from cc_git.governance.evidence import Said
from cc_git.governance.permit import permit
from cc_git.governance.plan import Mint, Plan
from cc_git.governance.public_text import allow_text
from cc_git.governance.remember import Statement, propose, remember
from cc_git.governance.rule import Act, rule
from cc_git.model.filed import Filed
from cc_git.model.id_part import IdPart
from cc_git.model.ids import KIND_OF_PREFIX
from cc_git.model.record import Record
from cc_git.model.ruling import Verb
from cc_git.model.spine import Anchor, Relation
from cc_git.model.verdict import Verdict
from cc_git.model.who import Who
from cc_git.store.confirmations import require_person
from cc_git.wiring.attached import attached
from cc_git.wiring.carry_out import Done, carry_out, ceiling_note, planned
from cc_git.wiring.effect import verdicts_with, warnings_for
from cc_git.wiring.finding import find, find_records, record_of, thing_id
from cc_git.wiring.lifting import lifted_by
from cc_git.wiring.resting import rests_on, weighed
from cc_git.wiring.session import Session
from cc_git.wiring.stale_packets import mark_touched

Ask = Callable[[str], bool]
"""Puts a yes-or-no question to the person at the terminal."""


@dataclass(frozen=True)
class Hand:
    """Who acts, how they are asked, and whether anything is written at all."""

    who: Who
    ask: Ask
    dry_run: bool = False


@dataclass(frozen=True)
class Acted:
    """What an act did and what the records that it concerns, or that rest on those, count as now (also in a dry run:
    would count as)."""

    done: Done
    verdicts: Mapping[str, Verdict]
    warnings: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    """The packets that show what it concerned."""


@dataclass(frozen=True)
class Links:
    """Parts of ids as people type them; resolved here."""

    supersedes: Sequence[IdPart] = ()
    derived_from: Sequence[IdPart] = ()
    conflicts_with: Sequence[IdPart] = ()
    sources: Sequence[IdPart] = ()
    after: Sequence[IdPart] = ()
    anchors: Sequence[str] = ()
    relations: Sequence[tuple[str, IdPart]] = ()
    payload: dict[str, Any] | None = None


def related(session: Session, asked: Sequence[tuple[str, IdPart]]) -> tuple[Relation, ...]:
    """Raises UsageFault for what is not here."""
    return tuple(dict.fromkeys(Relation(rel=word, to=thing_id(session, part)) for word, part in asked))


def mint_of(session: Session) -> Mint:
    return Mint(session.now, fresh_entropy)


def do_remember(
    session: Session, statement: Statement, links: Links, hand: Hand, *, as_proposal: bool = False
) -> Acted:
    records = tuple(KIND_OF_PREFIX)
    supersedes = tuple(find(session, p, *records) for p in links.supersedes)
    derived_from = tuple(find(session, p, *records, "ep") for p in links.derived_from)
    sources = tuple(find(session, p, "ep") for p in links.sources)
    full = replace(
        statement,
        supersedes=supersedes,
        derived_from=derived_from,
        sources=sources,
        conflicts_with=tuple(find(session, p, *records) for p in links.conflicts_with),
        after=tuple(find(session, p, "ru") for p in links.after),
        anchors=tuple(_anchor(session, path) for path in links.anchors),
        relations=related(session, links.relations),
    )
    make, mint = propose if as_proposal else remember, mint_of(session)
    plan = make(full, hand.who, mint)
    if full.relations:
        _refuse_circle(session, plan)
    named = rests_on(session, plan, statement.locator, *(anchor.path for anchor in full.anchors))
    return finish(session, make(replace(full, rests_on=named), hand.who, mint) if named else plan, hand)


def do_allow_text(session: Session, text: str, reason: str, hand: Hand) -> Acted:
    """Let a text be written that looks like a secret. Raises Refused but for a person at a terminal."""
    require_person(hand.who, "allow a text that looks like a secret")
    return finish(session, allow_text(text, reason, session.workspace.scope, hand.who, mint_of(session)), hand)


def do_capture(
    session: Session,
    said: Said,
    hand: Hand,
    *,
    attach: Sequence[Path] = (),
    relations: Sequence[tuple[str, IdPart]] = (),
) -> Acted:
    """`attach`: files that come with it; `relations`: how it hangs together with what is there."""
    full = replace(said, attached=attached(session, attach), relations=related(session, relations))
    plan = capture(full, hand.who, mint_of(session))
    return finish(session, weighed(session, plan, said.locator, *map(str, attach)), hand)


def do_correct(
    session: Session,
    part: IdPart,
    correction: Correction,
    hand: Hand,
    *,
    relations: Sequence[tuple[str, IdPart]] = (),
) -> Acted:
    """`relations`: links that it has beside those of the old one."""
    (old,) = find_records(session, [part])
    correction = with_links(correction, old.value, related(session, relations))
    verdict = session.known.verdict(old.value.id)
    assert verdict is not None, "every record that can be read is judged"
    plan = correct(old.value, verdict, correction, hand.who, mint_of(session))
    if relations:
        _refuse_circle(session, plan)
    if verdict.standing == "superseded":
        found = ((record_of(session, i).value, session.known.verdict(i)) for i in verdict.by)
        standing = ((record, verdict) for record, verdict in found if verdict is not None)
        refuse_repeated(plan, standing, attested=hand.who.is_person_at_terminal)
    return finish(session, weighed(session, plan, correction.locator), hand)


def do_rule(session: Session, verb: Verb, parts: Sequence[IdPart], hand: Hand, **asked: Any) -> Acted:
    """`asked`: the other fields of `Act`; `over`, `sources` and `winner` as parts of ids."""
    over = tuple(find(session, p, "ru") for p in asked.pop("over", ()))
    sources = tuple(find(session, p, "ep") for p in asked.pop("sources", ()))
    return run(session, verb, find_records(session, parts), hand, over=over, sources=sources, **asked)


def run(session: Session, verb: Verb, targets: Sequence[Filed[Record]], hand: Hand, **asked: Any) -> Acted:
    """One ruling on records at hand; `asked` are the other fields of `Act`. A confirm repeats every doubt that there is
    now as looked at, unless it names some."""
    if verb == "accept" and any(target.value.authority == "dream" for target in targets):
        from cc_git.wiring.woken import require_woken_targets  # dreams are rare, and an accept shall be quick

        require_woken_targets(session, targets, (*asked.get("sources", ()), *asked.get("evidence", ())))
    if verb == "confirm" and not asked.get("evidence"):
        verdicts = (session.known.verdict(target.value.id) for target in targets)
        asked["evidence"] = tuple(dict.fromkeys(line for v in verdicts if v is not None for line in v.doubts))
    plan = rule(Act(verb=verb, targets=targets, **asked), hand.who, mint_of(session))
    return finish(session, weighed(session, plan), hand)


def _refuse_circle(session: Session, plan: Plan) -> None:
    from cc_git.wiring.lineage import refuse_circle_by  # few statements have links, and it reads everything

    if any(isinstance(value, Record) and value.kind == "hypothesis" for value in plan.values):
        refuse_circle_by(session, plan)


def finish(session: Session, plan: Plan, hand: Hand) -> Acted:
    """Carry out what is planned, as far as it is permitted."""
    if not plan.takes_away:
        session.require_readable_policy()
    # What it is judged against is looked at before anything is written.
    told = (*session.attestations.warnings, *plan.notes, *ceiling_note(session, plan))
    warnings = (*told, *warnings_for(session, plan, hand.who))
    session.question  # noqa: B018
    attested = hand.who.is_person_at_terminal
    lifted = lifted_by(session, plan) if attested else ()
    if hand.dry_run:
        warnings = (*warnings, *lifted)
        return Acted(planned(session, plan), verdicts_with(session, plan, attested=attested, written=False), warnings)
    if lifted:
        plan = replace(plan, asks="\n".join((*lifted, plan.asks or f"Go on with this {plan.operation}?")))
    confirmed = bool(plan.asks) and attested and hand.ask(str(plan.asks))
    done = carry_out(session, permit(plan, hand.who, session.policy, confirmed=confirmed), hand.who)
    stale, trouble = mark_touched(session, plan)
    verdicts = verdicts_with(session, plan, attested=attested, written=True)
    return Acted(done, verdicts, (*done.warnings, *warnings, *trouble), stale)


def _anchor(session: Session, asked: str) -> Anchor:
    """`path` or `path:10-24`, with the blob that HEAD has for it. Raises UsageFault for a file that is nowhere."""
    path, _, lines = asked.partition(":")
    head, top = session.present.head, session.place.top
    entry = session.engine.entry(session.engine.commit(head).tree, path) if head else None
    tracked = entry is not None and entry.is_file
    if not tracked and (top is None or not (top / path).is_file()):
        raise UsageFault(f"--anchor: there is no file {path}", hints=("paths are from the repository's top level",))
    return build(Anchor, path=path, lines=lines or None, blob=entry.oid if tracked and entry else None)


def do_resolve(session: Session, winner: IdPart, losers: Sequence[IdPart], hand: Hand, *, reason: str) -> Acted:
    """`winner` over `losers`; without losers, over everything that it clashes with now."""
    chosen = find(session, winner, *KIND_OF_PREFIX)
    if losers:
        others = [find(session, part, *KIND_OF_PREFIX) for part in losers]
    else:
        clashes = [clash.ids for clash in session.known.clashes if chosen in clash.ids]
        others = sorted({i for ids in clashes for i in ids} - {chosen})
    if not others:
        raise UsageFault(f"{chosen} clashes with nothing", hints=("cc-git status", "cc-git resolve WINNER LOSER…"))
    targets = tuple(record_of(session, i) for i in dict.fromkeys((chosen, *others)))
    if other := next((t.value for t in targets if t.value.kind != targets[0].value.kind), None):
        raise UsageFault(f"{other.id} is a {other.kind}", why=f"only one {targets[0].value.kind} can win over another")
    return run(session, "resolve", targets, hand, winner=chosen, reason=reason)
