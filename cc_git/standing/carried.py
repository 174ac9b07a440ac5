"""How far the sources of a record carry what it claims.

1. `user-explicit` and `user-implicit` need an episode of the user's (its source is the user, its authority a user's),
   `verified-observation` a tool's or the system's with a locator, `document` a document's with a locator. What no
   source carries counts as `agent-inference`. An implicit word of the user's carries no more than `user-implicit`.
2. A source that cannot be read (not in this branch, or damaged without an attested variant) carries the claim as it
   is made, but never as attested: it is a warning, not a verdict, and cannot open what is gated.
3. A forgotten source carries nothing. It must not carry more than it did while it could be read, and what that was
   nobody knows any more; what would come back through the loss is what `endings_needed` is for.
4. Attested is a `user-explicit` claim whose exact bytes stand in the accepted branch and are carried by an episode
   that is attested itself: one that merely arrives under the id that a record names makes nothing a person's. Or a
   person confirmed the record on this clone: that confirmation is itself the user's word, so it needs no episode.
5. Sensitivity is no lower than that of any source that can be read, unless the record is attested. Only an attested
   source raises that of a restraint: else whoever writes one could put the restraint above everybody's ceiling.
6. What a record *takes* it takes by the authority that it had: who once was bound to a negative still is, and a source
   is forgotten only when a person is bound to its tombstone. Else reverting the merge that accepted a narrower grant,
   or writing a tombstone, would give the wider one back.
"""

from __future__ import annotations

from collections.abc import Set

from cc_git.model.attestation import Attestations
from cc_git.model.authority import USER, Authority, Sensitivity
from cc_git.model.episode import Episode
from cc_git.model.filed import Files, Variants
from cc_git.model.record import Record
from cc_git.standing.tables import higher

_UNCARRIED: Authority = "agent-inference"
_NEEDS_NOTHING = frozenset({"agent-explicit", "agent-inference", "dream"})


class Sources:
    """The episodes that claims can rest on.

    `forgotten` are the ids with a tombstone, `buried` those with one that a person is bound to.

    `documents` are the ids of episodes that came with a document, `damaged` those of episodes with several contents.
    """

    def __init__(self, files: Files, forgotten: Set[str], buried: Set[str], attestations: Attestations) -> None:
        self._episodes = files.episodes
        self._records = files.records
        self._forgotten = forgotten
        self._buried = buried
        self._attestations = attestations
        self._doubtful = forgotten - buried
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
        return self._carried(record, blob, self._attestations.accepted, self._forgotten, once=False)

    def authority_had(self, record: Record, blob: str) -> tuple[Authority, bool] | None:
        """The same by rule 6, or None where that makes no difference."""
        once = blob in self._attestations.once and blob not in self._attestations.accepted
        if record.authority in _NEEDS_NOTHING or not (once or not self._doubtful.isdisjoint(record.sources)):
            return None
        accepted = frozenset((blob,)) if once else self._attestations.accepted
        return self._carried(record, blob, accepted, self._buried, once=once)

    def _carried(
        self, record: Record, blob: str, accepted: Set[str], forgotten: Set[str], *, once: bool
    ) -> tuple[Authority, bool]:
        claim = record.authority
        if claim in _NEEDS_NOTHING:
            return claim, False
        explicit = claim == "user-explicit"
        if explicit and blob in self._attestations.confirmed:
            return claim, True
        best, unsure = _UNCARRIED, False
        for source in record.sources:
            if not source.startswith("ep_") or source in forgotten:
                continue
            episodes = self._readable(source)
            unsure = unsure or not episodes
            for filed in episodes:
                carries = _carries(filed.value, claim)
                if carries == claim:
                    if not (explicit and blob in accepted):
                        return claim, False
                    if self._attestations.holds(filed.blob):
                        return claim, True
                    unsure = True
                best = carries or best
        return (claim, explicit and once) if unsure else (best, False)

    def sensitivity_of(self, record: Record, *, attested: bool) -> Sensitivity:
        own = record.sensitivity
        if attested or self._raising.isdisjoint(record.sources):
            return own
        for source in record.sources:
            for filed in self._episodes.get(source) or self._records.get(source) or ():
                if record.restrains and not self._attestations.holds(filed.blob):
                    continue
                if filed.value.sensitivity != own:
                    own = higher(own, filed.value.sensitivity)
        return own

    def _readable(self, source: str) -> Variants[Episode]:
        variants = self._episodes.get(source, ())
        if len(variants) > 1:
            variants = tuple(v for v in variants if self._attestations.holds(v.blob))
        return variants


def _carries(episode: Episode, claim: Authority) -> Authority | None:
    source = episode.source
    if claim in USER:
        if source.kind != "user" or episode.authority not in USER:
            return None
        return claim if episode.authority in (claim, "user-explicit") else episode.authority
    if claim == "verified-observation":
        return claim if source.kind in ("tool", "system") and source.locator else None
    return claim if source.kind == "document" and source.locator else None
