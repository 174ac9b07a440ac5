"""What people do with Git: one function a step, and how often each is taken."""

from __future__ import annotations

from collections.abc import Callable

from cc_git.store.present import Workspace

from .world import PREFIX, World

Step = Callable[[World], object]


def remember(world: World) -> None:
    world.remember()


def look(world: World) -> None:
    world.look()


def commit_everything(world: World) -> None:
    world.code()
    world.run("add", "-A")
    world.run("commit", "-qm", "everything")


def commit_tracked(world: World) -> None:
    world.code()
    world.run("commit", "-qam", "tracked")


def commit_path(world: World) -> None:
    world.code()
    world.run("commit", "-qm", "path", "a.c")


def commit_memory(world: World) -> None:
    world.run("add", PREFIX)
    world.run("commit", "-qm", "memory", "--", PREFIX)


def stage(world: World) -> None:
    world.run("add", "-A")


def amend(world: World) -> None:
    world.code()
    world.run("add", "-A")
    world.run("commit", "-q", "--amend", "-m", "amended")


def checkout(world: World) -> None:
    world.run("checkout", "-q", world.rng.choice(world.branches))


def checkout_older_than_the_workspace(world: World) -> None:
    world.run("checkout", "-q", "old")
    if world.rng.random() < 0.5:
        world.look()
    world.run("checkout", "-q", "main")


def detach(world: World) -> None:
    world.run("checkout", "-q", "HEAD~1")


def checkout_files(world: World) -> None:
    world.run("checkout", "-q", "--", ".")


def switch_orphan(world: World) -> None:
    name = f"orphan{len(world.trace)}"
    if world.run("switch", "-q", "--orphan", name) is not None:
        if world.rng.random() < 0.5:
            world.look()
        if world.rng.random() < 0.5:
            world.run("commit", "-q", "--allow-empty", "-m", "orphan")
        world.run("checkout", "-q", "main")


def stash(world: World) -> None:
    world.run("stash", "-u")


def stash_tracked(world: World) -> None:
    world.code()
    world.run("stash")


def stash_all(world: World) -> None:
    world.run("stash", "-a")


def pop(world: World) -> None:
    if world.ask("stash", "list"):
        world.run("stash", "pop")


def apply_stash(world: World) -> None:
    if world.ask("stash", "list"):
        world.run("stash", "apply")


def drop(world: World) -> None:
    if world.ask("stash", "list"):
        world.run("stash", "drop")


def clean(world: World) -> None:
    world.run("clean", "-qfd")


def clean_ignored(world: World) -> None:
    world.run("clean", "-qfdx")


def reset_hard(world: World) -> None:
    world.run("reset", "-q", "--hard", "HEAD~1")


def reset_mixed(world: World) -> None:
    world.run("reset", "-q", "HEAD~1")


def reset_soft(world: World) -> None:
    world.run("reset", "-q", "--soft", "HEAD~1")


def unstage(world: World) -> None:
    world.run("reset", "-q")


def remove_committed(world: World) -> None:
    _remove(world, "rm", "-q")


def untrack_committed(world: World) -> None:
    _remove(world, "rm", "-q", "--cached")


def _remove(world: World, *words: str) -> None:
    listed = world.ask("ls-files", "--", PREFIX).split()
    chosen = [path for path in listed if path.removeprefix(PREFIX) in world.ours]
    if chosen:
        world.run(*words, world.rng.choice(chosen))
        if world.rng.random() < 0.3:
            world.look()
        world.run("commit", "-qm", "removed")


def rebase(world: World) -> None:
    if world.run("rebase", "-q", world.rng.choice(world.branches)) is None:
        _end(world, "rebase", "--skip", "--quit")


def rebase_autostash(world: World) -> None:
    world.code()
    if world.run("rebase", "-q", "--autostash", world.rng.choice(world.branches)) is None:
        _end(world, "rebase", "--skip")


def cherry_pick(world: World) -> None:
    if world.run("cherry-pick", world.rng.choice(world.branches)) is None:
        _end(world, "cherry-pick", "--quit")


def cherry_pick_uncommitted(world: World) -> None:
    if world.run("cherry-pick", "-n", world.rng.choice(world.branches)) is None:
        _end(world, "cherry-pick", "--quit")


def revert(world: World) -> None:
    if world.run("revert", "--no-edit", "HEAD") is None:
        _end(world, "revert", "--quit")


def merge(world: World) -> None:
    if world.run("merge", "-q", "--no-edit", world.rng.choice(world.branches)) is None:
        _end(world, "merge")


def restart_merge(world: World) -> None:
    """Stopped, aborted, started again, and finished with one side's code."""
    branch = world.rng.choice(world.branches)
    if world.run("merge", "-q", "--no-edit", branch) is None and world.has("MERGE_HEAD"):
        world.look()
        world.run("merge", "--abort")
        world.look()
        if world.run("merge", "-q", "--no-edit", branch) is None and world.has("MERGE_HEAD"):
            world.remember()
            world.run("checkout", "-q", "--ours", "--", "a.c")
            world.run("add", "-A")
            world.look()
            world.run("commit", "-q", "--no-edit")


def squash(world: World) -> None:
    world.run("merge", "-q", "--squash", world.rng.choice(world.branches))
    if world.rng.random() < 0.5:
        world.look()
    world.run("commit", "-qm", "squashed")


def bisect(world: World) -> None:
    world.run("bisect", "start", "HEAD", "HEAD~2")
    world.look()
    world.run("bisect", "reset")


def foreign_merge(world: World) -> None:
    commit = world.foreign_commit(conflicting=True)
    if commit is None:
        return
    if world.run("merge", "-q", "--no-edit", commit) is not None:
        world.run("reset", "-q", "--hard", "HEAD~1")
    elif world.has("MERGE_HEAD"):
        world.look()
        if world.rng.random() < 0.3:
            world.remember()
        world.run("merge", "--abort")
    world.look()


def foreign_squash(world: World) -> None:
    commit = world.foreign_commit(conflicting=world.rng.random() < 0.5)
    if commit is not None:
        world.run("merge", "--squash", commit)
        world.look()
        world.run("reset", "-q", "--hard")
        world.look()


def foreign_pick(world: World) -> None:
    commit = world.foreign_commit(conflicting=True)
    if commit is not None:
        if world.run("cherry-pick", commit) is not None:
            world.run("reset", "-q", "--hard", "HEAD~1")
        else:
            world.look()
            world.run("cherry-pick", "--abort")
        world.look()


def new_branch(world: World) -> None:
    name = f"b{len(world.trace)}"
    if world.run("checkout", "-qb", name) is not None:
        world.branches.append(name)


def delete_branch(world: World) -> None:
    name = world.rng.choice(world.branches)
    if name != "main" and world.run("branch", "-D", name) is not None:
        world.branches.remove(name)


def push(world: World) -> None:
    if not world.has("refs/remotes/far") and "far" not in world.ask("remote"):
        far = world.top.with_name(world.top.name + "-far.git")
        world.run("init", "-q", "--bare", str(far))
        world.run("remote", "add", "far", str(far))
    world.run("push", "-q", "--all", "--force", "far")


def collect_garbage(world: World) -> None:
    world.run("reflog", "expire", "--expire=now", "--all")
    world.run("gc", "-q", "--prune=now")


def restore(world: World) -> None:
    present = world.look()
    lost = [*present.withdrawn, *present.elsewhere, *present.stranded]
    chosen = [rel for rel in lost if rel in world.ours]
    if chosen and present.workspace is not Workspace.ABSENT and not present.underway:
        rel = world.rng.choice(chosen)
        world.trace.append(f"restore {rel[-15:-5]}")
        world.memory.restore(rel)
        assert rel in world.look().waiting


def _end(world: World, verb: str, *others: str) -> None:
    """An operation that stopped: sometimes a look at it, then abandoned in one way or another."""
    if world.rng.random() < 0.5:
        world.look()
    if world.rng.random() < 0.2:
        world.remember()
    if others and world.rng.random() < 0.3:
        world.run(verb, world.rng.choice(others))
    world.process(verb, "--abort")
    world.process(verb, "--quit")
    if world.underway:
        world.process("reset", "-q", "--hard")
        world.process(verb, "--quit")


WEIGHTS: dict[Step, int] = {
    remember: 8, look: 6, commit_everything: 6, commit_tracked: 2, commit_path: 2, commit_memory: 2, stage: 2,
    amend: 2, checkout: 6, checkout_older_than_the_workspace: 1, detach: 2, checkout_files: 1, switch_orphan: 1,
    stash: 2, stash_tracked: 1, stash_all: 1, pop: 4, apply_stash: 1, drop: 1, clean: 2, clean_ignored: 1,
    reset_hard: 2, reset_mixed: 2, reset_soft: 1, unstage: 1, remove_committed: 1, untrack_committed: 1,
    rebase: 2, rebase_autostash: 1, cherry_pick: 2, cherry_pick_uncommitted: 1, revert: 2, merge: 2,
    restart_merge: 1, squash: 2, bisect: 1, foreign_merge: 1, foreign_squash: 1, foreign_pick: 1,
    new_branch: 2, delete_branch: 2, restore: 2,
}  # fmt: skip
RARE: dict[Step, int] = {push: 1, collect_garbage: 1}
"""Only in some runs: what was pushed needs no watching, and what was collected cannot be asked for."""
