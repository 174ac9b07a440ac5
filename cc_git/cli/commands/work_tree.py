"""The user's commits and hooks: commit, restore, hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.numbers import files as numbered
from cc_git.cli.opening import opened
from cc_git.cli.options import ID_PART, TEXT, dry_run_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Heading, Prose, Table, Toned
from cc_git.errors import Exit
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short

if TYPE_CHECKING:
    from pathlib import Path

    from cc_git.store.hook_install import Advice, HooksPlan
    from cc_git.wiring.work_tree import Commit


@command()
@click.option("-m", "--message", type=TEXT, help="Default: what is committed, in counts.")
@dry_run_option
def commit(call: Call, message: str | None, dry_run: bool) -> Outcome:
    """Commit the workspace alone; the rest of your index stays as it is."""
    from cc_git.wiring.work_tree import commit as commit_workspace

    with opened(call) as session:
        result = commit_workspace(session, message, dry_run=dry_run)
        files = result.made.files if result.made else result.plan.files
        oid = result.made.commit if result.made else None
        said = f"{numbered(len(files))} in {oid[:12]}" if oid else f"{numbered(len(files))} would be committed"
        blocks = (Prose(said if files else "There is nothing to commit."),)
        return Outcome(data={"commit": oid, "files": list(files)}, blocks=blocks, warnings=_not_committed(result))


_AWAY = "move it to the same place below private/, or remove it where it lies there already"


def _not_committed(result: Commit) -> list[str]:
    from cc_git.codec.paths import is_private

    edited, missing = "was edited, and is written once", "is missing on disk (git restore brings it back)"
    why = {rel: missing if rel in result.missing else edited for rel in result.plan.left_out}
    why |= {rel: "is private" for rel in result.plan.left_out if is_private(rel)}
    told = [f"left out: {rel} {reason}" for rel, reason in why.items()]
    told += [f"left out: {rel}: {reason} ({_AWAY})" for rel, reason in result.plan.held_back.items()]
    told += [f"left out: {says}" for says in result.plan.secrets.values()]
    held = [rel for rel in result.plan.absent if rel in result.stashed]
    told += [f"in a stash, so still waiting: {rel} (git stash pop, then: cc-git commit)" for rel in held]
    return told + [f"not on disk, so still waiting: {rel}" for rel in result.plan.absent if rel not in result.stashed]


@command()
@click.argument("ids", type=ID_PART, metavar="ID…", nargs=-1)
@click.option("--removed-worktrees", is_flag=True, help="Everything that waited in worktrees that are gone.")
def restore(call: Call, ids: tuple[IdPart, ...], removed_worktrees: bool) -> Outcome:
    """Bring back records that a revert, reset, deleted branch or removed worktree took from here."""
    from cc_git.codec.paths import id_at, is_private
    from cc_git.wiring.work_tree import restore_all

    with opened(call) as session:
        restored = restore_all(session, ids, removed_worktrees=removed_worktrees)
        how = {True: "is private here again", False: "waits for the next commit"}
        why = {True: ": something that came back rests on it", False: ""}
        lines = [f"{short(id_at(one.rel) or one.rel)} {how[is_private(one.rel)]}{why[one.along]}" for one in restored]
        return Outcome(data=list(restored), blocks=(Prose("\n".join(lines) or "Nothing was left behind."),))


@command()
@dry_run_option
def hooks_install(call: Call, dry_run: bool) -> Outcome:
    """Let waiting records join your commits, and look at what is committed and pushed; other hooks are kept.

    Exit code 1: some hooks are not this repository's alone, and you are told the lines to add to them."""
    from cc_git.wiring.work_tree import carry_out_hooks, plan_hooks

    with opened(call) as session:
        plan = plan_hooks(session, uninstall=False)
        if not dry_run:
            carry_out_hooks(plan)
        return _hooks_outcome(plan, dry_run=dry_run)


@command()
@dry_run_option
def hooks_uninstall(call: Call, dry_run: bool) -> Outcome:
    """Take our hooks out again, to the byte."""
    from cc_git.wiring.work_tree import carry_out_hooks, plan_hooks

    with opened(call) as session:
        plan = plan_hooks(session, uninstall=True)
        if not dry_run:
            carry_out_hooks(plan)
        return _hooks_outcome(plan, dry_run=dry_run)


@command()
def hooks_status(call: Call) -> Outcome:
    """Say which hooks call cc-git, and whether they would work."""
    from cc_git.wiring.work_tree import hooks_status as look

    with opened(call) as session:
        found, rows = look(session), list[tuple[Cell, ...]]()
        for one in found:
            state = Toned("installed", "good") if one.calling and one.current else Toned("not installed", "warn")
            rows.append((one.name, state, str(one.calling or ""), one.program or ""))
        data = [{"name": one.name, "calling": one.calling, "program": one.program, "current": one.current}
                for one in found]  # fmt: skip
        return Outcome(data=data, blocks=(Table(("hook", "state", "called from", "program"), rows, ""),))


def _hooks_outcome(plan: HooksPlan, *, dry_run: bool) -> Outcome:
    would = "would be " if dry_run else ""
    done: dict[tuple[str, Path], list[str]] = {}
    for change in plan.changes:
        done.setdefault(("removed" if change.after is None else "written", change.path.parent), []).append(
            change.path.name
        )
    lines = [f"{would}{what} in {folder}: {', '.join(names)}" for (what, folder), names in done.items()]
    lines = lines or ["Nothing to change."]
    blocks: list[Block] = [Prose("\n".join(lines))]
    for advice in plan.advice:
        blocks += _advice(advice)
    data = {"changes": [change.path for change in plan.changes], "advice": list(plan.advice)}
    return Outcome(data=data, blocks=blocks, exit=Exit.FOUND if plan.advice else Exit.OK)


def _advice(advice: Advice) -> list[Block]:
    lines = "\n".join(f"    {line}" for line in advice.lines)
    return [Heading(f"\nLeft alone: {advice.why}"), Prose(f"To have it call cc-git, add to {advice.where}:\n{lines}")]
