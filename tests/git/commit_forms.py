"""The ways in which people commit, one function each, run on both twins.

`joins` says whether waiting records end up in a commit, `stays` whether the last failure leaves them staged until the
next command of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .twins import Side

Run = Callable[[Side], None]


@dataclass(frozen=True)
class Form:
    run: Run
    joins: bool
    stays: bool = False


def _edit(side: Side) -> None:
    side.write("code.c", "ONE\ntwo\nTHREE\n")


def _stage(side: Side) -> None:
    _edit(side)
    side.run("add", "code.c")


def staged(side: Side) -> None:
    _stage(side)
    side.git("commit", "-m", "x")


def all_tracked(side: Side) -> None:
    _edit(side)
    side.git("commit", "-a", "-m", "x")


def patch(side: Side) -> None:
    side.write("code.c", "ONE\ntwo\nthree\n")
    side.write("other.c", "A\nb\n")
    side.git("commit", "-p", "-m", "x", stdin="y\nn\n")


def a_path(side: Side) -> None:
    _edit(side)
    side.git("commit", "-m", "x", "code.c")


def only_a_path_beside_staged(side: Side) -> None:
    _stage(side)
    side.write("other.c", "A\nb\n")
    side.git("commit", "-m", "x", "--only", "--", "other.c")


def including_a_path(side: Side) -> None:
    _stage(side)
    side.write("other.c", "A\nb\n")
    side.git("commit", "-m", "x", "--include", "--", "other.c")


def partly_staged(side: Side) -> None:
    _stage(side)
    side.write("code.c", "1\n2\n3\n")
    side.git("commit", "-m", "x")


def reworded(side: Side) -> None:
    side.git("commit", "--amend", "-m", "reworded")


def amended(side: Side) -> None:
    _stage(side)
    side.git("commit", "--amend", "--no-edit")


def empty(side: Side) -> None:
    side.git("commit", "--allow-empty", "-m", "x")


def nothing_staged(side: Side) -> None:
    _edit(side)
    side.git("commit", "-m", "x")


def only_intent_to_add(side: Side) -> None:
    side.write("new.c", "n\n")
    side.run("add", "-N", "new.c")
    side.git("commit", "-m", "x")


def unverified(side: Side) -> None:
    _stage(side)
    side.git("commit", "--no-verify", "-m", "x")


def dry_run(side: Side) -> None:
    _stage(side)
    side.git("commit", "--dry-run", "-m", "x")


def editor_leaves_nothing(side: Side) -> None:
    _stage(side)
    side.git("commit", GIT_EDITOR="true")


def editor_fails(side: Side) -> None:
    _edit(side)
    side.git("commit", "-a", GIT_EDITOR="false")


def editor_fails_as_it_is(side: Side) -> None:
    _stage(side)
    side.git("commit", GIT_EDITOR="false")


def by_an_editor(side: Side) -> None:
    _stage(side)
    side.git("commit", "-v", GIT_EDITOR="sh -c 'echo x >\"$1\"' -")


def message_refused_then_again(side: Side) -> None:
    side.hook("commit-msg", 'grep -q good "$1"')
    _stage(side)
    side.git("commit", "-m", "bad")
    side.git("commit", "-m", "good")


def message_refused(side: Side) -> None:
    side.hook("commit-msg", "exit 1")
    _stage(side)
    side.git("commit", "-m", "x")


def message_refused_then_an_empty_one(side: Side) -> None:
    side.hook("commit-msg", 'grep -q good "$1"')
    _stage(side)
    side.git("commit", "-m", "bad")
    side.git("restore", "--staged", "code.c")
    side.git("commit", "--allow-empty", "-m", "good")


def message_refused_then_a_path(side: Side) -> None:
    side.hook("commit-msg", 'grep -q good "$1"')
    _stage(side)
    side.write("other.c", "A\nb\n")
    side.git("commit", "-m", "bad")
    side.git("commit", "-m", "good", "other.c")


def message_refused_then_reworded(side: Side) -> None:
    side.hook("commit-msg", 'grep -q good "$1"')
    _stage(side)
    side.git("commit", "-m", "bad")
    side.git("checkout", "HEAD", "--", "code.c")
    side.git("commit", "--amend", "-m", "good")


def message_refused_with_all(side: Side) -> None:
    side.hook("commit-msg", 'grep -q good "$1"')
    _stage(side)
    side.git("commit", "-m", "bad")
    side.git("commit", "-a", "-m", "bad")
    side.git("commit", "-a", "-m", "good")


def message_refused_then_stashed(side: Side) -> None:
    side.hook("commit-msg", 'grep -q good "$1"')
    _stage(side)
    side.git("commit", "-m", "bad")
    side.git("stash")
    side.git("stash", "pop")
    side.git("commit", "-a", "-m", "good")


def pull_with_a_rebase(side: Side) -> None:
    """A failing commit-msg hook, then `git pull --rebase`, which refuses staged changes; then the mended commit."""
    remote = side.top.parent / f"remote-of-{side.top.name}"
    side.run("init", "-q", "--bare", str(remote))
    side.run("remote", "add", "origin", str(remote))
    side.run("push", "-q", "-u", "origin", "main")
    side.run("clone", "-q", str(remote), str(remote.with_suffix(".clone")))
    other = Side(remote.with_suffix(".clone"), ours=False)
    other.write("theirs.c", "t\n")
    other.run("add", "-A")
    other.run("commit", "-qm", "theirs")
    other.run("push", "-q")
    side.hook("commit-msg", 'grep -q good "$1"')
    _stage(side)
    side.git("commit", "-m", "bad")
    side.git("pull", "--rebase", "-q")
    side.git("commit", "-m", "good")
    side.git("pull", "--rebase", "-q")
    side.git("push", "-q")


def _diverge(side: Side) -> None:
    side.run("switch", "-q", "-c", "topic")
    side.write("code.c", "topic\n")
    side.run("commit", "-q", "--no-verify", "-am", "topic")
    side.run("switch", "-q", "main")
    side.write("code.c", "main\n")
    side.run("commit", "-q", "--no-verify", "-am", "main")


def _settle(side: Side) -> None:
    side.write("code.c", "both\n")
    side.run("add", "code.c")


def merge_by_hand(side: Side) -> None:
    _diverge(side)
    side.git("merge", "topic")
    _settle(side)
    side.git("commit", "-m", "merged")


def merge_by_itself(side: Side) -> None:
    side.run("switch", "-q", "-c", "topic")
    side.write("new.c", "n\n")
    side.run("add", "new.c")
    side.run("commit", "-q", "--no-verify", "-m", "topic")
    side.run("switch", "-q", "main")
    side.git("merge", "--no-ff", "-m", "merged", "topic")


def squash_by_hand(side: Side) -> None:
    side.run("switch", "-q", "-c", "topic")
    side.write("new.c", "n\n")
    side.run("add", "new.c")
    side.run("commit", "-q", "--no-verify", "-m", "topic")
    side.run("switch", "-q", "main")
    side.git("merge", "--squash", "topic")
    side.git("commit", "-m", "squashed")


def cherry_pick_by_hand(side: Side) -> None:
    _diverge(side)
    side.git("cherry-pick", "topic")
    _settle(side)
    side.git("commit", "-m", "picked")


def cherry_pick_with_an_editor(side: Side) -> None:
    side.run("switch", "-q", "-c", "topic")
    side.write("new.c", "n\n")
    side.run("add", "new.c")
    side.run("commit", "-q", "--no-verify", "-m", "topic")
    side.run("switch", "-q", "main")
    side.run("commit", "-q", "--no-verify", "--allow-empty", "-m", "main")
    side.git("cherry-pick", "-e", "topic")


def revert_by_itself(side: Side) -> None:
    _edit(side)
    side.run("commit", "-q", "--no-verify", "-am", "x")
    side.git("revert", "HEAD")


def revert_by_hand(side: Side) -> None:
    _edit(side)
    side.run("commit", "-q", "--no-verify", "-am", "x")
    side.write("code.c", "further\n")
    side.run("commit", "-q", "--no-verify", "-am", "y")
    side.git("revert", "HEAD~1")
    _settle(side)
    side.git("commit", "-m", "reverted")


def rebase_by_hand(side: Side) -> None:
    _diverge(side)
    side.run("switch", "-q", "topic")
    side.git("rebase", "-q", "main")
    _settle(side)
    side.git("commit", "-q", "-m", "rebased")
    side.git("rebase", "--continue")


def rebase_stopped_to_edit(side: Side) -> None:
    _edit(side)
    side.run("commit", "-q", "--no-verify", "-am", "x")
    side.run("commit", "-q", "--no-verify", "--allow-empty", "-m", "y")
    side.git("rebase", "-q", "-i", "HEAD~2", GIT_SEQUENCE_EDITOR="sed -i -e '1s/^pick/edit/'")
    side.write("other.c", "A\nb\n")
    side.git("commit", "-q", "--amend", "-a", "--no-edit")
    side.git("rebase", "--continue")


def rebase_rewords(side: Side) -> None:
    _edit(side)
    side.run("commit", "-q", "--no-verify", "-am", "x")
    side.git("rebase", "-q", "-i", "HEAD~1", GIT_SEQUENCE_EDITOR="sed -i -e '1s/^pick/reword/'")


def bisecting(side: Side) -> None:
    side.run("bisect", "start")
    _stage(side)
    side.git("commit", "-m", "x")
    side.run("bisect", "reset")


def mailbox(side: Side) -> None:
    _edit(side)
    side.run("commit", "-q", "--no-verify", "-am", "x")
    mail = side.ask("format-patch", "--stdout", "HEAD~1")
    side.run("reset", "-q", "--hard", "HEAD~1")
    side.git("am", "-q", stdin=f"{mail}\n")


def detached(side: Side) -> None:
    side.run("checkout", "-q", "--detach")
    _stage(side)
    side.git("commit", "-m", "x")
    side.run("branch", "kept")


def a_fixup(side: Side) -> None:
    _stage(side)
    side.git("commit", "--fixup", "HEAD")


def same_message(side: Side) -> None:
    _stage(side)
    side.git("commit", "-C", "HEAD")


def message_from_input(side: Side) -> None:
    _stage(side)
    side.git("commit", "-F", "-", stdin="x\n")


def a_deletion(side: Side) -> None:
    side.run("rm", "-q", "other.c")
    side.git("commit", "-m", "x")


def from_a_subdirectory(side: Side) -> None:
    side.write("deep/er/new.c", "n\n")
    side.run("add", "deep")
    side.git("commit", "-m", "x", cwd=side.top / "deep" / "er")


def from_outside(side: Side) -> None:
    _stage(side)
    words = (f"--git-dir={side.top / '.git'}", f"--work-tree={side.top}", "commit", "-m", "x")
    side.git(*words, cwd=side.top.parent)


def own_index(side: Side) -> None:
    """An index of somebody's own: scripts that build commits beside the work tree."""
    own = str(side.top.parent / f"{side.top.name}.index")
    side.run("read-tree", "HEAD", GIT_INDEX_FILE=own)
    _edit(side)
    side.run("add", "code.c", GIT_INDEX_FILE=own)
    side.git("commit", "-m", "x", GIT_INDEX_FILE=own)


def own_index_in_the_git_directory(side: Side) -> None:
    own = str(side.top / ".git" / "mine")
    side.run("read-tree", "HEAD", GIT_INDEX_FILE=own)
    _edit(side)
    side.run("add", "code.c", GIT_INDEX_FILE=own)
    side.git("commit", "-m", "x", GIT_INDEX_FILE=own)


def own_index_called_index(side: Side) -> None:
    folder = side.top.parent / f"{side.top.name}-scratch"
    folder.mkdir()
    own = str(folder / "index")
    side.run("read-tree", "HEAD", GIT_INDEX_FILE=own)
    _edit(side)
    side.run("add", "code.c", GIT_INDEX_FILE=own)
    side.git("commit", "-m", "x", GIT_INDEX_FILE=own)


def real_index_by_name(side: Side) -> None:
    _stage(side)
    side.git("commit", "-m", "x", GIT_INDEX_FILE=str(side.top / ".git" / "index"))


def minimal_path(side: Side) -> None:
    _stage(side)
    side.git("commit", "-m", "x", PATH="/usr/bin:/bin")


def literal_pathspecs(side: Side) -> None:
    _stage(side)
    side.git("--literal-pathspecs", "commit", "-m", "x")


def line_ends_converted(side: Side) -> None:
    side.run("config", "core.autocrlf", "true")
    _stage(side)
    side.git("commit", "-m", "x")


def all_ignored(side: Side) -> None:
    side.write("../ignore", "*.toml\n.continuity\n")
    side.run("config", "core.excludesFile", str(side.top.parent / "ignore"))
    _stage(side)
    side.git("commit", "-m", "x")


def filtered(side: Side) -> None:
    """`info/attributes` is stronger than every `.gitattributes`: the bytes would not be the journal's."""
    side.write(".git/info/attributes", "*.toml filter=loud\n")
    side.run("config", "filter.loud.clean", "tr a-z A-Z")
    _stage(side)
    side.git("commit", "-m", "x")


def split_index(side: Side) -> None:
    side.run("update-index", "--split-index")
    _edit(side)
    side.git("commit", "-a", "-m", "x")


def index_of_version_4(side: Side) -> None:
    side.run("update-index", "--index-version", "4")
    side.run("update-index", "--untracked-cache")
    _stage(side)
    side.git("commit", "-m", "x")


def sparse_index(side: Side) -> None:
    side.write("kept/code.c", "k\n")
    side.write("left/out/code.c", "l\n")
    side.run("add", "kept", "left")
    side.run("commit", "-q", "--no-verify", "-m", "folders")
    side.run("sparse-checkout", "set", "--cone", "--sparse-index", "kept", ".continuity")
    side.write("kept/code.c", "K\n")
    side.git("commit", "-a", "-m", "x")


def signature_fails(side: Side) -> None:
    side.run("config", "gpg.program", "false")
    _stage(side)
    side.git("commit", "-S", "-m", "x")


def author_unknown(side: Side) -> None:
    side.run("config", "user.useConfigOnly", "true")
    _stage(side)
    side.git("commit", "-m", "x", GIT_CONFIG_GLOBAL="/dev/null")


def user_hook_refuses(side: Side) -> None:
    side.run("config", "core.hooksPath", ".hooks")
    side.write(".hooks/pre-commit", "#!/bin/sh\nexit 1\n")
    (side.top / ".hooks" / "pre-commit").chmod(0o755)
    _stage(side)
    side.git("commit", "-m", "x")


FORMS = (
    Form(staged, joins=True),
    Form(all_tracked, joins=True),
    Form(patch, joins=True),
    Form(a_path, joins=False),
    Form(only_a_path_beside_staged, joins=False),
    Form(including_a_path, joins=True),
    Form(partly_staged, joins=True),
    Form(reworded, joins=False),
    Form(amended, joins=True),
    Form(empty, joins=False),
    Form(nothing_staged, joins=False),
    Form(only_intent_to_add, joins=False),
    Form(unverified, joins=False),
    Form(dry_run, joins=False),
    Form(editor_leaves_nothing, joins=False, stays=True),
    Form(editor_fails, joins=False),
    Form(editor_fails_as_it_is, joins=False, stays=True),
    Form(by_an_editor, joins=True),
    Form(message_refused, joins=False, stays=True),
    Form(message_refused_then_again, joins=True),
    Form(message_refused_then_an_empty_one, joins=False),
    Form(message_refused_then_a_path, joins=False, stays=True),
    Form(message_refused_then_reworded, joins=False),
    Form(message_refused_with_all, joins=True),
    Form(message_refused_then_stashed, joins=True),
    Form(pull_with_a_rebase, joins=True),
    Form(merge_by_hand, joins=False),
    Form(merge_by_itself, joins=False),
    Form(squash_by_hand, joins=True),
    Form(cherry_pick_by_hand, joins=False),
    Form(cherry_pick_with_an_editor, joins=False),
    Form(revert_by_itself, joins=False),
    Form(revert_by_hand, joins=False),
    Form(rebase_by_hand, joins=False),
    Form(rebase_stopped_to_edit, joins=False),
    Form(rebase_rewords, joins=False),
    Form(bisecting, joins=False),
    Form(mailbox, joins=False),
    Form(detached, joins=True),
    Form(a_fixup, joins=True),
    Form(same_message, joins=True),
    Form(message_from_input, joins=True),
    Form(a_deletion, joins=True),
    Form(from_a_subdirectory, joins=True),
    Form(from_outside, joins=True),
    Form(own_index, joins=False),
    Form(own_index_in_the_git_directory, joins=False),
    Form(own_index_called_index, joins=False),
    Form(real_index_by_name, joins=True),
    Form(minimal_path, joins=True),
    Form(literal_pathspecs, joins=True),
    Form(line_ends_converted, joins=True),
    Form(all_ignored, joins=True),
    Form(filtered, joins=False),
    Form(user_hook_refuses, joins=False),
    Form(split_index, joins=True),
    Form(index_of_version_4, joins=True),
    Form(sparse_index, joins=True),
    Form(signature_fails, joins=False, stays=True),
    Form(author_unknown, joins=False),
)
