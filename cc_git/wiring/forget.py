"""Forgetting as a command: what is held is read, the plan made and confirmed, then carried out to its receipt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.entropy import fresh_entropy
from cc_git.errors import Refused, UsageFault
from cc_git.governance.aim import Aim, aimed_at
from cc_git.governance.forget import ForgetPlan, Ground, permit_forget, plan_forget
from cc_git.governance.plan import Mint
from cc_git.governance.reach import Asked, Held
from cc_git.governance.redact import redacted
from cc_git.governance.redact_runbook import redacted_runbook
from cc_git.importers.settled import settled
from cc_git.model.id_part import IdPart
from cc_git.model.ids import is_id, prefix_of
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import Value
from cc_git.model.who import Who
from cc_git.model.working_context import Checkpoint, WorkingContext
from cc_git.store.erasure import Erasure, write_erasure
from cc_git.store.exports import Exports
from cc_git.store.ledger import Ledger
from cc_git.store.loader import read_object
from cc_git.wiring.acts import Hand
from cc_git.wiring.carry_out import attest
from cc_git.wiring.finding import find
from cc_git.wiring.finish_forget import Completed, complete
from cc_git.wiring.held import held_files
from cc_git.wiring.session import Session

Explain = Callable[[ForgetPlan], str]
"""A plan in words, for the question that a person is asked."""


@dataclass(frozen=True)
class ForgetRequest:
    """Parts of ids, what else it is aimed at, a text, ids to keep though they quote, and the digest of a plan that was
    looked at before. `source` may be the id of an episode or an import."""

    parts: Sequence[IdPart] = ()
    scope: Scope = EVERYWHERE
    source: str | None = None
    entity: str | None = None
    match: str | None = None
    keep: Sequence[IdPart] = ()
    confirm: str | None = None


@dataclass(frozen=True)
class Forgotten:
    """`completed` is None in a dry run and where there was nothing to do."""

    plan: ForgetPlan
    completed: Completed | None


def do_forget(session: Session, request: ForgetRequest, hand: Hand, *, explain: Explain) -> Forgotten:
    """`explain` puts a plan in words for the question. Raises Refused, UsageFault."""
    _require_calm(session)
    held = held_files(session, hand.who)
    plan = _plan(session, request, held)
    if hand.dry_run or plan.changes_nothing:
        return Forgotten(plan, None)
    if request.confirm is not None and request.confirm != plan.digest:
        raise Refused(
            "this is not the plan that was confirmed",
            why=f"its digest is {plan.digest}, not {request.confirm}: something changed since",
            hints=("look at it again with --dry-run",),
        )
    asks = request.confirm is None and hand.who.is_person_at_terminal
    confirmed = request.confirm is not None or (asks and hand.ask(explain(plan)))
    permit = permit_forget(plan, hand.who, confirmed=confirmed)
    erasure = _erasure(session, plan, held, hand.who)
    if permit.attest:
        _attest(session, erasure, hand.who)
    with session.journal.locked():
        write_erasure(session.place, erasure)
    return Forgotten(plan, complete(session.site, erasure))


def _require_calm(session: Session) -> None:
    if session.asked.at is not None:
        raise UsageFault(
            "what a past commit holds is not forgotten from there", hints=("cc-git forget --history-plan",)
        )
    if session.present.underway:
        raise Refused(
            f"nothing is forgotten during a {session.present.underway[0]}",
            why="what it brings in would come back with its commit",
            hints=("finish or abort it, then run this again",),
        )


def _plan(session: Session, request: ForgetRequest, held: Sequence[Held]) -> ForgetPlan:
    known = {one.owner for one in held if one.owner is not None}
    ids = {_named(session, part, known) for part in request.parts}
    ids |= {one.owner for one in held if one.owner is not None and _import_of(one.rel) in ids}
    aim = Aim(request.scope, request.source, _behind(session, request.source, known), request.entity)
    if not ids and aim.is_nothing and not (request.match and request.match.strip()):
        raise UsageFault("name what to forget", hints=("cc-git forget ID…", 'cc-git forget --match "text"'))
    kept = frozenset(_named(session, part, known) for part in request.keep)
    hit = frozenset[str]() if aim.is_nothing else aimed_at(aim, held, kept)
    if not (hit or aim.is_nothing):
        raise UsageFault(
            "nothing here is in that scope, from that source and about that entity",
            hints=("cc-git list", "cc-git search TEXT"),
        )
    asked = Asked(frozenset(ids) | hit, request.match, kept)
    ground = Ground(
        session.loaded.files,
        session.policy,
        session.attestations.value,
        session.elsewhere.value,
        session.now,
    )
    packets: dict[str, list[str]] = {}
    ledger = Ledger(session.place)
    try:
        for packet, text in ledger.texts():
            packets.setdefault(packet, []).append(text)
    finally:
        ledger.close()
    exports = {str(one.file): one.ids for one in Exports(session.place).all() if one.is_there}
    return plan_forget(asked, held, ground, packets, exports)


def _named(session: Session, part: IdPart, known: Collection[str]) -> str:
    """An id of something held here, or a whole id: what is on another branch alone can be forgotten by its name."""
    found = part.among(known)
    if len(found) == 1:
        return found[0]
    whole = part.text.strip().lower()
    if whole.startswith("rb_"):
        raise UsageFault(
            f"{part.text} is a runbook, a document that people edit",
            why="what it says is taken out of it, and Git takes the file away",
            hints=(
                'cc-git forget --match "what it must not say"',
                f"git rm {session.place.prefix}/{paths.RUNBOOKS}/NAME",
            ),
        )
    if is_id(whole) and prefix_of(whole) not in ("tsk", "pk", "rb"):
        return whole
    return find(session, part)


def _import_of(rel: str) -> str | None:
    """The import that a file waits in; what was taken out of one is on its own."""
    folder, _, below = paths.public(rel).partition("/")
    return below.partition("/")[0] if folder == paths.QUARANTINE else None


def _behind(session: Session, source: str | None, known: Collection[str]) -> frozenset[str] | None:
    """What a source stands for that is an episode or an import; None where it is neither, or none was named."""
    if source is None or not source.startswith(("ep_", "im_")):
        return None
    identifier = _named(session, IdPart(source), known)
    if prefix_of(identifier) != "im":
        return frozenset((identifier,))
    files = session.loaded.files
    start = f"{paths.QUARANTINE}/{identifier}/"
    waited = {i for rel in session.blobs if paths.public(rel).startswith(start) and (i := paths.id_at(rel))}
    taken = settled(files).taken
    now = {i for one in waited for i in taken.get(one, ())}
    evidence = {s for i in now for filed in files.records.get(i, ()) for s in filed.value.sources[:1]}
    return frozenset({identifier, *waited, *now, *evidence & files.episodes.keys()})


def _erasure(session: Session, plan: ForgetPlan, held: Sequence[Held], who: Who) -> Erasure:
    gone, mint = frozenset(plan.ids), Mint(session.now, fresh_entropy)
    cut = [one for one in held if one.rel in plan.reach.redacted]
    frozen = [one for one in cut if one.is_frozen_context]
    ids = gone | {one.owner for one in frozen if one.owner}
    private = {one.owner for one in held if paths.is_private(one.rel)} - {
        one.owner for one in held if not paths.is_private(one.rel)
    }
    marks: dict[str, bytes] = {}
    for identifier in sorted(ids):
        _mark(marks, paths.tombstone_path(identifier), Tombstone(id=identifier), private=identifier in private)
    for identifier in plan.endings:
        _mark(marks, paths.ending_path(identifier), Ending(id=identifier), private=identifier in private)
    for one in frozen:
        old = _value(session, one)
        assert isinstance(old, Checkpoint)
        context = redacted(old.context, plan.reach.quotes, gone)
        new = old.model_copy(update={"id": mint("cp"), "supersedes": (old.id,), "context": context})
        _mark(marks, paths.path_of(new.id), new, private=paths.is_private(one.rel))
    context_file = next((one for one in cut if one.rel == paths.WORKING_CONTEXT), None)
    context_now = None
    if context_file is not None:
        value = _value(session, context_file)
        assert isinstance(value, WorkingContext)
        context_now = (context_file.blob, encode(redacted(value, plan.reach.quotes, gone)).decode())
    rewrites: dict[str, tuple[str, str]] = {}
    for one in cut:
        if one.may_be_cut:
            text = redacted_runbook(one.rel, session.read(one.blob), plan.reach.quotes, gone)
            rewrites |= {} if text is None else {one.rel: (one.blob, text.decode())}
    spared = plan.reach.likes | plan.reach.kept
    return Erasure(
        operation="forget",
        receipt=mint("rc"),
        actor=who.actor,
        when=session.now,
        ids=tuple(sorted(ids)),
        marks={rel: data.decode() for rel, data in marks.items()},
        context=context_now,
        rewrites=rewrites,
        needles=tuple(plan.reach.quotes.needles),
        spared={one.rel: one.blob for one in held if (one.owner or one.rel) in spared},
        blobs=tuple(sorted({one.blob for one in held if one.owner in ids or one.rel in rewrites})),
        classes=classes_of(one.rel for one in held if one.owner in ids),
        endings=plan.endings,
        redacted=len(cut),
        packets=len(plan.packets),
        private=bool(ids) and ids <= private,
    )


def _mark(marks: dict[str, bytes], rel: str, value: Value, *, private: bool) -> None:
    marks[paths.private(rel) if private else rel] = encode(value)


def _value(session: Session, one: Held) -> object:
    return read_object(one.rel, one.blob, session.read)


def classes_of(rels: Iterable[str]) -> Mapping[str, int]:
    """How many files of each folder."""
    found: dict[str, int] = {}
    for rel in rels:
        folder = paths.folder_of(rel)
        found[folder] = found.get(folder, 0) + 1
    return dict(sorted(found.items()))


def _attest(session: Session, erasure: Erasure, who: Who) -> None:
    """Bind the marks to the person before there are any."""
    folders = (paths.TOMBSTONES, paths.ENDINGS)
    marks = {rel: text.encode() for rel, text in erasure.marks.items() if paths.folder_of(rel) in folders}
    bound = session.attestations.among((rel, blob) for rel, (blob, _) in erasure.rewrites.items())
    # What is left of a text that a person stood behind is theirs as well.
    marks |= {rel: text.encode() for rel, (blob, text) in erasure.rewrites.items() if bound.holds(blob)}
    attest(session, marks, who)
