"""pre-commit: lets waiting records join the commit, then looks at what is about to be committed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from cc_git.errors import CcGitError
from cc_git.githooks.staged_check import check_staged
from cc_git.githooks.variables import read_making
from cc_git.review.finding import Code, Finding
from cc_git.store.commit_being_made import may_add
from cc_git.store.commit_gate import CommitGate, Committing
from cc_git.store.git import Git
from cc_git.store.place import Place
from cc_git.store.user_index import UserIndex
from cc_git.store.waiting_mark import marked

STOP = 3
"""The exit code that `hooks/pre-commit` turns into a stop; every other one lets the commit through."""
_SHOWN = 20
_STOPS: dict[Code, str] = {
    "private": "a private file",
    "above-ceiling": "what is to stay private",
    "secret": "what looks like a secret",
    "format": "a record that breaks the format",
}
_REMEDIES: dict[Code, tuple[str, ...]] = {
    "private": ("git rm -r --cached <path> takes a private file out and leaves it on disk; --no-verify skips this",),
    "above-ceiling": (
        "git restore --staged <path> takes it out of the commit; then move it to the same place below private/, or "
        "remove it where it lies there already",
        "what may be told of it a person says at a terminal: cc-git remember TEXT --source ID --sensitivity ordinary",
    ),
    "secret": (
        "git restore --staged <path> takes it out of the commit; is it real, make it worthless where it was issued",
        "is it public? a person allows it: cc-git secrets allow TEXT --reason WHY; --no-verify skips this",
    ),
    "format": (
        "mend the file and git add it, or take it out: git restore --staged <path>",
        'broken_records = "warn" below [policy] in workspace.toml only warns; --no-verify skips this',
    ),
}


def pre_commit(cwd: Path, environ: Mapping[str, str]) -> tuple[int, tuple[str, ...]]:
    """The exit code and what is to be said, one line each; nothing when all is well."""
    making = read_making(cwd, environ)
    git = Git(making.place(""), environ)
    index = UserIndex(git, making.index)
    gate = CommitGate(Committing(making.place(""), git, index, making.head, lambda place: _allowed(place, git)))
    lines: list[str] = []
    known: frozenset[str] = frozenset()
    prefixes = marked(making.git_dir) if may_add(making) else ()
    if prefixes:
        # libgit2 takes longer to load than all else here, and a commit with nothing to add needs it not.
        from cc_git.store.into_commit import add_waiting

        try:
            addition = add_waiting(making, prefixes, git, gate)
        except (CcGitError, OSError) as fault:
            lines.append(f"what waits goes on waiting: {fault}")
        else:
            known = addition.known
            left = [*(f"{path} {why}" for path, why in addition.held_back.items()), *addition.secrets.values()]
            lines += [f"left out, and goes on waiting: {said}" for said in sorted(left)]
            lines += _REMEDIES["above-ceiling"] if addition.held_back else ()
            lines += _REMEDIES["secret"][1:] if addition.secrets else ()
            if addition.alone:
                lines.append("this commit holds records alone: nothing is staged but what a stopped commit left")
    findings = check_staged(making, git, gate, known)
    lines += _told(findings)
    lines += (gate.unread,) if gate.unread else ()
    return (STOP if any(finding.level == "error" for finding in findings) else 0), tuple(lines)


def _allowed(place: Place, git: Git) -> Collection[str]:
    """The texts that look like secrets and that a person allowed."""
    # What stands must be asked for it, with all that this loads; hardly any commit needs it.
    from cc_git.clock import read_clock
    from cc_git.wiring.public_texts import allowed_in

    return allowed_in(place, git, read_clock())


def _told(findings: tuple[Finding, ...]) -> Iterator[str]:
    stops = {finding.code for finding in findings if finding.level == "error"}
    held = [why for why in _STOPS if why in stops]
    if held:
        yield f"this commit is stopped: it holds {' and '.join(_STOPS[why] for why in held)}"
    ordered = sorted(findings, key=lambda finding: finding.level != "error")
    yield from (f"{finding.level}: {finding.where}: {finding.says}" for finding in ordered[:_SHOWN])
    if len(ordered) > _SHOWN:
        yield f"and {len(ordered) - _SHOWN} more"
    for why in held:
        yield from _REMEDIES[why]
