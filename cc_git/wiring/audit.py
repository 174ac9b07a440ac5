"""What the audit looks at, gathered from the files, the histories of all refs, the journal and the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from cc_git.codec import paths
from cc_git.governance.audit import Audit, Evidence, Need, audit
from cc_git.governance.loss import Lost, Remembered, lost
from cc_git.governance.relate_hypotheses import in_words
from cc_git.model.dream import Dream
from cc_git.model.ids import prefix_of, short
from cc_git.store.edits import edits
from cc_git.store.file_history import FileHistory
from cc_git.store.holders import tip_files, tips_of
from cc_git.store.ledger import Ledger
from cc_git.store.remains import emptied
from cc_git.wiring.lineage import lineage_at_hand
from cc_git.wiring.reading import private_in_git, quarantined
from cc_git.wiring.review import queue_of
from cc_git.wiring.session import Session
from cc_git.wiring.stale_packets import selected_ids
from cc_git.wiring.woken import kept_dreams


def audit_now(session: Session, *, within_days: int) -> Audit:
    """Everything that is remembered here, and what of it needs a person."""
    queue = queue_of(session)
    waiting = tuple(
        (item.filed.value.id, item.why)
        for item in queue.items
        if item.verdict is None or item.verdict.standing == "proposed"
    )
    return audit(
        Evidence(
            files=session.loaded.files,
            standings=session.standings,
            now=session.now,
            within=timedelta(days=within_days),
            waiting=waiting,
            used=_used(session),
            lost=lost_here(session),
            found=(
                *(Need("withheld", s.id, f"{s.branch} takes it away; withheld here", "cc-git review")
                  for s in queue.withheld),
                *_found(session),
            ),
        )
    )  # fmt: skip


def lost_here(session: Session) -> tuple[Lost, ...]:
    """What vanished without a tombstone, as far as this clone can know."""
    engine, prefix, head = session.engine, session.place.prefix, session.present.head
    tips = {*tips_of(engine).values(), *((head,) if head else ())}
    came = FileHistory(engine, prefix, tips).came()
    outside = engine.unreached(set(came.values()), (head,) if head else ())
    past = {rel: commit for rel, commit in came.items() if commit not in outside}
    files = session.loaded.files
    missed = lost(
        Remembered(
            here=_ids(session.blobs),
            at_tips=frozenset().union(*(_ids(there) for there in tip_files(engine, prefix))),
            forgotten=files.tombstones | session.elsewhere.forgotten,
            past=_by_id(past, prefix),
            other_past=_by_id({rel: commit for rel, commit in came.items() if commit in outside}, prefix),
            stranded=_ids(session.present.stranded),
        ),
        (variants[0].value for variants in files.receipts.values()),
    )
    went = FileHistory(engine, prefix, (head,) if head else ()).went_with(
        {one.path.removeprefix(f"{prefix}/") for one in missed if one.sort == "dropped"}
    )
    return tuple(replace(one, went=_commit(session, went.get(one.path.removeprefix(f"{prefix}/")))) for one in missed)


def _commit(session: Session, oid: str | None) -> str:
    return f"{oid[:12]} by {session.engine.commit(oid).author.name}" if oid else ""


def _found(session: Session) -> Iterator[Need]:
    present, prefix = session.present, session.place.prefix
    for identifier in quarantined(session):
        helps = f"cc-git import review {short(identifier)}"
        yield Need("quarantined", identifier, "imported, and in quarantine", helps)
    for one in kept_dreams(session):
        if isinstance(one, Dream) and one.expires_at <= session.now:
            yield Need("dream", one.id, "a dream's report that is past its end", "cc-git dream sweep")
    for edit in edits(session.sources, present):
        yield Need("edited", paths.id_at(edit.rel) or edit.rel, edit.says, f"git checkout -- {prefix}/{edit.rel}")
    for mark in session.elsewhere.lost:
        if _is_mark(mark.rel):
            says = "this branch's history had a tombstone or ending of it; it counts on, and is gone from the tree"
            yield Need("lost", mark.id, says, f"git log --oneline -- {prefix}/{mark.rel}")
    waits = frozenset(emptied(session.place, present))
    for rel in present.forgotten:
        name = paths.id_at(rel) or rel
        if rel in waits:
            yield Need(
                "forgotten", name, "was emptied here, and HEAD has its content until you commit", "cc-git commit"
            )
        else:
            yield Need("forgotten", name, "was forgotten, and its content is here", "cc-git status")
    for circle in lineage_at_hand(session).circles:
        said = next((one.said_by for one in circle if prefix_of(one.said_by) == "ep"), None)
        helps = f"cc-git forget {short(said)}" if said else f"cc-git hypothesis show {short(circle[0].source)}"
        yield Need("circle", circle[0].source, f"comes back to itself: {in_words(circle)}", helps)
    for fault in (*present.faults, *private_in_git(session)):
        yield Need("broken", fault.rel, str(fault), "cc-git status")


def _used(session: Session) -> frozenset[str] | None:
    ledger = Ledger(session.place)
    try:
        bodies = ledger.bodies()
    finally:
        ledger.close()
    return frozenset().union(*map(selected_ids, bodies)) if bodies else None


def _ids(rels: Iterable[str]) -> frozenset[str]:
    return frozenset(i for rel in rels if (i := paths.id_at(rel)) is not None and not _is_mark(rel))


def _by_id(came: Mapping[str, str], prefix: str) -> dict[str, tuple[str, str]]:
    named = ((paths.id_at(rel), rel, commit) for rel, commit in came.items() if not _is_mark(rel))
    return {i: (commit, f"{prefix}/{rel}") for i, rel, commit in named if i is not None}


def _is_mark(rel: str) -> bool:
    """A tombstone or an ending is named by the id of something else."""
    return paths.folder_of(rel) in (paths.TOMBSTONES, paths.ENDINGS)
