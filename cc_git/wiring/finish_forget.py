"""Carrying a forgetting to its end, whoever began it: the steps, the search, what is still held, the receipt.

Called by the command that decides it, and at the start of every command for one that was interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cc_git.codec import paths
from cc_git.codec.files import encode, path_for
from cc_git.governance.forget_receipt import receipt_of
from cc_git.governance.screen import not_screened
from cc_git.governance.verify_forgotten import Search
from cc_git.model.ids import prefix_of
from cc_git.model.receipt import Receipt
from cc_git.store.boundaries import Boundary, Residue, look_up
from cc_git.store.erase import STEPS, belongs
from cc_git.store.erase_site import Site
from cc_git.store.erasure import Erasure, drop_erasure, read_erasure
from cc_git.store.everywhere import Kept, everywhere
from cc_git.store.journal_form import WriteNote
from cc_git.store.names import INDEX_FILE
from cc_git.store.write import write


@dataclass(frozen=True, slots=True)
class Finding:
    """A copy within our reach that is still there: `what` says whether by its text or by its id."""

    place: str
    name: str
    what: str


@dataclass(frozen=True)
class Completed:
    receipt: Receipt
    findings: tuple[Finding, ...]
    residue: Residue


def finish_interrupted(site: Site) -> Completed | None:
    """Complete what was begun and not ended in this worktree; None where nothing was."""
    if site.place.top is None:
        return None
    erasure = read_erasure(site.place)
    return None if erasure is None else complete(site, erasure)


def complete(site: Site, erasure: Erasure) -> Completed | None:
    """None where it had been completed but for its note."""
    where = _receipt_path(erasure)
    state = site.journal.read()
    if where in state.pending or where in state.private:
        drop_erasure(site.place)
        return None
    with site.journal.locked():
        for _, step in STEPS:
            step(site, erasure)
    search = search_for(erasure)
    findings, beside = _search(site, erasure, search)
    residue = look_up(site, erasure.ids, erasure.blobs, lambda data: search.is_one(data) or search.finds_text(data))
    repeating = (Boundary("beside", name, number) for name, number in sorted(beside.items()))
    residue = replace(residue, boundaries=(*residue.boundaries, *repeating))
    receipt = _receipt(erasure, findings, residue, search)
    note = WriteNote(site.engine.head()[1])
    write(site.journal, not_screened({where: encode(receipt)}), verb=erasure.operation, note=note)
    drop_erasure(site.place)
    return Completed(receipt, findings, residue)


def search_for(erasure: Erasure) -> Search:
    return Search(erasure.ids, ((needle.text, needle.whole is not None) for needle in erasure.needles))


def _search(site: Site, erasure: Erasure, search: Search) -> tuple[tuple[Finding, ...], Mapping[str, int]]:
    """What is still there within our reach, and how much that repeats the text only a sibling of this worktree holds,
    by its name: the files of the ids themselves are looked up there, and swept there."""
    findings: list[Finding] = []
    beside: dict[str, int] = {}
    spared = {*erasure.spared.keys(), *erasure.spared.values()}
    for kept in everywhere(site):
        what = None if kept.name in spared else _what(kept, erasure, search)
        if what and kept.sibling is None:
            findings.append(Finding(kept.place, kept.name, what))
        elif what == "text" and kept.sibling is not None:
            beside[kept.sibling] = beside.get(kept.sibling, 0) + 1
    return tuple(findings), beside


def _what(kept: Kept, erasure: Erasure, search: Search) -> str | None:
    if kept.place == "files" and belongs(kept.name, erasure.ids):
        return "id"
    # The index keeps texts as sorted words, in which no sentence can be found: there the ids tell.
    derived = kept.place in ("packets", "exports") or (kept.place == "own folder" and kept.name.startswith(INDEX_FILE))
    if derived and search.finds_id(kept.data):
        return "id"
    if kept.place in ("files", "journal", "exports") and search.is_one(kept.data):
        return "id"
    return "text" if search.finds_text(kept.data) else None


def _receipt_path(erasure: Erasure) -> str:
    rel = paths.path_of(erasure.receipt)
    return paths.private(rel) if erasure.private else rel


def _receipt(erasure: Erasure, findings: tuple[Finding, ...], residue: Residue, search: Search) -> Receipt:
    made = [i for rel in erasure.marks if (i := paths.id_at(rel)) and prefix_of(i) == "cp"
            and paths.folder_of(rel) == paths.CHECKPOINTS]  # fmt: skip
    counts = {**erasure.classes, "endings": len(erasure.endings), "packets": erasure.packets,
              "redacted": erasure.redacted, "commits": len(residue.commits)}  # fmt: skip
    receipt = receipt_of(
        erasure.receipt,
        erasure.operation,
        erasure.actor,
        erasure.when,
        ids=erasure.ids,
        made=tuple(made),
        counts={name: number for name, number in counts.items() if number},
        found=len(findings),
        # A receipt travels: where on this machine a bundle was written is nobody else's business.
        held=((b.kind, "" if b.kind == "export" else b.name, b.number) for b in residue.boundaries),
        commits=residue.commits,
        repeats=lambda name: search.finds_text(name.encode("utf-8", "surrogateescape")),
    )
    assert paths.path_of(receipt.id) == path_for(receipt), "receipts lie by day"
    return receipt
