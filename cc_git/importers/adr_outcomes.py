"""What an import of decision records did with each file of the folder."""

from __future__ import annotations

from cc_git.importers.adr_graph import Graph
from cc_git.importers.adr_values import Adr, NotAnAdr
from cc_git.importers.outcomes import Done, Outcome


def outcome(
    file: Adr | NotAnAdr,
    done: Done = "skipped",
    record: str | None = None,
    graph: Graph | None = None,
    waits_in: str | None = None,
) -> Outcome:
    """The outcome of one file, with what its text and its links made one guess."""
    if isinstance(file, NotAnAdr):
        return Outcome(file.path, "broken" if file.broken else "skipped", file.reason)
    about_links = graph.warnings.get(file.path, ()) if graph else ()
    warnings = tuple(sorted((*file.warnings, *about_links), key=lambda one: (one.line, one.text)))
    return Outcome(file.path, done, "", file.title, file.status, record, waits_in, warnings)


def gone(path: str) -> Outcome:
    """A document that has left HEAD."""
    return Outcome(path, "gone", "not in HEAD any more; what it decided stands until somebody rules")
