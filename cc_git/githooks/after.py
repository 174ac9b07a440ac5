"""post-commit, post-checkout, post-merge, post-rewrite: what needs a look, in one line. Nothing is changed: the work is
done by the next ordinary command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from cc_git.clock import read_clock
from cc_git.errors import CcGitError
from cc_git.githooks.variables import read_making
from cc_git.model.sanitise import as_value
from cc_git.store.git import Git
from cc_git.store.repository import open_repository, workspaces
from cc_git.wiring.needs_a_look import Looks, needs_a_look
from cc_git.wiring.session import Asked, Session


def after(cwd: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    """A line for each workspace that needs a look; none where all is well."""
    making = read_making(cwd, environ)
    place = making.place("")
    git = Git(place, environ)
    engine = open_repository(place, git)
    try:
        prefixes = workspaces(place, git, engine)
    finally:
        engine.close()
    lines = []
    for prefix in prefixes:
        session = Session(Asked(making.top, environ, read_clock(), look_only=True), making.place(prefix), git)
        try:
            told = ", ".join(_in_words(needs_a_look(session)))
        except CcGitError as fault:
            told = str(fault)
        finally:
            session.close()
        if told:
            where = "" if len(prefixes) == 1 else f"{as_value(prefix)}: "
            lines.append(f"{where}needs a look: {told} (cc-git status)")
    return tuple(lines)


def _in_words(looks: Looks) -> Iterator[str]:
    def number(count: int, one: str, more: str) -> Iterator[str]:
        if count:
            yield f"{count} {one if count == 1 else more}"

    yield from number(looks.conflicts, "conflict", "conflicts")
    yield from number(looks.forgotten, "forgotten file that is here again", "forgotten files that are here again")
    yield from number(looks.withheld, "record that another branch takes back", "records that other branches take back")
    yield from number(looks.stranded, "record that no branch holds", "records that no branch holds")
    yield from number(looks.packets, "packet that no longer holds", "packets that no longer hold")
