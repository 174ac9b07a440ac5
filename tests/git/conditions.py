"""The conditions in which people have their repositories, each made of an ordinary clone: for tests and the table."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Work(Protocol):
    """A work tree with whoever is in it. `top` is where commands are run, `code` a file of the user's."""

    top: Path
    code: str

    def git(self, *words: str, code: int | None = 0, where: Path | None = None) -> str: ...

    def cc(self, *words: str, code: int | None = 0, where: Path | None = None) -> str: ...

    def change(self, text: str) -> None:
        """An ordinary commit of the user's."""


Make = Callable[[Path, Work], object]


def again(tmp_path: Path, desk: Work, *options: str) -> None:
    """The desk is at another clone of the origin, made with these options."""
    desk.git("clone", "-q", *options, (tmp_path / "origin.git").as_uri(), "other", where=tmp_path)
    desk.top = tmp_path / "other"
    desk.cc("hooks", "install")


def plain(tmp_path: Path, desk: Work) -> None:
    assert desk.top.is_dir()


def linked_worktree(tmp_path: Path, desk: Work) -> None:
    desk.git("worktree", "add", "-q", "-b", "beside", str(tmp_path / "linked"))
    desk.top = tmp_path / "linked"


def submodule(tmp_path: Path, desk: Work) -> None:
    desk.git("init", "-q", "around", where=tmp_path)
    desk.git("submodule", "--quiet", "add", (tmp_path / "origin.git").as_uri(), "sub", where=tmp_path / "around")
    desk.top = tmp_path / "around/sub"
    assert (desk.top / ".git").is_file()
    desk.cc("hooks", "install")


def submodule_with_its_own_folder(tmp_path: Path, desk: Work) -> None:
    desk.git("init", "-q", "around", where=tmp_path)
    desk.git("clone", "-q", (tmp_path / "origin.git").as_uri(), "around/sub", where=tmp_path)
    desk.git("submodule", "--quiet", "add", (tmp_path / "origin.git").as_uri(), "sub", where=tmp_path / "around")
    desk.top = tmp_path / "around/sub"
    assert (desk.top / ".git").is_dir()
    desk.cc("hooks", "install")


def shallow(tmp_path: Path, desk: Work) -> None:
    desk.change("more history")
    desk.git("push", "-q", "origin", "HEAD")
    again(tmp_path, desk, "--depth=1")
    assert (desk.top / ".git/shallow").exists()


def blobless(tmp_path: Path, desk: Work) -> None:
    desk.change("more history")
    desk.git("push", "-q", "origin", "HEAD")
    again(tmp_path, desk, "--filter=blob:none")


def treeless(tmp_path: Path, desk: Work) -> None:
    desk.change("more history")
    desk.git("push", "-q", "origin", "HEAD")
    again(tmp_path, desk, "--filter=tree:0")


def sparse_cone(_: Path, desk: Work) -> None:
    desk.git("sparse-checkout", "set", "--cone", "kept")
    desk.code = "kept/more.c"


def sparse_patterns(_: Path, desk: Work) -> None:
    desk.git("sparse-checkout", "set", "--no-cone", "/kept/")
    desk.code = "kept/more.c"


def sparse_index(_: Path, desk: Work) -> None:
    desk.git("sparse-checkout", "set", "--cone", "--sparse-index", "kept")
    desk.code = "kept/more.c"


def split_index(_: Path, desk: Work) -> None:
    desk.git("update-index", "--split-index")
    assert list((desk.top / ".git").glob("sharedindex.*"))


def index_of_version_4(_: Path, desk: Work) -> None:
    desk.git("update-index", "--index-version=4")


def detached_head(_: Path, desk: Work) -> None:
    desk.git("checkout", "-q", "--detach")


def subdirectory(_: Path, desk: Work) -> None:
    desk.top = desk.top / "kept"


def autocrlf(_: Path, desk: Work) -> None:
    desk.git("config", "core.autocrlf", "true")


def attributes_that_end_lines_in_crlf(_: Path, desk: Work) -> None:
    (desk.top / ".gitattributes").write_text("* text=auto eol=crlf\n")
    _settle(desk)


def attributes_with_ident(_: Path, desk: Work) -> None:
    (desk.top / ".gitattributes").write_text("* ident\n")
    _settle(desk)


def attributes_with_a_filter(_: Path, desk: Work) -> None:
    desk.git("config", "filter.shout.clean", "tr a-z A-Z")
    desk.git("config", "filter.shout.smudge", "tr A-Z a-z")
    desk.git("config", "filter.shout.required", "true")
    (desk.top / ".gitattributes").write_text("*.toml filter=shout\n")
    _settle(desk)


def attributes_with_an_encoding(_: Path, desk: Work) -> None:
    (desk.top / ".gitattributes").write_text("*.toml working-tree-encoding=UTF-16LE\n")
    _settle(desk)


def _settle(desk: Work) -> None:
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "Attributes")


def names_that_differ_in_case_alone(_: Path, desk: Work) -> None:
    desk.git("config", "core.ignorecase", "true")


def ignored_everywhere_by_the_user(_: Path, desk: Work) -> None:
    (Path.home() / "ignored").write_text(".continuity\n*.toml\n")
    desk.git("config", "--global", "core.excludesFile", str(Path.home() / "ignored"))


def ignored_by_the_repository(_: Path, desk: Work) -> None:
    (desk.top / ".gitignore").write_text("*.toml\n")
    _settle(desk)


def reached_by_a_link(tmp_path: Path, desk: Work) -> None:
    (tmp_path / "link").symlink_to(desk.top)
    desk.top = tmp_path / "link"


def a_path_with_spaces_and_other_letters(tmp_path: Path, desk: Work) -> None:
    there = tmp_path / "Ärger mit 'quotes' \"und\" $HOME; 日本"
    desk.top.rename(there)
    desk.top = there
    desk.cc("hooks", "install")


def no_reflogs(_: Path, desk: Work) -> None:
    desk.git("config", "core.logAllRefUpdates", "false")
    for log in (desk.top / ".git/logs").rglob("*"):
        if log.is_file():
            log.unlink()


def two_hundred_branches(_: Path, desk: Work) -> None:
    for number in range(200):
        desk.git("branch", f"b{number}/x")


def packed_refs_and_objects(_: Path, desk: Work) -> None:
    desk.git("gc", "-q", "--prune=now")
    desk.git("multi-pack-index", "write")
    desk.git("commit-graph", "write", "--reachable")


def a_signature_by_ssh(_: Path, desk: Work) -> None:
    key = Path.home() / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    desk.git("config", "gpg.format", "ssh")
    desk.git("config", "user.signingKey", str(key))
    desk.git("config", "commit.gpgSign", "true")


def a_config_of_the_worktree(_: Path, desk: Work) -> None:
    desk.git("config", "extensions.worktreeConfig", "true")
    desk.git("config", "--worktree", "user.name", "Of This Worktree")


def a_hooks_path_for_all_repositories(_: Path, desk: Work) -> None:
    """Where the hooks are not this repository's alone we install none, and say which line calls ours."""
    hooks = Path.home() / "hooks"
    hooks.mkdir()
    desk.git("config", "--global", "core.hooksPath", str(hooks))
    told = desk.cc("hooks", "install", code=1).splitlines()
    for name in ("pre-commit", "pre-push"):
        found = (line.strip() for line in told if line.strip().startswith("cc_git_hook=") and f"hooks/{name}" in line)
        line = next(found, "true")
        (hooks / name).write_text(f"#!/bin/sh\n{line}\n")
        (hooks / name).chmod(0o755)


def a_git_directory_elsewhere(tmp_path: Path, desk: Work) -> None:
    desk.git("init", "-q", f"--separate-git-dir={tmp_path / 'elsewhere.git'}")
    assert (desk.top / ".git").is_file()


def objects_of_another_repository(tmp_path: Path, desk: Work) -> None:
    desk.git("clone", "-q", "--shared", str(tmp_path / "origin.git"), "other", where=tmp_path)
    desk.top = tmp_path / "other"
    assert (desk.top / ".git/objects/info/alternates").exists()
    desk.cc("hooks", "install")


def shared_with_a_group(_: Path, desk: Work) -> None:
    desk.git("config", "core.sharedRepository", "group")


def a_rewritten_message(_: Path, desk: Work) -> None:
    """As commitlint and its like: a hook that reads the message, and one that adds to it."""
    hook = desk.top / ".git/hooks/commit-msg"
    hook.write_text('#!/bin/sh\necho "Checked-by: us" >> "$1"\n')
    hook.chmod(0o755)


def without_automatic_maintenance(_: Path, desk: Work) -> None:
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
