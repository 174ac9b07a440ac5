"""What a packet shows that counts as something else by now.

`verify` compares inputs: any new file makes a packet stale. This compares what the packet *says* of each record with
what the record counts as, and so names the packets that would mislead: one that shows what was corrected or revoked
since, a grant that a new deny cuts into, a record whose ground or whose code changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cc_git.model.ids import KIND_OF_PREFIX, prefix_of
from cc_git.model.packet import Item, Packet
from cc_git.model.verdict import Flag, Verdict

_TOLD: dict[Flag, str] = {
    "needs-review": "needs review",
    "stale": "stale against the code",
    "limited": "limited by",
    "disputed": "disputed",
    "under-review": "reopened, under review",
    "withheld": "withheld by",
}
"""Flags that say something against a record, with how an item's label begins that tells it."""


def overtaken(packet: Packet, verdict_of: Callable[[str], Verdict | None]) -> tuple[str, ...]:
    """One line for each record that it shows otherwise: its id and what it counts as now. Ids and codes, no text."""
    return tuple(line for item in packet.items() for line in _of(item, verdict_of))


def _of(item: Item, verdict_of: Callable[[str], Verdict | None]) -> Iterator[str]:
    if prefix_of(item.id) not in KIND_OF_PREFIX:
        return
    verdict = verdict_of(item.id)
    if verdict is None:
        yield f"{item.id} not-here"
    elif verdict.standing != item.standing:
        yield f"{item.id} {verdict.standing}"
    else:
        new = (f for f, said in _TOLD.items() if f in verdict.flags and not _says(item, said))
        yield from (f"{item.id} {flag}" for flag in new)


def _says(item: Item, beginning: str) -> bool:
    return any(label.startswith(beginning) for label in item.labels)
