"""How far the sources of a record carry what it claims.

1. `user-explicit` and `user-implicit` need an episode of the user's (its source is the user, its authority a user's),
   `verified-observation` a tool's or the system's with a locator, `document` a document's with a locator. What no
   source carries counts as `agent-inference`. An implicit word of the user's carries no more than `user-implicit`.
2. A source that cannot be read (not in this branch, or damaged without an attested variant) carries the claim as it
   is made, but never as attested: it is a warning, not a verdict, and cannot open what is gated.
3. A forgotten source carries nothing. It must not carry more than it did while it could be read, and what that was
   nobody knows any more; what would come back through the loss is what `endings_needed` is for.
4. Attested is a `user-explicit` claim whose exact bytes stand in the accepted branch and whose sources carry it, or
   that a person confirmed on this clone: that confirmation is itself the user's word, so it needs no episode.
5. Sensitivity is no lower than that of any source that can be read, unless the record is attested.
"""

from __future__ import annotations

from collections.abc import Set

from cc_git.model.attestation import Attestations
from cc_git.model.authority import USER, Authority, Sensitivity
from cc_git.model.episode import Episode
from cc_git.model.filed import Files
from cc_git.model.record import Record
from cc_git.standing.tables import higher

_UNCARRIED: Authority = "agent-inference"
_NEEDS_NOTHING = frozenset({"agent-explicit", "agent-inference", "dream"})


class Sources:
    """The episodes that claims can rest on. `forgotten` are the ids with a tombstone.

    `documents` are the ids of episodes that came with a document, `damaged` those of episodes with several contents.
    """

    def __init__(self, files: Files, forgotten: Set[str], attestations: Attestations) -> None:
        self._episodes = files.episodes
        self._records = files.records
        self._forgotten = forgotten
        self._attestations = attestations
        self._raising = {i for i, variants in files.records.items() if variants[0].value.sensitivity != "ordinary"}
        self.documents: set[str] = set()
        self.damaged: set[str] = set()
        for identifier, variants in files.episodes.items():
            episode = variants[0].value
            if episode.source.kind == "document":
                self.documents.add(identifier)
            if episode.sensitivity != "ordinary" or len(variants) > 1:
                self._raising.add(identifier)
            if len(variants) > 1:
                self.damaged.add(identifier)

    def authority_of(self, record: Record, blob: str) -> tuple[Authority, bool]:
        """The authority that is carried, and whether a person is bound to it."""
        claim = record.authority
        if claim in _NEEDS_NOTHING:
            return claim, False
        explicit = claim == "user-explicit"
        if explicit and blob in self._attestations.confirmed:
            return claim, True
        best, unreadable = _UNCARRIED, False
        for source in record.sources:
            if not source.startswith("ep_") or source in self._forgotten:
                continue
            episodes = self._readable(source)
            unreadable = unreadable or not episodes
            for episode in episodes:
                carries = _carries(episode, claim)
                if carries == claim:
                    return claim, explicit and blob in self._attestations.accepted
                best = carries or best
        return (claim, False) if unreadable else (best, False)

    def sensitivity_of(self, record: Record, *, attested: bool) -> Sensitivity:
        own = record.sensitivity
        if attested or self._raising.isdisjoint(record.sources):
            return own
        for source in record.sources:
            for filed in self._episodes.get(source) or self._records.get(source) or ():
                if filed.value.sensitivity != own:
                    own = higher(own, filed.value.sensitivity)
        return own

    def _readable(self, source: str) -> tuple[Episode, ...]:
        variants = self._episodes.get(source, ())
        if len(variants) > 1:
            variants = tuple(v for v in variants if self._attestations.holds(v.blob))
        return tuple(v.value for v in variants)


def _carries(episode: Episode, claim: Authority) -> Authority | None:
    source = episode.source
    if claim in USER:
        if source.kind != "user" or episode.authority not in USER:
            return None
        return claim if episode.authority in (claim, "user-explicit") else episode.authority
    if claim == "verified-observation":
        return claim if source.kind in ("tool", "system") and source.locator else None
    return claim if source.kind == "document" and source.locator else None
