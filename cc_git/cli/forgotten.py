"""How a forgetting is told: the three lists of the plan, the search, and the next step for whoever still holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cc_git.cli.numbers import each, ids
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Heading, Prose, Table
from cc_git.errors import Exit
from cc_git.model.ids import KIND_OF_PREFIX, prefix_of, short

if TYPE_CHECKING:
    from cc_git.governance.forget import ForgetPlan, Removal
    from cc_git.store.boundaries import Boundary, Residue
    from cc_git.wiring.forget import Forgotten
    from cc_git.wiring.residue import Again

_MOST = 40
_STEP = {
    "branch": "rewrite its history (cc-git forget --history-plan), or let the past be",
    "remote": "push the commit that empties it; what was pushed before stays there until its owner rewrites it",
    "tag": "delete or move the tag, here and on every remote",
    "stash": "git stash drop, once nothing else in it is needed",
    "reflog": "git reflog expire --expire=now --all && git gc --prune=now",
    "notes": "git notes remove, for the notes that repeat it",
    "replace": "git replace --delete",
    "ref": "git update-ref -d, once it is not needed",
    "worktree": "run cc-git status there: it empties them (a checkout of a past commit: switch to a branch first)",
    "beside": "its own words repeat it: run cc-git forget --match there",
    "ruling": "it stays, and keeps the fingerprint of the file that it ruled on: forget it as well, if it may go",
    "index": "git restore --staged, then git gc --prune=now",
    "unreachable": "git gc --prune=now",
    "loose objects": "they go with the history that names them: then git gc --prune=now",
    "packed objects": "they go with the history that names them: then git gc --prune=now",
    "export": "ask whoever got a copy of this bundle; the file itself was removed if it was still there",
    "shallow": "the history before the cut was not looked at: git fetch --unshallow",
    "alternates": "another repository lends its objects to this one: look there as well",
}
_BEYOND = (
    "No tool can see: backups, other clones and forks, the logs of hosts, CI and providers, pull-request comments,"
    " shell history, screenshots, recipients."
)


def outcome_of(done: Forgotten, *, dry_run: bool) -> Outcome:
    plan, completed = done.plan, done.completed
    data: dict[str, Any] = {"plan": _plan_data(plan), "dry_run": dry_run}
    if completed is None:
        nothing = "Nothing was written (--dry-run)." if dry_run else "Nothing here has any of it."
        notes = [nothing, f"To carry it out: the same command with --confirm {plan.digest}"] if dry_run else [nothing]
        return Outcome(data=data, blocks=_plan_blocks(plan), notes=notes)
    receipt, residue = completed.receipt, completed.residue
    data |= {"found": list(completed.findings), "held": _held_data(residue)}
    counts = each(
        {
            name.removesuffix("s") if number == 1 else name: number
            for name, number in receipt.counts.items()
            if not name.startswith("held")
        }
    )
    blocks: list[Block] = [Prose(f"Forgotten: {ids(len(plan.ids))} ({counts}). Receipt {receipt.id}.")]
    if completed.findings:
        rows = [(one.place, one.name, one.what) for one in completed.findings]
        blocks += [Heading("\nThe search still finds it here"), Table(("where", "which", "by"), rows, "")]
    else:
        blocks.append(Prose("The search finds none of it in the files, the index, the packets and the journal."))
    blocks += held_blocks(residue)
    notes = ["The emptied files and tombstones wait for your next commit (or: cc-git commit).", _BEYOND]
    worst = Exit.FOUND if completed.findings else Exit.OK
    return Outcome(data=data, blocks=blocks, notes=notes, receipt=receipt, exit=worst)


def _commits(number: int) -> str:
    return f"{number} commit{'' if number == 1 else 's'}"


def _named(one: Removal) -> str:
    """With its kind, and without its words: what goes for good is not left in a terminal's scrollback."""
    kind = KIND_OF_PREFIX.get(prefix_of(one.id), "")
    return f"{short(one.id)}  {kind}" if kind else short(one.id)


def explained(plan: ForgetPlan) -> str:
    """The plan in words, and the question."""
    lines = [f"Plan {plan.digest}: this will be forgotten for good (cc-git show ID says what it is)"]
    lines += [f"  {_named(one)}  {one.why}" for one in plan.removals[:_MOST]]
    if len(plan.removals) > _MOST:
        lines.append(f"  and {len(plan.removals) - _MOST} more (cc-git forget … --dry-run shows all)")
    if plan.reach.redacted:
        lines.append(f"  and fields of {', '.join(sorted(plan.reach.redacted))}")
    if plan.packets:
        lines.append(f"  and {len(plan.packets)} compiled packets")
    lines += [f"  and the exported bundle {path}" for path in plan.exports]
    if plan.endings:
        lines.append(f"What it had ended stays ended: {', '.join(map(short, plan.endings[:_MOST]))}")
    if plan.reach.review:
        lines.append(f"{len(plan.reach.review)} others rest on it and stay, to be reviewed")
    return "\n".join([*lines, "Forget all this?"])


def held_blocks(residue: Residue) -> list[Block]:
    rows: list[tuple[Cell, ...]] = [(b.kind, b.name, str(b.number), _STEP[b.kind]) for b in residue.boundaries]
    if not rows:
        return [Prose("\nNothing else in this clone holds it.")]
    title = f"\nStill held beyond our reach ({_commits(len(residue.commits))})"
    return [Heading(title), Table(("where", "which", "how many", "what helps"), rows, "")]


def residue_outcome(again: Again) -> Outcome:
    data = {"ids": list(again.ids), "held": _held_data(again.residue)}
    return Outcome(data=data, blocks=held_blocks(again.residue), notes=(_BEYOND,))


def history_outcome(again: Again) -> Outcome:
    """The exact plan, as a script to read; nothing is run."""
    plan = again.history
    data = {"ids": list(again.ids), "paths": list(plan.paths), "blobs": list(plan.blobs), "commits": list(plan.commits),
            "refs": list(plan.refs), "remotes": list(plan.remotes), "must_reclone": list(plan.people)}  # fmt: skip
    if not plan.blobs:
        return Outcome(data=data, blocks=(Prose("No commit, stash or loose object of this clone holds any of it."),))
    lines = [
        "# Nothing of this was run. It rewrites history: agree on it with everybody named at the end first.",
        "# In a fresh clone made with: git clone --mirror",
        "cat > forgotten-blobs <<'END'",
        *plan.blobs,
        "END",
        "git filter-repo --strip-blobs-with-ids forgotten-blobs",
        "",
        "# What it takes out:",
        *(f"#   {path}" for path in plan.paths),
        f"# from {_commits(len(plan.commits))}, which get new ids with all that follow them:",
        *(f"#   {commit}" for commit in plan.commits),
        "# on these refs, each to be pushed again by force where it was pushed:",
        *(f"#   {ref}" for ref in plan.refs),
        "# to these remotes, whose owners clear their caches and pull requests:",
        *(f"#   {remote}" for remote in plan.remotes),
        "# In every clone that stays: git stash drop (where it holds it),",
        "#   git reflog expire --expire=now --all && git gc --prune=now",
        "# These people must clone again (the authors on these refs), and so must whoever else has a clone:",
        *(f"#   {person}" for person in plan.people),
    ]
    return Outcome(data=data, blocks=(Prose("\n".join(lines)),), notes=(_BEYOND,))


def _plan_blocks(plan: ForgetPlan) -> list[Block]:
    reach = plan.reach
    removals: list[tuple[Cell, ...]] = [(one.id, one.why, ", ".join(one.rels)) for one in plan.removals]
    kept: list[tuple[Cell, ...]] = [(i, "rests on it and on others: to be reviewed") for i in sorted(reach.review)]
    kept += [(i, "quotes it, kept by your word") for i in sorted(reach.kept)]
    kept += [(i, "contains the same short text: name it as well, or let it be") for i in sorted(reach.likes)]
    kept += [(rel, "a document that people edit: take the text out by hand") for rel in sorted(reach.documents)]
    changed: list[tuple[Cell, ...]] = [(rel, "loses the fields that quote it") for rel in sorted(reach.redacted)]
    changed += [(i, "stays ended") for i in plan.endings]
    changed += [(i, "a packet, removed") for i in plan.packets]
    changed += [(path, "an exported bundle, removed") for path in plan.exports]
    return [
        Heading(f"Plan {plan.digest}"),
        Table(("goes", "why", "files"), removals, "Nothing goes."),
        Heading("\nStays"),
        Table(("what", "why"), kept, "Nothing else has to do with it."),
        Heading("\nChanges"),
        Table(("what", "how"), changed, "Nothing else changes."),
    ]


def _plan_data(plan: ForgetPlan) -> dict[str, Any]:
    reach = plan.reach
    return {
        "digest": plan.digest,
        "remove": [{"id": one.id, "why": one.why, "files": list(one.rels)} for one in plan.removals],
        "review": sorted(reach.review),
        "kept": sorted(reach.kept),
        "alike": sorted(reach.likes),
        "redact": sorted(reach.redacted),
        "by_hand": sorted(reach.documents),
        "endings": list(plan.endings),
        "packets": list(plan.packets),
        "exports": list(plan.exports),
    }


def _held_data(residue: Residue) -> dict[str, Any]:
    return {"commits": list(residue.commits), "places": [_place(b) for b in residue.boundaries]}


def _place(one: Boundary) -> dict[str, Any]:
    return {"kind": one.kind, "name": one.name, "number": one.number, "next": _STEP[one.kind]}
