"""What is asked of the index: a snapshot with everything that its standing depends on, and the instant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import chain
from typing import Protocol

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.filed import Files
from cc_git.model.policy import Policy, Workspace
from cc_git.model.verdict import Standings
from cc_git.standing import standing
from cc_git.store.attestations import AttestationSources
from cc_git.store.engine import Engine
from cc_git.store.head_tree import HeadTree
from cc_git.store.index_facts import is_judged
from cc_git.store.index_form import code_mark
from cc_git.store.loader import Read
from cc_git.store.negative_acts import Item
from cc_git.store.negatives import SeenElsewhere, SnapshotAt
from cc_git.store.place import Place


class Rules(Protocol):
    def __call__(
        self,
        files: Files,
        policy: Policy,
        attestations: Attestations,
        negatives: Negatives,
        now: datetime,
        *,
        code: Mapping[str, str] | None = None,
    ) -> Standings: ...


@dataclass(frozen=True)
class Question:
    """`read` gives the bytes of every blob of the snapshot. `workspace` is the defaults where its file is broken.
    `rules` judge; they are `standing`, but for tests of what is kept of its answers."""

    place: Place
    engine: Engine
    snapshot: SnapshotAt
    read: Read
    workspace: Workspace
    attestations: AttestationSources
    negatives: SeenElsewhere
    now: datetime
    rules: Rules = standing

    def attest(self, items: Iterable[Item]) -> Attestations:
        """The attestations of these files (path, blob)."""
        asked = list(items)
        once = self.negatives.once
        return replace(self.attestations.among(asked), once=frozenset(blob for _, blob in asked if blob in once))

    @cached_property
    def over(self) -> Mapping[str, str | None]:
        """What lies over the committed tree, path → blob (None: hidden); judged files alone."""
        found: dict[str, str | None] = {rel: None for rel in self.snapshot.hidden if is_judged(rel)}
        found |= {rel: entry.oid for rel, entry in self.snapshot.added.items() if is_judged(rel)}
        return found

    @cached_property
    def policy_mark(self) -> str:
        """Names what every verdict depends on."""
        accepted = self.attestations.policy
        parts = (encode(self.workspace), b"" if accepted is None else encode(Workspace(policy=accepted)))
        return sha256(b"\0".join((code_mark().encode(), *parts))).hexdigest()

    @cached_property
    def mark(self) -> str:
        """Names the state, but for the code that records are anchored to."""
        parts = [
            self.policy_mark, self.place.prefix, self.snapshot.tree or "", self.attestations.digest,
            self.negatives.digest, *chain.from_iterable((r, b or "") for r, b in sorted(self.over.items())),
        ]  # fmt: skip
        return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    @cached_property
    def where(self) -> str:
        """Names the worktree and workspace: the last state of each is where its next one starts from."""
        return sha256(f"{self.place.git_dir}\0{self.place.prefix}".encode("utf-8", "surrogateescape")).hexdigest()

    @cached_property
    def _code_tree(self) -> HeadTree:
        head = self.snapshot.head
        return HeadTree(self.engine, None if head is None else self.engine.commit(head).tree)

    def code(self, asked: Collection[str]) -> dict[str, str]:
        """Path → blob at the snapshot's commit; what it has no file at is left out."""
        tree = self._code_tree
        return {path: blob for path in asked if (blob := tree.get(path)) is not None}

    def blob_at(self, rel: str) -> str | None:
        """The blob of a judged file of the snapshot, or None."""
        if not is_judged(rel):
            return None
        entry = self.snapshot.entries.get(rel)
        return None if entry is None else entry.oid

    def files(self) -> dict[str, str]:
        """Every judged file of the snapshot, path → blob, sorted by path."""
        tree = self.snapshot.tree
        committed = {} if tree is None else self.engine.files(tree)
        found = {rel: blob for rel, blob in committed.items() if is_judged(rel) and not paths.is_private(rel)}
        found |= {rel: blob for rel, blob in self.over.items() if blob is not None}
        for rel, blob in self.over.items():
            if blob is None:
                found.pop(rel, None)
        return dict(sorted(found.items()))
