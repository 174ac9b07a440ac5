"""What `doctor` looks at, one finding a thing, and building the index anew."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.errors import CcGitError
from cc_git.store.doctor import git_version, journal_fault, libgit2_version
from cc_git.wiring.session import Session
from cc_git.wiring.work_tree import hooks_status


@dataclass(frozen=True)
class Finding:
    what: str
    fine: bool
    says: str
    helps: str = ""


def examine(session: Session) -> tuple[Finding, ...]:
    """Everything that may keep cc-git from doing its work here."""
    return (
        Finding("git", fine=True, says=git_version(session.git)),
        Finding("engine", fine=True, says=f"libgit2 {libgit2_version()}, objects {session.engine.object_format}"),
        _workspace(session),
        _identity(session),
        _journal(session),
        *_hooks(session),
        _trust(session),
        _accepted(session),
        _files(session),
    )


def _workspace(session: Session) -> Finding:
    try:
        session.require_readable_policy()
    except CcGitError as fault:
        return Finding("workspace", fine=False, says=fault.what, helps=fault.hints[0] if fault.hints else "")
    return Finding("workspace", fine=True, says=f"{session.workspace.name} at {session.place.prefix}")


def _identity(session: Session) -> Finding:
    person = session.git.identity()
    if person is None:
        return Finding("identity", fine=False, says="Git does not know who you are", helps="git config user.name …")
    return Finding("identity", fine=True, says=f"{person.name} <{person.email}>")


def _journal(session: Session) -> Finding:
    fault = journal_fault(session.journal)
    if fault is not None:
        return Finding("journal", fine=False, says=fault, helps="keep a copy of .git/continuity and report it")
    waiting = len(session.present.waiting)
    return Finding("journal", fine=True, says=f"{waiting} files wait for a commit")


def _hooks(session: Session) -> list[Finding]:
    found = []
    for one in hooks_status(session):
        if one.calling and one.current:
            found.append(Finding(f"hook {one.name}", fine=True, says=f"called from {one.calling}"))
        elif one.calling:
            found.append(Finding(f"hook {one.name}", fine=False, says="is out of date", helps="cc-git hooks install"))
        else:
            says = "not installed: waiting records join no commit by themselves"
            found.append(Finding(f"hook {one.name}", fine=True, says=says, helps="cc-git hooks install"))
    return found


def _trust(session: Session) -> Finding:
    if session.trusted:
        return Finding("trust", fine=True, says="adopted on this machine")
    return Finding("trust", fine=False, says="not adopted here: packets are evidence only", helps="cc-git trust")


def _accepted(session: Session) -> Finding:
    branch = session.attestations.branch
    if branch.warning:
        return Finding(
            "accepted branch", fine=False, says=branch.warning, helps="git config continuity.acceptedRef REF"
        )
    if branch.ref is None:
        says = "none: only confirmations at this machine's terminals attest"
        return Finding("accepted branch", fine=True, says=says, helps="cc-git trust --accepted-ref origin/main")
    return Finding("accepted branch", fine=True, says=branch.ref)


def _files(session: Session) -> Finding:
    faults = session.loaded.files.faults
    if faults:
        return Finding("files", fine=False, says=f"{len(faults)} cannot be used: {faults[0]}", helps="cc-git status")
    return Finding("files", fine=True, says=f"{len(session.standings.verdicts)} records can be read")


def rebuild_index(session: Session) -> int:
    """Throw the index away and build it for what is here now; the number of records in it."""
    session.index.erase()
    return len(session.standings.verdicts)
