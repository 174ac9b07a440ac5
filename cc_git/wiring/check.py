"""`cc-git check`: a range, what is staged, or everything that is here, judged by the policy of its base.

Every workspace of the repository is judged, also one that the proposal takes away, unless one is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from cc_git.codec import paths
from cc_git.errors import NoWorkspace, UsageFault
from cc_git.model.policy import Policy
from cc_git.review.check import check
from cc_git.review.finding import Finding, found
from cc_git.review.one_file import OneFile, no_plain_file
from cc_git.review.proposal import Changed
from cc_git.store.edits import edits
from cc_git.store.git import Git
from cc_git.store.negative_history import is_cut
from cc_git.store.place import ForeignWorkspace, repository_at
from cc_git.store.repository import workspaces
from cc_git.store.revisions import Span, commit_of, fork_of, span_of
from cc_git.store.staged import ANY_WORKSPACE, changes_of_commit
from cc_git.store.user_index import EMPTY_TREE, UserIndex
from cc_git.wiring.proposals import NOTHING, Judged, changes, held_at, proposal_of, with_changes
from cc_git.wiring.session import Asked, Session, open_session


@dataclass(frozen=True)
class Checked:
    """`base` names what judged, `files` is the number of those that were looked at, `workspaces` where they lie."""

    base: str
    files: int = 0
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    workspaces: tuple[str, ...] = ()


def check_range(asked: Asked, text: str) -> Checked:
    """What the second end of a range would bring into the first. Raises UsageFault, NoWorkspace."""
    span = span_of(text) or Span(text, "HEAD")
    done = _each(asked, lambda session: _range(session, span), span)
    if not done.workspaces:
        raise NoWorkspace(f"neither {span.before} nor {span.after} has a workspace", hints=("cc-git init",))
    return done


def check_staged(asked: Asked) -> Checked:
    """What the index that Git names would commit. In a merge only what no side of it had is looked at."""
    try:
        return _each(asked, _staged)
    except ForeignWorkspace as foreign:
        return Checked("HEAD", warnings=(f"nothing was checked: {foreign.what}",))


def check_present(asked: Asked) -> Checked:
    """Every file that is here, committed or waiting, against the accepted branch (where there is none, HEAD)."""
    done = _each(asked, _present)
    if not done.workspaces:
        with closing(open_session(asked)):
            raise NoWorkspace("no workspace of this repository is on this branch")
    return done


def _each(asked: Asked, one: Callable[[Session], Checked | None], span: Span | None = None) -> Checked:
    """The workspaces of the repository, or the one that was asked for, checked one after the other."""
    done = Checked(span.before if span else "")
    for session in _sessions(asked, span):
        with closing(session):
            checked = one(session)
        if checked is not None:
            done = Checked(
                checked.base,
                done.files + checked.files,
                (*done.findings, *checked.findings),
                tuple(dict.fromkeys((*done.warnings, *checked.warnings))),
                (*done.workspaces, session.place.prefix),
            )
    return done


def _sessions(asked: Asked, span: Span | None) -> Iterator[Session]:
    if asked.workspace is not None:
        yield open_session(asked)
        return
    place = repository_at(asked.start, asked.environ)
    git = Git(place, asked.environ)
    session = Session(asked, place, git)
    found_here = set(workspaces(place, git, session.engine))
    if span is not None:
        ends = (commit_of(session.engine, place, revision) for revision in (span.before, span.after))
        words = ("diff-tree", "-r", "--name-only", "--no-renames", "-z", *ends, "--", ANY_WORKSPACE)
        named = git.run(*words, check=False).stdout.decode("utf-8", "surrogateescape").split("\0")
        found_here |= {path.rpartition("/")[0] for path in named if path}
    session.close()
    for prefix in sorted(found_here):
        yield Session(asked, replace(place, prefix=prefix), git)


def _range(session: Session, span: Span) -> Checked | None:
    base, tip = held_at(session, span.before), held_at(session, span.after)
    if not base.blobs and not tip.blobs:
        return None
    fork = base
    if base.commit is None or tip.commit is None or not session.engine.is_ancestor(base.commit, tip.commit):
        fork = held_at(session, fork_of(session.git, session.engine, session.place, span.before, span.after))
    changed = changes(fork.blobs, tip.blobs)
    done = _checked(session, Judged(base, tip, with_changes(base.blobs, changed), changed), span.before)
    return replace(done, findings=(*_no_plain_files(session, fork.commit, str(tip.commit)), *done.findings))


def _staged(session: Session) -> Checked:
    place = session.place
    if place.top is None:
        raise UsageFault("a bare repository has no index", hints=("cc-git check --range A..B",))
    named = session.asked.environ.get("GIT_INDEX_FILE")
    index = UserIndex(session.git, session.asked.start / named if named else None)
    head = session.engine.head()[1]
    against = head or EMPTY_TREE[session.engine.object_format]
    inside = f"{place.prefix}/"
    staged = {path.removeprefix(inside): one for path, one in index.changes(against, f":(top,literal){inside}").items()}
    if not staged:
        return Checked("HEAD", workspaces=(place.prefix,))
    base = NOTHING if head is None else held_at(session, head)
    everything = {rel: Changed(one.before, one.after) for rel, one in staged.items() if one.status != "U"}
    own = changes_of_commit(index, place.git_dir, against)
    no_files = [_no_plain_file(place.prefix, rel) for rel, one in staged.items() if one.after and not one.is_file]
    changed = {rel: change for rel, change in everything.items() if f"{inside}{rel}" in own and staged[rel].is_file}
    done = _checked(session, Judged(base, base, with_changes(base.blobs, everything), changed), "HEAD")
    return replace(done, findings=(*filter(None, no_files), *done.findings))


def _present(session: Session) -> Checked:
    present, branch = session.present, session.attestations.branch
    head = NOTHING if present.head is None else held_at(session, present.head)
    base = fork = head if branch.commit is None else held_at(session, branch.commit)
    if branch.commit is not None and present.head not in (None, branch.commit):
        fork = held_at(session, fork_of(session.git, session.engine, session.place, branch.commit, str(present.head)))
    over = {rel: entry.oid for rel, entry in present.added.items() if not paths.is_private(rel)}
    here = {**head.blobs, **over}
    gone = {rel: change for rel, change in changes(fork.blobs, here).items() if change.after is None}
    looked = {rel: Changed(fork.blobs.get(rel), blob) for rel, blob in sorted(here.items())} | gone
    merged = with_changes(base.blobs, looked)
    done = _checked(session, Judged(base, head, merged, looked), branch.ref or "HEAD")
    no_files = _no_plain_files(session, None, present.head) if present.head else ()
    return replace(done, findings=(*no_files, *done.findings, *_beside(session)))


def _no_plain_files(session: Session, before: str | None, after: str) -> Iterator[Finding]:
    """The links and submodules that a commit has in the place of files of ours, or has where another had none."""
    prefix = session.place.prefix
    against = before or EMPTY_TREE[session.engine.object_format]
    words = (
        "diff-tree",
        "-r",
        "--raw",
        "--no-renames",
        "--diff-filter=AMT",
        "-z",
        against,
        after,
        "--",
        f":(top,literal){prefix}",
    )
    told = session.git.run(*words).stdout.split(b"\0")
    for about, path in zip(told[::2], told[1::2], strict=False):
        if not about.split(b" ")[1].startswith(b"100"):
            rel = path.decode("utf-8", "surrogateescape").removeprefix(f"{prefix}/")
            yield from filter(None, [_no_plain_file(prefix, rel)])


def _no_plain_file(prefix: str, rel: str) -> Finding | None:
    file = OneFile(prefix, rel, None, "")
    return no_plain_file(file.path) if paths.id_at(rel) is not None or file.is_place_of_ours else None


def _checked(session: Session, judged: Judged, base: str) -> Checked:
    proposal = proposal_of(session, judged)
    warnings = []
    if is_cut(session.place):
        warnings.append(
            "history is cut short in this clone, so what came back and what was lost is found only as far as it goes "
            "(git fetch --unshallow; in a workflow: fetch-depth: 0)"
        )
    if proposal.policy == Policy() and not judged.base.blobs:
        warnings.append(f"{base} has no {session.place.prefix}/, so the default policy judges it")
    return Checked(base, len(judged.changed), check(proposal), tuple(warnings))


def _beside(session: Session) -> Iterator[Finding]:
    """What lies on disk and is in no commit and no snapshot: broken files, and edits of immutable ones."""
    prefix = session.place.prefix
    for fault in session.present.faults:
        if not paths.is_private(fault.rel):
            yield found("format", f"{prefix}/{fault.rel}", fault.reason, line=fault.line, helps="mend it, or remove it")
    for edit in edits(session.sources, session.present):
        if edit.at != "committed" and not paths.is_private(edit.rel):
            says = f"{edit.says}; cc-git correct keeps both" if edit.now else edit.says
            yield found("edited", f"{prefix}/{edit.rel}", says, helps=f"git checkout -- {prefix}/{edit.rel}")
