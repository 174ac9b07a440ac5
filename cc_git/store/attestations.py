"""Who vouches for which blob on this clone: the accepted branch and this clone's confirmations, gathered lazily.

A warm compile needs only to know whether anything changed, so the two sources are named by a digest; the set itself
(every blob of the accepted branch) is built when a standing must be computed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from cc_git.codec import paths
from cc_git.model.attestation import Attestations
from cc_git.model.policy import Policy
from cc_git.store.accepted import AcceptedBranch, Config, accepted_blobs, accepted_policy, find_accepted, stands
from cc_git.store.confirmations import Confirmations
from cc_git.store.engine import Engine
from cc_git.store.head_tree import HeadTree
from cc_git.store.place import Place


@dataclass(frozen=True)
class AttestationSources:
    engine: Engine
    branch: AcceptedBranch
    confirmed_at: Mapping[str, str]
    """Blob → path of what was confirmed on this clone."""

    @cached_property
    def digest(self) -> str:
        """Equal digests: equal attestations."""
        parts = [self.branch.tree or "", *sorted(self.confirmed_at)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @cached_property
    def value(self) -> Attestations:
        tree = self.branch.tree
        return Attestations(
            accepted=frozenset() if tree is None else accepted_blobs(self.engine.files(tree)),
            confirmed=frozenset(self.confirmed_at),
            accepted_policy=self.policy,
        )

    def among(self, items: Iterable[tuple[str, str]]) -> Attestations:
        """The attestations of these files (path, blob), without listing the accepted branch: a file is accepted where
        the branch has the same bytes at its path. A private copy of an accepted file is the same statement."""
        accepted, confirmed = set(), set()
        for rel, blob in items:
            if blob in self.confirmed_at:
                confirmed.add(blob)
            name = paths.public(rel)
            if stands(name) and self._accepted.get(name) == blob:
                accepted.add(blob)
        return Attestations(frozenset(accepted), frozenset(confirmed), self.policy)

    def of_path(self, rel: str) -> tuple[str, ...]:
        """The blobs of one file that a person is bound to: the accepted branch's, then what was confirmed here at its
        path, latest first."""
        name = paths.public(rel)
        accepted = self._accepted.get(name) if stands(name) else None
        confirmed = [blob for blob, at in self.confirmed_at.items() if paths.public(at) == name]
        return tuple(dict.fromkeys((*((accepted,) if accepted else ()), *reversed(confirmed))))

    @cached_property
    def policy(self) -> Policy | None:
        """The accepted branch's policy."""
        return accepted_policy(self.engine, self.branch)

    @cached_property
    def _accepted(self) -> HeadTree:
        return HeadTree(self.engine, self.branch.tree)

    @property
    def warnings(self) -> tuple[str, ...]:
        return (self.branch.warning,) if self.branch.warning else ()


def attestation_sources(engine: Engine, place: Place, config: Config) -> AttestationSources:
    """What this clone can vouch with now. `config` gives a key's value in the repository's own configuration."""
    return AttestationSources(engine, find_accepted(engine, place, config), Confirmations(place).blobs())
