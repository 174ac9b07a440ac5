"""A comparison for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cc_git.cli.tables import Block, Cell, Fields, Heading, Prose, Table, Toned
from cc_git.model.ids import short
from cc_git.model.sanitise import quoted

if TYPE_CHECKING:
    from cc_git.review.changes import FieldChange, RecordChange, Review, Shift
    from cc_git.review.told import Told

_TONE = {"widens": "warn", "changes": "warn", "narrows": "good"}


def blocks_of(review: Review) -> list[Block]:
    """Permissions and sensitivity first; parts in which nothing changed are left out."""
    from cc_git.review.words import HEADINGS, NOTHING, counted

    told: list[Block] = [Heading(f"{review.before} → {review.after}")]
    if review.is_empty:
        return [*told, Prose(NOTHING)]
    told.append(Prose(counted(review)))
    parts: dict[str, list[Block]] = {
        "shifts": [_shifts(review.shifts)] if review.shifts else [],
        "sensitivity": [_sensitivity(review)] if review.sensitivity else [],
        "policy": [Fields(list(map(_field, review.policy)))] if review.policy else [],
        "conflicts": [_conflicts(review)] if review.conflicts else [],
        "records": list(_records(review.records)),
        "rulings": [_rulings(review)] if review.rulings else [],
        "evidence": [_evidence(review)] if review.evidence else [],
        "runbooks": list(_runbooks(review)),
        "broken": [_broken(review)] if review.broken else [],
        "others": _others(review),
    }
    for name, heading in HEADINGS.items():
        if parts[name]:
            told += [Heading(f"\n{heading}"), *parts[name]]
    return told


def told_blocks(told: Told) -> list[Block]:
    """What a packet for the task says differently, with its size on both sides."""
    from cc_git.review.words import THE_SAME, TOLD, sized

    rows: list[tuple[str, Cell]] = [("task", told.task), ("before", sized(told.before)), ("after", sized(told.after))]
    blocks: list[Block] = [Heading(f"\n{TOLD}"), Fields(rows)]
    for one in told.items:
        named = f"{one.kind} {short(one.id)} " if one.id else ""
        blocks.append(Fields([("", f"{one.how}: {named}{quoted(one.title)}"), *map(_field, one.fields)]))
    return blocks if told.items else [*blocks, Prose(THE_SAME)]


def _shifts(shifts: Iterable[Shift]) -> Block:
    from cc_git.review.words import moved

    rows = [
        (Toned(moved(one), _TONE[one.direction]), short(one.id),  # type: ignore[arg-type]
         one.what + (f" in place of {one.instead}" if one.instead else ""), one.scope, one.says, one.title)
        for one in shifts
    ]  # fmt: skip
    return Table(("change", "id", "governs", "scope", "counts as", "title"), rows, "")


def _sensitivity(review: Review) -> Block:
    rows = [
        (short(one.id), one.kind, f"{one.before} → {one.after}", short(one.instead) if one.instead else "", one.title)
        for one in review.sensitivity
    ]
    return Table(("id", "kind", "sensitivity", "in place of", "title"), rows, "", frozenset({"id", "in place of"}))


def _conflicts(review: Review) -> Block:
    rows = [(one.how, one.cause, "  ".join(map(short, one.ids)), "; ".join(one.titles)) for one in review.conflicts]
    return Table(("conflict", "by", "records", "titles"), rows, "")


def _records(changes: Iterable[RecordChange]) -> Iterator[Block]:
    from cc_git.review.words import HOW, behind, counts_as

    for at, one in enumerate(changes):
        if at:
            yield Heading("")
        rows: list[tuple[str, Cell]] = [("", f"{HOW[one.how]}: {one.kind} {short(one.id)} {quoted(one.title)}")]
        rows.append(("counts as", counts_as(one)))
        if one.how != "stands":
            rows += [("behind it", behind(one)), ("written by", one.actor)]
        for old in one.replaces:
            rows.append(("in place of", f"{short(old.id)} {quoted(old.title)}"))
            rows += map(_field, old.fields)
        if not one.replaces:
            rows += map(_field, one.fields)
        yield Fields(rows)


def _field(change: FieldChange) -> tuple[str, Cell]:
    if change.before is None:
        return change.name, change.after or ""
    if change.after is None:
        return change.name, f"{change.before}\n→ gone"
    return change.name, f"{change.before or '(empty)'}\n→ {change.after or '(empty)'}"


def _rulings(review: Review) -> Block:
    from cc_git.review.words import HOW, effect, ruled

    rows = [
        (one.verb if one.how == "added" else f"{one.verb} ({HOW[one.how]})", short(one.id), short(target.id),
         effect(target), one.actor, ruled(one), one.reason)
        for one in review.rulings for target in one.targets
    ]  # fmt: skip
    columns = ("ruling", "id", "target", "which counts as", "by", "behind it", "reason")
    return Table(columns, rows, "", frozenset({"id", "target"}))


def _evidence(review: Review) -> Block:
    rows = [(one.how, short(one.id), one.type, one.source, one.actor, one.text) for one in review.evidence]
    return Table(("episode", "id", "type", "from", "by", "text"), rows, "")


def _runbooks(review: Review) -> Iterator[Block]:
    for one in review.runbooks:
        yield Fields([("", f"{one.how}: {quoted(one.title)}"), *map(_field, one.fields)])


def _broken(review: Review) -> Block:
    rows = [(f"{one.path}:{one.line}" if one.line else one.path, one.reason) for one in review.broken]
    return Table(("file", "what is wrong"), rows, "")


def _others(review: Review) -> list[Block]:
    from cc_git.review.words import other_files

    rows: list[tuple[str, Cell]] = list(other_files(review))
    return [Fields(rows)] if rows else []
