"""Rulings: accept reject revoke complete release expire reopen resolve confirm archive, by one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cc_git.codec.paths import is_private
from cc_git.errors import UsageFault
from cc_git.governance.build import build
from cc_git.governance.permit import authority_of
from cc_git.governance.plan import Mint, Plan, receipt_for
from cc_git.governance.remember import in_words
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.filed import Filed
from cc_git.model.ids import short
from cc_git.model.kinds import Permission
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling, Verb
from cc_git.model.sanitise import as_value, quoted
from cc_git.model.who import Who
from cc_git.standing.tables import VERB_KINDS


@dataclass(frozen=True)
class Act:
    """A request for one ruling. `over` are rulings that it lifts, `winner` is for resolve alone."""

    verb: Verb
    targets: Sequence[Filed[Record]]
    reason: str = ""
    authority: Authority | None = None
    evidence: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    winner: str | None = None
    effective_from: Any = None


def rule(act: Act, who: Who, mint: Mint) -> Plan:
    """The ruling and its receipt; raises UsageFault where the verb does not fit a target."""
    for target in act.targets:
        _fits(act.verb, target.value)
    if act.verb == "complete" and who.is_agent and not act.evidence:
        raise UsageFault("an agent completes with evidence", hints=("--evidence <what shows it>",))
    if act.verb == "resolve" and len(act.targets) < 2:
        raise UsageFault("resolve needs the winner and at least one other", hints=("cc-git resolve WINNER LOSER…",))
    authority = authority_of(who, act.authority)
    ruling = build(
        Ruling,
        id=mint("ru"),
        verb=act.verb,
        targets=tuple(t.value.id for t in act.targets),
        saw=_saw(act),
        over=act.over,
        winner=act.winner,
        reason=act.reason,
        authority=authority,
        actor=who.actor,
        sources=act.sources,
        evidence=act.evidence,
        recorded_at=mint.now,
        effective_from=act.effective_from,
    )
    return Plan(
        operation=act.verb,
        values=(ruling,),
        receipt=receipt_for(act.verb, (ruling.id,), ruling.targets, who.actor, mint),
        sensitivity=_sensitivity(act),
        claims=(ruling.id,) if authority == "user-explicit" else (),
        asks=_question(act),
        notes=_held_back(act),
    )


def _sensitivity(act: Act) -> Sensitivity:
    """What takes something away that is tracked goes wherever that goes; all else is as sensitive as any target."""
    return "ordinary" if _goes_with_tracked(act) else highest(*(t.value.sensitivity for t in act.targets))


def _goes_with_tracked(act: Act) -> bool:
    return act.verb in ("revoke", "reject") and any(not is_private(t.rel) for t in act.targets)


def _held_back(act: Act) -> tuple[str, ...]:
    """What is tracked is ruled on this machine alone, where it is ruled together with something private."""
    hidden = [t.value.id for t in act.targets if is_private(t.rel)]
    if not hidden or len(hidden) == len(act.targets) or _goes_with_tracked(act):
        return ()
    return (
        f"it stays on this machine with {', '.join(map(short, hidden))}; rule the others by themselves to share it",
    )


def _saw(act: Act) -> tuple[str, ...]:
    """The blob of a private file must not get into a commit: it would let anybody test a guess at its text."""
    if _goes_with_tracked(act) and any(is_private(t.rel) for t in act.targets):
        return ()
    return tuple(t.blob for t in act.targets)


def _fits(verb: Verb, record: Record) -> None:
    kinds: Mapping[Verb, frozenset[str]] = VERB_KINDS
    if record.kind in kinds[verb]:
        return
    verbs = ", ".join(v for v, fitting in kinds.items() if record.kind in fitting)
    raise UsageFault(
        f"{verb} does not apply to a {record.kind} ({record.id})", why=f"a {record.kind} can be ruled by {verbs}"
    )


def _restraint(record: Record) -> str:
    if isinstance(record.payload, Permission):
        return f"the deny of {in_words(record).removeprefix('Deny ')}"
    return f"the promise {quoted(record.title)} ({record.scope})"


def _question(act: Act) -> str | None:
    """Lifting a restraint and granting are asked about, in the words of what they do; taking away never is."""
    if act.verb not in ("accept", "release", "revoke", "expire", "resolve", "archive"):
        return None
    records = [target.value for target in act.targets]
    lifted = [r for r in records if r.restrains and r.id != act.winner]
    if lifted and act.verb != "accept":
        return f"Lift {'; '.join(_restraint(r) for r in lifted)}?"
    chosen = [r for r in records if r.id == act.winner] if act.verb == "resolve" else records
    granted = [r for r in chosen if act.verb in ("accept", "resolve") and r.kind in GATED and not r.restrains]
    if granted:
        return f"{'; '.join(f'{in_words(r)}, written by {as_value(r.actor)}' for r in granted)}?"
    return None
