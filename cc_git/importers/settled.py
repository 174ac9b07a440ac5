"""What became of things in quarantine: read from the receipts of those who took them in or turned them down.

A receipt of an accept notes, for each thing it took, the id under which that waited and the one that it has now. These
are ids and nothing else, so they may stay when the content is forgotten, and then tell that it must not come back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cc_git.model.filed import Files
from cc_git.model.ids import is_id

ACCEPT, DISCARD = "accept", "discard"
_AS = " as "


@dataclass(frozen=True)
class Settled:
    """`taken`: the id under which it waited → those that it has now (several clones may have taken it)."""

    taken: Mapping[str, tuple[str, ...]]
    discarded: frozenset[str]
    accepted_imports: frozenset[str]


def taken_note(waiting: str, now: str) -> str:
    """A line for the receipt."""
    return f"{waiting}{_AS}{now}"


def settled(files: Files) -> Settled:
    taken: dict[str, list[str]] = {}
    discarded: set[str] = set()
    accepted: set[str] = set()
    for variants in files.receipts.values():
        receipt = variants[0].value
        if receipt.operation == ACCEPT:
            accepted.update(i for i in receipt.touched if i.startswith("im_"))
            for line in receipt.notes:
                waiting, mark, now = line.partition(_AS)
                if mark and is_id(waiting) and is_id(now):
                    taken.setdefault(waiting, []).append(now)
        elif receipt.operation == DISCARD:
            discarded.update(receipt.touched)
    return Settled({i: tuple(sorted(ids)) for i, ids in taken.items()}, frozenset(discarded), frozenset(accepted))
