"""What changed in meaning, as values: the result of `compare`, in the order in which it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity


@dataclass(frozen=True, slots=True)
class Stand:
    """What a record counts as on one side. `by` are the ids that cause it."""

    standing: str
    authority: str
    attested: bool
    flags: tuple[str, ...]
    sensitivity: Sensitivity
    by: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field as text; None: not there on that side."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Replaced:
    """What a new record takes the place of, and the fields in which the two differ."""

    id: str
    title: str
    sensitivity: Sensitivity
    fields: tuple[FieldChange, ...]


HowChanged = Literal["added", "edited", "removed", "forgotten", "stands"]
"""`removed`: without a tombstone. `stands`: its file is the same, and it counts as something else now."""


@dataclass(frozen=True, slots=True)
class RecordChange:
    """`claims` is the authority that its file names, `actor` who wrote it; in `before` and `after` stands what that
    counts for. `accepted` is what it counts as once it is in the accepted branch, where that is something else.
    `sensitivity` is the higher one of both sides."""

    how: HowChanged
    id: str
    kind: str
    title: str
    actor: str
    claims: str
    sensitivity: Sensitivity
    path: str
    before: Stand | None
    after: Stand | None
    accepted: Stand | None
    replaces: tuple[Replaced, ...] = ()
    fields: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a ruling did to one target; None: that side has no such record."""

    id: str
    title: str
    sensitivity: Sensitivity
    before: str | None
    after: str | None
    accepted: str | None


@dataclass(frozen=True, slots=True)
class RulingChange:
    """`attested`: a person is bound to it now."""

    how: Literal["added", "edited", "removed", "forgotten"]
    id: str
    verb: str
    actor: str
    authority: str
    attested: bool
    reason: str
    winner: str | None
    over: tuple[str, ...]
    path: str
    targets: tuple[Ruled, ...]

    @property
    def sensitivity(self) -> Sensitivity:
        """As high as that of what it is about: its reason may quote it."""
        return highest(*(target.sensitivity for target in self.targets))


@dataclass(frozen=True, slots=True)
class Shift:
    """A grant or a restraint that begins, ends, or reaches further or less far. `what` says what it governs; `instead`
    is the one that it takes the place of. `when`: on this clone now, or only once it is in the accepted branch."""

    direction: Literal["widens", "narrows", "changes"]
    when: Literal["now", "once accepted"]
    id: str
    what: str
    title: str
    scope: str
    sensitivity: Sensitivity
    says: str
    instead: str = ""
    instead_id: str = ""


@dataclass(frozen=True, slots=True)
class SensitivityChange:
    """A record that is kept as something else than before, or than the one it takes the place of (`instead`)."""

    id: str
    kind: str
    title: str
    before: Sensitivity
    after: Sensitivity
    instead: str = ""


@dataclass(frozen=True, slots=True)
class ConflictChange:
    """Records that clash from now on, or no more; `cause` says why they meet."""

    how: Literal["new", "settled"]
    ids: tuple[str, ...]
    titles: tuple[str, ...]
    cause: str
    sensitivity: Sensitivity


@dataclass(frozen=True, slots=True)
class EvidenceChange:
    """An episode. `source` is where it came from (`user`, `document` …)."""

    how: Literal["added", "edited", "removed", "forgotten"]
    id: str
    type: str
    actor: str
    authority: str
    source: str
    sensitivity: Sensitivity
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A runbook: people edit it, so it has changed fields like a record that replaces another."""

    how: Literal["added", "edited", "removed"]
    id: str
    title: str
    path: str
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A new or changed file that cannot be read."""

    path: str
    line: int | None
    reason: str


@dataclass(frozen=True)
class Review:
    """`before` and `after` name the sides. `policy` are the fields of `workspace.toml`. `others` counts files that say
    nothing by themselves (receipts, triggers, quarantine …) as folder → how → number."""

    before: str
    after: str
    policy: tuple[FieldChange, ...] = ()
    shifts: tuple[Shift, ...] = ()
    sensitivity: tuple[SensitivityChange, ...] = ()
    records: tuple[RecordChange, ...] = ()
    rulings: tuple[RulingChange, ...] = ()
    conflicts: tuple[ConflictChange, ...] = ()
    evidence: tuple[EvidenceChange, ...] = ()
    runbooks: tuple[DocumentChange, ...] = ()
    others: dict[str, dict[str, int]] = field(default_factory=dict)
    broken: tuple[Broken, ...] = ()

    @property
    def is_empty(self) -> bool:
        parts = (self.policy, self.shifts, self.sensitivity, self.records, self.rulings, self.conflicts, self.evidence)
        return not any((*parts, self.runbooks, self.others, self.broken))
