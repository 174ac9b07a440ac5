"""Carrying out a forgetting: the steps, in their order. Each can be repeated, so whoever was killed in one begins anew.

The marks come first: with the tombstones and endings in the journal nothing forgotten is eligible any more, whatever
happens next. Then the files: those that HEAD has are emptied in place (their commit comes with the next), the others
removed. Then everything that repeats them: the journal with all that it no longer reaches, the ledger, the index.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from cc_git.codec import paths
from cc_git.governance.quotes import Quotes
from cc_git.governance.screen import not_screened
from cc_git.store.append_only import rewrite_lines
from cc_git.store.classify import owner_of
from cc_git.store.disk import blob_of_file, read_file
from cc_git.store.erase_site import Site
from cc_git.store.erasure import Erasure
from cc_git.store.exports import Exports
from cc_git.store.git_process import GitFailed
from cc_git.store.head_tree import files_below
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.journal_state import JournalState
from cc_git.store.kept_trees import KeptTrees
from cc_git.store.ledger import Ledger
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place
from cc_git.store.seen_negatives import SeenNegatives
from cc_git.store.trees import object_id
from cc_git.store.user_index import UserIndex
from cc_git.store.worktrees import refs_of_gone
from cc_git.store.write import write

Step = Callable[[Site, Erasure], None]
_V = TypeVar("_V")


def belongs(rel: str, ids: Collection[str]) -> bool:
    """The file goes with one of these ids."""
    return owner_of(rel) in ids


def write_marks(site: Site, erasure: Erasure) -> None:
    files = {rel: text.encode() for rel, text in erasure.marks.items()}
    if erasure.context is not None:
        replaces, text = erasure.context
        if site.journal.read().private.get(paths.WORKING_CONTEXT) == replaces:
            files[paths.WORKING_CONTEXT] = text.encode()
    for rel, (replaces, text) in erasure.rewrites.items():
        if blob_of_file(site.directory / rel, site.engine.object_format) == replaces:
            files[rel] = text.encode()
    if files:
        write(site.journal, not_screened(files), verb=erasure.operation, note=WriteNote(site.engine.head()[1]))


def clear_user_index(site: Site, erasure: Erasure) -> None:
    """What is staged and in no commit would carry the text into the next one."""
    head, ids = site.head_files(), frozenset(erasure.ids)
    start = f"{site.place.prefix}/"
    # A busy index is named by the look-up that follows.
    with suppress(GitFailed):
        index = UserIndex(site.git)
        entries = (path.removeprefix(start) for path in index.entries((site.place.prefix,)))
        staged = [f"{start}{rel}" for rel in entries if belongs(rel, ids) or rel in erasure.rewrites]
        index.remove(path for path in staged if path.removeprefix(start) not in head)


def clear_files(site: Site, erasure: Erasure) -> None:
    head, ids = site.head_files(), frozenset(erasure.ids)
    for rel in files_below(site.directory):
        if belongs(rel, ids):
            path = site.directory / rel
            empty_in_place(path)
            if rel not in head:
                path.unlink(missing_ok=True)


def clear_journal(site: Site, erasure: Erasure) -> None:
    journal, ids = site.journal, frozenset(erasure.ids)
    with journal.locked():
        left = _state_without(journal.read(), ids)
        stale = {
            rel for rel, (blob, _) in erasure.rewrites.items() if rel in left.watch and left.watch[rel].blob == blob
        }
        left = replace(left, watch={rel: seen for rel, seen in left.watch.items() if rel not in stale})
        # Even where nothing of it waits: a whole state drops the chain of writes before it.
        journal.replace(left, verb=erasure.operation)
        for ref in refs_of_gone(journal):
            _clear_gone(journal, ref, ids, erasure.operation)
        SeenNegatives(journal).drop(lambda rel: belongs(rel, ids))
        kept = KeptTrees(journal)
        kept.drop(
            tree
            for tree in kept.names()
            if (one := kept.read(tree)) and any(belongs(rel, ids) or rel in erasure.rewrites for rel in one.over)
        )
        journal.prune_now()


def _clear_gone(journal: Journal, ref: str, ids: frozenset[str], verb: str) -> None:
    """No command will ever run in a worktree that is gone. What it had in hand nobody takes up: that goes as well."""
    with closing(journal.beside(ref)) as other:
        state = other.read()
        left = _state_without(state, ids)
        private = {rel: blob for rel, blob in left.private.items() if rel != paths.WORKING_CONTEXT}
        left = replace(left, private=MappingProxyType(private))
        if left != state:
            other.replace(left, verb=verb)


def clear_said(site: Site, erasure: Erasure) -> None:
    """Lines that name a forgotten file by its blob would let anyone test a guess of it."""
    own, ids = OwnFolder(site.place.common_dir), frozenset(erasure.ids)
    left = {rel: object_id("blob", text.encode(), site.engine.object_format)
            for rel, (_, text) in erasure.rewrites.items()}  # fmt: skip

    def stays(line: Mapping[str, object]) -> bool:
        rel = str(line.get("rel", ""))
        rewritten = rel in left and line.get("workspace") == site.place.prefix
        return not belongs(rel, ids) and not (rewritten and line.get("blob") != left[rel])

    for path in (own.confirmed, own.negatives):
        rewrite_lines(path, stays)


def clear_exports(site: Site, erasure: Erasure) -> None:
    """Bundles that were written here and still lie where they were put; what was sent on is looked up, not reached."""
    for path in bundles_with(site.place, erasure.ids):
        empty_in_place(path)
        path.unlink(missing_ok=True)


def bundles_with(place: Place, ids: Collection[str]) -> list[Path]:
    """The files of known exports that are there and name one of these ids: another file in their place is let be."""
    known = sorted({one.file for one in Exports(place).all() if not one.ids.isdisjoint(ids)})
    return [path for path in known if any(i.encode() in (read_file(path) or b"") for i in ids)]


def clear_ledger(site: Site, erasure: Erasure) -> None:
    quotes = Quotes(erasure.needles)
    ledger = Ledger(site.place)
    try:
        ledger.forget(erasure.ids, text=lambda text: quotes.found_in((text,)) is not None)
    finally:
        ledger.close()


def clear_index(site: Site, erasure: Erasure) -> None:
    del erasure  # the whole of it goes: it is made anew from what is left
    site.index.erase()


STEPS: tuple[tuple[str, Step], ...] = (
    ("marks", write_marks),
    ("user index", clear_user_index),
    ("files", clear_files),
    ("journal", clear_journal),
    ("said", clear_said),
    ("exports", clear_exports),
    ("ledger", clear_ledger),
    ("index", clear_index),
)


def empty_in_place(path: Path) -> None:
    """Leave a zero-byte file; a link, or what is no file, is not followed and not touched."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return
        descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if os.fstat(descriptor).st_size:
            os.ftruncate(descriptor, 0)
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _state_without(state: JournalState, ids: frozenset[str]) -> JournalState:
    return replace(
        state,
        pending=_without(state.pending, ids),
        watch=_without(state.watch, ids),
        private=_without(state.private, ids),
    )


def _without(files: Mapping[str, _V], ids: frozenset[str]) -> Mapping[str, _V]:
    return MappingProxyType({rel: value for rel, value in files.items() if not belongs(rel, ids)})
