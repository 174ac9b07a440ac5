"""Beginning and adopting a workspace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cc_git.codec import paths
from cc_git.codec.workspace_file import first_text
from cc_git.errors import NotWritable, Refused, Unsupported, UsageFault
from cc_git.governance.screen import screen
from cc_git.model.authority import Sensitivity
from cc_git.model.scope import Scope
from cc_git.model.value import clean_line
from cc_git.model.who import Who
from cc_git.store.accepted import CEILING_KEY, CONFIG_KEY, REMOTE, local_branch, remote_branches
from cc_git.store.git import Git
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.place import Place, refuse_foreign, repository_at
from cc_git.store.repository import open_repository
from cc_git.store.trust import Trust
from cc_git.store.write import write
from cc_git.wiring.session import Asked, Session


@dataclass(frozen=True)
class Begun:
    """`was_there`: nothing was written. `trusted`: a person at a terminal adopted it with this act."""

    directory: Path
    name: str
    was_there: bool
    trusted: bool


def init(asked: Asked, who: Who, name: str | None, folders: str, *, here: bool) -> Begun:
    """Begin a workspace at the repository's top level, or in the current directory (`here`, for a monorepo)."""
    place = _new_place(asked, here=here)
    directory = place.directory
    if directory is None:
        raise Unsupported("this is a bare repository: a workspace begins in a work tree", hints=("git clone",))
    refuse_foreign(directory)
    trust = Trust(place)
    if (directory / paths.WORKSPACE_FILE).exists():
        return Begun(directory, name or "", was_there=True, trusted=trust.mark() is not None)
    named = name or clean_line(directory.parent.name) or "workspace"
    git = Git(place, asked.environ)
    engine = open_repository(place, git)
    journal = Journal.open(place, object_format=engine.object_format)
    try:
        text = first_text(named, Scope(project=named), folders)
        files = {paths.ATTRIBUTES_FILE: paths.ATTRIBUTES_TEXT.encode(), paths.WORKSPACE_FILE: text}
        # No workspace yet, so nobody allowed anything: its name comes from a folder or a person.
        written = write(journal, screen(files, tuple), verb="init", note=WriteNote(engine.head()[1]))
        if written.unplaced:
            raise NotWritable(f"no workspace began at {directory}", why=written.unplaced, hints=("cc-git init",))
    finally:
        journal.close()
        engine.close()
    if who.is_person_at_terminal:
        trust.adopt(who, asked.now)
    return Begun(directory, named, was_there=False, trusted=who.is_person_at_terminal)


def _new_place(asked: Asked, *, here: bool) -> Place:
    place = repository_at(asked.workspace or asked.start, asked.environ)
    if not here or place.top is None:
        return place
    below = (asked.workspace or asked.start).resolve().relative_to(place.top).as_posix()
    prefix = paths.WORKSPACE_DIR if below == "." else f"{below}/{paths.WORKSPACE_DIR}"
    return Place(place.top, place.git_dir, place.common_dir, prefix)


def trust(
    session: Session,
    who: Who,
    *,
    accepted_ref: str | None = None,
    tracked_ceiling: Sensitivity | None = None,
    take_back: bool = False,
) -> bool:
    """Adopt the workspace on this machine, or take that back; whether it is trusted afterwards. Raises Refused."""
    mark = Trust(session.place)
    if take_back and (accepted_ref is not None or tracked_ceiling is not None):
        raise UsageFault("taking trust back names no branch and no ceiling", hints=("cc-git trust --take-back",))
    if take_back:
        mark.take_back(who, session.now)
        return False
    if accepted_ref is not None:
        _check_branch(session, accepted_ref)
    if tracked_ceiling is not None and session.attestations.policy is not None:
        raise Refused(
            f"{session.attestations.branch.ref} decides up to which sensitivity files are tracked",
            why=f"its {paths.WORKSPACE_FILE} says {session.attestations.policy.tracked_ceiling}",
            hints=("change tracked_ceiling there, and have it accepted",),
        )
    mark.adopt(who, session.now)
    if accepted_ref is not None:
        session.git.run("config", "--local", CONFIG_KEY, accepted_ref)
    if tracked_ceiling is not None:
        session.git.run("config", "--local", CEILING_KEY, tracked_ceiling)
    return True


def _check_branch(session: Session, named: str) -> None:
    """The accepted branch binds only where somebody else decides what gets into it."""
    remote = remote_branches(session.engine)
    if named.removeprefix(REMOTE) in remote:
        return
    local = local_branch(session.engine, named)
    if local is not None:
        raise Refused(
            f"{named} is a local branch",
            why="whoever can commit here, an agent too, would make their own words a person's",
            hints=(
                "name a remote-tracking branch that is protected there, as origin/main",
                f"if you are alone here: git config {CONFIG_KEY} {local}",
            ),
        )
    raise UsageFault(
        f"there is no branch {named}",
        why=f"remote-tracking branches are {', '.join(remote[:8])}" if remote else "this clone has no remote branches",
        hints=("cc-git trust, without an accepted branch", "git fetch"),
    )
