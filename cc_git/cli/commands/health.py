"""Is everything as it should be: doctor and reindex."""

from __future__ import annotations

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.numbers import records
from cc_git.cli.opening import opened
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Cell, Prose, Table, Toned
from cc_git.errors import Exit


@command()
def doctor(call: Call) -> Outcome:
    """Look at Git, the engine, the journal, the index, hooks and trust, and say what helps."""
    from cc_git.wiring.health import examine

    with opened(call) as session:
        findings = examine(session)
        rows: list[tuple[Cell, ...]] = [
            (one.what, Toned("ok", "good") if one.fine else Toned("look", "warn"), one.says, one.helps)
            for one in findings
        ]
        worst = Exit.OK if all(one.fine for one in findings) else Exit.FOUND
        return Outcome(data=list(findings), blocks=(Table(("what", "", "says", "what helps"), rows, ""),), exit=worst)


@command()
def reindex(call: Call) -> Outcome:
    """Build the index anew; it is never needed for a right answer, only for a quick one."""
    from cc_git.wiring.health import rebuild_index

    with opened(call) as session:
        number = rebuild_index(session)
        return Outcome(data={"records": number}, blocks=(Prose(f"{records(number)} indexed"),))
