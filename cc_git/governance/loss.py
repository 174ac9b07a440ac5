"""The silent-loss check: no id may vanish without a tombstone, or a receipt that says that it was forgotten.

An id is missed where something here still knows that it was there: the history of HEAD or of any other ref, a receipt
that names it as made, the journal. What no ref, receipt or journal of this clone remembers cannot be missed; another
clone may.

 1. What is here, or has a tombstone that counts, or was touched by a receipt of `forget`, is not lost.
 2. `dropped`: HEAD's history brought it in, and HEAD has it no more (a removal, or a merge that kept one side alone).
 3. `gone`: the history of some other ref had it, and no ref's tip has it now.
 4. `unkept`: a receipt says that it was made, and no ref has it.
 5. `stranded`: written here, and no ref reaches the commit that it was seen in (a reset, a deleted branch).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from cc_git.model.ids import KIND_OF_PREFIX, prefix_of
from cc_git.model.receipt import Receipt

_FILED = frozenset({*KIND_OF_PREFIX, "ep", "ru", "tr", "cp", "rc", "dr", "wr"})
"""What has a file of its own that nothing but forgetting empties. Runbooks are edited, imports move on."""
_FORGETTING = "forget"

Sort = Literal["dropped", "gone", "unkept", "stranded"]


@dataclass(frozen=True)
class Remembered:
    """What is known of ids: `here` in the snapshot at hand, `at_tips` of other refs, `forgotten` by tombstone.
    `past` is what HEAD's history brought in, `other_past` what other refs' histories did, as id → (commit, path from
    the top level); `stranded` what the journal keeps and no ref reaches."""

    here: Collection[str]
    at_tips: Collection[str]
    forgotten: Collection[str]
    past: Mapping[str, tuple[str, str]]
    other_past: Mapping[str, tuple[str, str]]
    stranded: Collection[str]


@dataclass(frozen=True, slots=True)
class Lost:
    """`came` is the commit that brought it in (at `path`), or the receipt that names it, where one is known; `went`
    names the commit that it went with."""

    id: str
    sort: Sort
    came: str = ""
    path: str = ""
    went: str = ""


def lost(remembered: Remembered, receipts: Iterable[Receipt]) -> tuple[Lost, ...]:
    """Each id once, by the first rule that fits, in the order of the ids."""
    known = list(receipts)
    forgotten = {i for receipt in known if receipt.operation == _FORGETTING for i in receipt.touched}
    explained = {*remembered.here, *remembered.forgotten, *forgotten}
    found: dict[str, Lost] = {}

    def miss(identifier: str, sort: Sort, came: str = "", path: str = "") -> None:
        if identifier not in explained and prefix_of(identifier) in _FILED:
            found.setdefault(identifier, Lost(identifier, sort, came, path))

    for identifier, (commit, path) in remembered.past.items():
        miss(identifier, "dropped", commit, path)
    explained.update(remembered.at_tips)
    for identifier, (commit, path) in remembered.other_past.items():
        miss(identifier, "gone", commit, path)
    for identifier in remembered.stranded:
        miss(identifier, "stranded")
    for receipt in known:
        for identifier in receipt.made:
            miss(identifier, "unkept", receipt.id)
    return tuple(found[identifier] for identifier in sorted(found))
