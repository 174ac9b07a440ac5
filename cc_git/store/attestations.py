"""Who vouches for which blob on this clone: the accepted branch and this clone's confirmations, gathered lazily.

A warm compile needs only to know whether anything changed, so the two sources are named by a digest; the set itself
(every blob of the accepted branch) is built when a standing must be computed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from cc_git.model.attestation import Attestations
from cc_git.store.accepted import AcceptedBranch, Config, accepted_blobs, accepted_policy, find_accepted
from cc_git.store.confirmations import Confirmations
from cc_git.store.engine import Engine
from cc_git.store.place import Place


@dataclass(frozen=True)
class AttestationSources:
    engine: Engine
    branch: AcceptedBranch
    confirmed: frozenset[str]

    @cached_property
    def digest(self) -> str:
        """Equal digests: equal attestations."""
        parts = [self.branch.tree or "", *sorted(self.confirmed)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @cached_property
    def value(self) -> Attestations:
        tree = self.branch.tree
        return Attestations(
            accepted=frozenset() if tree is None else accepted_blobs(self.engine.files(tree)),
            confirmed=self.confirmed,
            accepted_policy=accepted_policy(self.engine, self.branch),
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        return (self.branch.warning,) if self.branch.warning else ()


def attestation_sources(engine: Engine, place: Place, config: Config) -> AttestationSources:
    """What this clone can vouch with now. `config` gives a key's effective value, as the git program does."""
    return AttestationSources(engine, find_accepted(engine, place, config), Confirmations(place).blobs())
