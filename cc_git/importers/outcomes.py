"""What an import did with each thing that it met: nothing is passed over in silence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Done = Literal[
    "imported",
    "changed",
    "already here",
    "quarantined",
    "already waiting",
    "conflicting",
    "out of scope",
    "forgotten",
    "discarded",
    "left",
    "over",
    "gone",
    "skipped",
    "broken",
]
"""`conflicting`: something else stands for its subject, or another text of it was imported since. `forgotten`: a
tombstone forbids it. `discarded`: a person turned it down. `left`: it was not asked for. `over`: where it comes from it
does not stand any more. `gone`: imported once and not in HEAD any more; its record stands until somebody rules."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to look at; `line` counts from 1, 0 is the whole."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """`record` is the id that it got, `waits_in` the quarantined import that holds it. `signs` are the names of what
    makes its text look like an instruction."""

    path: str
    done: Done
    reason: str = ""
    title: str = ""
    status: str | None = None
    record: str | None = None
    waits_in: str | None = None
    warnings: tuple[Note, ...] = ()
    signs: tuple[str, ...] = ()


def counts_of(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Done → number, as a receipt spells it."""
    counts: dict[str, int] = {}
    for one in outcomes:
        name = one.done.replace(" ", "_")
        counts[name] = counts.get(name, 0) + 1
    return counts
