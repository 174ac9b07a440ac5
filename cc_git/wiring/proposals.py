"""Reading what somebody proposes, for `check`: the files on both sides, and what the changed ones name.

A range is judged as it would be merged: the base's files with what the proposal changed since it left the base. So a
branch that is behind its base is not told that it lacks what it never had. Nothing is checked out and nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from cc_git.codec import paths
from cc_git.errors import NoWorkspace
from cc_git.governance.leaks import LOOKED_THROUGH
from cc_git.governance.sensitivity import ceiling
from cc_git.importers.suspicion import signs_in, texts_in
from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.fault import LARGEST, Fault
from cc_git.model.filed import Files
from cc_git.model.policy import Policy, Workspace
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.model.verdict import Standings
from cc_git.review.links import named_by
from cc_git.review.proposal import Changed, Judgements, Proposal
from cc_git.review.side import tombstones
from cc_git.standing import standing
from cc_git.store.accepted import accepted_blobs
from cc_git.store.classify import owner_of
from cc_git.store.engine import TooLarge
from cc_git.store.loader import document, is_object, load, read_object, reading
from cc_git.store.negatives import NegativesOfClone, SeenElsewhere, SnapshotAt
from cc_git.store.present import Entry, Where
from cc_git.store.private_tier import PrivateTier
from cc_git.store.snapshot import snapshot_at
from cc_git.wiring.proposed_texts import public_here, public_in
from cc_git.wiring.session import Session

Blobs = Mapping[str, str]


@dataclass(frozen=True)
class Held:
    """The workspace's files in one commit, the private folder's too. `commit` is None before the first one."""

    commit: str | None
    tree: str | None
    blobs: Blobs


@dataclass(frozen=True)
class Judged:
    """`base` judges, `tip` is the proposal's commit; `merged` is what would be there, `changed` what is looked at."""

    base: Held
    tip: Held
    merged: Blobs
    changed: Mapping[str, Changed]


NOTHING = Held(None, None, {})


def held_at(session: Session, revision: str) -> Held:
    try:
        found, files = snapshot_at(session.engine, session.place, revision)
    except NoWorkspace:
        return Held(session.engine.resolve(revision), None, {})
    return Held(found.commit, found.tree, files)


def changes(fork: Blobs, after: Blobs) -> dict[str, Changed]:
    """The files that differ, sorted by path."""
    rels = sorted(rel for rel in fork.keys() | after.keys() if fork.get(rel) != after.get(rel))
    return {rel: Changed(fork.get(rel), after.get(rel)) for rel in rels}


def with_changes(base: Blobs, changed: Mapping[str, Changed]) -> dict[str, str]:
    """The base's files with the changes: what a merge makes, since files are only added."""
    merged = {rel: blob for rel, blob in base.items() if rel not in changed}
    merged |= {rel: change.after for rel, change in changed.items() if change.after is not None}
    return merged


def proposal_of(session: Session, asked: Judged) -> Proposal:
    """Everything that `review.check` looks at."""
    read = reading(session.engine.blob, session.journal.blob)
    base = document(paths.WORKSPACE_FILE, Workspace, asked.base.blobs, read)
    brings = document(paths.WORKSPACE_FILE, Workspace, asked.merged, read)
    policy = base.policy if isinstance(base, Workspace) else Policy()
    own = brings.policy if isinstance(brings, Workspace) else brings
    seen, seen_by_base = _seen(session, asked.tip, asked.merged), _seen(session, asked.base, asked.base.blobs)
    forgotten = _forgotten(asked, seen)
    files = _files(session, asked, frozenset(forgotten))
    lost = {(one.rel, one.blob) for one in seen_by_base.lost}
    accepted = session.attestations.policy if session.attestations.branch.ref is not None else policy
    return Proposal(
        prefix=session.place.prefix,
        changed=asked.changed,
        blobs=asked.merged,
        files=files,
        policy=policy,
        brings=own,
        ceiling=ceiling(policy, accepted, None),
        private=_private(session, asked.merged),
        confirmed=frozenset(session.attestations.confirmed_at),
        judged=_judgements(files, asked, policy, own if isinstance(own, Policy) else policy, session),
        forgotten=forgotten,
        vanished={one.rel: (one.rel, one.blob) not in lost for one in seen.lost},
        data=cache(partial(_data, session, LARGEST)),
        through=partial(_data, session, LOOKED_THROUGH),
        value=cache(lambda rel, blob: read_object(rel, blob, read)),
        owner=owner_of,
        signs=lambda value: signs_in(*texts_in(value)),
        public=cache(lambda: (*public_here(session), *public_in(session, asked.base.blobs, policy, seen_by_base))),
        brought=cache(lambda: public_in(session, asked.merged, policy, seen)),
    )


def _private(session: Session, merged: Blobs) -> PrivateTier:
    """What is private on this clone; on a runner that is nothing."""
    place = session.place
    folders = () if place.directory is None else (place.directory,)
    return PrivateTier(place.common_dir, folders, session.git.environ, lambda rels: any(rel in merged for rel in rels))


def _data(session: Session, most: int, blob: str) -> bytes | int:
    """Raises `MissingObject` for what a partial clone lacks: what cannot be read is not found to be well."""
    try:
        return reading(partial(session.engine.blob, most=most), session.journal.blob)(blob)
    except TooLarge as found:
        return found.size


def _seen(session: Session, held: Held, blobs: Blobs) -> SeenElsewhere:
    """What this clone has seen taken away that these files lack."""
    entries = {rel: Entry(blob, Where.COMMITTED) for rel, blob in blobs.items()}
    over = {rel: Entry(blob, Where.GUEST) for rel, blob in blobs.items() if held.blobs.get(rel) != blob}
    hidden = frozenset(rel for rel in held.blobs if rel not in blobs)
    clone = NegativesOfClone(session.place, session.engine, session.journal, session.index)
    return clone.seen_elsewhere(SnapshotAt(held.commit, held.tree, entries, over, hidden), session.attestations.branch)


def _forgotten(asked: Judged, seen: SeenElsewhere) -> dict[str, str]:
    found = dict.fromkeys(seen.forgotten, "this clone has seen the tombstone")
    found |= dict.fromkeys(tombstones(asked.merged), "the proposal has its tombstone")
    return found | dict.fromkeys(tombstones(asked.base.blobs), "the base has its tombstone")


def _files(session: Session, asked: Judged, forgotten: frozenset[str]) -> Files:
    """The changed objects and, over any number of links, what they name."""
    read = reading(session.engine.blob, session.journal.blob)
    places: dict[str, list[str]] = {}
    for rel in asked.merged:
        if is_object(rel) and not paths.is_private(rel):
            key = paths.id_at(rel) or paths.folder_of(rel)
            places.setdefault(key, []).append(rel)
    ways = [rel for rel in asked.changed if rel in asked.merged and is_object(rel) and not paths.is_private(rel)]
    taken = dict.fromkeys(ways)
    while ways:
        rel = ways.pop()
        value = read_object(rel, asked.merged[rel], read)
        named = () if isinstance(value, Fault) else _named(value)
        for found in (*(r for i in named for r in places.get(i, ())), *places.get(paths.id_at(rel) or "", ())):
            if found not in taken:
                taken[found] = None
                ways.append(found)
    return load({rel: asked.merged[rel] for rel in taken}, read, forgotten=forgotten).files


def _named(value: Value) -> Iterable[str]:
    """Ids, and the folder of runbooks where one is named: their id is not in their path."""
    for _, _, ids in named_by(value):
        yield from (paths.RUNBOOKS if identifier.startswith("rb_") else identifier for identifier in ids)


def _judgements(files: Files, asked: Judged, policy: Policy, own: Policy, session: Session) -> Judgements:
    blobs = frozenset(
        f.blob for group in (files.records, files.episodes, files.rulings) for v in group.values() for f in v
    )
    accepted = blobs & accepted_blobs(asked.merged)

    def judge(these: Files, law: Policy) -> Standings:
        attested = Attestations(accepted=accepted, accepted_policy=law)
        return standing(these, law, attested, Negatives(), session.now)

    def is_new(ruling: Ruling) -> bool:
        change = asked.changed.get(files.rulings[ruling.id][0].rel)
        return change is not None and change.before != change.after

    old = {i: variants for i, variants in files.rulings.items() if not is_new(variants[0].value)}
    by_base = judge(files, policy)
    return Judgements(
        by_base=by_base,
        by_own=by_base if own == policy else judge(files, own),
        unruled=by_base if len(old) == len(files.rulings) else judge(replace(files, rulings=old), policy),
    )
