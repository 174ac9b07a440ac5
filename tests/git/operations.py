"""What people do with Git, one function each, on a party: `run` is what is compared with plain Git, `git` prepares.

Every party has `main` (three commits, the last one in its code), `side` and `other` (each one commit beside main, in
files of their own), `ahead` (one commit upon main), and `origin` with all of these.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from .party import Party

Operation = Callable[[Party], None]
_PYGIT2 = """
import sys, pygit2
repository = pygit2.Repository(sys.argv[1])
index = repository.index
index.read()
tree = index.write_tree()
who = pygit2.Signature("Ana", "ana@example.org", 1796000000, 0)
repository.create_commit("HEAD", who, who, "by another client", tree, [repository.head.target])
"""


def commit(p: Party) -> None:
    p.stage("x")
    p.run("commit", "-q", "-m", "x")


def commit_all(p: Party) -> None:
    p.edit("x")
    p.run("commit", "-q", "-a", "-m", "x")


def commit_by_patch(p: Party) -> None:
    p.edit("x")
    p.run("commit", "-q", "-p", "-m", "x", stdin="y\n")


def commit_a_path(p: Party) -> None:
    p.edit("x")
    p.run("commit", "-q", "-m", "x", "--", p.code)


def commit_amend(p: Party) -> None:
    p.stage("x")
    p.run("commit", "-q", "--amend", "--no-edit")


def commit_reworded(p: Party) -> None:
    p.run("commit", "-q", "--amend", "-m", "reworded")


def commit_without_hooks(p: Party) -> None:
    p.stage("x")
    p.run("commit", "-q", "--no-verify", "-m", "x")


def commit_empty(p: Party) -> None:
    p.run("commit", "-q", "--allow-empty", "-m", "x")


def commit_that_the_editor_stops(p: Party) -> None:
    p.stage("x")
    p.run("commit", "-q", GIT_EDITOR="false")


def commit_from_an_index_of_ones_own(p: Party) -> None:
    p.edit("x")
    index = str(p.folder / "own-index")
    p.run("read-tree", "HEAD", GIT_INDEX_FILE=index)
    p.run("add", "--sparse", "--", p.code, GIT_INDEX_FILE=index)
    p.run("commit", "-q", "-m", "x", GIT_INDEX_FILE=index)


def commit_by_a_graphical_client(p: Party) -> None:
    """One that was started from a desktop: hardly a variable is set, and PATH is the system's."""
    p.stage("x")
    home = p.environ()
    kept = [f"{name}={home[name]}" for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")]
    command = " ".join(["!exec", "env", "-i", *kept, "PATH=/usr/bin:/bin", "git", "commit", "-q", "-m", "x"])
    p.run("-c", f"alias.gui={command}", "gui")


def commit_by_libgit2(p: Party) -> None:
    """A client that knows neither hooks nor a variable that names its index."""
    p.stage("x")
    p.run("-c", f"alias.client=!exec '{sys.executable}' -c '{_PYGIT2}'", "client", str(p.root))


def rebase(p: Party) -> None:
    p.run("rebase", "-q", "side")


def rebase_interactively(p: Party) -> None:
    p.run("rebase", "-q", "-i", "side", GIT_SEQUENCE_EDITOR="sed -i -e 's/^pick/reword/'", GIT_EDITOR="true")


def rebase_autosquash(p: Party) -> None:
    p.stage("fixed")
    p.run("commit", "-q", "--fixup", "HEAD")
    p.run("rebase", "-q", "-i", "--autosquash", "HEAD~2", GIT_SEQUENCE_EDITOR="true")


def rebase_with_autostash(p: Party) -> None:
    p.edit("at work")
    p.run("rebase", "-q", "--autostash", "side")


def rebase_that_stops_and_is_given_up(p: Party) -> None:
    p.run("rebase", "-q", "--exec", "false", "side")
    p.run("rebase", "--abort")


def cherry_pick(p: Party) -> None:
    p.run("cherry-pick", "side")


def cherry_pick_without_a_commit(p: Party) -> None:
    p.run("cherry-pick", "-n", "side")
    p.run("commit", "-q", "-m", "picked")


def revert(p: Party) -> None:
    p.run("revert", "--no-edit", "HEAD")


def revert_of_the_workspace(p: Party) -> None:
    p.run("revert", "--no-edit", "HEAD~1")


def merge_fast_forward(p: Party) -> None:
    p.run("merge", "-q", "--ff-only", "ahead")


def merge(p: Party) -> None:
    p.run("merge", "-q", "--no-edit", "side")


def merge_squash(p: Party) -> None:
    p.run("merge", "-q", "--squash", "side")
    p.run("commit", "-q", "-m", "squashed")


def merge_octopus(p: Party) -> None:
    p.run("merge", "-q", "--no-edit", "side", "other")


def pull_by_rebase(p: Party) -> None:
    p.edit("at work")
    p.run("pull", "-q", "--rebase", "--autostash", "origin", "side")


def stash(p: Party) -> None:
    p.edit("at work")
    p.run("stash", "-q")
    p.run("stash", "pop", "-q")


def stash_untracked(p: Party) -> None:
    p.edit("at work")
    p.run("stash", "-q", "-u")
    p.run("stash", "pop", "-q")


def stash_all(p: Party) -> None:
    p.edit("at work")
    p.run("stash", "-q", "-a")
    p.run("stash", "pop", "-q")


def stash_all_and_keep(p: Party) -> None:
    p.edit("at work")
    p.run("stash", "-q", "-a")


def stash_to_a_branch(p: Party) -> None:
    p.edit("at work")
    p.run("stash", "-q", "-u")
    p.run("stash", "branch", "rescue")


def reset_soft(p: Party) -> None:
    p.run("reset", "-q", "--soft", "HEAD~1")


def reset_mixed(p: Party) -> None:
    p.run("reset", "-q", "HEAD~1")


def reset_hard(p: Party) -> None:
    p.run("reset", "-q", "--hard", "HEAD~1")


def reset_hard_before_the_workspace(p: Party) -> None:
    p.run("reset", "-q", "--hard", "HEAD~2")


def reset_keep(p: Party) -> None:
    p.edit("at work")
    p.run("reset", "-q", "--keep", "HEAD")


def bisect(p: Party) -> None:
    p.run("bisect", "start", "HEAD", "HEAD~2")
    p.run("bisect", "run", "true")
    p.run("bisect", "reset")


def am(p: Party) -> None:
    patch = p.git("format-patch", "-1", "--stdout", "side", where=p.root)
    p.run("am", "-q", stdin=f"{patch}\n")


def filter_branch(p: Party) -> None:
    p.run("filter-branch", "-f", "--msg-filter", "sed s/two/zwei/", "HEAD~2..HEAD", FILTER_BRANCH_SQUELCH_WARNING="1")


def gc(p: Party) -> None:
    p.run("reflog", "expire", "--expire=now", "--all")
    p.run("gc", "-q", "--prune=now")


def worktree_removed_by_force(p: Party) -> None:
    linked = p.folder / "another"
    if p.run("worktree", "add", "-q", "-b", "linked", str(linked)):
        return
    p.cc("remember", "Kept in the linked worktree", "-k", "decision", where=linked)
    p.run("worktree", "remove", "--force", str(linked))


def worktree_moved(p: Party) -> None:
    linked = p.folder / "another"
    p.run("worktree", "add", "-q", "-b", "linked", str(linked))
    p.run("worktree", "move", str(linked), str(p.folder / "moved"))


def worktree_of_a_name_that_was_used(p: Party) -> None:
    linked = p.folder / "another"
    if p.run("worktree", "add", "-q", "-b", "linked", str(linked)):
        return
    p.cc("remember", "Kept in the linked worktree", "-k", "decision", where=linked)
    shutil.rmtree(linked)
    p.run("worktree", "prune")
    p.run("worktree", "add", "-q", str(linked), "linked")


def push(p: Party) -> None:
    p.run("push", "-q", "origin", "HEAD:refs/heads/pushed")


def push_mirror(p: Party) -> None:
    p.git("init", "-q", "--bare", str(p.folder / "mirror.git"), where=p.folder)
    p.run("push", "-q", "--mirror", str(p.folder / "mirror.git"))


def clone_mirror(p: Party) -> None:
    p.run("clone", "-q", "--mirror", str(p.root), str(p.folder / "mirror.git"))


def bundle(p: Party) -> None:
    file = str(p.folder / "all.bundle")
    p.run("bundle", "create", "-q", file, "--all")
    p.run("clone", "-q", "--mirror", file, str(p.folder / "mirror.git"))


def fetch_prune(p: Party) -> None:
    p.git("--git-dir", str(p.folder / "origin.git"), "branch", "-D", "other", where=p.folder)
    p.run("fetch", "-q", "--prune", "origin")


def checkout_of_a_path(p: Party) -> None:
    p.run("checkout", "-q", "side", "--", "other.c")


def checkout_of_everything(p: Party) -> None:
    p.run("checkout", "-q", "side", "--", ".")


def switch_and_back(p: Party) -> None:
    here = p.git("rev-parse", "--abbrev-ref", "HEAD", where=p.root)
    p.run("checkout", "-q", "side")
    p.run("checkout", "-q", here if here != "HEAD" else "main")


def switch_to_before_the_workspace(p: Party) -> None:
    p.run("checkout", "-q", "HEAD~2")


def switch_to_an_orphan(p: Party) -> None:
    p.run("switch", "-q", "--orphan", "alone")


def clean(p: Party) -> None:
    (p.root / "untracked.c").write_text("x\n")
    p.run("clean", "-q", "-fdx")


def sparse_checkout(p: Party) -> None:
    p.run("sparse-checkout", "set", "kept")


def restore_everything(p: Party) -> None:
    p.edit("at work")
    p.run("restore", "--staged", "--worktree", ".")


def commit_of_a_private_file(p: Party) -> None:
    """Forced into the index: our hook stops the commit."""
    p.stage("x")
    p.run("add", "-f", "--sparse", "--", *_private(p))
    _stopped(p, "commit", "-q", "-m", "x")
    p.run("rm", "-q", "-r", "--cached", "--sparse", "--ignore-unmatch", "--", ".continuity/private")
    p.run("commit", "-q", "-m", "x")


def push_of_a_private_file(p: Party) -> None:
    """Committed past our hook: the push is stopped, and goes once that commit is undone."""
    p.stage("w")
    p.run("commit", "-q", "-m", "w")
    p.stage("x")
    p.run("add", "-f", "--sparse", "--", *_private(p))
    if p.run("commit", "-q", "--no-verify", "-m", "x") == 0:
        _stopped(p, "push", "-q", "origin", "HEAD:refs/heads/pushed")
    p.run("reset", "-q", "--soft", "HEAD~1")
    p.run("rm", "-q", "-r", "--cached", "--sparse", "--ignore-unmatch", "--", ".continuity/private")
    p.run("commit", "-q", "-m", "x")
    p.run("push", "-q", "origin", "HEAD:refs/heads/pushed")


def _stopped(p: Party, *words: str) -> None:
    """By our hook, where there was a private file to be forced in: a sparse checkout leaves none on disk."""
    if not p.ours or _private(p) != [p.code]:
        p.refused(*words)


def _private(p: Party) -> list[str]:
    """The private files, or in the other one's case the one of the user's that is staged already."""
    found = [str(f.relative_to(p.root)) for f in (p.root / ".continuity/private").rglob("dec_*.toml")]
    return found or [p.code]


def revert_of_a_revocation(p: Party) -> None:
    """Its commit is taken back; what it took away stays away."""
    p.stage("x")
    identifier = p.titles().get("Committed before", "")
    if identifier and p.cc("revoke", identifier, code=None):
        p.revoked.add(identifier)
    p.run("commit", "-q", "-m", "x")
    p.run("revert", "--no-edit", "HEAD")


def revert_of_a_forget(p: Party) -> None:
    p.stage("x")
    identifier = p.titles().get("Committed before", "")
    if identifier and p.person("forget", identifier) == 0:
        p.gone.add("Committed before")
    if "unspecified" in p.git("check-attr", "filter", "--", ".continuity/a.toml", code=None, where=p.root):
        p.git("add", "-A", "--sparse", "--", ".continuity", code=None, where=p.root)
    p.run("commit", "-q", "-m", "x")
    p.run("revert", "--no-edit", "HEAD")


def filter_repo(p: Party) -> None:
    p.run("filter-repo", "--force", "--quiet", "--replace-message", str(_expressions(p)))


def _expressions(p: Party) -> Path:
    file = p.folder / "expressions"
    file.write_text("two==>zwei\n")
    return file


OPERATIONS: tuple[Operation, ...] = (
    commit, commit_all, commit_by_patch, commit_a_path, commit_amend, commit_reworded, commit_without_hooks,
    commit_empty, commit_that_the_editor_stops, commit_from_an_index_of_ones_own, commit_by_a_graphical_client,
    commit_by_libgit2,
    rebase, rebase_interactively, rebase_autosquash, rebase_with_autostash, rebase_that_stops_and_is_given_up,
    cherry_pick, cherry_pick_without_a_commit, revert, revert_of_the_workspace,
    merge_fast_forward, merge, merge_squash, merge_octopus, pull_by_rebase,
    stash, stash_untracked, stash_all, stash_all_and_keep, stash_to_a_branch,
    reset_soft, reset_mixed, reset_hard, reset_hard_before_the_workspace, reset_keep,
    bisect, am, filter_branch, gc,
    worktree_removed_by_force, worktree_moved, worktree_of_a_name_that_was_used,
    push, push_mirror, clone_mirror, bundle, fetch_prune,
    checkout_of_a_path, checkout_of_everything, switch_and_back, switch_to_before_the_workspace, switch_to_an_orphan,
    clean, sparse_checkout, restore_everything,
    commit_of_a_private_file, push_of_a_private_file, revert_of_a_revocation, revert_of_a_forget, filter_repo,
)  # fmt: skip
