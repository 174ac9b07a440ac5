from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cc_git.cli.acted import standing_cell
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.numbers import each, files, records
from cc_git.cli.opening import looked_at
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Fields, Heading, Table, Toned
from cc_git.model.ids import short
from cc_git.model.sanitise import as_value

if TYPE_CHECKING:
    from cc_git.model.verdict import Clash
    from cc_git.store.present import Edit
    from cc_git.wiring.reading import Line, State

_NAMED = 8
"""Sides of a conflict that are named; `--json` has all."""


@command()
def status(call: Call) -> Outcome:
    """Show what stands, what waits, and what needs a look."""
    from cc_git.wiring.reading import state_of

    with looked_at(call) as session:
        state = state_of(session)
        return Outcome(data=_data(state), blocks=_blocks(state), warnings=state.warnings, notes=_notes(state))


def _blocks(state: State) -> list[Block]:
    stands = each(state.standings) or "no records yet"
    trusted: Cell = "yes" if state.trusted else Toned("no: packets are evidence only (cc-git trust)", "warn")
    rows: list[tuple[str, Cell]] = [
        ("workspace", f"{as_value(state.name)} ({as_value(state.directory)})"),
        ("trusted here", trusted),
        (
            "accepted branch",
            as_value(state.accepted_ref) if state.accepted_ref else "none (cc-git trust --accepted-ref origin/main)",
        ),
        ("records", stands),
        ("waiting", f"{files(len(state.waiting))} for the next commit" if state.waiting else "nothing"),
        ("private", files(state.private) if state.private else "nothing"),
    ]
    if state.reported:
        claim = "claims" if state.reported == 1 else "claim"
        rows.append(("reported", f"{records(state.reported)} {claim} a person's word that nobody confirmed here"))
    if state.emptied:
        rows.append(("forgotten", f"{files(len(state.emptied))} emptied, for the next commit"))
    if state.misleading:
        show = "packet compiled here shows" if len(state.misleading) == 1 else "packets compiled here show"
        what = f"{len(state.misleading)} {show} what no longer holds (cc-git packet rebuild)"
        rows.append(("packets", Toned(what, "warn")))
    if state.quarantined:
        waiting = ", ".join(map(as_value, state.quarantined))
        rows.append(("in quarantine", Toned(f"{waiting} (cc-git import review)", "warn")))
    blocks: list[Block] = [Fields(rows)]
    if state.clashes:
        sides = [row for clash in state.clashes for row in _sides(clash, state)]
        heading = Heading("\nConflicts, until somebody rules which one stands (cc-git resolve ID)")
        blocks += [heading, Table(("clash", "id", "said by", "on", "title"), sides, "")]
    blocks += _records("\nProposals that wait for an accept (cc-git review)", state.proposed)
    blocks += _records("\nOverdue commitments", state.due)
    blocks += _records("\nTo be looked at again: their ground or code changed (cc-git confirm, correct)", state.doubted)
    looks = _needs_a_look(state)
    if looks:
        blocks += [Heading("\nNeeds a look"), Table(("what", "file"), looks, "")]
    return blocks


def _sides(clash: Clash, state: State) -> Iterator[tuple[str, ...]]:
    """A row for each of what clashes, newest first; rulings that clash have no title."""
    found = [state.clashing[identifier].record for identifier in clash.ids if identifier in state.clashing]
    found.sort(key=lambda one: (one.recorded_at, one.id), reverse=True)
    sides = [(short(one.id), one.actor, f"{one.recorded_at:%Y-%m-%d}", one.title) for one in found]
    sides += [(short(identifier), "", "", "") for identifier in clash.ids if identifier not in state.clashing]
    for number, side in enumerate(sides[:_NAMED]):
        yield ("" if number else f"by {clash.cause}", *side)
    if len(sides) > _NAMED:
        yield ("", f"and {len(sides) - _NAMED} more", "", "", "")


def _clash(clash: Clash, state: State) -> dict[str, object]:
    sides = [
        {"id": one.id, "kind": one.kind, "title": one.title, "actor": one.actor, "recorded_at": one.recorded_at}
        for one in (state.clashing[identifier].record for identifier in clash.ids if identifier in state.clashing)
    ]
    return {"ids": clash.ids, "cause": clash.cause, "sides": sides}


def _records(heading: str, lines: tuple[Line, ...]) -> list[Block]:
    rows = [(short(line.record.id), line.record.kind, standing_cell(line.verdict), line.record.title) for line in lines]
    return [Heading(heading), Table(("id", "kind", "standing", "title"), rows, "")] if rows else []


def _needs_a_look(state: State) -> list[tuple[Cell, Cell]]:
    rows: list[tuple[Cell, Cell]] = []
    rows += [("withdrawn from this branch", rel) for rel in state.withdrawn]
    rows += [("stranded: no branch holds it", rel) for rel in state.stranded]
    rows += [("left in a removed worktree", rel) for rel in state.left_behind]
    rows += [(Toned(_edited(edit), "bad"), edit.rel) for edit in state.edited]
    rows += [("forgotten, but its content is here", rel) for rel in state.forgotten]
    rows += [(Toned(fault.code, "bad"), str(fault)) for fault in state.faults]
    return rows


def _edited(edit: Edit) -> str:
    return f"immutable file edited, {edit.at}" if edit.now else "missing on disk"


def _notes(state: State) -> tuple[str, ...]:
    notes = [f"A {name} is under way: what waits stays as it is until it ends." for name in state.underway]
    if state.withdrawn or state.stranded:
        notes.append("cc-git restore brings a withdrawn or stranded record back.")
    if state.left_behind:
        notes.append("cc-git restore --removed-worktrees brings back what was left behind.")
    if any(not edit.now for edit in state.edited):
        notes.append(f"What is missing on disk: git restore {as_value(state.directory)}/PATH brings it back.")
    if any(edit.now for edit in state.edited):
        how = f"git restore {as_value(state.directory)}/PATH takes an edit back"
        notes.append(f"{how}; cc-git adopt ID makes a correction of it.")
    return tuple(notes)


def _data(state: State) -> dict[str, object]:
    lists = {
        "proposed": [line.record.id for line in state.proposed],
        "needs_review": [line.record.id for line in state.doubted if "needs-review" in line.verdict.flags],
        "stale": [line.record.id for line in state.doubted if "stale" in line.verdict.flags],
        "misleading_packets": list(state.misleading),
        "overdue": [line.record.id for line in state.due],
        "conflicts": [_clash(clash, state) for clash in state.clashes],
        "faults": list(state.faults),
        "edited": [{"file": edit.rel, "at": edit.at} for edit in state.edited],
    }
    plain = (
        "name", "directory", "head", "trusted", "accepted_ref", "standings", "waiting", "private", "quarantined",
        "reported", "withdrawn", "stranded", "left_behind", "forgotten", "emptied", "underway",
    )  # fmt: skip
    return {name: getattr(state, name) for name in plain} | lists
