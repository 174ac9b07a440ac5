"""Repositories as people have them: under every condition memory is written, committed, corrected and resumed, with the
right bytes and nothing of the user's touched; once by libgit2 and once by the git program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from .desk import SAID, SAID_LATER, Desk, arrives, go_round

Make = Callable[[Path, Desk], object]
NOBODY = 65_534


@pytest.fixture(params=["libgit2", "git"])
def desk(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    """At a repository with a workspace, the hook and a bare origin, all committed and pushed."""
    monkeypatch.setenv("CC_GIT_ENGINE", request.param)
    desk = Desk(tmp_path / "work", capsys)
    desk.git("init", "-q", "--bare", "origin.git", where=tmp_path)
    desk.git("config", "uploadpack.allowFilter", "true", where=tmp_path / "origin.git")
    desk.git("clone", "-q", "origin.git", "work", where=tmp_path)
    (desk.top / "code.c").write_text("int main(void) { return 0; }\n")
    (desk.top / "kept").mkdir()
    (desk.top / "kept/more.c").write_text("int more;\n")
    desk.cc("init", "--name", "harbour")
    desk.cc("hooks", "install")
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "Begin")
    desk.git("push", "-q", "origin", "HEAD")
    return desk


def _again(tmp_path: Path, desk: Desk, *options: str) -> None:
    """The desk is at another clone of the origin, made with these options."""
    desk.git("clone", "-q", *options, (tmp_path / "origin.git").as_uri(), "other", where=tmp_path)
    desk.top = tmp_path / "other"
    desk.cc("hooks", "install")


def plain(tmp_path: Path, desk: Desk) -> None:
    assert desk.top.is_dir()


def linked_worktree(tmp_path: Path, desk: Desk) -> None:
    desk.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    desk.top = tmp_path / "linked"


def submodule(tmp_path: Path, desk: Desk) -> None:
    desk.git("init", "-q", "around", where=tmp_path)
    desk.git("submodule", "--quiet", "add", (tmp_path / "origin.git").as_uri(), "sub", where=tmp_path / "around")
    desk.top = tmp_path / "around/sub"
    assert (desk.top / ".git").is_file()
    desk.cc("hooks", "install")


def submodule_with_its_own_folder(tmp_path: Path, desk: Desk) -> None:
    desk.git("init", "-q", "around", where=tmp_path)
    desk.git("clone", "-q", (tmp_path / "origin.git").as_uri(), "around/sub", where=tmp_path)
    desk.git("submodule", "--quiet", "add", (tmp_path / "origin.git").as_uri(), "sub", where=tmp_path / "around")
    desk.top = tmp_path / "around/sub"
    assert (desk.top / ".git").is_dir()
    desk.cc("hooks", "install")


def shallow(tmp_path: Path, desk: Desk) -> None:
    desk.change("more history")
    desk.git("push", "-q", "origin", "HEAD")
    _again(tmp_path, desk, "--depth=1")
    assert (desk.top / ".git/shallow").exists()


def blobless(tmp_path: Path, desk: Desk) -> None:
    desk.change("more history")
    desk.git("push", "-q", "origin", "HEAD")
    _again(tmp_path, desk, "--filter=blob:none")


def treeless(tmp_path: Path, desk: Desk) -> None:
    desk.change("more history")
    desk.git("push", "-q", "origin", "HEAD")
    _again(tmp_path, desk, "--filter=tree:0")


def sparse_cone(_: Path, desk: Desk) -> None:
    desk.git("sparse-checkout", "set", "--cone", "kept")
    desk.code = "kept/more.c"


def sparse_patterns(_: Path, desk: Desk) -> None:
    desk.git("sparse-checkout", "set", "--no-cone", "/kept/")
    desk.code = "kept/more.c"


def sparse_index(_: Path, desk: Desk) -> None:
    desk.git("sparse-checkout", "set", "--cone", "--sparse-index", "kept")
    desk.code = "kept/more.c"


def split_index(_: Path, desk: Desk) -> None:
    desk.git("update-index", "--split-index")
    assert list((desk.top / ".git").glob("sharedindex.*"))


def index_of_version_4(_: Path, desk: Desk) -> None:
    desk.git("update-index", "--index-version=4")


def detached_head(_: Path, desk: Desk) -> None:
    desk.git("checkout", "-q", "--detach")


def subdirectory(_: Path, desk: Desk) -> None:
    desk.top = desk.top / "kept"


def autocrlf(_: Path, desk: Desk) -> None:
    desk.git("config", "core.autocrlf", "true")


def attributes_that_end_lines_in_crlf(_: Path, desk: Desk) -> None:
    (desk.top / ".gitattributes").write_text("* text=auto eol=crlf\n")
    _settle(desk)


def attributes_with_ident(_: Path, desk: Desk) -> None:
    (desk.top / ".gitattributes").write_text("* ident\n")
    _settle(desk)


def attributes_with_a_filter(_: Path, desk: Desk) -> None:
    desk.git("config", "filter.shout.clean", "tr a-z A-Z")
    desk.git("config", "filter.shout.smudge", "tr A-Z a-z")
    desk.git("config", "filter.shout.required", "true")
    (desk.top / ".gitattributes").write_text("*.toml filter=shout\n")
    _settle(desk)


def attributes_with_an_encoding(_: Path, desk: Desk) -> None:
    (desk.top / ".gitattributes").write_text("*.toml working-tree-encoding=UTF-16LE\n")
    _settle(desk)


def _settle(desk: Desk) -> None:
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "Attributes")


def names_that_differ_in_case_alone(_: Path, desk: Desk) -> None:
    desk.git("config", "core.ignorecase", "true")


def ignored_everywhere_by_the_user(_: Path, desk: Desk) -> None:
    (Path.home() / "ignored").write_text(".continuity\n*.toml\n")
    desk.git("config", "--global", "core.excludesFile", str(Path.home() / "ignored"))


def ignored_by_the_repository(_: Path, desk: Desk) -> None:
    (desk.top / ".gitignore").write_text("*.toml\n")
    _settle(desk)


def reached_by_a_link(tmp_path: Path, desk: Desk) -> None:
    (tmp_path / "link").symlink_to(desk.top)
    desk.top = tmp_path / "link"


def a_path_with_spaces_and_other_letters(tmp_path: Path, desk: Desk) -> None:
    there = tmp_path / "Ärger mit 'quotes' \"und\" $HOME; 日本"
    desk.top.rename(there)
    desk.top = there
    desk.cc("hooks", "install")


def no_reflogs(_: Path, desk: Desk) -> None:
    desk.git("config", "core.logAllRefUpdates", "false")
    for log in (desk.top / ".git/logs").rglob("*"):
        if log.is_file():
            log.unlink()


def two_hundred_branches(_: Path, desk: Desk) -> None:
    for number in range(200):
        desk.git("branch", f"b{number}/x")


def packed_refs_and_objects(_: Path, desk: Desk) -> None:
    desk.git("gc", "-q", "--prune=now")
    desk.git("multi-pack-index", "write")
    desk.git("commit-graph", "write", "--reachable")


def a_signature_by_ssh(_: Path, desk: Desk) -> None:
    key = Path.home() / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    desk.git("config", "gpg.format", "ssh")
    desk.git("config", "user.signingKey", str(key))
    desk.git("config", "commit.gpgSign", "true")


def a_config_of_the_worktree(_: Path, desk: Desk) -> None:
    desk.git("config", "extensions.worktreeConfig", "true")
    desk.git("config", "--worktree", "user.name", "Of This Worktree")


def a_hooks_path_for_all_repositories(_: Path, desk: Desk) -> None:
    """Where the hooks are not this repository's alone we install none, and say which line calls ours."""
    hooks = Path.home() / "hooks"
    hooks.mkdir()
    desk.git("config", "--global", "core.hooksPath", str(hooks))
    told = desk.cc("hooks", "install", code=1).splitlines()
    for name in ("pre-commit", "pre-push"):
        (line,) = (line.strip() for line in told if line.strip().startswith("cc_git_hook=") and f"hooks/{name}" in line)
        (hooks / name).write_text(f"#!/bin/sh\n{line}\n")
        (hooks / name).chmod(0o755)


def a_git_directory_elsewhere(tmp_path: Path, desk: Desk) -> None:
    desk.git("init", "-q", f"--separate-git-dir={tmp_path / 'elsewhere.git'}")
    assert (desk.top / ".git").is_file()


def objects_of_another_repository(tmp_path: Path, desk: Desk) -> None:
    desk.git("clone", "-q", "--shared", str(tmp_path / "origin.git"), "other", where=tmp_path)
    desk.top = tmp_path / "other"
    assert (desk.top / ".git/objects/info/alternates").exists()
    desk.cc("hooks", "install")


def shared_with_a_group(_: Path, desk: Desk) -> None:
    desk.git("config", "core.sharedRepository", "group")


def a_rewritten_message(_: Path, desk: Desk) -> None:
    """As commitlint and its like: a hook that reads the message, and one that adds to it."""
    hook = desk.top / ".git/hooks/commit-msg"
    hook.write_text('#!/bin/sh\necho "Checked-by: us" >> "$1"\n')
    hook.chmod(0o755)


def without_automatic_maintenance(_: Path, desk: Desk) -> None:
    desk.git("config", "maintenance.auto", "false")
    desk.git("config", "core.fsmonitor", "false")
    desk.git("config", "core.untrackedCache", "true")
    desk.git("config", "feature.manyFiles", "true")


ORDINARY: tuple[Make, ...] = (
    plain,
    linked_worktree,
    submodule,
    submodule_with_its_own_folder,
    shallow,
    blobless,
    treeless,
    sparse_cone,
    sparse_patterns,
    sparse_index,
    split_index,
    index_of_version_4,
    detached_head,
    subdirectory,
    autocrlf,
    attributes_that_end_lines_in_crlf,
    attributes_with_ident,
    attributes_with_a_filter,
    attributes_with_an_encoding,
    names_that_differ_in_case_alone,
    ignored_everywhere_by_the_user,
    ignored_by_the_repository,
    reached_by_a_link,
    a_path_with_spaces_and_other_letters,
    no_reflogs,
    two_hundred_branches,
    packed_refs_and_objects,
    a_signature_by_ssh,
    a_config_of_the_worktree,
    a_hooks_path_for_all_repositories,
    a_git_directory_elsewhere,
    objects_of_another_repository,
    shared_with_a_group,
    a_rewritten_message,
    without_automatic_maintenance,
)


@pytest.mark.parametrize("make", ORDINARY, ids=lambda make: make.__name__)
def test_memory_goes_its_way(tmp_path: Path, desk: Desk, make: Make) -> None:
    make(tmp_path, desk)
    go_round(desk)
    if make is a_signature_by_ssh:
        signed = [desk.git("cat-file", "commit", revision) for revision in ("HEAD", "HEAD~1")]
        assert ["-----BEGIN SSH SIGNATURE-----" in commit for commit in signed] == [True, True]
    desk.git("push", "-q", "origin", "HEAD:refs/heads/done")
    arrives(desk, tmp_path / "origin.git", tmp_path / "arrived", "--branch=done")
    desk.git("fsck", "--strict")


def test_a_bare_repository_is_read_and_never_written(tmp_path: Path, desk: Desk) -> None:
    go_round(desk)
    desk.git("push", "-q", "origin", "HEAD")
    bare = tmp_path / "origin.git"
    before = set(bare.rglob("*"))
    assert desk.titles(where=bare) == {SAID_LATER}
    assert SAID_LATER in desk.cc("resume", where=bare)
    assert "bare" in desk.cc("remember", "x", "-k", "decision", code=8, where=bare)
    assert {path.name for path in bare.rglob("*") if path not in before} == {
        "continuity",
        "index.sqlite",
        "ledger.sqlite",
    }


def test_the_first_commit_of_all(tmp_path: Path, desk: Desk) -> None:
    desk.git("init", "-q", "new", where=tmp_path)
    desk.top = tmp_path / "new"
    desk.cc("init", "--name", "new")
    desk.cc("hooks", "install")
    go_round(desk)
    arrives(desk, desk.top, tmp_path / "arrived")


def test_three_workspaces_in_one_repository(tmp_path: Path, desk: Desk) -> None:
    for name in ("api", "web"):
        (desk.top / name).mkdir()
        desk.cc("init", "--here", "--name", name, where=desk.top / name)
        desk.cc("remember", f"{name} alone", "-k", "decision", where=desk.top / name)
    desk.change("with both")
    go_round(desk)
    desk.git("clone", "-q", str(desk.top), "arrived", where=tmp_path)
    found = [desk.titles(where=tmp_path / "arrived" / name) for name in ("", "api", "web")]
    assert found == [{SAID_LATER}, {"api alone"}, {"web alone"}]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_workspace_below_a_folder_in_either_normal_form(tmp_path: Path, desk: Desk, form: str) -> None:
    name = unicodedata.normalize(form, "café und tée")  # type: ignore[arg-type]
    (desk.top / name).mkdir()
    desk.cc("init", "--here", "--name", "cafe", where=desk.top / name)
    desk.top, desk.prefix, desk.code = desk.top / name, f"{name}/.continuity", f"{name}/code.c"
    (desk.top / "code.c").write_text("c\n")
    desk.change("begin there")
    go_round(desk)
    desk.git("push", "-q", "origin", "HEAD:refs/heads/done")
    arrives(desk, tmp_path / "origin.git", tmp_path / "arrived", "--branch=done")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository to somebody else")
def test_somebody_elses_repository_is_used_only_where_git_trusts_it(tmp_path: Path, desk: Desk) -> None:
    desk.cc("remember", "Before it was given away", "-k", "decision")
    for path in (desk.top, *desk.top.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    assert "dubious ownership" in desk.cc("list", code=3)
    assert "dubious ownership" in desk.cc("remember", "x", "-k", "decision", code=3)
    desk.git("config", "--global", "safe.directory", str(desk.top), where=tmp_path)
    assert desk.titles() == {"Before it was given away"}
    go_round(desk)


def test_an_index_that_another_process_holds(desk: Desk) -> None:
    first = desk.made("remember", SAID, "-k", "decision")
    lock = desk.top / ".git/index.lock"
    lock.write_text("held")
    second = desk.made("correct", first, SAID_LATER)
    assert desk.titles() == {SAID_LATER}
    assert "index.lock" in desk.cc("commit", "-m", "Memory", code=3)
    assert lock.read_text() == "held"
    lock.unlink()
    desk.cc("commit", "-m", "Memory")
    assert SAID_LATER.encode() in desk.committed(second)
    assert desk.git("status", "--porcelain") == ""


def test_a_clock_that_runs_backwards(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = desk.made("remember", SAID, "-k", "decision")
    desk.change("one")
    desk.hour = 3
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z")
    desk.made("correct", first, SAID_LATER)
    desk.change("two")
    desk.hour = 14
    assert desk.titles() == {SAID_LATER}
    desk.git("push", "-q", "origin", "HEAD")
    arrives(desk, tmp_path / "origin.git", tmp_path / "arrived")


def test_nobody_has_a_name(desk: Desk, sealed: Path) -> None:
    (sealed / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    first = desk.made("remember", SAID, "-k", "decision", "--actor", "agent:test")
    before = desk.git("ls-files", "-s"), desk.git("status", "--porcelain")
    said = desk.cc("commit", "-m", "Memory", code=3)
    assert "user.email" in said or "identity" in said
    assert (desk.git("ls-files", "-s"), desk.git("status", "--porcelain")) == before
    desk.git("config", "user.name", "Ana")
    desk.git("config", "user.email", "ana@example.org")
    desk.cc("commit", "-m", "Memory")
    assert SAID.encode() in desk.committed(first)


def test_there_is_no_home(tmp_path: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name)
    desk.git("config", "user.name", "Ana")
    desk.git("config", "user.email", "ana@example.org")
    go_round(desk)
    desk.git("push", "-q", "origin", "HEAD")
    desk.git("clone", "-q", str(tmp_path / "origin.git"), "arrived", where=tmp_path)
    assert desk.titles(where=tmp_path / "arrived") == {SAID_LATER}


def test_the_language_is_c(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LC_ALL", "C"), ("LANG", "C"), ("PYTHONCOERCECLOCALE", "0"), ("PYTHONUTF8", "0")):
        monkeypatch.setenv(name, value)
    go_round(desk)
    desk.cc("remember", "Où sont les grues ? 起重機", "-k", "belief")
    words = [sys.executable, "-m", "cc_git", "list", "--json"]
    out = subprocess.run(words, cwd=desk.top, capture_output=True, check=True).stdout
    assert "Où sont les grues ? 起重機" in {line["title"] for line in json.loads(out)["data"]}


def test_a_filter_that_stands_above_our_attributes_never_gets_other_bytes_into_a_commit(desk: Desk) -> None:
    """`info/attributes` is stronger than the file that we lay beside our own."""
    desk.git("config", "filter.shout.clean", "tr a-z A-Z")
    info = desk.top / ".git/info/attributes"
    info.write_text("*.toml filter=shout\n")
    desk.made("remember", SAID, "-k", "decision")
    desk.change("one")
    assert len(desk.data("status")["waiting"]) == 3
    assert desk.titles() == {SAID}
    assert "info/attributes" in desk.cc("commit", "-m", "Memory", code=3)
    assert desk.git("diff", "--cached", "--name-only") == ""
    desk.git("commit", "-q", "--allow-empty", "-m", "not hindered")
    assert b"DEPLOYS" not in desk.git("log", "-p", "--all", "--", ".continuity").encode()
    assert desk.titles() == {SAID}
    info.unlink()
    desk.change("two")
    assert desk.data("status")["waiting"] == []
    assert SAID in desk.git("show", "HEAD", "--", ".continuity")


@pytest.mark.skipif(shutil.which("gpg") is None, reason="no gpg here")
def test_commits_that_are_signed_by_gpg(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="g", dir="/tmp") as home:  # its sockets need a short path
        monkeypatch.setenv("GNUPGHOME", home)
        making = ["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "ana@example.org", "ed25519"]
        subprocess.run(making, check=True, capture_output=True)
        try:
            desk.git("config", "commit.gpgSign", "true")
            desk.git("config", "user.signingKey", "ana@example.org")
            go_round(desk)
            assert desk.git("log", "-2", "--format=%G?").split() == ["U", "U"] or "G" in desk.git(
                "log", "-2", "--format=%G?"
            )
        finally:
            subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True)


@pytest.mark.parametrize("left_out", ["blob:none", "tree:0"])
def test_a_partial_clone_without_its_remote_says_what_it_lacks(tmp_path: Path, desk: Desk, left_out: str) -> None:
    first, _ = go_round(desk)
    desk.git("push", "-q", "origin", "HEAD")
    _again(tmp_path, desk, f"--filter={left_out}")
    (tmp_path / "origin.git").rename(tmp_path / "away.git")
    assert desk.titles() == {SAID_LATER}
    assert SAID_LATER in desk.cc("resume", "--task", "deploy")
    desk.cc("remember", "Offline all the same", "-k", "belief")
    desk.change("offline")
    assert desk.data("status")["waiting"] == []
    assert desk.titles() == {SAID_LATER, "Offline all the same"}
    old = desk.cc("list", "--at", "HEAD~2", code=None)
    assert "Traceback" not in old
    assert "is not in this clone" in old or first[-6:] in old or SAID in old
