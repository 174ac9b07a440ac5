"""Finding a workspace in every layout that Git knows."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from cc_git.errors import NoWorkspace, Unsupported
from cc_git.store import git_process
from cc_git.store.git import Git
from cc_git.store.place import ForeignWorkspace, Place, discover, repository_at
from cc_git.store.repository import open_repository, workspaces


def workspace_in(folder: Path) -> Path:
    made = folder / ".continuity"
    made.mkdir(parents=True)
    (made / "workspace.toml").write_text('format = "cc-git/1"\n')
    return made


def discover_alone(start: Path, environ: Mapping[str, str] = MappingProxyType({})) -> Place:
    """`discover`, which must not start a process here."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", refuse)
        return discover(start, environ)


def plain(top: Path, prefix: str = ".continuity") -> Place:
    return Place(top, top / ".git", top / ".git", prefix)


def test_a_workspace_is_found_from_any_folder_below_the_top(repository: Path) -> None:
    directory = workspace_in(repository)
    (repository / "a" / "b").mkdir(parents=True)
    for start in (repository, repository / "a/b", directory, repository / ".git"):
        assert discover_alone(start) == plain(repository)
    assert discover(repository).directory == directory


def test_the_nearest_of_several_workspaces_is_taken(repository: Path) -> None:
    workspace_in(repository)
    workspace_in(repository / "services" / "a")
    (repository / "services/a/src").mkdir()
    (repository / "services/b").mkdir()
    assert discover(repository / "services/a/src").prefix == "services/a/.continuity"
    assert discover(repository / "services/b").prefix == ".continuity"
    assert discover(repository / "services/b", prefix="services/a/.continuity").prefix == "services/a/.continuity"
    with pytest.raises(NoWorkspace):
        discover(repository, prefix="services/b/.continuity")


def test_no_workspace_names_init_and_is_not_sought_beyond_the_top(repository: Path, tmp_path: Path) -> None:
    workspace_in(tmp_path)
    with pytest.raises(NoWorkspace) as none:
        discover(repository)
    assert none.value.hints == ("cc-git init",)
    assert repository_at(repository) == plain(repository)


def test_outside_a_repository_git_is_asked_and_init_named(tmp_path: Path) -> None:
    with pytest.raises(NoWorkspace, match="not inside a Git repository") as none:
        discover(tmp_path)
    assert none.value.hints[0] == "git init"


def test_another_tools_directory_is_named_and_not_passed_over(repository: Path) -> None:
    workspace_in(repository)
    foreign = repository / "sub" / ".continuity"
    foreign.mkdir(parents=True)
    (foreign / "manifest.json").write_text("{}")
    for find in (discover, repository_at):
        with pytest.raises(ForeignWorkspace, match=str(foreign)):
            find(repository / "sub")
    (foreign / "workspace.toml").touch()
    assert discover(repository / "sub").prefix == "sub/.continuity"


def test_a_workspace_that_this_branch_lacks_still_has_its_place(repository: Path) -> None:
    (repository / "sub" / ".continuity" / "private").mkdir(parents=True)
    with pytest.raises(NoWorkspace):
        discover(repository / "sub")
    assert repository_at(repository / "sub").prefix == "sub/.continuity"


def test_a_link_in_the_workspaces_place_is_not_followed(repository: Path, tmp_path: Path) -> None:
    (repository / ".continuity").symlink_to(workspace_in(tmp_path / "elsewhere"))
    with pytest.raises(NoWorkspace):
        discover(repository)


@pytest.mark.parametrize("name", ["with space", "ünï-çødé 日本", "-dash", "new\nline"])
def test_names_of_every_kind_are_found_also_through_a_link(tmp_path: Path, name: str) -> None:
    top = tmp_path / name
    for folder in ("objects", "refs", "../sub"):
        (top / ".git" / folder).mkdir(parents=True)
    (top / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (top / ".git/config").touch()
    workspace_in(top / "sub")
    (tmp_path / "link").symlink_to(top / "sub")
    assert discover_alone(tmp_path / "link") == plain(top, "sub/.continuity")


def test_a_linked_worktree_shares_only_the_common_directory(
    repository: Path, tmp_path: Path, git: Callable[..., str]
) -> None:
    linked = tmp_path / "lin ked"
    git(repository, "worktree", "add", "-q", "-b", "side", str(linked))
    workspace_in(linked)
    place = discover(linked)
    assert place == Place(linked, repository / ".git/worktrees/lin-ked", repository / ".git", ".continuity")
    repository.rename(tmp_path / "moved")
    with pytest.raises(Unsupported, match="leads nowhere"):
        discover(linked)


def test_a_submodule_is_its_own_repository(repository: Path, tmp_path: Path, git: Callable[..., str]) -> None:
    workspace_in(repository)
    git(tmp_path, "clone", "-q", str(repository), "inner")
    git(repository, "submodule", "--quiet", "add", str(tmp_path / "inner"), "mod")
    with pytest.raises(NoWorkspace):
        discover(repository / "mod")
    workspace_in(repository / "mod")
    git_dir = repository / ".git/modules/mod"
    assert discover(repository / "mod") == Place(repository / "mod", git_dir, git_dir, ".continuity")


def test_a_bare_repository_has_the_workspace_of_its_head(
    repository: Path, tmp_path: Path, git: Callable[..., str]
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "none.git")
    with pytest.raises(NoWorkspace):
        discover(tmp_path / "none.git")
    workspace_in(repository)
    workspace_in(repository / "sub")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "memory")
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    bare = tmp_path / "bare.git"
    assert discover(bare) == Place(None, bare, bare, ".continuity")
    assert discover(bare / "refs", prefix="sub/.continuity").prefix == "sub/.continuity"
    place = discover(bare)
    git_program = Git(place)
    assert workspaces(place, git_program, open_repository(place, git_program)) == (
        ".continuity",
        "sub/.continuity",
    )


def test_workspaces_of_a_monorepo_are_listed_tracked_or_not(repository: Path, git: Callable[..., str]) -> None:
    for folder in (repository, repository / "b", repository / "ü x"):
        workspace_in(folder)
    workspace_in(repository / "no" / "x.continuity")
    git(repository, "add", "b")
    place = discover(repository / "b")
    git_program = Git(place)
    assert workspaces(place, git_program, open_repository(place, git_program)) == (
        ".continuity",
        "b/.continuity",
        "no/x.continuity/.continuity",
        "ü x/.continuity",
    )


def test_a_sparse_checkout_that_leaves_the_workspace_out_is_still_one(
    repository: Path, git: Callable[..., str]
) -> None:
    workspace_in(repository / "services" / "a")
    (repository / "docs").mkdir()
    (repository / "docs/x").touch()
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "memory")
    git(repository, "sparse-checkout", "set", "docs")
    (repository / "services/a").mkdir(parents=True, exist_ok=True)
    assert discover(repository / "services/a").prefix == "services/a/.continuity"


class TestVariablesThatNameARepository:
    def test_what_git_sets_for_a_hook_needs_no_process(self, repository: Path) -> None:
        workspace_in(repository)
        for git_dir in (".git", str(repository / ".git")):
            assert discover_alone(repository, {"GIT_DIR": git_dir, "GIT_INDEX_FILE": "x"}) == plain(repository)
            assert discover_alone(repository, {"GIT_DIR": git_dir, "GIT_WORK_TREE": "."}) == plain(repository)

    def test_a_git_directory_apart_from_its_work_tree_is_found(
        self, repository: Path, tmp_path: Path, git: Callable[..., str]
    ) -> None:
        apart = repository.joinpath(".git").rename(tmp_path / "apart.git")
        workspace_in(repository)
        named = {**os.environ, "GIT_DIR": str(apart), "GIT_WORK_TREE": str(repository)}
        place = discover(repository, named)
        assert place == Place(repository, apart, apart, ".continuity")
        assert Git(place, named).run("rev-parse", "HEAD").stdout
        with pytest.raises(NoWorkspace):
            discover(repository)

    def test_core_worktree_is_obeyed(self, repository: Path, tmp_path: Path, git: Callable[..., str]) -> None:
        elsewhere = tmp_path / "elsewhere"
        workspace_in(elsewhere)
        git(repository, "config", "core.worktree", str(elsewhere))
        place = discover(elsewhere, {**os.environ, "GIT_DIR": str(repository / ".git")})
        assert place == Place(elsewhere, repository / ".git", repository / ".git", ".continuity")
        assert Git(place).run("rev-parse", "--show-toplevel").stdout.decode().strip() == str(elsewhere)


def test_the_git_program_that_is_missing_is_named(repository: Path) -> None:
    with pytest.raises(git_process.GitFailed, match="could not be started"):
        git_process.run_git(repository, {"PATH": "/nowhere"}, ("version",))
