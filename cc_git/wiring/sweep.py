"""Emptying again what came back of the forgotten: by merge, rebase, cherry-pick, stash pop, or a stale clone's push.

It was never eligible; now it goes from the disk as well, with a receipt. That happens for a tombstone that a person is
bound to, and for no other: whoever may push a branch, or write files, must not be able to erase anything.
"""

from __future__ import annotations

from datetime import datetime

from cc_git.codec import paths
from cc_git.entropy import fresh_entropy
from cc_git.governance.plan import Mint
from cc_git.store.classify import owner_of
from cc_git.store.erase_site import Site
from cc_git.store.erasure import Erasure, write_erasure
from cc_git.store.present import PresentSnapshot
from cc_git.store.remains import remains
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
        marks={},
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
