"""Emptying again what came back of the forgotten: by merge, rebase, cherry-pick, stash pop, or a stale clone's push.

It was never eligible; now it goes from the disk as well, with a receipt. That happens for a tombstone that a person is
bound to, and for no other: whoever may push a branch, or write files, must not be able to erase anything.

A tombstone that was made on this clone counts in all its worktrees and on all its branches. One that this branch lacks
comes with the sweep, and so do the endings made here: what lies empty says why, and what it had ended stays ended.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from cc_git.codec import paths
from cc_git.codec.files import encode
from cc_git.entropy import fresh_entropy
from cc_git.governance.plan import Mint
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.value import Value
from cc_git.store.classify import owner_of
from cc_git.store.confirmations import Confirmations
from cc_git.store.erase_site import Site
from cc_git.store.erasure import Erasure, write_erasure
from cc_git.store.present import PresentSnapshot
from cc_git.store.remains import is_marked, remains
from cc_git.wiring.finish_forget import complete

ACTOR = "tool:cc-git"


def sweep(site: Site, present: PresentSnapshot, now: datetime) -> bool:
    """Whether anything was swept. Nothing is while an operation of Git is under way: its files are in its hands."""
    lying: dict[str, list[str]] = {}
    for rel in remains(site.place, present) if not present.underway else ():
        owner = owner_of(rel)
        if owner is not None:
            lying.setdefault(owner, []).append(rel)
    if not lying:
        return False
    rels = [rel for owned in lying.values() for rel in owned]
    classes: dict[str, int] = {}
    for rel in rels:
        classes[paths.folder_of(rel)] = classes.get(paths.folder_of(rel), 0) + 1
    erasure = Erasure(
        operation="sweep",
        receipt=Mint(now, fresh_entropy)("rc"),
        actor=ACTOR,
        when=now,
        ids=tuple(sorted(lying)),
        marks=_marks(site, present, lying),
        context=None,
        needles=(),
        spared={},
        blobs=(),
        classes=classes,
        private=all(paths.is_private(rel) for rel in rels),
    )
    with site.journal.locked():
        write_erasure(site.place, erasure)
    complete(site, erasure)
    return True


def _marks(site: Site, present: PresentSnapshot, swept: Collection[str]) -> Mapping[str, str]:
    """What this branch lacks of what was made on this clone: the tombstones of these ids and, where there is one, the
    endings of what is here. Each at the place where a person confirmed it."""
    made = {(paths.folder_of(rel), paths.id_at(rel) or ""): rel for rel in Confirmations(site.place).blobs().values()}
    lacking = {made.get((paths.TOMBSTONES, i)): Tombstone(id=i) for i in swept if not is_marked(present, i)}
    marks: dict[str, Value] = {rel: mark for rel, mark in lacking.items() if rel is not None}
    if marks:
        entries = present.entries
        marks |= {
            rel: Ending(id=identifier)
            for (folder, identifier), rel in made.items()
            if folder == paths.ENDINGS
            and rel not in entries
            and any(at in entries or paths.private(at) in entries for at in paths.places_of(identifier))
        }
    return {rel: encode(mark).decode() for rel, mark in sorted(marks.items())}
