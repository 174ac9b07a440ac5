"""Plan → permit → carry out → receipt. A plan is pure: the exact values that would be written, evidence first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from cc_git.codec.files import encode
from cc_git.codec.named import ids_in
from cc_git.governance.sensitivity import above, highest
from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.episode import Episode
from cc_git.model.ids import new_id
from cc_git.model.receipt import Receipt
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value


@dataclass(frozen=True)
class Mint:
    """Makes ids for one instant. `entropy` gives ten random bytes a call."""

    now: datetime
    entropy: Callable[[], bytes]

    def __call__(self, prefix: str) -> str:
        return new_id(prefix, self.now, self.entropy())


@dataclass(frozen=True)
class Plan:
    """`values` in the order in which they are written; `sensitivity` decides the tier, no lower than that of any value.

    `claims` names the values whose exact blobs a person at a terminal binds with this act. `asks` says in a sentence
    what the person is asked to confirm first, or None where no question is due. `apart`: its values are many things
    that came together, so each lies in the tier that it needs itself; else all lie in that of the most sensitive.
    `public` are texts that this very plan has a person allow, although they look like secrets. `attached` (path →
    bytes) are the files that come with its episodes, and lie where those lie.
    """

    operation: str
    values: tuple[Value, ...]
    receipt: Receipt
    sensitivity: Sensitivity = "ordinary"
    claims: tuple[str, ...] = ()
    asks: str | None = None
    notes: tuple[str, ...] = field(default=())
    apart: bool = False
    public: tuple[str, ...] = ()
    attached: Mapping[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sensitivity", highest(self.sensitivity, *map(_sensitivity, self.values)))

    @property
    def files(self) -> tuple[Value, ...]:
        return (*self.values, self.receipt)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(map(_id, self.values))

    @property
    def takes_away(self) -> bool:
        """It only restrains: a revoke, a reject, a deny or a promise to refrain, with its evidence."""
        return all(_restrains(value) for value in self.values)

    def resting_on(self, named: Mapping[str, Sensitivity]) -> Plan:
        """The same, no less sensitive than anything that is named (id or path → as it counts), and saying so."""
        least = highest(*named.values())
        if at_most(least, self.sensitivity):
            return self
        values = tuple(
            value.model_copy(update={"sensitivity": highest(value.sensitivity, least)})  # type: ignore[attr-defined]
            if "sensitivity" in type(value).model_fields
            else value
            for value in self.values
        )
        note = f"kept as {least}: it rests on {above(self.sensitivity, named)}"
        return replace(self, values=values, sensitivity=least, notes=(*self.notes, note), apart=False)

    def is_private(self, ceiling: Sensitivity) -> bool:
        """Above the ceiling the files stay in the private tier, or some of them."""
        return not at_most(self.sensitivity, ceiling)

    def kept_back(self, ceiling: Sensitivity) -> frozenset[str]:
        """The ids of the values that stay in the private tier. `apart`: what is above it, what names
        such, and what only these name: the evidence of a record has its words."""
        if not self.is_private(ceiling):
            return frozenset()
        back = {_id(value) for value in self.values if not at_most(_sensitivity(value), ceiling)}
        if not (self.apart and back):
            return frozenset(self.ids)
        names = {_id(value): set(ids_in(encode(value).decode())) for value in self.values}
        named_by: dict[str, set[str]] = {}
        for one, named in names.items():
            for other in named - {one}:
                named_by.setdefault(other, set()).add(one)
        while more := {i for i, named in names.items()
                       if i not in back and (named & back or (i in named_by and named_by[i] <= back))}:  # fmt: skip
            back |= more
        return frozenset(back)


def _id(value: Value) -> str:
    return value.id  # type: ignore[attr-defined, no-any-return]


def _sensitivity(value: Value) -> Sensitivity:
    return value.sensitivity if isinstance(value, Record | Episode) else "ordinary"


def _restrains(value: Value) -> bool:
    if isinstance(value, Ruling):
        return value.verb in ("revoke", "reject")
    return isinstance(value, Episode) or (isinstance(value, Record) and value.restrains)


def receipt_for(
    operation: str, made: tuple[str, ...], touched: tuple[str, ...], actor: str, mint: Mint, **counts: int
) -> Receipt:
    return Receipt(
        id=mint("rc"),
        operation=operation,
        actor=actor,
        recorded_at=mint.now,
        made=made,
        touched=touched,
        counts=counts,
    )
