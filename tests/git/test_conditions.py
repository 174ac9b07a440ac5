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
from pathlib import Path

import pytest

from .conditions import ORDINARY, Make, a_signature_by_ssh, again
from .desk import SAID, SAID_LATER, Desk, arrives, go_round

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
    again(tmp_path, desk, f"--filter={left_out}")
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
