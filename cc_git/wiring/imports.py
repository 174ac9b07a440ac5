"""Imports, whatever they came from: kept and carried out, looked through, taken out of quarantine, turned down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from cc_git.codec import paths
from cc_git.errors import Damaged, UsageFault
from cc_git.governance.leaks import Laid
from cc_git.governance.permit import Permit, permit
from cc_git.governance.plan import Plan
from cc_git.governance.screen import Screened
from cc_git.governance.sensitivity import highest
from cc_git.importers.discard import plan_discard
from cc_git.importers.importing import AcceptRequest, Here, ImportPlan, unreadable
from cc_git.importers.quarantine import Held, Manifest, Quarantine, manifests_in, read_quarantine
from cc_git.importers.settled import Settled
from cc_git.importers.table import ACCEPTS
from cc_git.model.authority import at_most
from cc_git.model.fault import Fault
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id
from cc_git.model.scope import Scope
from cc_git.model.verdict import Verdict
from cc_git.model.who import Who
from cc_git.store.confirmations import require_person
from cc_git.store.journal_form import WriteNote
from cc_git.store.tracked import still_at_head
from cc_git.store.trees import object_id
from cc_git.store.write import write
from cc_git.wiring.acts import Hand, mint_of
from cc_git.wiring.carry_out import Done, carry_out, planned
from cc_git.wiring.effect import verdicts_with
from cc_git.wiring.resting import named_by, weighed
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Imported:
    """`done` is None where nothing was to be written into the workspace itself. `warnings` say what is in the journal
    alone, for want of room."""

    plan: ImportPlan
    done: Done | None
    verdicts: Mapping[str, Verdict]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """What is taken of an import, by parts of the ids under which it waits; nothing named: all that fits.

    `mine` are those that the person calls their own word, `rescope` says where it shall hold here.
    """

    items: Sequence[IdPart] = ()
    mine: Sequence[IdPart] = ()
    rescope: Callable[[Scope], Scope] = lambda scope: scope


@dataclass(frozen=True)
class Reviewed:
    """An import in quarantine, with what taking it in would do now."""

    held: Held
    plan: ImportPlan


def here_of(session: Session) -> Here:
    """The workspace as an import sees it."""
    judged, files = session.standings, session.loaded.files
    held = quarantine_files(session)
    manifests, _ = manifests_in(held)  # what cannot be read is asked about again
    return Here(
        files=files,
        standing=tuple(v[0].value for i, v in files.records.items() if judged.verdicts[i].eligible),
        scope=session.workspace.scope,
        tombstones=files.tombstones | session.elsewhere.forgotten,
        manifests=manifests,
        quarantine=held,
    )


def accept_import(session: Session, part: IdPart, choice: Choice, hand: Hand) -> Imported:
    """Take what an import left in quarantine into the workspace. Raises Refused but for a person at a terminal."""
    require_person(hand.who, "take in what is in quarantine")
    held = _held(session, find_import(session, part))
    return finish(session, _accept_plan(session, held, choice, hand.who), hand)


def review_import(session: Session, part: IdPart, who: Who) -> Reviewed:
    """What would come of taking it in. Anybody may look."""
    held = _held(session, find_import(session, part))
    return Reviewed(held, _accept_plan(session, held, Choice(), who))


def discard_import(session: Session, part: IdPart, items: Sequence[IdPart], hand: Hand) -> Done:
    """Turn an import down, or some of its things. Raises Refused but for a person at a terminal."""
    require_person(hand.who, "turn down what is in quarantine")
    here, identifier = here_of(session), find_import(session, part)
    if identifier not in here.manifests:
        raise Damaged(f"the manifest of {identifier} cannot be read", hints=("cc-git status",))
    manifest = here.manifests[identifier]
    only = _chosen(manifest, items) if items else None
    plan = plan_discard(manifest, only, here, hand.who, mint_of(session))
    if hand.dry_run:
        return planned(session, plan)
    return carry_out(session, permit(plan, hand.who, session.policy, confirmed=False), hand.who)


def find_import(session: Session, part: IdPart) -> str:
    """The one import in quarantine that `part` names. Raises UsageFault."""
    found = part.among(imports_in(session))
    if len(found) != 1:
        raise UsageFault(f"{part.text} names {len(found)} imports in quarantine", hints=("cc-git import review",))
    return found[0]


def imports_in(session: Session) -> tuple[str, ...]:
    """Every import that ever lay in quarantine here and was not forgotten whole."""
    rels = (paths.public(rel) for rel in session.blobs if paths.folder_of(rel) == paths.QUARANTINE)
    return tuple(sorted({i for rel in rels if is_id(i := rel.split("/")[1])}))


def imports_waiting(session: Session, settled: Settled) -> tuple[str, ...]:
    """The imports in quarantine of which something waits; with one whose manifest cannot be read something may."""
    manifests, _ = manifests_in(quarantine_files(session))
    return tuple(i for i in imports_in(session) if i not in manifests or _waits(manifests[i], settled))


def finish(session: Session, plan: ImportPlan, hand: Hand) -> Imported:
    """Permit and carry out: what waits first, then what goes in."""
    session.require_readable_policy()
    if plan.plan is None:
        return Imported(plan, None, {})
    session.question  # noqa: B018  looked at before anything is written
    plan = _weighed(session, plan, plan.plan)
    assert plan.plan is not None
    asks = plan.plan.asks
    unplaced: list[str] = []
    attested = hand.who.is_person_at_terminal and bool(plan.plan.claims)
    # Both are looked at before either is written.
    done = planned(session, plan.plan)
    waits = None if plan.quarantine is None else _screened(session, plan.quarantine)
    if not hand.dry_run:
        confirmed = bool(asks) and hand.who.is_person_at_terminal and hand.ask(str(asks))
        allowed = _permitted(plan, plan.plan, hand, session, confirmed=confirmed)
        if waits is not None:
            unplaced += _keep(session, waits)
        done = carry_out(session, allowed, hand.who)
    verdicts = verdicts_with(session, plan.plan, attested=attested, written=not hand.dry_run)
    return Imported(plan, done, verdicts, tuple(dict.fromkeys((*unplaced, *done.warnings))))


def _weighed(session: Session, whole: ImportPlan, plan: Plan) -> ImportPlan:
    """What goes in and what waits, no less sensitive than what it names."""
    held = whole.quarantine
    if held is not None:
        named = named_by(session, (Laid(rel, "", data) for rel, data in held.files.items()), _ids_of(held))
        held = replace(held, sensitivity=highest(held.sensitivity, *named.values()))
    return replace(whole, plan=weighed(session, plan), quarantine=held)


def _ids_of(held: Quarantine) -> set[str]:
    return {held.id, *(i for rel in held.files if (i := paths.id_at(rel)))}


def quarantine_files(session: Session) -> dict[str, bytes]:
    """Everything in quarantine, of both tiers, by its path below the workspace without the private tier's prefix."""
    return {
        paths.public(rel): session.read(blob)
        for rel, blob in session.blobs.items()
        if paths.folder_of(rel) == paths.QUARANTINE
    }


def _accept_plan(session: Session, held: Held, choice: Choice, who: Who) -> ImportPlan:
    accept = ACCEPTS.get(held.manifest.importer)
    if accept is None:
        raise UsageFault(
            f"{held.manifest.id} came by {held.manifest.importer}, which this version does not know",
            hints=("upgrade cc-git", f"cc-git import discard {held.manifest.id}"),
        )
    mine = _chosen(held.manifest, choice.mine)
    asked = _chosen(held.manifest, choice.items) | mine
    request = AcceptRequest(
        held=held,
        here=here_of(session),
        who=who,
        mint=mint_of(session),
        blob_of=lambda data: object_id("blob", data, session.engine.object_format),
        at_head=lambda found: still_at_head(found, session.engine),
        only=asked or None,
        mine=mine,
        rescope=choice.rescope,
    )
    plan = accept(request)
    return replace(plan, outcomes=(*plan.outcomes, *unreadable(held, request.here.tombstones)))


def _held(session: Session, identifier: str) -> Held:
    held = read_quarantine(identifier, quarantine_files(session))
    if isinstance(held, Fault):
        raise Damaged(f"{session.place.prefix}/{held}")
    return held


def _chosen(manifest: Manifest, parts: Sequence[IdPart]) -> frozenset[str]:
    waiting = {i: item for item in manifest.items for i in (item.waits_as, item.episode)}
    chosen = set()
    for part in parts:
        found = part.among(waiting)
        if len(found) != 1:
            raise UsageFault(
                f"{part.text} names {len(found)} things of {manifest.id}",
                hints=(f"cc-git import review {manifest.id}",),
            )
        chosen.add(waiting[found[0]].waits_as)
    return frozenset(chosen)


def _waits(manifest: Manifest, settled: Settled) -> bool:
    if not manifest.items:
        return manifest.id not in settled.accepted_imports | settled.discarded
    return any(i.waits_as not in settled.taken and i.waits_as not in settled.discarded for i in manifest.items)


def _permitted(whole: ImportPlan, plan: Plan, hand: Hand, session: Session, *, confirmed: bool) -> Permit:
    """What only goes to quarantine needs the same permit."""
    if whole.quarantine is not None and whole.quarantine.sensitivity == "restricted":
        require_person(hand.who, "bring in restricted content")
    return permit(plan, hand.who, session.policy, confirmed=confirmed)


def _screened(session: Session, quarantine: Quarantine) -> Screened:
    private = not at_most(quarantine.sensitivity, session.ceiling)
    return session.screened({paths.private(rel) if private else rel: data for rel, data in quarantine.files.items()})


def _keep(session: Session, waits: Screened) -> list[str]:
    """What is to be said of it."""
    written = write(session.journal, waits, verb="quarantine", note=WriteNote(session.present.head))
    return [written.unplaced] if written.unplaced else []
