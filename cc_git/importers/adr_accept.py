"""`accept im_…`: decision documents from quarantine → the plan that takes them into the workspace.

The import is planned again from the quarantined episodes, as reviewed, against what is there *now*: documents that came
in by another way are not doubled, links find the records that exist, and one accepted in two clones becomes twins as
any other import does. A document of which another text was imported meanwhile is left alone, for it would supersede
the newer one; a tombstone for its id forbids it.
"""

from __future__ import annotations

from dataclasses import replace

from cc_git.errors import UsageFault
from cc_git.importers.adr import ImportRequest, plan_import
from cc_git.importers.adr_known import known_imports
from cc_git.importers.adr_parse import parse_adr
from cc_git.importers.adr_succession import Document
from cc_git.importers.adr_values import NotAnAdr
from cc_git.importers.importing import AcceptRequest, ImportPlan
from cc_git.importers.known import Known
from cc_git.importers.outcomes import Done, Outcome
from cc_git.importers.quarantine import HeldItem
from cc_git.importers.settled import taken_note
from cc_git.model.record import Record
from cc_git.model.scope import EVERYWHERE


def plan_accept(request: AcceptRequest) -> ImportPlan:
    """Raises UsageFault for an item that somebody calls their own word: a decision record is a document."""
    held, known = request.held, known_imports(request.here.files)
    if request.mine:
        raise UsageFault("a decision record is a document's word", hints=("cc-git remember -k decision …",))
    documents: list[Document] = []
    not_read: list[NotAnAdr] = []
    left: list[Outcome] = []
    for one in held.items:
        if obstacle := _obstacle(one, request, known):
            left.append(obstacle)
            continue
        adr = parse_adr(one.item.path, one.episode.content.encode())
        if isinstance(adr, NotAnAdr):
            not_read.append(replace(adr, broken=True))
        else:
            documents.append(Document(adr, one.blob, reviewed=True))
    planned = plan_import(
        ImportRequest(
            documents=tuple(documents),
            not_read=tuple(not_read),
            known=known,
            who=request.who,
            mint=request.mint,
            blob_of=request.blob_of,
            gone=frozenset(known.by_path) - request.at_head(frozenset(known.by_path)),
            scope=request.rescope(held.items[0].episode.scope if held.items else EVERYWHERE),
            accepts=held.manifest.id,
        )
    )
    signs = {one.item.path: one.signs for one in held.items}
    outcomes = tuple(
        replace(one, signs=signs.get(one.path, ()))
        for one in sorted((*planned.outcomes, *left), key=lambda one: one.path)
    )
    if planned.plan is None:
        return ImportPlan(outcomes)
    count = sum(isinstance(value, Record) for value in planned.plan.values)
    asks = f"Take {count} decision{'s' if count != 1 else ''} from quarantine ({held.manifest.actor} imported them)?"
    became = {one.path: one.record for one in planned.outcomes if one.done in ("imported", "changed")}
    notes = [taken_note(one.item.waits_as, now) for one in held.items if (now := became.get(one.item.path))]
    receipt = planned.plan.receipt.model_copy(update={"notes": tuple(notes)})
    return ImportPlan(outcomes, replace(planned.plan, asks=asks, receipt=receipt))


def _obstacle(one: HeldItem, request: AcceptRequest, known: Known) -> Outcome | None:
    assert one.record is not None, "a decision document becomes a record"
    forbidden = sorted({one.episode.id, one.record.id} & request.here.tombstones)
    if forbidden:
        return _left(one, "forgotten", f"{forbidden[0]} was forgotten")
    if request.only is not None and one.record.id not in request.only:
        return _left(one, "left", "was not asked for")
    if one.record.id in request.here.settled.discarded and request.only is None:
        return _left(one, "discarded", "was turned down")
    key_of = {earlier.record: earlier.key for earlier in known.of(one.item.path)}
    base = {key_of[old] for old in one.record.supersedes if old in key_of}
    since = [head for head in known.heads(one.item.path) if head.key not in base and head.blob != one.blob]
    if since:
        return _left(one, "conflicting", f"another text of it was imported since, as {since[0].record}")
    return None


def _left(one: HeldItem, done: Done, reason: str) -> Outcome:
    title = one.record.title if one.record else ""
    return Outcome(one.item.path, done, reason, title, record=one.item.waits_as)
