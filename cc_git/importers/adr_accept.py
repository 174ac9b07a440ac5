"""`accept im_…`: decision documents from quarantine → the plan that takes them into the workspace.

The import is planned again from the quarantined episodes, as reviewed, against what is there *now*: documents that came
in by another way are not doubled, links find the records that exist, and one accepted in two clones becomes twins as
any other import does. A document of which another text was imported meanwhile is left alone, for it would supersede
the newer one; a tombstone for its id forbids it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cc_git.errors import Refused
from cc_git.governance.plan import Mint
from cc_git.importers.adr import ImportPlan, ImportRequest, plan_import
from cc_git.importers.adr_known import Known
from cc_git.importers.adr_outcomes import Done, Outcome
from cc_git.importers.adr_parse import parse_adr
from cc_git.importers.adr_succession import Document
from cc_git.importers.adr_values import NotAnAdr
from cc_git.importers.quarantine import Held, HeldItem
from cc_git.model.record import Record
from cc_git.model.scope import EVERYWHERE
from cc_git.model.who import Who


@dataclass(frozen=True)
class AcceptRequest:
    """`only`: the records to take, by the ids under which they wait; None takes all."""

    held: Held
    known: Known
    tombstones: frozenset[str]
    who: Who
    mint: Mint
    blob_of: Callable[[bytes], str]
    gone: frozenset[str] = frozenset()
    only: frozenset[str] | None = None


def plan_accept(request: AcceptRequest) -> ImportPlan:
    """Raises Refused for an agent: what nobody reviewed is reviewed by a person."""
    held = request.held
    if request.who.is_agent:
        raise Refused(
            f"{held.manifest.id} waits for a person",
            why=f"{request.who.actor} cannot review what is in quarantine",
            hints=(f"cc-git accept {held.manifest.id}",),
        )
    documents: list[Document] = []
    not_read: list[NotAnAdr] = []
    left: list[Outcome] = []
    for one in held.items:
        if request.only is not None and one.record.id not in request.only:
            continue
        if obstacle := _obstacle(one, request):
            left.append(obstacle)
            continue
        adr = parse_adr(one.item.path, one.episode.content.encode())
        if isinstance(adr, NotAnAdr):
            not_read.append(replace(adr, broken=True))
        else:
            documents.append(Document(adr, one.item.blob, reviewed=True))
    planned = plan_import(
        ImportRequest(
            documents=tuple(documents),
            not_read=tuple(not_read),
            known=request.known,
            who=request.who,
            mint=request.mint,
            blob_of=request.blob_of,
            gone=request.gone,
            scope=held.items[0].episode.scope if held.items else EVERYWHERE,
            accepts=held.manifest.id,
        )
    )
    outcomes = tuple(sorted((*planned.outcomes, *left), key=lambda one: one.path))
    if planned.plan is None:
        return ImportPlan(outcomes)
    count = sum(isinstance(value, Record) for value in planned.plan.values)
    asks = f"Take {count} decision{'s' if count != 1 else ''} from quarantine ({held.manifest.actor} imported them)?"
    return ImportPlan(outcomes, replace(planned.plan, asks=asks))


def _obstacle(one: HeldItem, request: AcceptRequest) -> Outcome | None:
    forbidden = sorted({one.episode.id, one.record.id} & request.tombstones)
    if forbidden:
        return _left(one, "forgotten", f"{forbidden[0]} was forgotten")
    known = request.known
    key_of = {earlier.record: earlier.key for earlier in known.of(one.item.path)}
    base = {key_of[old] for old in one.record.supersedes if old in key_of}
    since = [head for head in known.heads(one.item.path) if head.key not in base and head.blob != one.item.blob]
    if since:
        return _left(one, "conflicting", f"another text of it was imported since, as {since[0].record}")
    return None


def _left(one: HeldItem, done: Done, reason: str) -> Outcome:
    return Outcome(one.item.path, done, reason, one.record.title, record=one.record.id)
