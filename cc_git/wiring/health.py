"""What `doctor` looks at, one finding a thing, and building the index anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cc_git.codec import paths
from cc_git.compiler.frame import CUT
from cc_git.errors import CcGitError
from cc_git.store.doctor import git_version, journal_fault
from cc_git.store.hook_install import GUARDS, HookStatus
from cc_git.store.left_worktrees import left_behind
from cc_git.wiring.reading import attributes_of, private_in_git, state_of, unheard_accepted_ref
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
        Finding("engine", fine=True, says=f"{session.engine.served_by}, objects {session.engine.object_format}"),
        _identity(session),
        *(finding for name, look in _LOOKS.items() for finding in _guarded(name, look, session)),
    )


def _guarded(name: str, look: Callable[[Session], list[Finding]], session: Session) -> list[Finding]:
    """What stops a look is itself a finding."""
    try:
        return look(session)
    except CcGitError as fault:
        says = f"{fault.what}: {fault.why}" if fault.why else fault.what
        return [Finding(name, fine=False, says=says, helps=fault.hints[0] if fault.hints else "")]


def _workspace(session: Session) -> list[Finding]:
    session.require_readable_policy()
    return [Finding("workspace", fine=True, says=f"{session.workspace.name} at {session.place.prefix}")]


def _identity(session: Session) -> Finding:
    person = session.git.identity()
    if person is None:
        return Finding("identity", fine=False, says="Git does not know who you are", helps="git config user.name …")
    return Finding("identity", fine=True, says=f"{person.name} <{person.email}>")


def _journal(session: Session) -> list[Finding]:
    fault = journal_fault(session.journal)
    if fault is not None:
        where = session.journal.own.journal
        helps = f"mv {where} {where}.damaged: what lies on disk waits again, what only it held is in the copy"
        return [Finding("journal", fine=False, says=f"{where}: {fault}", helps=helps)]
    waiting = len(session.present.waiting)
    return [Finding("journal", fine=True, says=f"{waiting} files wait for a commit")]


def _index(session: Session) -> list[Finding]:
    if session.index.usable:
        return [Finding("index", fine=True, says=str(session.index.path))]
    return [Finding("index", fine=True, says="cannot be used here: slower, never different", helps="cc-git reindex")]


def _hooks(session: Session) -> list[Finding]:
    """The two that may stop something a line each, the others in one."""
    looked = hooks_status(session)
    others = [one for one in looked if one.name not in GUARDS]
    found = [_hook(f"hook {one.name}", [one], _MISSED[one.name]) for one in looked if one.name in GUARDS]
    return [*found, _hook("other hooks", others, "nothing says after a merge or checkout what needs a look")]


_MISSED = {
    "pre-commit": "waiting records join no commit by themselves",
    "pre-push": "nothing looks at what a push would send",
}


def _hook(what: str, looked: list[HookStatus], missed: str) -> Finding:
    missing = [one.name for one in looked if not one.calling]
    if missing:
        named = f" ({', '.join(missing)})" if len(looked) > 1 else ""
        return Finding(what, fine=False, says=f"not installed{named}: {missed}", helps="cc-git hooks install")
    if not all(one.current for one in looked):
        return Finding(what, fine=False, says="is out of date", helps="cc-git hooks install")
    folders = dict.fromkeys(str(one.calling.parent) for one in looked if one.calling)
    return Finding(what, fine=True, says=f"called from {', '.join(folders)}")


def _trust(session: Session) -> list[Finding]:
    if session.trusted:
        return [Finding("trust", fine=True, says="adopted on this machine")]
    return [Finding("trust", fine=False, says="not adopted here: packets are evidence only", helps="cc-git trust")]


def _accepted(session: Session) -> list[Finding]:
    branch = session.attestations.branch
    if branch.warning:
        helps = "cc-git trust --accepted-ref REF"
        return [Finding("accepted branch", fine=False, says=branch.warning, helps=helps)]
    if unheard := unheard_accepted_ref(session):
        return [Finding("accepted branch", fine=False, says=unheard[0], helps="cc-git trust --accepted-ref REF")]
    if branch.ref is None:
        says = "none: only confirmations at this machine's terminals attest"
        return [Finding("accepted branch", fine=True, says=says, helps="cc-git trust --accepted-ref origin/main")]
    if branch.is_local:
        says = f"{branch.ref} is a local branch: whoever can commit here can make their words a person's"
        return [Finding("accepted branch", fine=False, says=says, helps="cc-git trust --accepted-ref origin/main")]
    return [Finding("accepted branch", fine=True, says=branch.ref)]


def _history(session: Session) -> list[Finding]:
    if session.elsewhere.cut:
        return [Finding("history", fine=False, says=CUT, helps="git fetch --unshallow")]
    return [Finding("history", fine=True, says="reaches back to its beginning")]


def _private(session: Session) -> list[Finding]:
    tracked = private_in_git(session)
    found = (*tracked, *(f for f in session.present.faults if f.rel in (paths.PRIVATE_DIR, paths.PRIVATE_IGNORE)))
    if not found:
        return [Finding("private", fine=True, says="nothing of it is tracked by Git")]
    helps = f"git rm -r --cached {session.place.prefix}/{paths.PRIVATE_DIR}" if tracked else "cc-git status"
    return [Finding("private", fine=False, says=str(found[0]), helps=helps)]


def _attributes(session: Session) -> list[Finding]:
    found = attributes_of(session)
    if not found:
        return [Finding("attributes", fine=True, says="Git leaves the bytes of our files alone")]
    helps = f"git check-attr --all -- {session.place.prefix}/{found[0].rel}"
    return [Finding("attributes", fine=False, says=str(found[0]), helps=helps)]


def _files(session: Session) -> list[Finding]:
    state = state_of(session)
    if state.faults or state.edited:
        first = str(state.faults[0]) if state.faults else f"{state.edited[0].rel} {state.edited[0].says}"
        number = len(state.faults) + len(state.edited)
        return [Finding("files", fine=False, says=f"{number} cannot be used: {first}", helps="cc-git status")]
    return [Finding("files", fine=True, says=f"{sum(state.standings.values())} records can be read")]


def _removed_worktrees(session: Session) -> list[Finding]:
    left = left_behind(session.sources, session.present)
    if not left:
        return []
    says = f"{len(left)} files waited in worktrees that are gone: {next(iter(left))}"
    return [Finding("removed worktrees", fine=False, says=says, helps="cc-git restore --removed-worktrees")]


_LOOKS: dict[str, Callable[[Session], list[Finding]]] = {
    "workspace": _workspace,
    "journal": _journal,
    "removed worktrees": _removed_worktrees,
    "index": _index,
    "hooks": _hooks,
    "trust": _trust,
    "accepted branch": _accepted,
    "history": _history,
    "private": _private,
    "attributes": _attributes,
    "files": _files,
}


def rebuild_index(session: Session) -> int:
    """Throw the index away and build it for what is here now; the number of records in it."""
    session.index.erase()
    return len(session.standings.verdicts)
