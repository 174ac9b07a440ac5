"""Values together with the file they come from, and the set of them that a rule is asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.receipt import Receipt
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.runbook import Runbook
from cc_git.model.trigger import Trigger
from cc_git.model.value import Value
from cc_git.model.working_context import Checkpoint

V_co = TypeVar("V_co", bound=Value, covariant=True)


@dataclass(frozen=True, slots=True)
class Filed(Generic[V_co]):
    """`rel` is the path below `.continuity/`, `blob` the Git blob id of the exact bytes."""

    rel: str
    blob: str
    value: V_co


Variants = tuple[Filed[V_co], ...]
"""All files that carry one id. More than one with different blobs: the id is damaged."""


@dataclass(frozen=True)
class Files:
    """What a snapshot holds, by id. Built by `gather`."""

    records: Mapping[str, Variants[Record]] = field(default_factory=dict)
    episodes: Mapping[str, Variants[Episode]] = field(default_factory=dict)
    rulings: Mapping[str, Variants[Ruling]] = field(default_factory=dict)
    triggers: Mapping[str, Variants[Trigger]] = field(default_factory=dict)
    runbooks: Mapping[str, Variants[Runbook]] = field(default_factory=dict)
    checkpoints: Mapping[str, Variants[Checkpoint]] = field(default_factory=dict)
    receipts: Mapping[str, Variants[Receipt]] = field(default_factory=dict)
    tombstones: frozenset[str] = frozenset()
    graves: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Forgotten id → the blobs of its tombstones."""
    endings: frozenset[str] = frozenset()
    faults: tuple[Fault, ...] = ()


_PLACES: tuple[tuple[type[Value], str], ...] = (
    (Record, "records"),
    (Episode, "episodes"),
    (Ruling, "rulings"),
    (Trigger, "triggers"),
    (Runbook, "runbooks"),
    (Checkpoint, "checkpoints"),
    (Receipt, "receipts"),
)


def gather(filed: Iterable[Filed[Value]], faults: Iterable[Fault] = ()) -> Files:
    """Sort filed values by type and id. Equal blobs of one id count once (the lowest path represents them)."""
    attribute = dict(_PLACES)
    by_id: dict[str, dict[str, list[Filed[Any]]]] = {name: {} for _, name in _PLACES}
    graves: dict[str, frozenset[str]] = {}
    endings: set[str] = set()
    for item in filed:
        kind = type(item.value)
        if isinstance(item.value, Tombstone):
            graves[item.value.id] = graves.get(item.value.id, frozenset()) | {item.blob}
        elif isinstance(item.value, Ending):
            endings.add(item.value.id)
        elif kind in attribute:
            by_id[attribute[kind]].setdefault(item.value.id, []).append(item)  # type: ignore[attr-defined]
    sorted_out = {
        name: {identifier: _distinct(variants) for identifier, variants in group.items()}
        for name, group in by_id.items()
    }
    return Files(
        tombstones=frozenset(graves),
        graves=graves,
        endings=frozenset(endings),
        faults=tuple(faults),
        **sorted_out,
    )


def _distinct(variants: list[Filed[Any]]) -> tuple[Filed[Any], ...]:
    if len(variants) == 1:
        return (variants[0],)
    first_of_blob: dict[str, Filed[Any]] = {}
    for item in sorted(variants, key=lambda f: f.rel):
        first_of_blob.setdefault(item.blob, item)
    return tuple(first_of_blob.values())
