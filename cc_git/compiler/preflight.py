"""Before an operation: what of all that stands concerns it, and whether something forbids it. Pure.

What takes away is read widely, what grants narrowly: nobody here knows what an operation does, only what it is called.

 1. *Forbidden* is what a deny covers (its action is the operation's, or stands in its words; its target covers the
    target, or stands in its words), and what a promise to refrain names: every word of operation and target is in it.
    However a path is spelled: `./a`, `/a`, `b/../a`, `A`, `%61` and `a` are one to what takes away (`spellings`).
 2. *To be looked at* is a deny that only cuts into it, holds in a narrower scope or under conditions; a promise that
    has one of its words; restraints that may not be shown; a guardrail, a policy or a woken remedy among the
    runbooks; a known failure of consequence, or one that was just reported; that nothing permits it, in a workspace
    where anything is granted or denied at all; and that nobody has adopted the workspace here, for then nothing does.
 3. A grant *permits* it only where it covers operation and target whole, may be used, and has no conditions.
 4. A grant that only waits for a person's word is named, with what took it back, and permits nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from cc_git.compiler import spellings
from cc_git.compiler.cards import millis
from cc_git.compiler.eligibility import Eligibility, judge
from cc_git.compiler.gate import Gate, scope_of
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.items import ItemMaker
from cc_git.compiler.pool import Card
from cc_git.compiler.restraints import key_of
from cc_git.compiler.terms import terms
from cc_git.compiler.work import last_failure, work_of
from cc_git.model.ids import short
from cc_git.model.kinds import Permission
from cc_git.model.packet import Item
from cc_git.model.record import Record
from cc_git.model.request import Request
from cc_git.runbooks.selection import HOLDS, Chosen, Selection, select
from cc_git.runbooks.words import has_phrase, has_words
from cc_git.standing import patterns

Weight = Literal["forbids", "look", "permits", "known"]
_FAILURES = 5
_CONSEQUENCE = {"catastrophic": 0, "high": 1, "low": 2}
_BINDING = frozenset({"guardrail", "policy"})


@dataclass(frozen=True)
class Operation:
    """`target` is None where none was named."""

    name: str
    target: str | None = None

    @property
    def words(self) -> str:
        return self.name if self.target is None else f"{self.name} {self.target}"


class Waiting(NamedTuple):
    """A grant that nobody attested here, with the ids of the revokes that name it."""

    record: Record
    sensitivity: str
    revokes: tuple[str, ...]


class Concern(NamedTuple):
    """`why` says how it concerns the operation. `item` is the record as a packet shows it, in a line; `waiting` one
    that no packet shows."""

    weight: Weight
    why: str
    item: Item | None = None
    waiting: Record | None = None

    @property
    def id(self) -> str | None:
        return self.item.id if self.item else self.waiting.id if self.waiting else None


@dataclass(frozen=True)
class Preflight:
    """`others`: restraints in force that name nothing of it. Concerns are sorted by weight, then id."""

    operation: Operation
    concerns: tuple[Concern, ...]
    books: Selection
    others: int

    @property
    def weight(self) -> Weight:
        """The heaviest of all: `forbids`, `look`, or `known` where nothing stands in the way."""
        found = {concern.weight for concern in self.concerns} | {weight_of(chosen) for chosen in self.books.all}
        return "forbids" if "forbids" in found else "look" if "look" in found else "known"


def weight_of(chosen: Chosen) -> Weight:
    """A guardrail or policy that is about this work is read before it is done, and so is what a failure woke."""
    binding = chosen.shelved.runbook.kind in _BINDING and chosen.reasons != (HOLDS,)
    return "look" if binding or chosen.woken else "known"


def preflight(
    inputs: Inputs, operation: Operation, request: Request, now: datetime, waiting: Iterable[Waiting] = ()
) -> Preflight:
    """`request` has the scope, the ceiling and the signals; its task is the operation's words. `waiting` are all grants
    that wait for a person."""
    gate = Gate(scope_of(request.scope, inputs.workspace.scope), request.ceiling, millis(now), request.scope)
    found = judge(inputs.pool.cards(), gate, inputs.clashes, inputs.pool.restraining())
    asked = _Asked(inputs, operation, found)
    concerns = [*asked.trust(), *asked.permissions(), *asked.promises(), *asked.unheard(), *asked.failures()]
    concerns += (one for grant in waiting for one in asked.unattested(grant, gate))
    concerns += asked.reported((*request.signals, *last_failure(inputs.pool, gate)))
    work = work_of(inputs.pool, inputs.working_context, request, gate)
    books = select(inputs.runbooks, work.at_risk(), request.ceiling)
    if books.above:
        concerns.append(Concern("look", f"{books.above} runbooks that serve it lie above the ceiling, not shown"))
    order: tuple[Weight, ...] = ("forbids", "look", "permits", "known")
    concerns.sort(key=lambda c: (order.index(c.weight), c.id or "", c.why))
    return Preflight(operation, tuple(concerns), books, asked.others)


class _Asked:
    def __init__(self, inputs: Inputs, operation: Operation, found: Eligibility) -> None:
        self.others = 0
        self._inputs, self._operation, self._found = inputs, operation, found
        self._maker = ItemMaker(inputs, found, frozenset())
        self._terms = frozenset(terms(operation.words))
        self._partners = {card.id for card in found.partners}
        self._shown = {card.id for card in found.shown()}

    def permissions(self) -> Iterator[Concern]:
        used, permitted = False, False
        for card in self._found.shown():
            payload = self._maker.record(card).payload if card.kind == "permission" else None
            if not isinstance(payload, Permission):
                continue
            used = True
            concern = self._denied(card, payload) if payload.effect == "deny" else self._granted(card, payload)
            if concern is not None:
                permitted |= concern.weight == "permits"
                yield concern
        if used and not permitted:
            yield Concern("look", "nothing here permits it: what is not permitted needs a person's word")

    def trust(self) -> Iterator[Concern]:
        if not self._inputs.trusted:
            yield Concern(
                "look", "nobody has adopted this workspace on this machine: nothing permits here (cc-git trust)"
            )

    def _denied(self, card: Card, forbidden: Permission) -> Concern | None:
        op = self._operation
        action = forbidden.action.casefold()
        if not (patterns.overlaps(action, op.name.casefold()) or _names(op.name, forbidden.action)):
            self.others += 1
            return None
        if op.target is None:
            within = patterns.covers(forbidden.target, "*") or _names(op.name, forbidden.target)
        elif spellings.meets(forbidden.target, op.target):
            within = spellings.within(forbidden.target, op.target)
        elif _names(op.target, forbidden.target):
            within = True
        else:
            self.others += 1
            return None
        elsewhere = card.id in self._partners or key_of(card) in self._found.heard.away
        if within and not elsewhere and not forbidden.conditions:
            return self._concern("forbids", "denied", card)
        why = "denied in a narrower scope" if elsewhere else "denied for a part of it"
        if within and forbidden.conditions:
            why = "denied under conditions, which nothing here can check"
        elif op.target is None and not within:
            why = "denied for some targets: name yours with --target"
        return self._concern("look", why, card)

    def _granted(self, card: Card, granted: Permission) -> Concern | None:
        op = self._operation
        if not patterns.covers(granted.action, op.name):
            return None
        if not spellings.grants(granted.target, op.target if op.target is not None else "*"):
            related = op.target is None
            return (
                self._concern("look", "permitted for some targets: name yours with --target", card) if related else None
            )
        if card.standing == "revoked" or "withheld" in card.flags:
            return self._concern("look", "was permitted, and is no more", card)
        if card.standing != "current" or any(i not in self._shown for i in card.limited_by):
            return self._concern("look", "a grant that cannot be used", card)
        if not self._inputs.trusted:
            return self._concern("look", "a grant that is not in force here (cc-git trust)", card)
        if granted.conditions:
            return self._concern("look", "permitted under conditions", card)
        return self._concern("permits", "permitted", card)

    def unattested(self, grant: Waiting, gate: Gate) -> Iterator[Concern]:
        op, record = self._operation, grant.record
        payload = record.payload
        ends = None if record.ends is None else millis(record.ends)
        seen = gate.reason(record.scope.fields(), grant.sensitivity, millis(record.starts), ends) is None
        if not (seen and isinstance(payload, Permission) and patterns.overlaps(payload.action, op.name)):
            return
        if op.target is not None and not spellings.meets(payload.target, op.target):
            return
        taken = f", and was taken back by {', '.join(map(short, grant.revokes))}" if grant.revokes else ""
        yield Concern("look", f"a grant that nobody attested here{taken}", waiting=record)

    def promises(self) -> Iterator[Concern]:
        for card in self._found.shown():
            if card.duty != "refrain":
                continue
            record = self._maker.record(card)
            said = frozenset(terms(f"{record.title} \n{record.content}"))
            if self._terms and self._terms <= said:
                yield self._concern("forbids", "promised not to", card)
            elif not self._terms.isdisjoint(said):
                yield self._concern("look", "a promise to refrain that may mean this", card)
            else:
                self.others += 1

    def unheard(self) -> Iterator[Concern]:
        number = sum(self._found.heard.unheard.values())
        if number:
            yield Concern(
                "look", f"{number} restraints in force may not be shown here: ask before what they may forbid"
            )

    def failures(self) -> Iterator[Concern]:
        named = self._inputs.pool.frequencies(self._terms)
        hits = {identifier for rows in named.values() for identifier in rows}
        known = [card for card in self._found.eligible if card.kind == "failure" and card.id in hits]
        known.sort(key=lambda card: (_CONSEQUENCE.get(card.duty, 2), -card.recorded, card.id))
        for card in known[:_FAILURES]:
            weight: Weight = "known" if card.duty == "low" else "look"
            yield self._concern(weight, "went wrong before", card)
        if len(known) > _FAILURES:
            yield Concern(
                "look", f"{len(known) - _FAILURES} more failures are known: cc-git search, or cc-git list -k failure"
            )

    def reported(self, texts: tuple[str, ...]) -> Iterator[Concern]:
        if any(not self._terms.isdisjoint(terms(text)) for text in texts):
            yield Concern("look", "it failed just now, or something that names it did")

    def _concern(self, weight: Weight, why: str, card: Card) -> Concern:
        return Concern(weight, why, self._maker.of_record(card, "line"))


def _names(said: str, pattern: str) -> bool:
    """The operation's words name what a deny is about: `push` in "git push origin main". A pattern names nothing."""
    if patterns.literal_prefix(pattern) != pattern:
        return False
    return has_words(said, pattern) or has_phrase(said, pattern)
