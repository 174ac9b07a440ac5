"""What concerns the user's commits and hooks: commit, restore, hooks."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from cc_git.codec.paths import id_at
from cc_git.errors import Refused, UsageFault
from cc_git.governance.screen import REMEDIES
from cc_git.governance.secrets import secrets_in
from cc_git.model.id_part import IdPart
from cc_git.store import commit as committing
from cc_git.store import hook_install as hooks
from cc_git.store.commit import CommitPlan, Committed
from cc_git.store.hook_install import HooksPlan, HookStatus
from cc_git.store.left_worktrees import left_behind
from cc_git.store.restore import Restored, restore
from cc_git.store.stashes import stashed
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Commit:
    """`stashed` are those of the absent files that a stash holds, `missing` those left out that are not on disk."""

    plan: CommitPlan
    made: Committed | None
    stashed: frozenset[str]
    missing: frozenset[str]


def commit(session: Session, message: str | None, *, dry_run: bool) -> Commit:
    """Commit the workspace alone; hooks, signing, identity and the rest of the index stay the user's."""
    seen = session.present
    waiting = {rel: seen.added[rel].oid for rel in seen.waiting if rel in seen.added}
    plan = committing.plan_commit(session.place, session.engine, session.git, waiting, allowed=lambda _: session.public)
    held = stashed(session.place, session.engine, session.git, plan.absent) if plan.absent else frozenset()
    missing = frozenset(rel for rel in plan.left_out if _is_missing(session, rel))
    if message:
        _refuse_secret(session, message)
    if dry_run:
        return Commit(plan, None, held, missing)
    if plan.secrets and not plan.files:
        raise Refused(f"nothing was committed: {next(iter(plan.secrets.values()))}", hints=REMEDIES)
    made = committing.carry_out(plan, session.place, session.engine, session.git, message=message)
    return Commit(plan, made, held, missing)


def _refuse_secret(session: Session, message: str) -> None:
    """A message is kept and pushed as its commit is."""
    found = secrets_in(message.encode("utf-8", "replace"))
    if found and (found := secrets_in(message.encode("utf-8", "replace"), session.public)):
        raise Refused(f"nothing was committed: its message {found[0].says}", hints=REMEDIES)


def _is_missing(session: Session, rel: str) -> bool:
    directory = session.place.directory
    return directory is not None and not (directory / rel).exists()


def restore_all(session: Session, parts: tuple[IdPart, ...], *, removed_worktrees: bool) -> tuple[Restored, ...]:
    """Bring back what is withdrawn, stranded, elsewhere or left behind; each is named by a part of its id.

    With `removed_worktrees` everything that was left behind.
    """
    if not parts and not removed_worktrees:
        raise UsageFault("nothing is named that should come back", hints=("cc-git status",))
    wanted = [_lost(session, part) for part in parts]
    wanted += left_behind(session.sources, session.present) if removed_worktrees else ()
    return restore(session.sources, wanted)


def _lost(session: Session, part: IdPart) -> str:
    # The look at the present notes what is gone since the last one.
    left = left_behind(session.sources, session.present)
    rels = (*session.journal.read().watch, *left)
    lost = {i for rel in rels if (i := id_at(rel)) and rel not in session.blobs}
    found = part.among(lost)
    if not found:
        _require_on_disk(session, part)
    if len(found) != 1:
        raise UsageFault(
            f"{part.text} names {len(found)} records that can be brought back",
            why=", ".join(found[:8]) or None,
            hints=("cc-git status",),
        )
    return found[0]


def _require_on_disk(session: Session, part: IdPart) -> None:
    """A committed file that somebody removed is the work tree's: Git brings it back."""
    here = {i: rel for rel in session.blobs if (i := id_at(rel)) is not None}
    gone = [here[i] for i in part.among(here) if _is_missing(session, here[i])]
    if gone:
        helps = tuple(f"git restore {session.place.prefix}/{rel}" for rel in gone[:8])
        raise UsageFault(f"{part.text} is committed, and missing on disk", why="nothing took it from here", hints=helps)


def plan_hooks(session: Session, *, uninstall: bool) -> HooksPlan:
    if uninstall:
        return hooks.plan_uninstall(session.place, session.git)
    return hooks.plan_install(session.place, session.git, sys.executable)


def carry_out_hooks(plan: HooksPlan) -> None:
    hooks.carry_out(plan)


def hooks_status(session: Session) -> tuple[HookStatus, ...]:
    return hooks.hooks_status(session.place, session.git)
