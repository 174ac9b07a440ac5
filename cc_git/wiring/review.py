"""What waits for a person's word, and the acts by which they give it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from cc_git.errors import Damaged, Refused, UsageFault
from cc_git.governance.rule import Act, rule
from cc_git.model.filed import Filed
from cc_git.model.id_part import IdPart
from cc_git.model.ids import prefix_of, short, time_of
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.runbook import Runbook
from cc_git.model.value import Value
from cc_git.model.verdict import Verdict
from cc_git.model.who import Who
from cc_git.store.confirmations import Confirmations, require_person
from cc_git.store.engine import MissingObject
from cc_git.store.negative_acts import NegativeActs
from cc_git.store.negatives import Sighting
from cc_git.wiring.acts import Acted, Hand, mint_of, run
from cc_git.wiring.finding import find
from cc_git.wiring.lifting import lifted_by, lifted_by_confirming
from cc_git.wiring.reading import is_over, taken_back
from cc_git.wiring.session import Session
from cc_git.wiring.shelf import unattested

Why = Literal["proposed", "reported", "ruling", "runbook"]


@dataclass(frozen=True)
class Item:
    """`proposed`: it needs an accept. `reported`: it claims a user's word that nobody attested. `ruling`: a ruling
    claims one and is without its effect until then. `runbook`: nobody is bound to its text, so it only informs."""

    why: Why
    filed: Filed[Record] | Filed[Ruling] | Filed[Runbook]
    verdict: Verdict | None


@dataclass(frozen=True)
class Queue:
    items: tuple[Item, ...]
    withheld: tuple[Sighting, ...]


def queue_of(session: Session) -> Queue:
    """Everything that a person could settle, oldest first."""
    judged, files = session.standings, session.loaded.files
    attested = session.attestations.value
    revoked = taken_back(session)
    items: list[Item] = []
    for identifier, records in files.records.items():
        verdict, filed = judged.verdicts[identifier], records[0]
        claims = filed.value.authority == "user-explicit"
        if verdict.standing == "proposed" and identifier not in revoked and not is_over(session, filed.value):
            bound = claims and filed.value.kind in GATED and not filed.value.proposal
            items.append(Item("reported" if bound else "proposed", filed, verdict))
        elif verdict.eligible and claims and not attested.holds(filed.blob):
            items.append(Item("reported", filed, verdict))
    for rulings in files.rulings.values():
        ruling = rulings[0]
        of_triggers = all(prefix_of(target) == "tr" for target in ruling.value.targets)
        if ruling.value.authority == "user-explicit" and not (of_triggers or attested.holds(ruling.blob)):
            items.append(Item("ruling", ruling, None))
    items += [Item("runbook", filed, None) for filed in unattested(session)]
    items.sort(key=lambda item: (_since(item.filed.value), item.filed.value.id))
    return Queue(tuple(items), tuple(s for s in session.elsewhere.sightings if s.force == "withholds"))


def _since(value: Record | Ruling | Runbook) -> datetime:
    return time_of(value.id) if isinstance(value, Runbook) else value.recorded_at


def effects(session: Session, item: Item, who: Who) -> tuple[str, ...]:
    """What a yes would lift and let stand, one line each."""
    value = item.filed.value
    if item.why != "proposed":
        return lifted_by_confirming(session, _bound(session, item))
    assert isinstance(value, Record)
    return lifted_by(session, rule(Act(verb="accept", targets=(item.filed,)), who, mint_of(session)))  # type: ignore[arg-type]


def attest(session: Session, item: Item, who: Who) -> None:
    """Bind the person at this terminal to the exact file. Raises Refused for anybody else."""
    bound = {one.rel: one.blob for one in _bound(session, item)}
    Confirmations(session.place).confirm(bound, who, session.now)


def _bound(session: Session, item: Item) -> tuple[Filed[Value], ...]:
    """What a person is bound to: the file, and what it says they said."""
    sources = (s for s in getattr(item.filed.value, "sources", ()) if s in session.loaded.files.episodes)
    episodes = [session.loaded.files.episodes[s][0] for s in sources]
    said: list[Filed[Value]] = [e for e in episodes if e.value.authority == "user-explicit"]
    return (item.filed, *said)


def accept(session: Session, item: Item, hand: Hand) -> Acted | None:
    """A proposal is accepted by a ruling; what claims the person's word is bound to them. None: nothing was written."""
    if item.why != "proposed":
        attest(session, item, hand.who)
        return None
    assert isinstance(item.filed.value, Record)
    return run(session, "accept", [item.filed], hand)


def reject(session: Session, item: Item, hand: Hand, reason: str) -> Acted:
    assert isinstance(item.filed.value, Record)
    return run(session, "reject", [item.filed], hand, reason=reason)


def text_of(session: Session, sighting: Sighting) -> str:
    """What the negative says; nothing where its bytes are in this clone no more."""
    try:
        return session.read(sighting.blob).decode("utf-8", "replace")
    except (MissingObject, Damaged):
        return ""


def settle_withheld(session: Session, sighting: Sighting, who: Who, *, accept_it: bool) -> None:
    """Let what another branch takes away count here, or dismiss it. Raises Refused for anybody but a person."""
    acts, items = NegativeActs(session.place), ((sighting.rel, sighting.blob),)
    if accept_it:
        acts.accept(items, who, session.now)
    else:
        acts.dismiss(items, who, session.now)


def withholding(session: Session, part: IdPart) -> tuple[Sighting, ...]:
    """What withholds a record that is named, or itself is named. Raises UsageFault where nothing does."""
    found = [one for one in session.elsewhere.sightings if one.force == "withholds"]
    named = [one for one in found if one.id in part.among([one.id for one in found])]
    if named:
        return tuple(named)
    identifier = find(session, part)
    verdict = session.known.verdict(identifier)
    by = verdict.by if verdict is not None and "withheld" in verdict.flags else ()
    named = [one for one in found if one.id in by]
    if not named:
        raise UsageFault(f"nothing withholds {short(identifier)}", hints=("cc-git review --list",))
    return tuple(named)


def dismiss(session: Session, part: IdPart, hand: Hand) -> tuple[Sighting, ...]:
    """What was dismissed by a person, who was asked; in a dry run what would be. Raises Refused for anybody else."""
    found = withholding(session, part)
    if hand.dry_run:
        return found
    require_person(hand.who, "dismiss what another branch takes away")
    lines = (f"{short(one.id)} on {one.branch or 'this clone'}, by {one.author or 'nobody known'}" for one in found)
    told = "\n".join(lines)
    if not hand.ask(f"{told}\nFrom now on this withholds nothing here. Go on?"):
        raise Refused("nothing was dismissed: not confirmed", hints=("cc-git review",))
    for one in found:
        settle_withheld(session, one, hand.who, accept_it=False)
    return found
