"""Every file of ours that this worktree knows, as forgetting sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cc_git.codec import paths
from cc_git.codec.about import about_of
from cc_git.codec.texts import Texts, texts_in
from cc_git.governance.reach import Held
from cc_git.model.filed import Files
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.who import Who
from cc_git.store.classify import owner_of
from cc_git.store.engine import MissingObject
from cc_git.store.worktrees import refs_of_gone, siblings, state_of
from cc_git.wiring.session import Session
from cc_git.wiring.shelf import shelf_of

_COMMENT = re.compile("#(.*)")
_MARKS = (paths.TOMBSTONES, paths.ENDINGS)
_GOES_WITH_ITS_TARGETS = frozenset({"accept", "confirm", "reopen"})


def held_files(session: Session, who: Who) -> list[Held]:
    """What is in the present, what this worktree only watches (withdrawn, elsewhere, stranded), and what waits in the
    other worktrees of this clone or waited in those that are gone. The working context of each is its own."""
    own = _own(session, who)
    rulings = {identifier: variants[0].value for identifier, variants in session.loaded.files.rulings.items()}
    # Where an earlier text holds in place of the file's, a person settles first which of them it shall be.
    cuttable = {one.rel for one in shelf_of(session).books if not one.held}
    found = []
    for rel, blob in _places(session).items():
        if paths.folder_of(rel) in _MARKS or rel == paths.ATTRIBUTES_FILE:
            continue
        try:
            texts = texts_in(session.read(blob))
        except MissingObject:
            texts = Texts()
        owner, prose = owner_of(rel), texts.prose
        if rel in cuttable:
            prose = (*prose, *_comments(session.read(blob)))
        found.append(
            Held(
                rel,
                blob,
                owner,
                prose,
                texts.links,
                _rests_on(rel, texts, rulings),
                owner in own,
                about_of(texts.document),
                rel in cuttable,
            )
        )
    return found


def _comments(data: bytes) -> tuple[str, ...]:
    """What stands behind a `#`; of a text with one inside it is a part that is looked at anyway."""
    return tuple(_COMMENT.findall(data.decode("utf-8", "replace")))


def _places(session: Session) -> Mapping[str, str]:
    journal = session.journal
    found: dict[str, str] = {}
    for ref in (*refs_of_gone(journal), *(one.ref for one in siblings(session.place))):
        state = state_of(journal, ref)
        found |= {**state.pending, **state.private}
    found = {rel: blob for rel, blob in found.items() if owner_of(rel) is not None}
    found |= {rel: seen.blob for rel, seen in journal.read().watch.items()}
    return found | {rel: entry.oid for rel, entry in session.present.entries.items()}


def _rests_on(rel: str, texts: Texts, rulings: Mapping[str, Ruling]) -> tuple[str, ...]:
    """The manifest of an import rests on what it lists: it goes when all of that goes. So does a ruling that takes
    nothing from what may yet arrive: it keeps the blob of the file that it saw, and that is a hash of the text."""
    if paths.folder_of(rel) == paths.QUARANTINE and paths.id_at(rel) is None:
        return tuple(sorted(texts.links))
    ruling = rulings.get(paths.id_at(rel) or "")
    if ruling is not None and ruling.verb in _GOES_WITH_ITS_TARGETS:
        return ruling.targets
    return texts.rests_on


def _own(session: Session, who: Who) -> frozenset[str]:
    """What an agent wrote under its name, which no person is bound to, nobody else ruled on, and which restrains
    nothing. Without a terminal nobody shows to be a person, so nothing is a person's own."""
    files = session.loaded.files
    return frozenset(_written_by(who.actor, files, session)) if who.is_agent else frozenset()


def _written_by(actor: str, files: Files, session: Session) -> Iterator[str]:
    attested = session.attestations.value
    ruled = {t for u in files.rulings.values() for v in u if v.value.actor != actor for t in v.value.targets}
    groups = (files.records, files.episodes, files.rulings, files.triggers, files.checkpoints)
    for identifier, variants in ((i, v) for group in groups for i, v in group.items()):
        if identifier in ruled or any(one.value.actor != actor for one in variants):
            continue
        if any(getattr(one.value, "authority", "") == "user-explicit" and attested.holds(one.blob) for one in variants):
            continue
        if not any(_restrains(one.value) for one in variants):
            yield identifier


def _restrains(value: object) -> bool:
    if isinstance(value, Ruling):
        return value.verb in ("revoke", "reject") or bool(value.over)
    return isinstance(value, Record) and value.restrains
