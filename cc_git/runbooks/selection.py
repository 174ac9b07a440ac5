"""Which runbooks serve the work in hand, in which order, and why. Pure: the order of what comes in changes nothing.

1. A candidate is active and matches: the task in focus, a goal or a task above it, a trigger of its own in the words
   of the task, or a failure signal of its own in what is reported. A guardrail or policy that names nothing of these
   holds everywhere.
2. A troubleshooting runbook is a candidate only while one of its failure signals stands in what is reported: what
   failed, what came back, the text of the task. Nothing else wakes it.
3. Order: what a person is bound to before what nobody is, for whoever may push a branch must not push a rule aside;
   then exact task, goal, words and signals, everywhere; where there is risk guardrails first and what a signal woke
   second; then the title.
4. Two are shown. A woken one is among them, in the place of the second, unless that puts an unattested one before an
   attested. All others are named.
5. What is above the ceiling is not shown and only counted. A guardrail or policy there still restrains: it is told by
   its id and kind, without a word of its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.ids import short
from cc_git.model.runbook import Runbook
from cc_git.model.sanitise import quoted
from cc_git.runbooks.risk import risks_in
from cc_git.runbooks.words import folded, has_phrase, has_words

SHOWN = 2
HOLDS = "holds for all work"
"""The reason of what names no work in particular."""
_TASK, _GOAL, _WORDS, _EVERYWHERE = range(4)
_HOLDS_EVERYWHERE = frozenset({"guardrail", "policy"})
_REASON = 80
"""Characters of a trigger or signal in a reason."""


class Shelved(NamedTuple):
    """A runbook of the snapshot. `attested`: a person is bound to these bytes, so it instructs; else it informs.
    `note` says what else to know before following it."""

    runbook: Runbook
    name: str
    attested: bool
    note: str = ""
    sensitivity: Sensitivity = "ordinary"


@dataclass(frozen=True)
class Work:
    """What is to be done. `task` is the task in focus, `above` the tasks and goals that it belongs to, nearest first.
    `texts` say what is to be done, `reported` what failed or came back. `risky`: there is risk whatever the words."""

    task: str | None = None
    above: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()
    risky: bool = False

    def at_risk(self) -> Work:
        """The same, about to be done."""
        return replace(self, risky=True)


class Chosen(NamedTuple):
    """`reasons` are sentences of ours; stored words in them are quoted."""

    shelved: Shelved
    reasons: tuple[str, ...]
    woken: bool = False


@dataclass(frozen=True)
class Selection:
    """`shown` are at most two, `named` the others that match; `risks` say why guardrails went first."""

    shown: tuple[Chosen, ...] = ()
    named: tuple[Chosen, ...] = ()
    risks: tuple[str, ...] = ()
    above: int = 0
    """Those that match, lie above the ceiling and are not shown."""

    @property
    def all(self) -> tuple[Chosen, ...]:
        return (*self.shown, *self.named)


def select(shelf: Iterable[Shelved], work: Work, ceiling: Sensitivity = "restricted") -> Selection:
    matching = [match for one in shelf if one.runbook.state == "active" and (match := _match(one, work)) is not None]
    found = [(level, veiled) for level, chosen in matching if (veiled := _under(chosen, ceiling)) is not None]
    woken = any(chosen.woken for _, chosen in found)
    risks = _risks(work, woken=woken)

    def order(match: tuple[int, Chosen]) -> tuple[object, ...]:
        level, (shelved, _, woken) = match
        book = shelved.runbook
        first = 0 if risks and book.kind == "guardrail" else 1 if woken else 2
        return (not shelved.attested, level, first, book.title.casefold(), book.title, book.id, shelved.name)

    ranked = [chosen for _, chosen in sorted(found, key=order)]
    shown = ranked[:SHOWN]
    if len(ranked) > SHOWN and not any(chosen.woken for chosen in shown):
        waiting = next((chosen for chosen in ranked if chosen.woken), None)
        if waiting is not None and waiting.shelved.attested >= shown[-1].shelved.attested:
            shown[-1] = waiting
    return Selection(tuple(shown), tuple(c for c in ranked if c not in shown), risks, len(matching) - len(found))


def _under(chosen: Chosen, ceiling: Sensitivity) -> Chosen | None:
    """What of it may be shown below this ceiling."""
    one = chosen.shelved
    if at_most(one.sensitivity, ceiling):
        return chosen
    book = one.runbook
    if book.kind not in _HOLDS_EVERYWHERE:
        return None
    note = f"{one.sensitivity}: content not shown"
    bare = Runbook(id=book.id, title=f"A {book.kind} of this clone", kind=book.kind)
    reasons = chosen.reasons if chosen.reasons == (HOLDS,) else ("for this work",)
    return Chosen(Shelved(bare, book.id, one.attested, note, one.sensitivity), reasons, chosen.woken)


def signals_in(book: Runbook, reported: Iterable[str]) -> tuple[str, ...]:
    """Those of its failure signals that stand in what is reported."""
    reported = tuple(reported)
    return tuple(signal for signal in book.failure_signals if any(has_phrase(text, signal) for text in reported))


def _match(one: Shelved, work: Work) -> tuple[int, Chosen] | None:
    book = one.runbook
    signals = signals_in(book, (*work.reported, *work.texts))
    if book.kind == "troubleshooting" and not signals:
        return None
    found = list(_matches(book, work, signals))
    if not found:
        return None
    level = min(level for level, _ in found)
    return level, Chosen(one, tuple(reason for _, reason in sorted(found, key=lambda pair: pair[0])), bool(signals))


def _matches(book: Runbook, work: Work, signals: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    if work.task is not None and work.task in book.task_ids:
        yield _TASK, "for the task in focus"
    for identifier in work.above:
        if identifier in book.goal_ids or identifier in book.task_ids:
            yield _GOAL, f"for {short(identifier)}, above the task" if work.task else f"for {short(identifier)}"
    for trigger in book.triggers:
        if any(has_words(text, trigger) for text in work.texts):
            yield _WORDS, f"the task says {quoted(trigger, _REASON)}"
    for signal in signals:
        yield _WORDS, f"reported: {quoted(signal, _REASON)}"
    if book.kind in _HOLDS_EVERYWHERE and not (book.triggers or book.goal_ids or book.task_ids or book.failure_signals):
        yield _EVERYWHERE, HOLDS


def _risks(work: Work, *, woken: bool) -> tuple[str, ...]:
    said = [f"the task says {quoted(word)}" for word in risks_in(work.texts)]
    if work.risky:
        said.insert(0, "it is about to be done")
    if woken:
        said.append("a failure is reported")
    return tuple(said)


def never(book: Runbook) -> str | None:
    """Why no work at all would select it, or None."""
    if book.state != "active":
        return None
    if book.kind == "troubleshooting":
        return None if any(folded(s) for s in book.failure_signals) else "troubleshooting without a failure signal"
    if book.kind in _HOLDS_EVERYWHERE or book.triggers or book.goal_ids or book.task_ids or book.failure_signals:
        return None
    return "it has no trigger, goal or task"
