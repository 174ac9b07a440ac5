"""The rulings that a document's status needs beside its record. They speak with the document's authority.

rejected: the record and all earlier texts are rejected, for a rejected successor gives back what it superseded.
Undecided, after a text that was in force: that one is reopened. Any later text: a former one that only proposed is
rejected, because proposed comes before superseded and it would stay on the list of proposals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cc_git.governance.build import build
from cc_git.governance.plan import Mint
from cc_git.importers.adr_record import Setting, authority_for
from cc_git.importers.adr_succession import NewDocument
from cc_git.importers.adr_values import AdrStatus
from cc_git.importers.known import Earlier
from cc_git.model.ruling import Ruling, Verb


def rulings_for(new: NewDocument, blob: str, mint: Mint, setting: Setting) -> list[Ruling]:
    """`blob` is that of the new record's file."""

    def ruling(verb: Verb, targets: Mapping[str, str], reason: str) -> Ruling:
        return build(
            Ruling,
            id=mint("ru"),
            verb=verb,
            targets=tuple(targets),
            saw=tuple(targets.values()),
            reason=reason,
            authority="document",
            actor=setting.actor,
            sources=(new.episode,),
            recorded_at=setting.now,
        )

    says = f"the document says: {new.document.adr.status_text or new.status}"
    if new.status is AdrStatus.REJECTED:
        return [ruling("reject", {new.record: blob} | _blobs(new.all_before), says)]
    rulings: list[Ruling] = []
    if proposed := _blobs(one for one in new.before if one.authority != "document"):
        rulings.append(ruling("reject", proposed, "a later text of the document takes its place"))
    decided = _blobs(one for one in new.before if one.authority == "document")
    if decided and authority_for(new.status) != "document":
        rulings.append(ruling("reopen", decided, says))
    return rulings


def _blobs(earlier: Iterable[Earlier]) -> dict[str, str]:
    return {one.record: one.record_blob for one in earlier}
