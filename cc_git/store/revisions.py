"""Two revisions as people write them for Git: `A B`, `A..B`, `A...B`; an empty one is HEAD."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.errors import UsageFault
from cc_git.store.engine import Engine
from cc_git.store.git import Git
from cc_git.store.negative_history import is_cut
from cc_git.store.place import Place

_DEEPER = ("git fetch --unshallow", "in a workflow: fetch-depth: 0")


@dataclass(frozen=True, slots=True)
class Span:
    """`forked`: what is meant is what `after` did since it left `before` (`A...B`)."""

    before: str
    after: str
    forked: bool = False


def span_of(text: str) -> Span | None:
    """The two ends of a range, or None for a single revision."""
    for dots, forked in (("...", True), ("..", False)):
        before, found, after = text.partition(dots)
        if found:
            return Span(before or "HEAD", after or "HEAD", forked)
    return None


def commit_of(engine: Engine, place: Place, revision: str) -> str:
    """The commit that a revision names. Raises UsageFault."""
    commit = engine.resolve(revision)
    if commit is None:
        cut = is_cut(place)
        raise UsageFault(
            f"{revision!r} names no commit of this repository",
            why="history is cut short in this clone" if cut else None,
            hints=_DEEPER if cut else ("git log --oneline", "git rev-parse --verify REV"),
        )
    return commit


def fork_of(git: Git, engine: Engine, place: Place, one: str, other: str) -> str:
    """The commit where two revisions parted. Raises UsageFault where this clone knows of none."""
    first, second = commit_of(engine, place, one), commit_of(engine, place, other)
    found = git.run("merge-base", first, second, check=False).stdout.decode("ascii", "replace").split()
    if not found:
        raise UsageFault(
            f"{one} and {other} have no commit in common here",
            why="history is cut short in this clone" if is_cut(place) else "their histories are not related",
            hints=_DEEPER,
        )
    return found[0]
