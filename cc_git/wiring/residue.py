"""Where forgotten things are still held, looked up again later; and what rewriting history would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cc_git.errors import UsageFault
from cc_git.governance.verify_forgotten import Search
from cc_git.model.id_part import IdPart
from cc_git.store.boundaries import Residue, look_up
from cc_git.wiring.session import Session

_REFS = frozenset({"branch", "remote", "tag", "stash", "replace", "ref"})
_OPERATIONS = frozenset({"forget", "sweep"})


@dataclass(frozen=True)
class HistoryPlan:
    """What `git filter-repo` would be given, and whom it concerns. All sorted but `commits`, children first."""

    paths: tuple[str, ...]
    blobs: tuple[str, ...]
    commits: tuple[str, ...]
    refs: tuple[str, ...]
    remotes: tuple[str, ...]
    people: tuple[str, ...]


@dataclass(frozen=True)
class Again:
    ids: tuple[str, ...]
    residue: Residue
    history: HistoryPlan


def look_again(session: Session, parts: Sequence[IdPart]) -> Again:
    """Of forgotten ids, of what a receipt names, or of everything that was forgotten here. Raises UsageFault."""
    ids = _forgotten(session, parts)
    search = Search(ids, ())
    residue = look_up(session.site, ids, (), search.is_one)
    return Again(ids, residue, _history(session, residue))


def _forgotten(session: Session, parts: Sequence[IdPart]) -> tuple[str, ...]:
    files = session.loaded.files
    receipts = {
        identifier: variants[0].value.touched
        for identifier, variants in files.receipts.items()
        if variants[0].value.operation in _OPERATIONS
    }
    tombstones = files.tombstones
    if not parts:
        return tuple(sorted(tombstones))
    asked: set[str] = set()
    for part in parts:
        found = part.among({*tombstones, *receipts})
        if len(found) != 1:
            raise UsageFault(
                f"{part.text} names {len(found)} forgotten ids or receipts of a forgetting", hints=("cc-git forget ID",)
            )
        asked.update(receipts.get(found[0], (found[0],)))
    return tuple(sorted(asked))


def _history(session: Session, residue: Residue) -> HistoryPlan:
    refs = sorted({one.name for one in residue.boundaries if one.kind in _REFS})
    said = session.git.run("remote", "-v", check=False).stdout.decode("utf-8", "replace")
    engine = session.engine
    tips = [oid for name, oid in engine.refs().items() if name in refs]
    authors = (engine.commit(oid).author for oid in engine.walk(tips))
    return HistoryPlan(
        paths=tuple(f"{session.place.prefix}/{rel}" for rel in sorted(residue.rels)),
        blobs=tuple(sorted(residue.blobs)),
        commits=residue.commits,
        refs=tuple(refs),
        remotes=tuple(sorted({" ".join(line.split()[:2]) for line in said.splitlines() if line.strip()})),
        people=tuple(sorted({f"{author.name} <{author.email}>" for author in authors})),
    )
