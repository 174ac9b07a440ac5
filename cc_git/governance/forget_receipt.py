"""The receipt of a forgetting: ids, counts and where it is still held; no text, no form of it, no hash."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from cc_git.model.receipt import Receipt

_MOST_NAMES = 60
_HIDDEN = "(its name repeats what was forgotten)"

Held = tuple[str, str, int]
"""Kind of place, its name (of a ref, of a worktree, or empty), and how many commits, files or objects there."""


def receipt_of(
    identifier: str,
    operation: str,
    actor: str,
    when: datetime,
    *,
    ids: tuple[str, ...],
    made: tuple[str, ...],
    counts: Mapping[str, int],
    found: int,
    held: Iterable[Held],
    commits: Sequence[str],
    repeats: Callable[[str], bool],
) -> Receipt:
    """`found` is how many copies the search found within our reach; `repeats` says whether a name holds the text."""
    places = list(held)
    notes = [_line(kind, name if not repeats(name) else _HIDDEN, number) for kind, name, number in places]
    notes += [f"commit {commit}" for commit in commits]
    if len(notes) > _MOST_NAMES:
        notes = [*notes[:_MOST_NAMES], f"and {len(notes) - _MOST_NAMES} more: cc-git forget --residue {identifier}"]
    by_kind: dict[str, int] = {}
    for kind, _, _ in places:
        by_kind[f"held in {kind}"] = by_kind.get(f"held in {kind}", 0) + 1
    return Receipt(
        id=identifier,
        operation=operation,
        actor=actor,
        recorded_at=when,
        result="clean" if not found else "found",
        made=made,
        touched=ids,
        counts={**counts, "found": found, **by_kind},
        notes=tuple(notes),
    )


def _line(kind: str, name: str, number: int) -> str:
    room = 100 - len(kind)
    shown = name if len(name) <= room else f"…{name[-room:]}"
    printable = "".join(c if c.isprintable() else "?" for c in shown)
    return f"{kind} {printable}: {number}" if printable.strip() else f"{kind}: {number}"
