"""Does a message open a line of work, or does it go on with the one at hand? The creation policy.

In this order, first that fits; what is low in signal is taken off both ends of the message before:

 1. nothing is left, or there was no word at all: it goes on;
 2. it sets a hard constraint: it opens;
 3. it says what a trigger says already: that one is inherited;
 4. it begins like a step inside the line (run, test, validate, commit …) and is short: it goes on;
 5. most of its words are those of the work at hand: it goes on;
 6. it frames an issue, or asks for something new: it opens;
 7. nothing is at hand that it could go on with: it opens;
 8. it is short, or half of its words are those of the work at hand: it goes on; otherwise it opens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from cc_git.model.trigger import Trigger
from cc_git.origin.fold import fingerprint, fold, is_unspaced, words_of
from cc_git.origin.signals import Signals, beginning, within, without_continuity

Why = Literal["continuity", "constraint", "repeated", "step", "at-hand", "issue", "opening", "first", "short", "new"]
SHORT_STEP, SHORT = 10, 4
"""Words (in unspaced script pairs of characters) up to which a step is one, and a message too little to open a line."""
_MOST, _HALF, _LEAST, _LONG = 0.75, 0.5, 2, 4
"""Shares of the words that are those of the work at hand, of messages with at least so many; of spaced script only
words of so many letters say what a message is about."""


@dataclass(frozen=True)
class Considered:
    """`phrase` is what told; `repeats` the trigger that says the same."""

    answer: Literal["create", "inherit"]
    why: Why
    reason: str
    phrase: str = ""
    repeats: str | None = None


def consider(text: str, signals: Signals, triggers: Iterable[Trigger], at_hand: Collection[str]) -> Considered:
    """`triggers` are those in force, `at_hand` the titles of the work at hand (empty: nothing is)."""
    rest, taken = without_continuity(fold(text), signals)
    if not rest:
        return Considered("inherit", "continuity", "it only says to go on", taken)
    if phrase := within(rest, signals.constraints):
        return Considered("create", "constraint", "it sets a hard constraint", signals.written[phrase])
    same = fingerprint(text)
    if repeated := next((one for one in triggers if same in (one.fingerprint, fingerprint(one.summary))), None):
        return Considered("inherit", "repeated", "a trigger says exactly this already", repeats=repeated.id)
    words = words_of(rest)
    if len(words) <= SHORT_STEP and (phrase := beginning(rest, signals.steps)):
        return Considered("inherit", "step", "it is a step inside the line", signals.written[phrase])
    share = _share(words, at_hand)
    if share >= _MOST:
        return Considered("inherit", "at-hand", "it speaks of what is at hand")
    if phrase := within(rest, signals.issues):
        return Considered("create", "issue", "it frames an issue", signals.written[phrase])
    if phrase := within(rest, signals.openings):
        return Considered("create", "opening", "it asks for something new", signals.written[phrase])
    if not at_hand:
        return Considered("create", "first", "nothing is at hand that it could go on with")
    if len(words) <= SHORT:
        return Considered("inherit", "short", "it is too short to open a line")
    if share >= _HALF:
        return Considered("inherit", "at-hand", "it speaks of what is at hand")
    return Considered("create", "new", "it speaks of something that is not at hand")


def _share(words: list[str], at_hand: Collection[str]) -> float:
    telling = [word for word in words if len(word) >= _LONG or is_unspaced(word[0])]
    if len(telling) < _LEAST:
        return 0
    known = {word for title in at_hand for word in words_of(fold(title))}
    return sum(1 for word in telling if word in known) / len(telling)
