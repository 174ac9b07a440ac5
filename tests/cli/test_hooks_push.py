"""pre-push: what is to stay private is sent nowhere, whichever way it got into a commit; all else goes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.people import Clone, World

WORD = "SECRETWORD"
STOPPED = "this push to origin is stopped: it would send what is to stay here"


@pytest.fixture
def hooked(ana: Clone) -> Clone:
    ana.cc("hooks", "install")
    return ana


def hidden(clone: Clone) -> Path:
    """The file of a private record."""
    done = clone.data("remember", f"The {WORD} is here", "--sensitivity", "sensitive")
    return clone.top / ".continuity" / next(rel for i, rel in done["files"].items() if i.startswith("blf"))


def forced(clone: Clone, *files: Path) -> None:
    clone.git("add", "-f", *map(str, files))
    clone.git("commit", "--no-verify", "-qm", "Past the hook")


def has_word(world: World, clone: Clone) -> bool:
    return WORD in clone.git(f"--git-dir={world.remote}", "log", "--all", "-p")


def test_what_is_ordinary_goes(hooked: Clone, world: World) -> None:
    hooked.cc("remember", "Tabs", "-k", "decision")
    hooked.commit()
    assert "cc-git" not in hooked.git("push", "origin", "HEAD")
    assert "cc-git" not in hooked.git("push", "origin", "HEAD:refs/heads/other", "HEAD:refs/heads/more")
    assert "cc-git" not in hooked.git("push", "origin", ":refs/heads/more")


def test_a_file_of_the_private_tier_does_not(hooked: Clone, world: World) -> None:
    forced(hooked, hidden(hooked))
    said = hooked.git("push", "origin", "HEAD", code=1)
    assert STOPPED in said and "is a file of the private tier" in said and WORD not in said
    assert not has_word(world, hooked)
    hooked.git("push", "--no-verify", "-q", "origin", "HEAD")
    assert has_word(world, hooked)


@pytest.mark.parametrize("where", ["HEAD", "HEAD:refs/heads/new", "HEAD:refs/tags/v1", "--mirror"])
def test_nor_a_copy_in_another_place(hooked: Clone, world: World, where: str) -> None:
    file = hidden(hooked)
    copy = hooked.top / ".continuity" / file.relative_to(hooked.top / ".continuity/private")
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, copy)
    forced(hooked, copy)
    copy.unlink()
    hooked.git("commit", "--no-verify", "-qam", "It is gone from the tip, and not from what is pushed")
    words = ("push", "--mirror", "origin") if where == "--mirror" else ("push", "origin", where)
    assert STOPPED in hooked.git(*words, code=1)
    assert not has_word(world, hooked)


def test_nor_what_a_branch_that_was_never_pushed_brings_by_a_merge(hooked: Clone, world: World) -> None:
    hooked.git("switch", "-qc", "side")
    forced(hooked, hidden(hooked))
    hooked.git("switch", "-q", "main")
    hooked.git("commit", "-q", "--allow-empty", "-m", "x")
    hooked.git("merge", "-q", "--no-edit", "--no-verify", "side")
    assert STOPPED in hooked.git("push", "origin", "HEAD", code=1)


def test_what_the_remote_has_already_stops_nothing(hooked: Clone, world: World) -> None:
    forced(hooked, hidden(hooked))
    hooked.git("push", "--no-verify", "-q", "origin", "HEAD")
    hooked.cc("remember", "Tabs", "-k", "decision")
    hooked.commit()
    hooked.git("push", "-q", "origin", "HEAD")


def test_a_remote_may_have_a_lower_ceiling(hooked: Clone, world: World) -> None:
    hooked.cc("remember", "The berth list is for the office", "--sensitivity", "limited")
    hooked.commit()
    hooked.git("config", "remote.origin.continuityCeiling", "ordinary")
    said = hooked.git("push", "origin", "HEAD", code=1)
    assert STOPPED in said and "says that it is limited, and up to ordinary" in said
    hooked.git("config", "remote.origin.continuityCeiling", "none")
    said = hooked.git("push", "origin", "HEAD", code=1)
    assert STOPPED in said and "remote.origin.continuityCeiling is 'none', so ordinary counts" in said
    hooked.git("config", "remote.origin.continuityCeiling", "limited")
    hooked.git("push", "-q", "origin", "HEAD")


def test_a_hook_that_is_there_hears_what_git_says_and_may_stop_the_push(ana: Clone, world: World) -> None:
    hook = ana.top / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    theirs = "#!/bin/sh\ncat > heard\ngrep -q nothing heard && exit 1\nexit 0\n"
    hook.write_text(theirs)
    hook.chmod(0o755)
    ana.cc("hooks", "install")
    ana.git("commit", "-q", "--allow-empty", "-m", "x")
    ana.git("push", "-q", "origin", "HEAD")
    assert ana.git("rev-parse", "HEAD") in (ana.top / "heard").read_text()
    forced(ana, hidden(ana))
    assert STOPPED in ana.git("push", "origin", "HEAD", code=1)
    ana.cc("hooks", "uninstall")
    assert hook.read_text() == theirs


@pytest.mark.parametrize("damage", ["no program", "a program that fails"])
def test_without_a_program_the_push_goes_and_one_line_says_so(hooked: Clone, damage: str) -> None:
    script = hooked.top / ".git/continuity/hooks/pre-push"
    text = script.read_text().splitlines(keepends=True)
    program = "/nowhere/python" if damage == "no program" else shutil.which("false")
    script.write_text("".join(f"python={program}\n" if line.startswith("python=") else line for line in text))
    hooked.cc("remember", "Tabs", "-k", "decision")
    hooked.commit()
    lean = Clone(hooked.top, "ana", {"PATH": "/usr/bin:/bin"})
    assert lean.git("push", "origin", "HEAD").count("cc-git: what is pushed was not checked") == 1


@pytest.mark.parametrize("theirs", [None, '#!/bin/sh\nread -r heard\necho "$heard" > heard\n'])
def test_a_push_is_looked_at_where_the_path_has_git_alone(ana: Clone, world: World, theirs: str | None) -> None:
    """As a client that brings its own programs may start it."""
    hook = ana.top / ".git/hooks/pre-push"
    if theirs:
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(theirs)
        hook.chmod(0o755)
    ana.cc("hooks", "install")
    forced(ana, hidden(ana))
    programs = world.folder / "programs"
    programs.mkdir()
    (programs / "git").symlink_to(shutil.which("git") or "")
    said = Clone(ana.top, "ana", {"PATH": str(programs)}).git("push", "origin", "HEAD", code=1)
    assert STOPPED in said and "not found" not in said
    assert not has_word(world, ana)
    assert theirs is None or ana.git("rev-parse", "HEAD") in (ana.top / "heard").read_text()


def test_a_remote_branch_that_leads_to_nothing_here_hides_nothing(hooked: Clone, world: World) -> None:
    """Git's own walk ends at it; the push does not ask for it."""
    hooked.git("push", "-q", "origin", "HEAD")
    broken = hooked.top / ".git/refs/remotes/origin/broken"
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_text("1234567890" * 4 + "\n")
    hooked.cc("remember", "Tabs", "-k", "decision")
    hooked.commit()
    assert "cc-git" not in hooked.git("push", "origin", "HEAD")
    forced(hooked, hidden(hooked))
    assert STOPPED in hooked.git("push", "origin", "HEAD", code=1)
    assert not has_word(world, hooked)


def test_what_looks_like_a_secret_does_not_go_either(hooked: Clone, world: World) -> None:
    token = "ghp_" + "a1B2" * 9
    note = hooked.top / ".continuity/runbooks/deploy.toml"
    note.parent.mkdir(exist_ok=True)
    note.write_text(f'format = "cc-git/1"\nid = "rb_01kb7z9n000000000000000001"\ntitle = "Deploy"\ndo = ["{token}"]\n')
    forced(hooked, note)
    note.unlink()
    hooked.git("commit", "--no-verify", "-qam", "Gone from the tip")
    said = hooked.git("push", "origin", "HEAD", code=1)
    assert STOPPED in said and token not in said and "secret" in said


def behind_the_hook(clone: Clone, file: Path) -> str:
    """A commit with a private file on a branch of its own; no hook runs for it."""
    clone.git("add", "-f", str(file))
    commit = clone.git("commit-tree", "-m", "x", "-p", "HEAD", clone.git("write-tree"))
    clone.git("reset", "-q")
    clone.git("branch", "-f", "side", commit)
    return commit


def test_a_merge_that_takes_nothing_of_a_side_sends_it_all_the_same(hooked: Clone, world: World) -> None:
    behind_the_hook(hooked, hidden(hooked))
    hooked.git("commit", "-q", "--allow-empty", "-m", "b")
    hooked.git("merge", "-q", "-s", "ours", "-m", "m", "side")
    assert STOPPED in hooked.git("push", "origin", "HEAD", code=1)
    assert not has_word(world, hooked)


def test_so_does_a_stash_that_became_a_branch(hooked: Clone, world: World) -> None:
    hooked.git("add", "-f", str(hidden(hooked)))
    hooked.git("stash", "-q")
    hooked.git("branch", "-q", "st", "stash@{0}")
    hooked.git("merge", "-q", "-s", "ours", "-m", "m", "st")
    assert STOPPED in hooked.git("push", "origin", "HEAD", code=1)


@pytest.mark.parametrize("what", ["blob", "tree", "folder", "tag", "tag of a tag"])
def test_a_ref_that_leads_to_no_commit_is_looked_at(hooked: Clone, world: World, what: str) -> None:
    file = hidden(hooked)
    commit = behind_the_hook(hooked, file)
    blob = hooked.git("hash-object", str(file))
    pushed = {"tree": f"{commit}^{{tree}}", "folder": f"{commit}:.continuity/private"}.get(what, blob)
    if what.startswith("tag"):
        hooked.git("tag", "-a", "-m", "x", "one", blob)
        hooked.git("tag", "-a", "-m", "x", "two", "one")
        pushed = "one" if what == "tag" else "two"
    assert STOPPED in hooked.git("push", "origin", f"{pushed}:refs/tags/leak", code=1)
    assert hooked.git(f"--git-dir={world.remote}", "tag") == ""


def test_a_tag_on_an_ordinary_blob_or_tree_goes(hooked: Clone) -> None:
    hidden(hooked)
    hooked.git("push", "-q", "origin", f"{hooked.git('rev-parse', 'HEAD:code.c')}:refs/tags/blob")
    hooked.git("push", "-q", "origin", "HEAD^{tree}:refs/tags/tree")


@pytest.mark.parametrize("known", [True, False], ids=["the remote has the branch", "it has nothing of it"])
def test_the_pre_commit_framework_says_in_variables_what_is_pushed(ana: Clone, known: bool) -> None:
    """As it starts its hooks: without words or lines, and for a new branch without commits."""
    before = ana.git("rev-parse", "HEAD")
    around = {
        "REMOTE_NAME": "origin",
        "REMOTE_URL": "x",
        "LOCAL_BRANCH": "refs/heads/main",
        "REMOTE_BRANCH": "refs/heads/main",
    }

    def pushed() -> subprocess.CompletedProcess[str]:
        refs = {"FROM_REF": before, "TO_REF": ana.git("rev-parse", "HEAD")} if known else {}
        environ = {**ana.environ, **{f"PRE_COMMIT_{name}": value for name, value in (around | refs).items()}}
        words = [sys.executable, "-m", "cc_git.githooks", "pre-push"]
        return subprocess.run(words, cwd=ana.top, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    ana.cc("remember", "Tabs", "-k", "decision")
    ana.commit()
    assert (pushed().returncode, pushed().stderr) == (0, "")
    file = hidden(ana)
    forced(ana, file)
    ana.git("rm", "-q", "--cached", str(file))
    ana.git("commit", "--no-verify", "-qm", "And out again")
    done = pushed()
    assert done.returncode == 3 and STOPPED in done.stderr and WORD not in done.stderr


@pytest.mark.parametrize("what", ["a blob", "nothing that is here"])
def test_under_the_framework_too_no_ref_goes_unseen(ana: Clone, what: str) -> None:
    blob = ana.git("hash-object", "-w", str(hidden(ana)))
    named = {"REMOTE_NAME": "origin", "REMOTE_URL": "x", "LOCAL_BRANCH": "refs/tags/v1",
             "TO_REF": blob if what == "a blob" else "a" * 40}  # fmt: skip
    environ = {**ana.environ, **{f"PRE_COMMIT_{name}": value for name, value in named.items()}}
    words = [sys.executable, "-m", "cc_git.githooks", "pre-push"]
    done = subprocess.run(words, cwd=ana.top, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert WORD not in done.stderr
    if what == "a blob":
        assert done.returncode == 3 and STOPPED in done.stderr
    else:
        assert done.returncode == 0 and "nothing was checked" in done.stderr
