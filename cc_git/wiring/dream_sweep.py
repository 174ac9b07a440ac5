"""Taking out dream reports that are past their end, with the reviews of them: emptied like what was forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.entropy import fresh_entropy
from cc_git.errors import Refused
from cc_git.governance.dream import Over, over
from cc_git.governance.plan import Mint
from cc_git.model.dream import Dream, WakingReview
from cc_git.model.marks import Tombstone
from cc_git.model.receipt import Receipt
from cc_git.store.erasure import Erasure, write_erasure
from cc_git.wiring.acts import Hand
from cc_git.wiring.carry_out import attest
from cc_git.wiring.finish_forget import complete
from cc_git.wiring.session import Session
from cc_git.wiring.woken import kept_dreams


@dataclass(frozen=True)
class SweptDreams:
    """`receipt` is None in a dry run and where nothing went."""

    over: Over
    receipt: Receipt | None = None


def sweep_dreams(session: Session, hand: Hand) -> SweptDreams:
    """Raises Refused while an operation of Git is under way: what it brings in would come back with its commit."""
    kept = list(kept_dreams(session))
    found = over(
        [one for one in kept if isinstance(one, Dream)],
        [one for one in kept if isinstance(one, WakingReview)],
        hand.who,
        session.now,
    )
    if not found.goes or hand.dry_run:
        return SweptDreams(found)
    if session.present.underway:
        raise Refused(
            f"no report is taken out during a {session.present.underway[0]}",
            hints=("finish or abort it, then run this again",),
        )
    erasure = _erasure(session, found, hand)
    if hand.who.is_person_at_terminal:
        attest(session, {rel: text.encode() for rel, text in erasure.marks.items()}, hand.who)
    with session.journal.locked():
        write_erasure(session.place, erasure)
    completed = complete(session.site, erasure)
    return SweptDreams(found, completed.receipt if completed else None)


def _erasure(session: Session, found: Over, hand: Hand) -> Erasure:
    ids, mint = frozenset(found.goes), Mint(session.now, fresh_entropy)
    held = {rel: blob for rel, blob in session.blobs.items() if paths.id_at(rel) in ids and _is_dream(rel)}
    public = {paths.id_at(rel) for rel in held if not paths.is_private(rel)}
    marks = {}
    for identifier in found.goes:
        rel = paths.tombstone_path(identifier)
        marks[rel if identifier in public else paths.private(rel)] = encode(Tombstone(id=identifier)).decode()
    return Erasure(
        operation="sweep",
        receipt=mint("rc"),
        actor=hand.who.actor,
        when=session.now,
        ids=found.goes,
        marks=marks,
        context=None,
        needles=(),
        spared={},
        blobs=tuple(sorted(set(held.values()))),
        classes={paths.DREAMS: len(held)},
        private=not public,
    )


def _is_dream(rel: str) -> bool:
    return paths.folder_of(rel) == paths.DREAMS
