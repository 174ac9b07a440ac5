"""What an import did with each file of the folder: nothing is passed over in silence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cc_git.importers.adr_graph import Graph
from cc_git.importers.adr_values import Adr, AdrStatus, AdrWarning, NotAnAdr

Done = Literal[
    "imported",
    "changed",
    "already here",
    "quarantined",
    "already waiting",
    "conflicting",
    "forgotten",
    "gone",
    "skipped",
    "broken",
]
"""`conflicting`: another text of the document was imported after this one went to quarantine. `forgotten`: a tombstone
forbids it. `gone`: imported once and not in HEAD any more; its record stands until somebody rules."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`record` is the decision's id, where there is one; `waits_in` the quarantined import that holds it."""

    path: str
    done: Done
    reason: str = ""
    title: str = ""
    status: AdrStatus | None = None
    record: str | None = None
    waits_in: str | None = None
    warnings: tuple[AdrWarning, ...] = ()


def outcome(
    file: Adr | NotAnAdr,
    done: Done = "skipped",
    record: str | None = None,
    graph: Graph | None = None,
    waits_in: str | None = None,
) -> Outcome:
    if isinstance(file, NotAnAdr):
        return Outcome(file.path, "broken" if file.broken else "skipped", file.reason)
    about_links = graph.warnings.get(file.path, ()) if graph else ()
    warnings = tuple(sorted((*file.warnings, *about_links), key=lambda one: (one.line, one.text)))
    return Outcome(file.path, done, "", file.title, file.status, record, waits_in, warnings)


def gone(path: str) -> Outcome:
    return Outcome(path, "gone", "not in HEAD any more; what it decided stands until somebody rules")
