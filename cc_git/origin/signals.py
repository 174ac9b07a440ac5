"""Phrases that tell what a message is: data, by language, that people can extend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cc_git.origin.fold import fold, is_unspaced

NAMES = ("continuity", "fillers", "steps", "constraints", "issues", "openings")


@dataclass(frozen=True)
class Signals:
    """Folded phrases, longest first. `continuity`: nothing but "go on". `fillers`: politeness around it. `steps`: how a
    step inside the line begins. `constraints`, `issues`, `openings`: what opens or redirects a line, anywhere."""

    continuity: tuple[str, ...] = ()
    fillers: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    """Folded phrase → as it stands in the data."""


def signals_from(tables: Iterable[Mapping[str, Any]]) -> Signals:
    """All phrases of all languages together: people mix them in one message."""
    written: dict[str, dict[str, str]] = {name: {} for name in NAMES}
    for table in tables:
        for name in NAMES:
            for phrase in table.get(name, ()):
                if folded := fold(phrase):
                    written[name].setdefault(folded, phrase)
    ordered = {name: tuple(sorted(phrases, key=lambda one: (-len(one), one))) for name, phrases in written.items()}
    return Signals(**ordered, written={k: v for phrases in written.values() for k, v in phrases.items()})


def beginning(text: str, phrases: Iterable[str]) -> str | None:
    """The first phrase that the folded text begins with, at the end of a word."""
    return next((phrase for phrase in phrases if text.startswith(phrase) and _ends(text, len(phrase))), None)


def within(text: str, phrases: Iterable[str]) -> str | None:
    """The first phrase that stands anywhere in the folded text, as whole words (in unspaced script: as it is)."""
    for phrase in phrases:
        at = text.find(phrase)
        while at >= 0:
            if (at == 0 or _parts(text[at - 1], text[at])) and _ends(text, at + len(phrase)):
                return phrase
            at = text.find(phrase, at + 1)
    return None


def without_continuity(text: str, signals: Signals) -> tuple[str, str]:
    """The folded text without the go-ahead that it begins or ends with, and what was taken away, as written."""
    polite = sorted((*signals.continuity, *signals.fillers), key=len, reverse=True)
    taken: list[str] = []
    while phrase := beginning(text, polite):
        taken.append(phrase)
        text = text[len(phrase) :].strip()
    while phrase := _ending(text, polite):
        taken.append(phrase)
        text = text[: len(text) - len(phrase)].strip()
    return text, " ".join(signals.written.get(phrase, phrase) for phrase in taken)


def _ending(text: str, phrases: Iterable[str]) -> str | None:
    for phrase in phrases:
        at = len(text) - len(phrase)
        if at >= 0 and text.endswith(phrase) and (at == 0 or _parts(text[at - 1], text[at])):
            return phrase
    return None


def _ends(text: str, at: int) -> bool:
    return at == len(text) or _parts(text[at - 1], text[at])


def _parts(before: str, after: str) -> bool:
    """Whether a phrase may end between these two characters."""
    return before == " " or after == " " or (is_unspaced(before) or is_unspaced(after))
