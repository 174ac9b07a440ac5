"""What the rules work on: one content of a record or of a ruling, and what they find out about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.policy import GATED
from cc_git.model.record import EARLIEST, Record
from cc_git.model.ruling import Ruling

Fields = tuple[str, ...]
"""A scope by its fields, `*` where it covers all."""


def covers(wide: Fields, narrow: Fields) -> bool:
    """`Scope.covers` on bare fields: asked for every link and every pair, and mostly about equal ones."""
    return wide == narrow or all(a in ("*", b) for a, b in zip(wide, narrow, strict=True))


def meet(one: Fields, other: Fields) -> bool:
    return one == other or all(a == b or a == "*" or b == "*" for a, b in zip(one, other, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """One content of a ruling. `attested`: a person is bound to these bytes, or was, and speaks as `user-explicit`.

    `partial`: of a damaged, forgotten, lapsed or merely seen one, of which only what it takes away counts. `lapsed`: a
    person was bound to it and is no more (the accepted branch took it back), or it has an ending. `seen_only`: it is
    not in this branch.
    """

    ruling: Ruling
    attested: bool
    partial: bool
    lapsed: bool = False
    seen_only: bool = False

    @property
    def stands_here(self) -> bool:
        """What else would come back through what it takes away may."""
        return not (self.lapsed or self.seen_only)


class Member:
    """One content of a record. What is annotated with a value is found out by the rules, in the order of `rules`.

    A plain class with defaults on the class: of ten thousand records most keep nearly all of them.
    """

    id: str
    record: Record
    blob: str
    restrains: bool
    authority: Authority
    attested: bool
    level: int
    sensitivity: Sensitivity
    scope: Fields
    starts: datetime
    takes_from: datetime
    """When it supersedes. Of a permission that says no instant, at once, like everything else that takes a grant away:
    a clock that is ahead must not keep in force what somebody has replaced."""
    ends: datetime | None

    ghost: bool = False
    """Only what it takes away counts (see `world`)."""
    seen_only: bool = False
    """A ghost that is not in this branch: what it grants elsewhere clashes with nothing here."""
    by_person: bool = False
    """Only an attested person makes it effective."""
    own: bool = False
    """Effective without an accept."""
    took: bool = False
    """Takes without an accept: effective, or it was by what a person attested once, or by sources that somebody has
    written tombstones for."""
    claims: tuple[int, bool]
    """Level and attestation before any accept."""
    weight: int
    """The level with which it takes and resists in its line: damaged and contested accepts count here as well."""
    twins: tuple[Member, ...] = ()
    acts: tuple[Act, ...] = ()
    """Rulings in force on it, if only by what they take (see `inforce`)."""
    firm: frozenset[Act] = frozenset()
    """Rulings in force on it by what they give as well."""
    lifters: tuple[Act, ...] = ()
    """Those in force, if only by what they take, that lift others. On a restraint they need no power to end it."""
    effective: bool = False
    takes: bool = False
    """What it supersedes is superseded: effective, contested, or a ghost that would be effective."""
    accepted_by: tuple[str, ...] = ()
    rejected_by: tuple[str, ...] = ()
    refused: bool = False
    """A person rejected it, be it by a ruling that was only seen: the restraints that it had displaced are back."""
    contested_by: tuple[str, ...] = ()
    outranked_by: tuple[str, ...] = ()
    """What it would supersede, had it the authority."""
    ended_by: tuple[Act, ...] = ()
    names: tuple[str, ...] = ()
    """The places in its line that it supersedes by name (see `lines`)."""
    superseded_by: tuple[str, ...] = ()
    twin_of: str | None = None
    lost_to: tuple[str, ...] = ()
    lost_here: bool = False
    """By a ruling that stands here, so that the winner need not clash with it any more."""
    stands: bool = False
    """Effective, begun, and not ended, superseded, expired or lost."""
    overruled_by: tuple[str, ...] = ()
    clashes_with: tuple[str, ...] = ()
    denied_by: tuple[str, ...] = ()
    limited_by: tuple[str, ...] = ()
    yields_to: tuple[str, ...] = ()

    def __init__(self, record: Record, blob: str) -> None:
        self.id = record.id
        self.record = record
        self.blob = blob
        self.restrains = record.payload.restrains
        self.scope = record.scope.fields()
        self.starts = record.starts
        self.takes_from = self.starts
        if record.kind == "permission" and record.valid_from is None:
            self.takes_from = EARLIEST
        self.ends = record.ends if record.valid_to is not None or record.expires_at is not None else None

    @property
    def gated(self) -> bool:
        return self.by_person or (self.record.kind in GATED and not self.restrains)

    @property
    def grants(self) -> bool:
        return self.record.kind == "permission" and not self.restrains
