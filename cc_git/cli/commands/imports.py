from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.numbers import each
from cc_git.cli.opening import hand_of, opened, who_of
from cc_git.cli.options import ID_PART, ScopeAsked, actor_option, dry_run_option, scope_options
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Heading, Prose, Table, Toned
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short

if TYPE_CHECKING:
    from cc_git.importers.outcomes import Outcome as Met
    from cc_git.importers.quarantine import HeldItem
    from cc_git.wiring.acts import Hand
    from cc_git.wiring.imports import Imported, Reviewed
    from cc_git.wiring.session import Session

S = TypeVar("S")

_TONE = {
    "imported": "good", "changed": "good", "quarantined": "warn", "conflicting": "bad", "broken": "bad", "over": "warn",
    "forgotten": "bad", "out of scope": "warn",
}  # fmt: skip
_IMPORT = click.argument("part", type=ID_PART, metavar="IMPORT")
_ITEMS = click.argument("items", type=ID_PART, metavar="[ID…]", nargs=-1)


def _import(call: Call, read: Callable[[Session, S, Hand], Imported], source: S, *, dry_run: bool) -> Outcome:
    with opened(call) as session:
        return imported(read(session, source, hand_of(call, dry_run=dry_run)), dry_run=dry_run)


@command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@actor_option
@dry_run_option
def import_adr(call: Call, folder: Path, dry_run: bool) -> Outcome:
    """Read architecture decision records (Nygard, MADR) into episodes and decisions."""
    from cc_git.wiring.import_sources import import_adr as read_folder

    return _import(call, read_folder, call.start / folder, dry_run=dry_run)


@command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@actor_option
@dry_run_option
def import_bundle(call: Call, file: Path, dry_run: bool) -> Outcome:
    """Read a bundle that another workspace exported, into quarantine."""
    from cc_git.wiring.import_sources import import_bundle as read_file

    return _import(call, read_file, call.start / file, dry_run=dry_run)


@command()
@click.argument("paths", type=click.Path(path_type=Path), metavar="PATH…", nargs=-1, required=True)
@actor_option
@dry_run_option
def import_notes(call: Call, paths: tuple[Path, ...], dry_run: bool) -> Outcome:
    """Read agents' instruction and memory files (CLAUDE.md, AGENTS.md, MEMORY.md, memory folders)."""
    from cc_git.wiring.import_sources import import_notes as read_files

    return _import(call, read_files, [call.start / path for path in paths], dry_run=dry_run)


@command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@actor_option
@dry_run_option
def import_beads(call: Call, file: Path, dry_run: bool) -> Outcome:
    """Read the issues of a beads database (issues.jsonl), into quarantine."""
    from cc_git.wiring.import_sources import import_beads as read_file

    return _import(call, read_file, call.start / file, dry_run=dry_run)


@command()
@click.argument("source", type=click.Path(path_type=Path), metavar="PATH")
@actor_option
@dry_run_option
def import_continuity(call: Call, source: Path, dry_run: bool) -> Outcome:
    """Read a workspace or an export of the Cognitive Continuity package, into quarantine."""
    from cc_git.wiring.import_sources import import_continuity as read_source

    return _import(call, read_source, call.start / source, dry_run=dry_run)


@command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@actor_option
@dry_run_option
def import_ctx(call: Call, folder: Path, dry_run: bool) -> Outcome:
    """Read a CTX repository (the folder that holds .ctx), into quarantine."""
    from cc_git.wiring.import_sources import import_ctx as read_folder

    return _import(call, read_folder, call.start / folder, dry_run=dry_run)


@command()
@click.argument("part", type=ID_PART, metavar="[IMPORT]", required=False)
def import_review(call: Call, part: IdPart | None) -> Outcome:
    """Show what waits in quarantine, and what taking it in would do now."""
    from cc_git.model.id_part import IdPart
    from cc_git.wiring.imports import review_import
    from cc_git.wiring.reading import quarantined

    with opened(call) as session:
        parts = [part] if part else [IdPart(identifier) for identifier in quarantined(session)]
        found = [review_import(session, one, who_of(call)) for one in parts]
        blocks = [block for one in found for block in _review(one)]
        empty: list[Block] = [Prose("Nothing waits in quarantine.")]
        return Outcome(data=[_review_data(one) for one in found], blocks=blocks or empty)


@command()
@_IMPORT
@_ITEMS
@click.option("--mine", type=ID_PART, metavar="ID", multiple=True,
              help="Take it as your own word, at a terminal; repeatable.")  # fmt: skip
@scope_options
@actor_option
@dry_run_option
def import_accept(
    call: Call, part: IdPart, items: tuple[IdPart, ...], mine: tuple[IdPart, ...], scope: ScopeAsked, dry_run: bool
) -> Outcome:
    """Take an import out of quarantine: all that fits, or what is named; a scope says where it shall hold here."""
    from cc_git.wiring.imports import Choice, accept_import

    with opened(call) as session:
        choice = Choice(items, mine, scope.over)
        return imported(accept_import(session, part, choice, hand_of(call, dry_run=dry_run)), dry_run=dry_run)


@command()
@_IMPORT
@_ITEMS
@actor_option
@dry_run_option
def import_discard(call: Call, part: IdPart, items: tuple[IdPart, ...], dry_run: bool) -> Outcome:
    """Turn down what waits in quarantine, all of it or what is named; it is not asked about again."""
    from cc_git.wiring.imports import discard_import

    with opened(call) as session:
        done = discard_import(session, part, items, hand_of(call, dry_run=dry_run))
        number = done.plan.receipt.counts["discarded"]
        said = f"{number} {'would be' if dry_run else 'are'} turned down"
        note = "The text stays in quarantine; what must go is forgotten, not discarded."
        return Outcome(data={"discarded": number, "dry_run": dry_run}, blocks=(Prose(said),), notes=(note,),
                       warnings=done.warnings, receipt=done.receipt)  # fmt: skip


def imported(result: Imported, *, dry_run: bool) -> Outcome:
    """What happened to every thing, with its standing; nothing is passed over in silence."""
    rows: list[tuple[Cell, ...]] = []
    for one in result.plan.outcomes:
        verdict = result.verdicts.get(one.record or "")
        counts_as = verdict.standing if verdict else ""
        done = Toned(one.done, _TONE.get(one.done, "dim"))  # type: ignore[arg-type]
        title = f"{one.title}: {one.reason}" if one.title and one.reason else one.title or one.reason
        rows.append((one.path, done, short(one.record) if one.record else "", counts_as, title))
    counts = _counts(result.plan.outcomes)
    sentence = each(counts) or "nothing there"
    quarantine = result.plan.quarantine.id if result.plan.quarantine else None
    return Outcome(
        data={"items": list(result.plan.outcomes), "counts": counts, "quarantine": quarantine},
        blocks=(Table(("from", "what", "id", "counts as", "title"), rows, "Nothing there."), Prose(f"\n{sentence}")),
        notes=_notes(quarantine, dry_run=dry_run),
        warnings=[*_warnings(result.plan.outcomes), *result.warnings],
        receipt=result.done.receipt if result.done else None,
    )


def _notes(quarantine: str | None, *, dry_run: bool) -> list[str]:
    notes = []
    if quarantine is not None:
        notes.append(f"In quarantine until a person takes it out: cc-git import review {quarantine}")
    if dry_run:
        notes.append("Nothing was written (--dry-run).")
    return notes


def _warnings(outcomes: Iterable[Met]) -> list[str]:
    warnings = []
    for one in outcomes:
        if one.done in ("imported", "changed", "quarantined", "conflicting"):
            warnings += [f"{one.path}{f':{w.line}' if w.line else ''}: {w.text}" for w in one.warnings]
            if one.signs:
                warnings.append(f"{one.path} reads like an instruction ({', '.join(one.signs)}): it is evidence alone")
    return warnings


def _counts(outcomes: Iterable[Met]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in outcomes:
        counts[one.done] = counts.get(one.done, 0) + 1
    return counts


def _review(found: Reviewed) -> list[Block]:
    manifest = found.held.manifest
    about = {one.item.path: one for one in found.held.items}
    rows: list[tuple[Cell, ...]] = []
    for one in found.plan.outcomes:
        held = about.get(one.path)
        would = Toned(_WOULD.get(one.done, one.done), _TONE.get(one.done, "dim"))  # type: ignore[arg-type]
        signs: Cell = Toned(", ".join(one.signs), "bad") if one.signs else ""
        rows.append((short(held.item.waits_as) if held else "", _what(held), would, _claims(held), signs,
                     f"{one.title}: {one.reason}" if one.reason else one.title))  # fmt: skip
    when = manifest.recorded_at.strftime("%Y-%m-%d %H:%M")
    head = f"\n{manifest.id}  {manifest.importer}, imported {when} by {manifest.actor}"
    columns = ("id", "kind", "would be", "claims", "reads like an instruction", "title")
    return [Heading(head), Table(columns, rows, "Nothing of it can be read.")]


_WOULD = {"imported": "new"}


def _what(held: HeldItem | None) -> str:
    if held is None:
        return ""
    return f"{held.record.kind} ({held.record.scope})" if held.record else "evidence"


def _claims(held: HeldItem | None) -> str:
    """Whose word it says it is, and with what it would arrive."""
    if held is None:
        return ""
    arrives = held.record.authority if held.record else held.episode.authority
    claimed = held.item.claimed or arrives
    return claimed if claimed == arrives else f"{claimed}, arrives as {arrives}"


def _review_data(found: Reviewed) -> dict[str, object]:
    manifest = found.held.manifest
    about = {one.item.path: one for one in found.held.items}
    items = []
    for one in found.plan.outcomes:
        held = about.get(one.path)
        items.append({
            "id": held.item.waits_as if held else None, "from": one.path, "would_be": _WOULD.get(one.done, one.done),
            "reason": one.reason, "title": one.title, "signs": one.signs,
            "claimed": held.item.claimed if held else None, "episode": held.episode if held else None,
            "record": held.record if held else None,
        })  # fmt: skip
    return {"import": manifest.id, "importer": manifest.importer, "actor": manifest.actor,
            "recorded_at": manifest.recorded_at, "items": items}  # fmt: skip
