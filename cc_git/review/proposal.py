"""What `check` judges: the changes that somebody proposes, and what they are judged by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from cc_git.codec import paths
from cc_git.codec.files import line_of
from cc_git.governance.leaks import Private
from cc_git.governance.screen import Public
from cc_git.model.authority import Sensitivity
from cc_git.model.fault import Fault
from cc_git.model.filed import Files
from cc_git.model.policy import Policy
from cc_git.model.value import Value
from cc_git.model.verdict import Standings
from cc_git.review.finding import Code, Finding, Level, found
from cc_git.review.side import tombstones


@dataclass(frozen=True, slots=True)
class Changed:
    """One file's blobs: where the proposal left the base, and in the proposal. Equal ones are only looked at."""

    before: str | None
    after: str | None


@dataclass(frozen=True)
class Judgements:
    """The changed objects and what they name, judged as if all of it were in the accepted branch: by the policy of the
    base (`by_base`), by the policy that the proposal brings (`by_own`), and by that of the base without the proposal's
    rulings (`unruled`)."""

    by_base: Standings
    by_own: Standings
    unruled: Standings


@dataclass(frozen=True)
class Proposal:
    """`blobs` is what would be there once it is merged: the base's files with the changes. `files` are the changed
    objects and, over any number of links, what they name. `policy` and `ceiling` are the base's, `brings` is the policy
    of the proposal. `private` knows what is private on this clone, `confirmed` are the blobs that a person confirmed
    here. `forgotten` says of an id where its tombstone is known from. `vanished` are negatives that the history of the
    proposal had and its tree has not; True where that is the proposal's doing. `data` gives a blob's bytes, or their
    number where there are too many for an object, `through` the same for what is looked through; `signs` names what
    makes a value's texts look like instructions. `public` are the texts that the base allows although they look like
    secrets, `brought` those that are allowed once it is merged."""

    prefix: str
    changed: Mapping[str, Changed]
    blobs: Mapping[str, str]
    files: Files
    policy: Policy
    brings: Policy | Fault | None
    ceiling: Sensitivity
    private: Private
    confirmed: frozenset[str]
    judged: Judgements
    forgotten: Mapping[str, str]
    vanished: Mapping[str, bool]
    data: Callable[[str], bytes | int]
    through: Callable[[str], bytes | int]
    value: Callable[[str, str], Value | Fault]
    owner: Callable[[str], str | None]
    signs: Callable[[Value], tuple[str, ...]]
    public: Public
    brought: Public

    @cached_property
    def ids(self) -> frozenset[str]:
        """Every id that has a file in the proposal (of runbooks: those that were looked at)."""
        named = (paths.id_at(rel) for rel in self.blobs if not is_mark(rel))
        return frozenset((*(i for i in named if i is not None), *self.files.runbooks))

    @cached_property
    def marked(self) -> frozenset[str]:
        """Ids with a tombstone in the proposal."""
        return tombstones(self.blobs)

    def is_new(self, rel: str) -> bool:
        """The proposal adds the file, or changes it."""
        change = self.changed.get(rel)
        return change is not None and change.after is not None and change.before != change.after

    def is_empty(self, blob: str) -> bool:
        return self.data(blob) in (b"", 0)

    def about(
        self, code: Code, rel: str, says: str, *fields: str, helps: str = "", level: Level | None = None
    ) -> Finding:
        """A finding about a file of the proposal, at the line of a field where there is one."""
        blob = self.blobs.get(rel)
        data = self.data(blob) if blob is not None and fields else b""
        line = line_of(data, *fields) if isinstance(data, bytes) else None
        return found(code, f"{self.prefix}/{rel}", says, line=line, helps=helps, level=level)


def is_mark(rel: str) -> bool:
    """A tombstone or an ending is named by the id of something else."""
    return paths.folder_of(rel) in (paths.TOMBSTONES, paths.ENDINGS)
