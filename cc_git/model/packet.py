"""The packet: task-shaped context compiled from one snapshot. Derived, never canonical, never committed.

Its text fields hold stored text as it is; whoever shows them sends them through the sanitiser.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from cc_git.model.authority import Sensitivity
from cc_git.model.request import PacketFormat, Profile, Unit
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import Instant, Value

Form = Literal["full", "line"]


class Item(Value):
    """One thing in a packet. `facts` say what it does (effect, target, due), `labels` what to know before relying on
    it; `refers` are the ids that the labels name shortened. `text`, `fields` and `sources` (ids and locators of its
    evidence) are empty in the form `line`. `anchors` are the repository paths that it depends on. `blob` names the
    content where it is not the one that the snapshot has under this id; `title` is empty where none may be shown."""

    id: str
    kind: str
    blob: str = ""
    form: Form = "line"
    title: str
    standing: str = "current"
    authority: str = ""
    attested: bool = False
    actor: str = ""
    recorded_at: Instant | None = None
    facts: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    refers: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    text: str = ""
    fields: tuple[tuple[str, str | tuple[str, ...]], ...] = ()


class Section(Value):
    name: str
    items: tuple[Item, ...] = ()


class Omission(Value):
    """How many were left out for one reason; `ids` names as many of them as there was room for."""

    reason: str
    number: int
    ids: tuple[str, ...] = ()


class Conflict(Value):
    """Records that clash until somebody rules; `more` are not named."""

    ids: tuple[str, ...]
    cause: str
    more: int = 0


class Packet(Value):
    """`digest` is the SHA-256 of all but `id`, `digest` and `used`; `id` holds the instant and the first ten bytes of
    the digest: the same inputs give the same packet under the same id. `basis` names the digests of the inputs, so
    that a check can say what changed. `budget` and `used` are in `unit` and count the output in the form `shown_as`.
    `expires` is the next instant at which something in it changes without a new file."""

    format: Literal["cc-git-packet/1"] = "cc-git-packet/1"
    id: str = ""
    digest: str = ""
    workspace: str
    trusted: bool
    task: str = ""
    queries: tuple[str, ...] = ()
    scope: Scope = EVERYWHERE
    ceiling: Sensitivity
    profile: Profile
    shown_as: PacketFormat
    unit: Unit
    budget: int
    used: int = 0
    tree: str
    commit: str | None = None
    origin: str
    instant: Instant
    expires: Instant | None = None
    mode: str
    basis: dict[str, str]
    sections: tuple[Section, ...] = ()
    proposals: tuple[tuple[str, int], ...] = ()
    omitted: tuple[Omission, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    limits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def items(self) -> Iterator[Item]:
        for section in self.sections:
            yield from section.items

    @property
    def selected(self) -> tuple[str, ...]:
        """The ids in it, in the order shown."""
        return tuple(item.id for item in self.items() if item.id)

    @property
    def named(self) -> frozenset[str]:
        """Every id that it shows or names: what forgetting must look for."""
        ids = {*self.selected, *(i for c in self.conflicts for i in c.ids), *(i for o in self.omitted for i in o.ids)}
        return frozenset(ids.union(*((*item.refers, *item.sources) for item in self.items())))


@dataclass(frozen=True, slots=True)
class Unfit:
    """The outcome when the reserved part is larger than the budget: what had no room, and the budget that suffices."""

    missing: tuple[str, ...]
    needed: int
    budget: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class PacketCheck:
    """`altered`: the packet is not what its digest names. `stale`: `reasons` say what changed since it was compiled."""

    state: Literal["valid", "stale", "altered"]
    reasons: tuple[str, ...] = field(default=())
